"""The functions and classes that a goal asks to be removed, and the tests of Python that use them.

What tests a thing that is to go may go with it.
"""

import re
from collections.abc import Callable, Collection
from itertools import islice
from typing import Final

from .opened_files import WORD, is_asked

_KIND: Final = r"(?:function|method|class|helper|função|método|classe)"
_ARTICLE: Final = r"(?:(?:the|our|old|unused|o|a|nossa?|antig[oa])\s+){0,3}"
_NAME: Final = r"[`\"']?([A-Za-z_]\w*)(?:\(\))?[`\"']?"
_FILE: Final = r"[`\"']?((?:[\w-]+/){0,12}[\w-]+\.(?:py|[cm]?[jt]sx?))[`\"']?(?![\w/])"
_REMOVED: Final = re.compile(
    r"\b(?:remove|delete|drop|apague|apagar|remova|remover|exclua|excluir|elimine|eliminar)\s+"
    r"(?:(?:(?:the|o)\s+)?(?:tests?\s+|testes?\s+)?[`\"']?\w+(?:\(\))?[`\"']?\s+(?:and|e)\s+)?"
    rf"{_ARTICLE}(?:{_KIND}\s+{_NAME}|{_NAME}\s+{_KIND}\b|{_NAME}\s+(?:from|d[eo]|em|n[oa])\s+(?:(?:the|o)\s+)?{_FILE})",
    re.IGNORECASE,
)
_MOST: Final = 8
"""Mentions that are looked at."""
_DEFINES: Final = (
    r"^[ \t]*(?:export[ \t]+)?(?:default[ \t]+)?(?:async[ \t]+)?(?:def|class|function|const|let|var)[ \t]+{name}\b"
)
_TEST: Final = re.compile(r"^([ \t]*)(?:async[ \t]+)?def[ \t]+(test\w*)", re.MULTILINE)


def removed_names(goal: str, text_of: Callable[[str], str]) -> frozenset[str]:
    """The names of what a goal in English or Portuguese asks to be removed.

    A name without a word on its kind counts where the file defines it from which it is to go.
    """
    found = set()
    for one in islice(_REMOVED.finditer(goal), _MOST):
        name, file = one[1] or one[2] or one[3], one[4]
        words = WORD.findall(goal[: one.start()])
        defined = file is None or re.search(_DEFINES.format(name=name), text_of(file), re.MULTILINE) is not None
        if defined and is_asked([*words, "remove"], len(words)):
            found.add(name)
    return frozenset(found)


def tests_using(text: str, names: Collection[str]) -> frozenset[str]:
    """The tests of a file of Python that use one of these names."""
    if not names:
        return frozenset()
    used = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b")
    tests = list(_TEST.finditer(text))
    ends = [*(one.start() for one in tests[1:]), len(text)]
    return frozenset(
        one[2] for one, end in zip(tests, ends, strict=False) if used.search(_body(text[one.end() : end], one))
    )


def _body(text: str, test: re.Match[str]) -> str:
    """Of the text after the head of a test, what stands further to the right."""
    lines = text.split("\n")
    depth = len(test[1])
    end = next(
        (at for at, line in enumerate(lines) if at and line.strip() and len(line) - len(line.lstrip()) <= depth),
        len(lines),
    )
    return "\n".join(lines[:end])

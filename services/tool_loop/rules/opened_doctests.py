"""The examples run as tests (of docstrings, of a README) that a goal asks to change."""

import re
from itertools import islice
from typing import Final

from .opened_tests import asks_to_change_tests

MARK: Final = "::>>>"
"""Between a path (empty: any) and the name of what the examples document (empty: all)."""

_NAME: Final = r"[`\"']?(?<!\w)([A-Za-z_]\w{0,60}(?:\.\w{1,60}){0,4})(?:\(\))?[`\"']?"
_TEXTS: Final = r"(?:(?<![\w-])(?:[\w-]{1,60}/){0,8}(?:README|[\w-]{1,60})(?:\.(?:md|rst|txt|py))|README)"
_EXAMPLES: Final = r"(?:usage )?(?:examples?|exemplos?)"
_DOC: Final = (
    rf"(?:doc-?tests?|docstrings?'? {_EXAMPLES}|docstrings?|{_TEXTS}(?:'s)? {_EXAMPLES}|README's {_EXAMPLES}"
    rf"|{_EXAMPLES}(?: (?:errad|incorret|desatualizad)[oa]s?)? (?:in|of|from|d[oae]s?|n[oa]s?)"
    r" (?:(?:the|its|their|our|o|a|os|as|sua|seu) )?"
    rf"(?:(?:[`\"']?[A-Za-z_][\w.]{{0,80}}(?:\(\))?[`\"']?'s )?docstrings?|{_TEXTS})"
    r"|(?:documentação|docs)'? exemplos?)"
)
_MENTION: Final = re.compile(
    rf"(?:{_NAME}'s\s+)?(?:\b(?:the|its|their|our|this|that|o|os|a|as|seu|sua|este|esse)\s+)?\b{_DOC}\b"
    rf"(?:\s+(?:of|for|d[oae]|para)\s+(?:(?:the|a|o)\s+)?(?:function\s+|função\s+|method\s+)?(?!the\b|all\b){_NAME})?"
    rf"(?:\s+(?:in|from|em|d[oe]|n[oa])\s+({_TEXTS}))?",
    re.IGNORECASE,
)
_WRONG: Final = re.compile(r"\b(?:errad|incorret|desatualizad)[oa]s?\b", re.IGNORECASE)
"""What a mention says of the examples itself."""
_OWNER: Final = re.compile(r"\b([A-Za-z_]\w*)(?:\(\))?[`\"']?'s docstring", re.IGNORECASE)
_MOST: Final = 8
"""Mentions that are looked at."""
_FILE: Final = re.compile(_TEXTS)


def opened_doctests(goal: str) -> frozenset[str]:
    """What a goal opens of such examples, as `PATH::>>>NAME`; all where it asks to change the tests."""
    if asks_to_change_tests(_MENTION.sub("the thing", goal)):
        return frozenset({MARK})
    found = set()
    for one in islice(_MENTION.finditer(goal), _MOST):
        before, after = _MENTION.sub("the thing", goal[: one.start()]), _MENTION.sub("the thing", goal[one.end() :])
        wrong = "wrong " if _WRONG.search(one[0]) else ""
        if any(asks_to_change_tests(f"{before}the {wrong}{test}{after}") for test in ("tests", "test")):
            owner = _OWNER.search(one[0])
            name = (one[1] or one[2] or (owner[1] if owner else "")).rpartition(".")[2]
            named = _FILE.search(one[3] or one[0])
            path = "" if named is None else named[0]
            path = f"{path}.md" if path == "README" else path
            found.add(f"{path}{MARK}{'' if name in ('py', 'md', 'rst', 'txt') else name}")
    return frozenset(found)

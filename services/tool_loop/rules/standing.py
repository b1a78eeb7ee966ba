"""How things stand by a failing check: how many are left, how good it is, and what fails.

Fewer left, a better mark or another thing that fails is progress, however alike the failures read.
"""

import re
from typing import Final

_MOST_CHARS: Final = 8000
_MOST_NAMES: Final = 12
_LEFT = re.compile(
    r"(?<![#\w.])(\d{1,7}) (?:previous |new |more |type |lint |unresolved |remaining |broken |failing |test )*"
    r"(?:failed|failures?|failing|errors?|problems?|warnings?|issues?|violations?|offen[cs]es|left|remaining|conflicts?"
    r"|findings?|vulnerabilities|erros?|falhas?|avisos?|problemas?)\b"
    r"|\b(?:failures|errors|failed|problems|warnings|issues|violations|remaining|left|todo)[\"']?\s?[=:] ?(\d{1,7})\b",
    re.IGNORECASE,
)
_MARK = re.compile(
    r"\b(?:rated at|score|coverage|accuracy|TOTAL"
    r"|passed)\b[^\n\d-]{0,30}(?:\d+ +){0,3}(-?\d{1,5}(?:\.\d{1,4})?)\s?(?:/ ?10\b|%)",
    re.IGNORECASE,
)
_PASSED = re.compile(r"(?<![#\w.])(\d{1,7}) (?:passed|passing|tests? ok|succeeded)\b", re.IGNORECASE)
_TROUBLE = re.compile(
    r"error|fail|undefined|unresolved|missing|cannot|warning|not found|unused|expected", re.IGNORECASE
)
_NAMES = re.compile(
    r"(?<![\w./@-])[\w./@-]{1,200}::[\w.:\[\]-]+|(?<![\w./@-])[\w@-][\w./@-]{0,200}\.[A-Za-z]\w{0,4}(?=[\s:(,]|\Z)"
    r"|[`'\"]([^`'\"\n]{1,80})[`'\"]|undefined: (\w+)"
)
_PLACE = re.compile(
    r"\b(?:lines?|linha|ln|at byte|offset)[ :=]{1,3}(\d{1,7})\b|(?<=[\w\])]):(\d{1,6})(?::\d{1,6})?(?=[:\s]|\Z)"
    r"|(?<=[\w\])])\((\d{1,6})(?:,\d{1,5})?\)",
    re.IGNORECASE,
)
_MOST_PLACES: Final = 8


def places(text: str) -> tuple[int, ...]:
    """The lines at which a text says that something failed, the last few of its end."""
    found = (one[1] or one[2] or one[3] for one in _PLACE.finditer(text[-_MOST_CHARS:]))
    return tuple(dict.fromkeys(int(one) for one in found))[-_MOST_PLACES:]


def left(normal: str) -> int | None:
    """How many failures, errors or problems a text says are left: the most of its last line that counts any."""
    text = normal[-_MOST_CHARS:]
    counts = list(_LEFT.finditer(text))
    if not counts:
        return None
    begun = text.rfind("\n", 0, counts[-1].start()) + 1
    return max(int(one[1] or one[2]) for one in counts if one.start() >= begun)


def mark(normal: str) -> int | None:
    """How good a text says that things are, in hundredths: more is better. The tests that pass, or a mark."""
    text = normal[-_MOST_CHARS:]
    if passed := _PASSED.findall(text):
        return int(passed[-1]) * 100
    found = _MARK.findall(text)
    return round(float(found[-1]) * 100) if found else None


def what_fails(normal: str) -> str:
    """The tests, files and quoted names that the lines of trouble name, in one line; empty: they name none."""
    names: list[str] = []
    for line in normal[:_MOST_CHARS].split("\n"):
        if _TROUBLE.search(line):
            names += [found[1] or found[2] or found[0] for found in _NAMES.finditer(line)]
        if len(names) >= _MOST_NAMES:
            break
    return "\0".join(names[:_MOST_NAMES])

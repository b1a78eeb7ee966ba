"""Which lines of which thing a call reads: what its arguments ask for, as far as its result shows it."""

import re
from collections.abc import Mapping
from typing import Any, Final

from arreio_contracts.events import LinesRead

from .fingerprint import path_of

_SED = re.compile(r"\bsed\s+-n\s+['\"]?(\d+),(\d+)p['\"]?\s+([^\s|;&>]+)")
_PIPED_SED = re.compile(r"\b(?:nl|cat)\s+(?:-\S+\s+)*([^\s|;&>]+)\s*\|\s*sed\s+-n\s+['\"]?(\d+),(\d+)p")
_HEAD = re.compile(r"\bhead\s+(?:-n\s*|-)(\d+)\s+([^\s|;&>-][^\s|;&>]*)")
_FEWEST: Final = 5
"""Lines that a result must have before it is taken for what it shows, not for a word about it."""
_NUMBERED = re.compile(r"^\s*(\d+)(?:\t|: |\||→|  )", re.MULTILINE)
_FIRST_AND_LAST: Final = (
    ("start_line", "end_line"),
    ("line_start", "line_end"),
    ("start", "end"),
    ("from_line", "to_line"),
)
_SKIP_AND_COUNT: Final = (("offset", "limit"), ("offset", "length"), ("start", "count"))


def lines_read(arguments: Mapping[str, Any], command: str | None, cwd: str = "", shown: str = "") -> LinesRead | None:
    """The range that a read asks for, as far as it is `shown`; None where it asks for none, or for everything."""
    asked = _asked(arguments, command, cwd)
    if asked is None or not shown:
        return asked
    numbers = [int(number) for number in _NUMBERED.findall(shown)]
    lines = shown.count("\n")
    if max(len(numbers), lines) < _FEWEST:
        return asked
    last = max(numbers) if len(numbers) >= _FEWEST else asked.first + lines
    return asked.model_copy(update={"last": min(asked.last, max(asked.first, last))})


def _asked(arguments: Mapping[str, Any], command: str | None, cwd: str) -> LinesRead | None:
    if command is not None:
        if found := _SED.search(command):
            return _lines(path_of({"path": found[3]}, cwd), int(found[1]), int(found[2]))
        if found := _PIPED_SED.search(command):
            return _lines(path_of({"path": found[1]}, cwd), int(found[2]), int(found[3]))
        found = _HEAD.search(command)
        return _lines(path_of({"path": found[2]}, cwd), 1, int(found[1])) if found else None
    of = path_of(arguments, cwd)
    if not of:
        return None
    for first, last in _FIRST_AND_LAST:
        if _whole(arguments.get(first)) and _whole(arguments.get(last)):
            return _lines(of, arguments[first], arguments[last])
    for skip, count in _SKIP_AND_COUNT:
        if _whole(arguments.get(skip)) and _whole(arguments.get(count)):
            return _lines(of, arguments[skip], arguments[skip] + arguments[count] - 1)
    limit = arguments.get("limit")
    if isinstance(limit, int) and _whole(limit):
        return _lines(of, 0, limit - 1)
    view = arguments.get("view_range")
    if isinstance(view, list) and len(view) == 2 and all(map(_whole, view)):
        return _lines(of, view[0], view[1])
    return None


def _lines(of: str, first: int, last: int) -> LinesRead | None:
    return LinesRead(of=of, first=first, last=last) if last >= first else None


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)

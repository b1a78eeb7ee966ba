"""Which lines of which thing a call reads, from its arguments."""

import re
from collections.abc import Mapping
from typing import Any, Final

from arreio_contracts.events import LinesRead

from .fingerprint import path_of

_SED = re.compile(r"\bsed\s+-n\s+['\"]?(\d+),(\d+)p['\"]?\s+([^\s|;&>]+)")
_FIRST_AND_LAST: Final = (
    ("start_line", "end_line"),
    ("line_start", "line_end"),
    ("start", "end"),
    ("from_line", "to_line"),
)
_SKIP_AND_COUNT: Final = (("offset", "limit"), ("offset", "length"), ("start", "count"))


def lines_read(arguments: Mapping[str, Any], command: str | None, cwd: str = "") -> LinesRead | None:
    """The range that a read asks for; None where it asks for none, or for everything."""
    if command is not None:
        found = _SED.search(command)
        return _lines(path_of({"path": found[3]}, cwd), int(found[1]), int(found[2])) if found else None
    of = path_of(arguments, cwd)
    if not of:
        return None
    for first, last in _FIRST_AND_LAST:
        if _whole(arguments.get(first)) and _whole(arguments.get(last)):
            return _lines(of, arguments[first], arguments[last])
    for skip, count in _SKIP_AND_COUNT:
        if _whole(arguments.get(skip)) and _whole(arguments.get(count)):
            return _lines(of, arguments[skip], arguments[skip] + arguments[count] - 1)
    view = arguments.get("view_range")
    if isinstance(view, list) and len(view) == 2 and all(map(_whole, view)):
        return _lines(of, view[0], view[1])
    return None


def _lines(of: str, first: int, last: int) -> LinesRead | None:
    return LinesRead(of=of, first=first, last=last) if last >= first else None


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)

"""Which lines of which thing a call reads: what its arguments ask for, as far as its result shows it."""

import re
from collections.abc import Mapping
from typing import Any, Final

from arreio_contracts.events import LinesRead

from .fingerprint import path_of
from .lines_of_command import TO_THE_END, lines_of_command

_FEWEST: Final = 2
"""Lines that a result must have before it is taken for what it shows, not for a word about it."""
_CUT = re.compile(
    r"<output_head>|^[^\w\n]*+(?:\d+ \w+ |output |response |lines )?(?:elided|truncated|omitted|clipped)[^\w\n]*+$"
    r"|\b\d[\d,]* (?:characters?|chars|lines?|bytes) (?:were )?(?:elided|truncated|omitted|clipped|more)\b",
    re.IGNORECASE | re.MULTILINE,
)
_NUMBERED = re.compile(r"^[^\S\n]*+(\d+)(?:\t|: |\||→|  )", re.MULTILINE)
_FIRST_AND_LAST: Final = (
    ("start_line", "end_line"),
    ("line_start", "line_end"),
    ("start", "end"),
    ("from_line", "to_line"),
)
_SKIP_AND_COUNT: Final = (("offset", "limit"), ("offset", "length"), ("start", "count"))
_FROM_THE_TOP: Final = ("limit", "head")


def lines_read(arguments: Mapping[str, Any], command: str | None, cwd: str = "", shown: str = "") -> LinesRead | None:
    """The range that a read asks for, as far as it is `shown`; None where it asks for none, or for everything.

    A command that shows a whole file, or the end of one, is a read of what is shown; the end counts from -1 backwards.
    """
    asked = _asked(arguments, command, cwd)
    if asked is None or not shown:
        return asked
    if _CUT.search(shown):
        return None
    numbers = [int(number) for number in _NUMBERED.findall(shown)]
    lines = shown.rstrip("\n").count("\n") + 1
    if asked.first < 0:
        return asked.model_copy(update={"first": max(asked.first, -lines)})
    if max(len(numbers), lines) < _FEWEST:
        return asked
    last = max(numbers) if 2 * len(numbers) > lines else asked.first + lines - 1
    return asked.model_copy(update={"last": min(asked.last, max(asked.first, last))})


def _asked(arguments: Mapping[str, Any], command: str | None, cwd: str) -> LinesRead | None:
    if command is not None:
        found = lines_of_command(command)
        if found is None:
            return None
        whole = (found[1], found[2]) == (1, TO_THE_END)
        return LinesRead(of=path_of({"path": found[0]}, cwd), first=found[1], last=found[2], whole=whole)
    of = path_of(arguments, cwd)
    if not of:
        return None
    for first, last in _FIRST_AND_LAST:
        if _whole(arguments.get(first)) and _whole(arguments.get(last)):
            return _lines(of, arguments[first], arguments[last])
    for skip, count in _SKIP_AND_COUNT:
        if _whole(arguments.get(skip)) and _whole(arguments.get(count)):
            return _lines(of, arguments[skip], arguments[skip] + arguments[count] - 1)
    for name in _FROM_THE_TOP:
        if _whole(arguments.get(name)):
            return _lines(of, 0, arguments[name] - 1)
    if _whole(arguments.get("tail")):
        return _lines(of, -arguments["tail"], -1)
    view = arguments.get("view_range")
    if isinstance(view, list) and len(view) == 2 and all(map(_whole, view)):
        return _lines(of, view[0], view[1] if view[1] != -1 else TO_THE_END)
    return None


def _lines(of: str, first: int, last: int) -> LinesRead | None:
    return LinesRead(of=of, first=first, last=last) if last >= first else None


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)

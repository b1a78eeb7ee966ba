"""Strings in quotation marks, found at one reading of a text however many of them are never closed."""

import re
from typing import Final

_OPENS: Final = re.compile(r"[\"'`]")
_CLOSED: Final = {mark: re.compile(rf"{mark}(?:\\.|[^{mark}\\])*+{mark}", re.DOTALL) for mark in "\"'`"}


def without_strings(text: str, put: str = "") -> str:
    """A text with `put` in place of each string in \" \" or ' ' or ` `, with what its backslashes escape.

    A mark without another one stays as it is, and so do all of its kind behind it: they stood behind backslashes in
    what it would have opened, so neither is one of them closed.
    """
    parts: list[str] = []
    unclosed: set[str] = set()
    place = 0
    while opens := _OPENS.search(text, place):
        mark = opens[0]
        string = None if mark in unclosed else _CLOSED[mark].match(text, opens.start())
        if string is None:
            unclosed.add(mark)
            parts.append(text[place : opens.end()])
            place = opens.end()
        else:
            parts += text[place : opens.start()], put
            place = string.end()
    return "".join([*parts, text[place:]])

"""Strings in quotation marks, found at one reading of a text however many of them are never closed."""

import re
from collections.abc import Mapping
from typing import Final

CODE: Final[Mapping[str, str]] = {mark: rf"{mark}(?:\\.|[^{mark}\\])*+" for mark in "\"'`"}
"""What a string is up to the mark that closes it, by the mark that opens it."""
SHELL: Final[Mapping[str, str]] = {"'": "'[^']*+", '"': CODE['"']}


class Strings:
    """The strings of a text, asked for from its beginning to its end.

    A backslash and the end of a line close no string: none is found that holds them.
    """

    def __init__(self, text: str, kinds: Mapping[str, str] = CODE) -> None:
        self._text = text
        self._bodies = {mark: re.compile(body) for mark, body in kinds.items()}
        self._unclosed = dict.fromkeys(kinds, 0)

    def end(self, place: int) -> int | None:
        """Where the string ends that begins at a place; None: there begins none, or it is never closed."""
        mark = self._text[place]
        body = self._bodies.get(mark)
        if body is None or place < self._unclosed[mark]:
            return None
        found = body.match(self._text, place)
        assert found is not None
        if self._text.startswith(mark, found.end()):
            return found.end() + 1
        # What stands between was passed over because it is escaped: what it opened would end there too.
        self._unclosed[mark] = found.end()
        return None


def without_strings(text: str, put: str = "", kinds: Mapping[str, str] = CODE) -> str:
    """A text with `put` in place of each of its strings; a mark without another one stays as it is."""
    strings = Strings(text, kinds)
    opens = re.compile(f"[{''.join(kinds)}]")
    parts: list[str] = []
    place = at = 0
    while found := opens.search(text, at):
        end = strings.end(found.start())
        if end is None:
            at = found.end()
        else:
            parts += text[place : found.start()], put
            place = at = end
    return "".join([*parts, text[place:]])

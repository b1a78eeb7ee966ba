"""A long text as pieces that a platform takes, broken between lines and without leaving a code block open."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

_FENCE: Final = re.compile(r" {0,3}(`{3,10}|~{3,10})(?!`)[ \t]*([\w+#.-]{0,20})")
_LONGEST_FENCE: Final = 3 + 10 + 20
SMALLEST_LIMIT: Final = 4 * _LONGEST_FENCE

Size = Callable[[str], int]
"""The length of a text, where that of two texts is the sum of theirs."""


def utf16_units(text: str) -> int:
    """The length of a text as Telegram counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def split(text: str, limit: int, size: Size = len, whole: re.Pattern[str] | None = None) -> list[str]:
    """The pieces of a text, none of them blank or of more than `limit` by `size`, in order.

    A code block that does not fit is closed at the end of a piece and opened again in the next. A line that fits
    nowhere is cut, at a space where there is one, and never within a match of `whole` that fits itself. `limit` is at
    least `SMALLEST_LIMIT`.
    """
    writing = _Writing(limit, size)
    for line in text.splitlines():
        for part in _cut(line, limit - 2 * _LONGEST_FENCE - 2, size, whole):
            writing.add(part)
    writing.turn()
    return writing.pieces


@dataclass
class _Writing:
    """The pieces so far, the lines of the one being written (`used`: their size, each with its end of line), and the
    code block that is open in it."""

    limit: int
    size: Size
    pieces: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    used: int = 0
    marker: str = ""
    opening: str = ""
    just_opened: bool = False

    def add(self, line: str) -> None:
        if not self._fits(line):
            self.turn()
        self.lines.append(line)
        self.used += self.size(line) + 1
        before, (self.marker, self.opening) = self.marker, self._open_after(line)
        self.just_opened = bool(self.marker) and not before

    def turn(self) -> None:
        """End the piece; the next one begins within the same code block."""
        lines = self.lines[:-1] if self.just_opened else [*self.lines, *([self.marker] if self.marker else [])]
        piece = "\n".join(lines).strip("\n")
        if piece.strip():
            self.pieces.append(piece)
        self.lines = [self.opening] if self.marker else []
        self.used = sum(self.size(line) + 1 for line in self.lines)

    def _fits(self, line: str) -> bool:
        marker, _ = self._open_after(line)
        closing = self.size(marker) + 1 if marker else 0
        return self.used + self.size(line) + closing <= self.limit

    def _open_after(self, line: str) -> tuple[str, str]:
        found = _FENCE.match(line)
        if found is None:
            return self.marker, self.opening
        if not self.marker:
            return found[1], f"{found[1]}{found[2]}"
        closes = found[1].startswith(self.marker) and not line.strip().strip(self.marker[0])
        return ("", "") if closes else (self.marker, self.opening)


def _cut(line: str, most: int, size: Size, whole: re.Pattern[str] | None) -> Iterator[str]:
    while size(line) > most:
        end = min(most, len(line))
        while size(line[:end]) > most:
            end -= max(1, (size(line[:end]) - most) // 2)
        space = line.rfind(" ", end // 2, end)
        end = _beside(line, space if space > 0 else end, whole)
        yield line[:end]
        line = line[end:].removeprefix(" ")
    yield line


def _beside(line: str, end: int, whole: re.Pattern[str] | None) -> int:
    """Where to cut so that what is to stay whole does, as far as it does not begin the line."""
    for kept in whole.finditer(line) if whole is not None else ():
        if kept.start() >= end:
            break
        if end < kept.end() and kept.start() > 0:
            return kept.start()
    return end

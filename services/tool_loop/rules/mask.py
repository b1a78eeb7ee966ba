"""A mask: what differs each time in a result, and how to find it cheaply in a long text."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple


class Mask(NamedTuple):
    """What is masked, and how to find cheaply where it may begin: a pattern tried everywhere is most of the work."""

    name: str
    pattern: re.Pattern[str]
    words: tuple[str, ...] = ()
    """Of which one must stand somewhere in the text, in whatever case."""
    begins: tuple[str, ...] = ()
    """With one of which, in whatever case, everything begins that the pattern finds."""
    sign: re.Pattern[str] | None = None
    """What begins `ahead` characters before everything that the pattern finds."""
    ahead: int = 0
    needs: re.Pattern[str] | None = None
    """What is found in every text in which the pattern finds something."""
    parts: re.Pattern[str] | None = None
    """What of that which the pattern finds is masked; None: all of it."""

    def concerns(self, text: str) -> bool:
        """Whether the text has the mask's words, as it was before any mask."""
        return not self.words or _any(self.words, text)

    def masked(self, found: re.Match[str]) -> str:
        """What stands in the place of something that the pattern found."""
        return self.parts.sub(f"<{self.name}>", found[0]) if self.parts else f"<{self.name}>"

    def applied(self, text: str) -> str:
        """The text with everything masked that the pattern finds; the same as the pattern's own `sub`."""
        if self.needs and not self.needs.search(text):
            return text
        if not self.begins and self.sign is None:
            return self.pattern.sub(self.masked, text)
        kept: list[str] = []
        end = 0
        for start in self._starts(text):
            if start >= end and (found := self.pattern.match(text, start)):
                kept += text[end:start], self.masked(found)
                end = found.end()
        return "".join((*kept, text[end:])) if end else text

    def _starts(self, text: str) -> Iterable[int]:
        if self.sign is not None:
            return [found.start() + self.ahead for found in self.sign.finditer(text) if found.start() + self.ahead >= 0]
        lower = _lower(text)
        there = [word for word in _encoded(self.begins) if word in lower]
        return sorted(start for word in there for start in _places(word, lower)) if there else ()


@lru_cache
def _encoded(words: tuple[str, ...]) -> tuple[bytes, ...]:
    return tuple(word.encode() for word in words)


@lru_cache(maxsize=4)
def _lower(text: str) -> bytes:
    """A byte for each character, letters without case: characters keep their places, and bytes are fast to look in."""
    return text.encode("ascii", "replace").lower()


def _any(words: tuple[str, ...], text: str) -> bool:
    lower = _lower(text)
    return any(word in lower for word in _encoded(words))


def _places(word: bytes, lower: bytes) -> Iterator[int]:
    at = lower.find(word)
    while at >= 0:
        yield at
        at = lower.find(word, at + 1)

"""How many timelines are followed at once, in all and by one person, so that nobody takes them from the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from .workings import Busy

MOST: Final = 100
MOST_OF_ONE: Final = 8
"""More than the tabs of one browser can follow, which opens six connections to a host."""


class Followers:
    """Who follows timelines now, by the person's name."""

    def __init__(self, most: int = MOST, most_of_one: int = MOST_OF_ONE) -> None:
        self._most = most
        self._most_of_one = most_of_one
        self._now: Counter[str] = Counter()

    @contextmanager
    def place(self, person: str) -> Iterator[None]:
        """A place for one timeline, as long as it is followed.

        Raises:
            Busy: this person follows as many as one may, or all places are taken.
        """
        if self._now[person] >= self._most_of_one:
            raise Busy(f"you follow {self._most_of_one} timelines already", "close one of them")
        if self._now.total() >= self._most:
            raise Busy(f"{self._most} timelines are followed already, by several people", "try again in a moment")
        self._now[person] += 1
        try:
            yield
        finally:
            self._now[person] -= 1
            if not self._now[person]:
                del self._now[person]

"""Search after search that finds nothing, thought after thought with nothing done, and a screen that does not move."""

from typing import Final

from .rule import Finding, Moment, kept

SEARCHES: Final = 8
THOUGHTS: Final = 10
TOUCHES: Final = 8
AGAIN: Final = 3
"""So many more are found again."""


class Fruitless:
    """Searches that find nothing, whatever is sought, with nothing else between."""

    def __init__(self) -> None:
        self._refs: tuple[str, ...] = ()
        self._count = 0

    def observe(self, moment: Moment) -> Finding | None:
        if not moment.seen.fruitless:
            self._count, self._refs = 0, ()
            return None
        self._count, self._refs = self._count + 1, kept(self._refs, moment.ref)
        over = self._count - SEARCHES
        if over < 0 or over % AGAIN:
            return None
        why = f"{self._count} searches one after the other found nothing, whatever was sought"
        return Finding("churn", over > 0, why, self._refs)


class Musing:
    """Thoughts, however worded, with nothing done between."""

    def __init__(self) -> None:
        self._refs: tuple[str, ...] = ()
        self._count = 0

    def observe(self, moment: Moment) -> Finding | None:
        if not moment.seen.prose:
            self._count, self._refs = 0, ()
            return None
        self._count, self._refs = self._count + 1, kept(self._refs, moment.ref)
        over = self._count - THOUGHTS
        if over < 0 or over % AGAIN:
            return None
        return Finding("repeat", over > 0, f"{self._count} thoughts one after the other, and nothing done", self._refs)


class Unmoved:
    """Whatever is typed or clicked, the same is shown, with nothing else between."""

    def __init__(self) -> None:
        self._shown = ""
        self._refs: tuple[str, ...] = ()
        self._count = 0

    def observe(self, moment: Moment) -> Finding | None:
        seen = moment.seen
        if not seen.screen or seen.result != self._shown:
            self._count, self._refs = 0, ()
        if not seen.screen:
            return None
        self._shown = seen.result
        self._count, self._refs = self._count + 1, kept(self._refs, moment.ref)
        over = self._count - TOUCHES
        if over < 0 or over % AGAIN:
            return None
        why = f"{self._count} times the same was shown, whatever was typed or clicked"
        return Finding("churn", over > 0, why, self._refs)

"""Search after search that finds nothing, thought after thought with nothing done, and a screen that does not move."""

from typing import Final

from .rule import Finding, Moment, kept
from .targets_seen import Targets

SEARCHES: Final = 8
OTHERS: Final = 24
"""The same where each search is for something else: who looks through a list for what ought not to be there."""
EXCUSED: Final = 8
"""At most so many more, one for each change before them: who renames ten things looks ten times for the old names."""
THOUGHTS: Final = 10
TOUCHES: Final = 8
GUESSES: Final = 20
"""The same where each try is another password or code."""
_TURNS: Final = 2
AGAIN: Final = 3
"""So many more are found again."""


class Fruitless:
    """Searches that find nothing, with nothing else between: sooner where all of them are for one thing."""

    def __init__(self) -> None:
        self._refs: tuple[str, ...] = ()
        self._count = 0
        self._changes = 0
        self._excused = 0
        self._sought = Targets()

    def observe(self, moment: Moment) -> Finding | None:
        if not moment.seen.fruitless:
            self._count, self._refs, self._sought = 0, (), Targets()
            return None
        self._sought.add(moment.seen.target)
        if not self._count:
            self._excused = min(moment.changes - self._changes, EXCUSED)
        self._changes = moment.changes
        self._count, self._refs = self._count + 1, kept(self._refs, moment.ref)
        others = self._sought.differ or self._sought.counted
        over = self._count - (OTHERS if others else SEARCHES) - self._excused
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
    """Whatever is typed or clicked, the same is shown, or two screens in turn; with nothing else done between."""

    def __init__(self) -> None:
        self._shown = self._other = ""
        self._since = (0, 0, 0)
        self._idle = 0
        self._news = 0
        self._told = 0
        self._changes = 0
        self._own = 0
        self._at = 0
        self._refs: tuple[str, ...] = ()
        self._count = 0

    def observe(self, moment: Moment) -> Finding | None:
        seen = moment.seen
        if seen.screen or seen.blind:
            self._own += moment.changes - self._changes
        news, self._news = moment.news != self._news, moment.news
        self._changes = moment.changes
        if not seen.screen:
            self._told += news and seen.probes
            return None
        if seen.waits:
            # An empty line only asks a terminal for more: that is neither a try nor a pause.
            self._idle += 1
            self._at = moment.at
            return None
        # A wait, a change or a look at something else is a reason to look again; what is clicked itself is not.
        since = (moment.fresh - self._own, moment.waits - self._idle, self._told)
        shown = seen.shown or seen.result
        known = shown in (self._shown, self._other)
        if not known or since != self._since or moment.at - self._at > _TURNS:
            self._count, self._refs = 0, ()
        if shown != self._shown:
            self._shown, self._other = shown, self._shown
        self._since, self._at = since, moment.at
        self._count, self._refs = self._count + 1, kept(self._refs, moment.ref)
        over = self._count - (GUESSES if seen.guessed else TOUCHES)
        if over < 0 or over % AGAIN:
            return None
        why = f"{self._count} times the same was shown, whatever was typed or clicked"
        return Finding("churn", over > 0, why, self._refs)

"""Sweep: reading on and on in what was read already. Paging forward is no loop."""

from bisect import bisect_left, insort
from dataclasses import dataclass, field
from typing import Final

from arreio_contracts.events import LinesRead

from .rule import Finding, Limits, Moment, kept

_SLACK: Final = 3
_WORK: Final = 3
"""So much that is new between two reads is work, and the second a look at what is known; less will do for a read that
was made before just so."""


@dataclass(slots=True)
class _Coverage:
    fresh: int
    at: int
    spans: list[tuple[int, int]] = field(default_factory=list)
    stale: int = 0
    news: int = 0
    shown: str = ""
    refs: tuple[str, ...] = ()

    def takes_in(self, lines: LinesRead) -> bool:
        """Add a range; whether any of its lines is new."""
        first, last = lines.first, lines.last
        place = max(0, bisect_left(self.spans, (first, first)) - 1)
        while place < len(self.spans) and self.spans[place][1] < first - 1:
            place += 1
        if place < len(self.spans) and self.spans[place][0] <= first and last <= self.spans[place][1]:
            return False
        while place < len(self.spans) and self.spans[place][0] <= last + 1:
            begun, ended = self.spans.pop(place)
            first, last = min(first, begun), max(last, ended)
        insort(self.spans, (first, last))
        return True


class Sweep:
    """Reads of one thing that cover no new lines, one after the other, while nothing changes.

    To read the whole of it once more is the matter of `repeat`.
    """

    def __init__(self, limits: Limits) -> None:
        self._limit = limits.n_repeat + _SLACK
        self._window = limits.cycle_window
        self._covered: dict[str, _Coverage] = {}
        self._news = 0

    def observe(self, moment: Moment) -> Finding | None:
        lines = moment.seen.lines
        news, self._news = moment.news != self._news, moment.news
        if lines is None:
            return None
        covered = self._covered.get(lines.of)
        if covered is None or covered.fresh != moment.fresh or moment.at - covered.at > self._window:
            covered = self._covered[lines.of] = _Coverage(moment.fresh, moment.at)
        if moment.news - news - covered.news >= (_WORK if news else 1):
            covered.stale, covered.refs = 0, ()
        covered.at, covered.news = moment.at, moment.news
        # The end of a thing may be another each time: whether it is, its text tells.
        other, covered.shown = moment.seen.result != covered.shown, moment.seen.result
        if covered.takes_in(lines) or (lines.first < 0 and other and news):
            covered.stale, covered.refs = 0, ()
            return None
        if lines.whole:
            return None
        covered.stale += 1
        covered.refs = kept(covered.refs, moment.ref)
        over = covered.stale - self._limit
        if over < 0 or over % _SLACK:
            return None
        why = f"{covered.stale} reads of {lines.of} one after the other showed no new line"
        return Finding("sweep", True, why, covered.refs)

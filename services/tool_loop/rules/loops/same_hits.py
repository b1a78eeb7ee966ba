"""Same hits: search after search, in other words or by other programs, that shows nothing that was not shown before."""

from typing import Final

from .rule import Finding, Limits, Moment, kept

_SLACK: Final = 3
AGAIN: Final = 3
_REMEMBERED: Final = 1024


class SameHits:
    """What `Sweep` is for reads. One search over and over is the matter of `Repeat`, searches that find nothing that of
    `Fruitless`; anything else begins anew.
    """

    def __init__(self, limits: Limits) -> None:
        self._limit = limits.n_repeat + _SLACK
        self._shown: set[str] = set()
        self._last = ""
        self._since = (0, 0)
        self._count = 0
        self._refs: tuple[str, ...] = ()

    def observe(self, moment: Moment) -> Finding | None:
        seen = moment.seen
        if seen.prose:
            return None
        since = (moment.fresh, moment.waits)
        if since != self._since or not (seen.hits or seen.fruitless):
            self._since, self._count, self._refs, self._shown = since, 0, (), set()
        again, self._last = seen.call == self._last, seen.call
        if not seen.hits or seen.polling or again:
            return None
        new = not self._shown.issuperset(seen.hits)
        if len(self._shown) < _REMEMBERED:
            self._shown.update(seen.hits)
        if new:
            self._count, self._refs = 0, ()
            return None
        self._count, self._refs = self._count + 1, kept(self._refs, moment.ref)
        over = self._count - self._limit
        if over < 0 or over % AGAIN:
            return None
        why = f"{self._count} searches one after the other showed nothing that was not shown before"
        return Finding("sweep", True, why, self._refs)

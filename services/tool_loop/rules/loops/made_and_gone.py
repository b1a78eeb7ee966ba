"""Made and gone: rounds that each make a thing, look at it and take it away, under another id each time."""

from collections import deque
from typing import Final, NamedTuple

from .cycle import PERIODS
from .rule import Finding, Limits, Moment, fails, how_it_failed, kept

ROUNDS: Final = 3
_REMEMBERED: Final = 256


class _Turn(NamedTuple):
    call: str
    result: str
    told_before: tuple[int, ...]
    troubled: bool


class MadeAndGone:
    """Compared are calls without the ids in them, where each id was told so many steps before in every round.

    So an id from a list, which is told further back each time, is another thing: that is a batch. Something must fail
    in each round, or be removed: who takes jobs from a queue and does them gets on.
    """

    def __init__(self, limits: Limits) -> None:
        self._window: deque[_Turn] = deque(maxlen=max(limits.cycle_window, ROUNDS * PERIODS[-1]))
        self._told: dict[str, int] = {}
        self._at = 0
        self._inputs = 0
        self._quiet = 0
        self._refs: tuple[str, ...] = ()

    def observe(self, moment: Moment) -> Finding | None:
        seen = moment.seen
        if moment.inputs != self._inputs:
            self._inputs = moment.inputs
            self._window.clear()
        if seen.waits and not seen.changed and not fails(seen):
            return None
        self._at += 1
        if moment.anew:
            self._window.clear()
        self._window.append(self._turn(moment))
        self._refs = kept(self._refs, moment.ref)
        for name in seen.tells:
            self._told.setdefault(name, self._at)
        while len(self._told) > _REMEMBERED:
            del self._told[next(iter(self._told))]
        if self._quiet:
            self._quiet -= 1
            return None
        period = next((period for period in PERIODS if self._goes_round(period)), None)
        if period is None:
            return None
        self._quiet = period - 1
        why = f"{ROUNDS} rounds of the same {period} calls, each with another thing that is made and comes to nothing"
        return Finding("cycle", True, why, self._refs)

    def _turn(self, moment: Moment) -> _Turn:
        seen = moment.seen
        told = [self._at - self._told[name] for name in seen.ids if name in self._told]
        known = bool(told) and len(told) == len(seen.ids) and max(told) < self._window.maxlen  # type: ignore[operator]
        call = seen.bare if known and seen.bare else seen.call
        result = seen.result if seen.onward else how_it_failed(seen) or seen.plain or seen.result
        return _Turn(call, result, tuple(told) if known else (), seen.removes or fails(seen))

    def _goes_round(self, period: int) -> bool:
        if len(self._window) <= period or self._window[-1] != self._window[-1 - period]:
            return False
        last = list(self._window)[-period * ROUNDS :]
        if len(last) < period * ROUNDS or any(last[at] != last[at % period] for at in range(period, len(last))):
            return False
        of_round = last[:period]
        return len({turn.call for turn in of_round}) > 1 and any(turn.troubled for turn in of_round)

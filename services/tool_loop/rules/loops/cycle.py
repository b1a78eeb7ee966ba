"""Cycle: A, B, A, B, up to five calls long, with the same results."""

from collections import deque
from typing import Final, NamedTuple

from .rule import Finding, Limits, Moment, fails, how_it_failed, kept, told

PERIODS: Final = range(2, 6)
_AFTER_WAITS: Final = 1
"""So many more rounds where something is waited for."""
_MORE_TRY: Final = 1
"""So many more where something is set right between tries of what is away: a board is reset, and flashed once more."""
_BLIND: Final = 9
"""So many rounds, or as many as the window holds, of clicks and pictures that tell nothing: each may lead elsewhere."""


class _Turn(NamedTuple):
    call: str
    result: str
    heard: bool


class _Seen(NamedTuple):
    turn: _Turn
    waits: int
    polling: bool
    acts: bool
    blind: bool
    fails: bool
    away: bool


class Cycle:
    """Compared are whole calls and results, never tools alone: the same steps for one file after the other are a batch.

    Changes of the workspace that are part of the cycle do not end it: they came out the same. A call whose result goes
    to and fro is no cycle. Waiting is left out. Who only looks meanwhile goes round as long as it takes: polling
    has its own limit; who starts the same over and over and waits for it does not.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._window: deque[_Seen] = deque(maxlen=limits.cycle_window)
        self._refs: tuple[str, ...] = ()
        self._inputs = 0
        self._quiet = 0
        self._turning = dict.fromkeys(PERIODS, 0)

    def observe(self, moment: Moment) -> Finding | None:
        seen = moment.seen
        if moment.inputs != self._inputs:
            self._inputs = moment.inputs
            self._window.clear()
        if seen.waits and not seen.changed and seen.error is None and seen.symptom is None:
            return None
        if moment.anew:
            # A walk through contents that are new each time goes somewhere.
            self._window.clear()
        acts = seen.changed or not (seen.polling or seen.probes or seen.waits)
        # Of failing tests the result says which they are, of a step on the way where it is; of other failures the class
        # says all.
        whole = seen.failing is not None or seen.onward
        result = seen.result if whole else how_it_failed(seen) or told(seen)
        turn = _Turn(seen.call, result, seen.heard)
        self._window.append(_Seen(turn, moment.waits, seen.polling, acts, seen.blind, fails(seen), seen.passing))
        for length in PERIODS:
            again = len(self._window) > length and self._window[-1 - length].turn == turn
            self._turning[length] = self._turning[length] + 1 if again else 0
        self._refs = kept(self._refs, moment.ref)
        if self._quiet:
            self._quiet -= 1
            return None
        period = self._period()
        if period is None:
            return None
        self._quiet = period - 1
        times = self._limits.cycle_repetitions
        why = f"the same {period} calls with the same results, {times} times or more one after the other"
        return Finding("cycle", True, why, self._refs[-times * period :])

    def _period(self) -> int | None:
        turning = [
            period for period in PERIODS if self._turning[period] >= period * (self._limits.cycle_repetitions - 1)
        ]
        steps = list(self._window) if turning else []
        for period in turning:
            last = steps[-period * self._limits.cycle_repetitions :]
            if not _goes_round(last, period, self._limits.cycle_repetitions):
                continue
            blind = all(one.blind for one in last)
            if _sets_right(last[:period]):
                tries = self._limits.cycle_repetitions + _MORE_TRY
                if not _goes_round(steps[-period * tries :], period, tries):
                    continue
            if not _waited(last) and not blind:
                return period
            times = self._limits.cycle_repetitions + _AFTER_WAITS
            if blind:
                times = min(_BLIND, self._limits.cycle_window // period)
            longer = steps[-period * times :]
            if blind and _goes_round(longer, period, times):
                return period
            if any(one.acts for one in last[:period]) and _goes_round(longer, period, times):
                return period
            paused = last[0].waits != last[-1].waits
            if not blind and self._turning[period] + period >= self._limits.polling_limit * (period if paused else 1):
                return period
        return None


def _goes_round(last: list[_Seen], period: int, times: int) -> bool:
    if len(last) < period * times or not _differ([one.turn for one in last[:period]]):
        return False
    return all(last[place].turn == last[place % period].turn for place in range(period, len(last)))


def _sets_right(turns: list[_Seen]) -> bool:
    """Whether one call fails for what is away for the moment, and the other does something about it."""
    tried, others = [one for one in turns if one.away], [one for one in turns if not one.away]
    return len(tried) == 1 and len(others) == 1 and others[0].acts and not others[0].fails


def _waited(last: list[_Seen]) -> bool:
    return last[0].waits != last[-1].waits or any(one.polling for one in last)


def _differ(turns: list[_Turn]) -> bool:
    """Whether these are several calls; what is said to somebody differs by the answer."""
    return len({turn.call for turn in turns}) > 1 or (turns[0].heard and len(set(turns)) > 1)

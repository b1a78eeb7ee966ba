"""Cycle: A, B, A, B, up to five calls long, with the same results."""

from collections import deque
from typing import Final, NamedTuple

from .rule import Finding, Limits, Moment, kept

PERIODS: Final = range(2, 6)


class _Turn(NamedTuple):
    call: str
    result: str
    heard: bool


class Cycle:
    """Compared are whole calls and results, never tools alone: the same steps for one file after the other are a batch.

    Changes of the workspace that are part of the cycle do not end it: they came out the same. A call whose result goes
    to and fro is no cycle, and polling has its own limit.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._window: deque[_Turn] = deque(maxlen=limits.cycle_window)
        self._refs: tuple[str, ...] = ()
        self._inputs = 0
        self._quiet = 0

    def observe(self, moment: Moment) -> Finding | None:
        if moment.inputs != self._inputs or moment.seen.polling:
            self._inputs = moment.inputs
            self._window.clear()
        if moment.seen.polling:
            return None
        self._window.append(_Turn(moment.seen.call, moment.seen.result, moment.seen.heard))
        self._refs = kept(self._refs, moment.ref)
        if self._quiet:
            self._quiet -= 1
            return None
        period = self._period()
        if period is None:
            return None
        self._quiet = period - 1
        tools = self._limits.cycle_repetitions * period
        why = (
            f"the same {period} calls with the same results, {self._limits.cycle_repetitions} times one after the other"
        )
        return Finding("cycle", True, why, self._refs[-tools:])

    def _period(self) -> int | None:
        steps = list(self._window)
        for period in PERIODS:
            length = period * self._limits.cycle_repetitions
            last = steps[-length:]
            if len(last) < length or not _differ(last[:period]):
                continue
            if all(last[place] == last[place % period] for place in range(period, length)):
                return period
        return None


def _differ(turns: list[_Turn]) -> bool:
    """Whether these are several calls; what is said to somebody differs by the answer."""
    return len({turn.call for turn in turns}) > 1 or (turns[0].heard and len(set(turns)) > 1)

"""Repeat: the same call with the same result, and nothing changed between."""

from dataclasses import dataclass
from typing import Final

from arreio_contracts.events import StepDigest

from .rule import Finding, Limits, Moment, fails, kept, patience, polls

_CHANGING: Final = 3
"""So many times the limit for a call that changes the workspace each time: something moves, if not its result."""
_AGAIN: Final = 3
_BLIND: Final = 4
"""The same for a click or a key that shows nothing of where it leads."""


@dataclass(slots=True)
class _Streak:
    result: tuple[str, str | None]
    fresh: int
    count: int
    at: int
    waits: int
    waited: bool
    refs: tuple[str, ...]
    news: int
    apart: bool = False
    anew: bool = False
    exact: str | None = None
    varied: bool = False


class Repeat:
    """A changed result, a change of the workspace or a word of a person begins a call's streak anew.

    Other calls may come between, but no more than a window of them: an old call made again is not a loop, and to look
    again at what was looked at before is allowed once more. Polling, and looking again after a wait, have a limit of
    their own, a lower one where no pause is made. A call that does nothing counts only while nothing else is done.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._streaks: dict[str, _Streak] = {}

    def observe(self, moment: Moment) -> Finding | None:
        seen = moment.seen
        last = self._streaks.get(seen.call)
        if last is None or not self._goes_on(last, moment):
            self._streaks[seen.call] = _Streak(
                _told(seen),
                moment.fresh,
                1,
                moment.at,
                moment.waits,
                polls(seen),
                (moment.ref,),
                moment.news,
                anew=moment.anew,
                exact=seen.exact,
            )
            return None
        last.count += 1
        last.varied = last.varied or seen.exact != last.exact
        last.apart = last.apart or moment.at - last.at > 1
        last.waited = last.waited or moment.waits > last.waits
        last.at, last.waits, last.news, last.fresh = moment.at, moment.waits, moment.news, moment.fresh
        last.refs = kept(last.refs, moment.ref)
        limit = self._limit(last, moment)
        if last.count < limit:
            return None
        why = f"{seen.tool} was called {last.count} times alike, with the same result and nothing changed between"
        if self._is_sure(last, seen) and last.count < self._limits.polling_limit:
            return Finding("repeat", False, why, last.refs) if last.count == limit else None
        # What a look asks for may get on by itself, whatever its words for that are: to ask again ends nothing so soon.
        every = _AGAIN if seen.asked and not fails(seen) else 1
        breaks = last.count > limit and not (last.count - limit) % every
        return Finding("repeat", breaks, why, last.refs, forbids=moment.forbids)

    def _limit(self, last: _Streak, moment: Moment) -> int:
        if self._is_impatient(last, moment.seen):
            return max(self._limits.n_repeat, self._limits.polling_limit * 4 // 5)
        patient = patience(self._limits, moment.seen, waited=last.waited)
        if patient is not None:
            return patient
        if moment.anew:
            return self._limits.polling_limit
        if self._is_sure(last, moment.seen):
            return max(self._limits.n_repeat, self._limits.polling_limit // 2)
        if moment.seen.blind:
            return self._limits.n_repeat * _BLIND
        if moment.seen.changed:
            return self._limits.n_repeat * _CHANGING
        if moment.seen.passing:
            return self._limits.circuit_breaker
        return self._limits.n_repeat + (moment.seen.probes and last.apart)

    def _is_sure(self, last: _Streak, seen: StepDigest) -> bool:
        """Whether it is made again to be sure: it measures, or its figures show that it was done anew each time."""
        return seen.measures and (last.varied or not seen.checks)

    def _is_impatient(self, last: _Streak, seen: StepDigest) -> bool:
        """Whether it asks with no pause between for what goes on by its result alone; a call that polls may pause."""
        return seen.pending and not last.waited and not fails(seen)

    def _goes_on(self, last: _Streak, moment: Moment) -> bool:
        near = moment.at - last.at <= (1 if moment.seen.prose else self._limits.cycle_window)
        return (
            near
            and last.result == _told(moment.seen)
            # A call that leads somewhere else each time has a limit of its own, for all that it changes itself.
            and last.anew == moment.anew
            and last.fresh + moment.anew == moment.fresh
            # To look again at what is known, between steps that bring something new, holds nothing up.
            and (last.news == moment.news or fails(moment.seen) or moment.seen.measures)
        )


def _told(seen: StepDigest) -> tuple[str, str | None]:
    """What a result tells: of what was made anew the new thing itself; figures that are measured vary anyway."""
    return seen.result, None if seen.measures else seen.exact

"""Repeat: the same call with the same result, and nothing changed between."""

from dataclasses import dataclass

from .rule import Finding, Limits, Moment, kept


@dataclass(slots=True)
class _Streak:
    result: str
    fresh: int
    count: int
    at: int
    waits: int
    waited: bool
    refs: tuple[str, ...]


class Repeat:
    """A changed result, a change of the workspace or a word of a person begins a call's streak anew.

    Other calls may come between, but no more than a window of them: an old call made again is not a loop. Polling, and
    looking again after a wait, have a limit of their own.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._streaks: dict[str, _Streak] = {}

    def observe(self, moment: Moment) -> Finding | None:
        seen = moment.seen
        last = self._streaks.get(seen.call)
        if last is None or not self._goes_on(last, moment):
            self._streaks[seen.call] = _Streak(
                seen.result, moment.fresh, 1, moment.at, moment.waits, seen.polling, (moment.ref,)
            )
            return None
        last.count += 1
        last.waited = last.waited or moment.waits > last.waits
        last.at, last.waits, last.refs = moment.at, moment.waits, kept(last.refs, moment.ref)
        limit = self._limits.polling_limit if last.waited else self._limits.n_repeat
        if last.count < limit:
            return None
        why = f"{seen.tool} was called {last.count} times alike, with the same result and nothing changed between"
        return Finding("repeat", last.count > limit, why, last.refs, forbids=seen.call)

    def _goes_on(self, last: _Streak, moment: Moment) -> bool:
        near = moment.at - last.at <= self._limits.cycle_window
        return near and last.result == moment.seen.result and last.fresh == moment.fresh

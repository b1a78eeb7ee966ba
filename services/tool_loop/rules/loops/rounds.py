"""Rounds: change after change, and the check, or another script each time, fails as before."""

from dataclasses import dataclass, field
from typing import Final

from .churn import AGAIN, HAMMERED
from .rule import Finding, Limits, Moment, how_it_failed, kept

_DRIFTING: Final = 2
"""So many times the limit for failures of one class that differ in a figure: something moves, if only that."""


@dataclass(slots=True)
class _Run:
    of: str
    count: int
    changes: int
    refs: tuple[str, ...]


class Rounds:
    """The same failing check, over and over, with changes between that change nothing of it."""

    def __init__(self, limits: Limits) -> None:
        self._limit = max(HAMMERED, 2 * limits.progress_budget // 5)
        self._runs: dict[str, _Run] = {}

    def observe(self, moment: Moment) -> Finding | None:
        seen = moment.seen
        if seen.symptom is None:
            self._runs.pop(seen.call, None)
            return None
        run = self._runs.get(seen.call)
        if run is None or run.of != seen.result:
            self._runs[seen.call] = _Run(seen.result, 1, moment.changes, (moment.ref,))
            return None
        if run.changes == moment.changes:
            return None
        run.count, run.changes, run.refs = run.count + 1, moment.changes, kept(run.refs, moment.ref)
        over = run.count - self._limit
        if over < 0 or over % AGAIN:
            return None
        why = f"{seen.tool} failed {run.count} times just the same, after as many changes: {seen.symptom}"
        return Finding("churn", True, why, run.refs)


class Drift:
    """The same check, which fails in one way with other figures each time, after change after change.

    Not where the result counts failing tests: `ProgressBudget` knows whether their number moves.
    """

    def __init__(self, limits: Limits) -> None:
        self._limit = _DRIFTING * max(HAMMERED, 2 * limits.progress_budget // 5)
        self._runs: dict[str, _Run] = {}

    def observe(self, moment: Moment) -> Finding | None:
        seen = moment.seen
        failure = how_it_failed(seen)
        if failure is None:
            self._runs.pop(seen.call, None)
            return None
        run = self._runs.get(seen.call)
        if run is None or run.of != failure:
            self._runs[seen.call] = _Run(failure, 1, moment.changes, (moment.ref,))
            return None
        if run.changes == moment.changes:
            return None
        run.count, run.changes, run.refs = run.count + 1, moment.changes, kept(run.refs, moment.ref)
        over = run.count - self._limit
        if over < 0 or over % AGAIN:
            return None
        why = f"{seen.tool} failed {run.count} times in one way, after as many changes: {failure}"
        return Finding("churn", True, why, run.refs)


@dataclass(slots=True)
class _Tries:
    inputs: int
    changes: int
    calls: set[str] = field(default_factory=set)
    count: int = 0
    refs: tuple[str, ...] = ()


class Scratch:
    """Another script for each try, and each ends alike: to write it is a change, but it brings nothing on.

    Counted are calls that were not made before, each after a change. Where the same call is made again after a change,
    the subject of a check is mended, which is the matter of `Rounds`; a success of the program begins anew.
    """

    def __init__(self, limits: Limits) -> None:
        self._limit = max(HAMMERED, 2 * limits.progress_budget // 5)
        self._tries: dict[str, dict[str, _Tries]] = {}

    def observe(self, moment: Moment) -> Finding | None:
        seen = moment.seen
        if seen.error is None:
            self._tries.pop(seen.scope, None)
            return None
        if moment.excused:
            return None
        of_scope = self._tries.setdefault(seen.scope, {})
        tries = of_scope.get(seen.error)
        if tries is None or tries.inputs != moment.inputs:
            tries = of_scope[seen.error] = _Tries(moment.inputs, moment.changes - 1)
        if seen.call in tries.calls or tries.changes == moment.changes:
            return None
        tries.calls.add(seen.call)
        tries.count, tries.changes, tries.refs = tries.count + 1, moment.changes, kept(tries.refs, moment.ref)
        over = tries.count - self._limit
        if over < 0 or over % AGAIN:
            return None
        times = f"{tries.count} times alike, in another way each time, after as many changes"
        why = f"{seen.scope} failed {times}: {seen.error}"
        return Finding("churn", True, why, tries.refs)

"""Rounds: change after change, and the check, or another script each time, fails as before."""

from dataclasses import dataclass, field
from typing import Final

from .churn import AGAIN, HAMMERED
from .rule import Finding, Limits, Moment, how_it_failed, kept

_DRIFTING: Final = 2
"""So many times the limit for failures of one class that differ in a figure: something moves, if only that."""
_AGAIN: Final = 2
"""So many rounds more are found again: each is a change and a check."""
_NEAR: Final = 3
"""Lines between which a failure is where it was."""
_REMEMBERED: Final = 256
"""So many things that failed are remembered; then another is no progress any more."""


@dataclass(slots=True)
class _Run:
    """The fewest that were left and the best mark; `seen`: what failed before; `places`: at which lines, as told and
    without what was put in since the beginning.
    """

    of: str
    count: int
    changes: int
    refs: tuple[str, ...]
    other: str = ""
    left: int | None = None
    mark: int | None = None
    seen: set[str] = field(default_factory=set)
    places: tuple[set[int], set[int]] = field(default_factory=lambda: (set(), set()))

    def gets_on(self, moment: Moment) -> bool:
        """Take in how things stand: fewer are left, the mark is better, something else fails, or it does elsewhere."""
        seen = moment.seen
        fewer = seen.left is not None and (self.left is None or seen.left < self.left)
        better = seen.mark is not None and (self.mark is None or seen.mark > self.mark)
        another = seen.failing_at is not None and seen.failing_at not in self.seen and len(self.seen) < _REMEMBERED
        if fewer:
            self.left = seen.left
        if better:
            self.mark = seen.mark
        if seen.failing_at is not None and len(self.seen) < _REMEMBERED:
            self.seen.add(seen.failing_at)
        return self._elsewhere(moment) or fewer or better or another

    def _elsewhere(self, moment: Moment) -> bool:
        """Whether it fails at a line that is near none of before; lines that were put in above move it no further."""
        seen = moment.seen
        told, moved = self.places
        known = bool(told)
        far = [line for line in seen.places if _far(line, told) and _far(line - moment.grown, moved)]
        if len(told) < _REMEMBERED:
            told.update(seen.places)
            moved.update(line - moment.grown for line in seen.places)
        return known and bool(far)


def _far(line: int, known: set[int]) -> bool:
    return not any(near in known for near in range(line - _NEAR, line + _NEAR + 1))


class Rounds:
    """The same failing check, or two failures of it in turn, with changes between that change nothing of it."""

    def __init__(self, limits: Limits) -> None:
        self._limit = max(HAMMERED, 2 * limits.progress_budget // 5)
        self._runs: dict[str, _Run] = {}
        self._walks = False

    def observe(self, moment: Moment) -> Finding | None:
        seen = moment.seen
        self._walks = self._walks or (moment.anew and seen.state is None)
        failure = seen.symptom or how_it_failed(seen)
        if failure is None:
            self._runs.pop(seen.call, None)
            return None
        run = self._runs.get(seen.call)
        if run is None or seen.result not in (run.of, run.other):
            other = run.of if run is not None and run.count == 1 else ""
            run = self._runs[seen.call] = _Run(seen.result, 1, moment.changes, (moment.ref,), other)
            run.gets_on(moment)
            return None
        if run.changes == moment.changes:
            return None
        if self._walks:
            # It fails just so in another place of the history, which nobody changed.
            run.changes, self._walks = moment.changes, False
            return None
        if run.gets_on(moment):
            run.count = 0
        run.count, run.changes, run.refs = run.count + 1, moment.changes, kept(run.refs, moment.ref)
        over = run.count - self._limit
        if over < 0 or over % _AGAIN:
            return None
        why = f"{seen.tool} failed {run.count} times just the same, after as many changes: {failure}"
        return Finding("churn", True, why, run.refs)


class Drift:
    """The same check, which fails in one way with other figures each time, after change after change.

    Not where the result counts failing tests: `ProgressBudget` knows whether their number moves. Fewer left, a better
    mark and another thing that fails begin anew.
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
            run = self._runs[seen.call] = _Run(failure, 0, -1, ())
        if run.changes == moment.changes:
            return None
        if run.gets_on(moment):
            run.count, run.refs = 0, ()
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

"""Churn and hammering: failure after failure of one kind whatever is tried, and change after change for nothing."""

from dataclasses import dataclass, field
from typing import Final

from arreio_contracts.events import StepDigest

from ..error_class import NO_PROGRAM, NOT_RUN, SILENT
from .rule import Finding, Limits, Moment, kept

HAMMERED: Final = 5
"""Failures of one class, whatever the arguments."""
PROBED: Final = 7
"""The same for calls that look for different things, which may well not be there."""
AGAIN: Final = 3
"""So many more are found again."""
_KEPT_CALLS: Final = 32


@dataclass(slots=True)
class _Failures:
    """Failures of one scope and class: how often each call failed, and which were tried since the last word."""

    at: int
    changes: int
    inputs: int
    all: int = 0
    due: int = 0
    times: dict[str, int] = field(default_factory=dict)
    tried: set[str] = field(default_factory=set)
    refs: tuple[str, ...] = ()

    def add(self, call: str, inputs: int) -> None:
        """One more. The memory is bounded: what failed longest ago is forgotten first."""
        times = self.times.pop(call, 0)
        if times:
            self.tried.discard(call)
        else:
            self.tried = {call} if self.inputs != inputs else self.tried | {call}
        self.times = dict([*self.times.items(), (call, times + 1)][-_KEPT_CALLS:])
        self.tried &= self.times.keys()
        self.all, self.inputs = self.all + 1, inputs

    @property
    def counted(self) -> int:
        """A word of a person excuses what was tried once before it, but not what failed again after it."""
        return max(sum(times for times in self.times.values() if times > 1) + len(self.tried), self.all - AGAIN)


class Hammering:
    """The same tool with the same error class, whatever the arguments. A call that succeeds, or a change, ends it.

    So does a word of a person, for calls that do not fail just so again; but a few more are too many all the same. One
    call over and over is the breaker's matter. What waits may fail more often.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._failures: dict[str, dict[str, _Failures]] = {}
        self._news = 0

    def observe(self, moment: Moment) -> Finding | None:
        seen = moment.seen
        news, self._news = moment.news != self._news, moment.news
        if seen.error is None:
            self._failures.pop(seen.scope, None)
            if news:
                # To guess at the names of programs is no loop where something new comes of other commands between.
                self._failures.pop(seen.tool, None)
            return None
        if seen.fruitless:
            return None
        failures = self._counted(moment, seen.error)
        if len(failures.times) == 1:
            return None
        over = failures.counted - self._limit(seen)
        if over < failures.due:
            return None
        failures.due = over + AGAIN
        why = f"{seen.scope} failed {failures.all} times with the same error, whatever the arguments: {seen.error}"
        return Finding("churn", True, why, failures.refs)

    def _counted(self, moment: Moment, error: str) -> _Failures:
        seen = moment.seen
        of_scope = self._failures.setdefault(seen.scope, {})
        failures = of_scope.get(error)
        near = failures is not None and moment.at - failures.at <= self._limits.cycle_window
        if failures is None or not near or failures.changes != moment.changes:
            failures = of_scope[error] = _Failures(moment.at, moment.changes, moment.inputs)
        failures.add(seen.call, moment.inputs)
        failures.at, failures.refs = moment.at, kept(failures.refs, moment.ref)
        return failures

    def _limit(self, seen: StepDigest) -> int:
        if seen.polling:
            return self._limits.failed_waits
        if seen.error == NOT_RUN:
            return HAMMERED
        lenient = seen.probes or seen.error == NO_PROGRAM or (seen.error or "").startswith(SILENT)
        return PROBED if lenient else HAMMERED


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

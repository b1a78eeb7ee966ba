"""Hammering: failure after failure of one kind, whatever is tried."""

from dataclasses import dataclass, field
from typing import Final

from arreio_contracts.events import StepDigest

from ..error_class import NO_PROGRAM, NOT_RUN, NOTHING_DONE, SILENT
from .rule import Finding, Limits, Moment, kept, patience, polls
from .targets_seen import Targets

HAMMERED: Final = 5
"""Failures of one class, whatever the arguments."""
PROBED: Final = 7
"""The same for calls that look for different things, which may well not be there."""
GUESSED: Final = 20
"""The same for passwords, codes and keys, each another: the next may be the right one."""
_TOLD: Final = 10
"""The same for codes that somebody tells, one after the other."""
SEARCHED: Final = 10
"""The same for a command that is tried with one value after the other: that it fails is what is looked for."""
_NO_SEARCH: Final = 16
"""So many of them are more than a warning: the one value that is right would have been found."""
AGAIN: Final = 3
"""So many more are found again."""
_KEPT_CALLS: Final = 32
_TARGETS: Final = 24
"""The same where each call names another thing and is told something of that thing: a batch whose rows fail alike."""


@dataclass(slots=True)
class _Failures:
    """Failures of one scope and class: how often each call failed, and which were tried since the last word."""

    at: int
    changes: int
    inputs: int
    all: int = 0
    due: int = 0
    asked: bool = False
    times: dict[str, int] = field(default_factory=dict)
    tried: set[str] = field(default_factory=set)
    refs: tuple[str, ...] = ()
    targets: Targets = field(default_factory=lambda: Targets())
    slots: frozenset[str] = frozenset()
    again: bool = False

    def add(self, call: str, inputs: int) -> None:
        """One more. The memory is bounded: what failed longest ago is forgotten first."""
        times = self.times.pop(call, 0)
        self.again = self.again or times > 0
        if times:
            self.tried.discard(call)
        else:
            self.tried = {call} if self.inputs != inputs else self.tried | {call}
        self.times = dict([*self.times.items(), (call, times + 1)][-_KEPT_CALLS:])
        self.tried &= self.times.keys()
        self.asked = self.asked or (self.inputs != inputs and self.all > 0)
        self.all, self.inputs = self.all + 1, inputs

    @property
    def searches(self) -> bool:
        """Whether all calls are one command with one value after the other, none of them twice."""
        return bool(self.slots) and not self.again

    @property
    def counted(self) -> int:
        """A word of a person excuses what was tried once before it, but not what failed again after it."""
        return max(sum(times for times in self.times.values() if times > 1) + len(self.tried), self.all - AGAIN)


def _tells_of_value(seen: StepDigest) -> bool:
    """Whether a failure may be a verdict on what was tried: not one without a word, of the shell, or of a network."""
    error = seen.error or ""
    return not (seen.passing or error in (NO_PROGRAM, NOT_RUN) or error.startswith(SILENT))


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
        if seen.fruitless or moment.excused:
            return None
        failures = self._counted(moment, seen.error)
        if len(failures.times) == 1:
            return None
        limit = _TOLD if seen.guessed and failures.asked else self._limit(seen)
        if failures.targets.differ or failures.targets.counted:
            limit = max(limit, _TARGETS)
        searches = failures.searches and _tells_of_value(seen)
        if searches:
            limit = max(limit, SEARCHED)
        over = failures.counted - limit
        if over < failures.due:
            return None
        failures.due = over + AGAIN
        why = f"{seen.scope} failed {failures.all} times with the same error, whatever the arguments: {seen.error}"
        # A search may well go on: of the first finding nothing follows but a warning.
        return Finding("churn", not searches or failures.all >= _NO_SEARCH, why, failures.refs)

    def _counted(self, moment: Moment, error: str) -> _Failures:
        seen = moment.seen
        of_scope = self._failures.setdefault(seen.scope, {})
        failures = of_scope.get(error)
        near = failures is not None and moment.at - failures.at <= self._limits.cycle_window
        if failures is None or not near or failures.changes != moment.changes:
            failures = of_scope[error] = _Failures(moment.at, moment.changes, moment.inputs)
        failures.slots = frozenset(seen.slots) & (failures.slots if failures.all else frozenset(seen.slots))
        failures.add(seen.call, moment.inputs)
        failures.targets.add(seen.target)
        failures.at, failures.refs = moment.at, kept(failures.refs, moment.ref)
        return failures

    def _limit(self, seen: StepDigest) -> int:
        patient = patience(self._limits, seen, waited=polls(seen))
        if patient is not None:
            return max(patient, HAMMERED)
        if seen.error == NOT_RUN:
            return HAMMERED
        if seen.guessed:
            return GUESSED
        lenient = seen.probes or seen.error in (NO_PROGRAM, NOTHING_DONE) or (seen.error or "").startswith(SILENT)
        return PROBED if lenient else HAMMERED

"""Churn and hammering: failure after failure of one kind whatever is tried, and change after change for nothing."""

from dataclasses import dataclass
from typing import Final

from ..error_class import SILENT
from .rule import Finding, Limits, Moment, kept

HAMMERED: Final = 5
"""Failures of one class, whatever the arguments."""
PROBED: Final = 7
"""The same for calls that look for different things, which may well not be there."""
AGAIN: Final = 3
"""So many more are found again."""


@dataclass(slots=True)
class _Run:
    of: str
    count: int
    changes: int
    refs: tuple[str, ...]
    varied: bool = False


class Hammering:
    """The same tool with the same error class, whatever the arguments. A call that succeeds, or a change, ends it.

    What a person says does not: it excuses no call that fails again. One call over and over is the breaker's matter.
    """

    def __init__(self, limits: Limits) -> None:
        self._runs: dict[str, dict[str, _Run]] = {}

    def observe(self, moment: Moment) -> Finding | None:
        seen = moment.seen
        if seen.error is None:
            self._runs.pop(seen.scope, None)
            return None
        if seen.polling or seen.fruitless:
            return None
        runs = self._runs.setdefault(seen.scope, {})
        run = runs.get(seen.error)
        if run is None or run.changes != moment.changes:
            run = runs[seen.error] = _Run(seen.call, 0, moment.changes, ())
        run.count += 1
        run.varied = run.varied or run.of != seen.call
        run.refs = kept(run.refs, moment.ref)
        lenient = seen.probes or seen.error.startswith(SILENT)
        over = run.count - (PROBED if lenient else HAMMERED)
        if over < 0 or over % AGAIN or not run.varied:
            return None
        why = f"{seen.scope} failed {run.count} times with the same error, whatever the arguments: {seen.error}"
        return Finding("churn", True, why, run.refs)


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

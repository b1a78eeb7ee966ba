"""Despite answers: the very same call fails just so again and again, with only words to and from somebody between."""

from dataclasses import dataclass
from typing import Final

from .rule import Finding, Limits, Moment, fails, how_it_failed, kept, patience, polls

AGAIN: Final = 3
"""So many failures more than without a word are excused by words."""
_REMEMBERED: Final = 64
"""So many failing calls are remembered."""


@dataclass(slots=True)
class _Failures:
    error: str
    inputs: int
    count: int = 0
    waited: bool = False
    refs: tuple[str, ...] = ()


class DespiteAnswers:
    """A person's word half-opens a breaker for one try; it does not do so for ever.

    Begins anew where the workspace changes, the call fails in another way or not at all, or another call brings
    something new without failing.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._failures: dict[str, _Failures] = {}
        self._changes = 0
        self._news = 0
        self._waits = 0

    def observe(self, moment: Moment) -> Finding | None:
        seen = moment.seen
        news, self._news = moment.news != self._news, moment.news
        waited, self._waits = moment.waits != self._waits, moment.waits
        if moment.changes != self._changes or (news and not (seen.heard or fails(seen))):
            self._changes = moment.changes
            self._failures.clear()
        error = None if seen.heard else how_it_failed(seen)
        if error is None:
            return None
        failures = self._failures.pop(seen.call, None)
        if failures is None or failures.error != error:
            failures = _Failures(error, moment.inputs)
        self._failures[seen.call] = failures
        if len(self._failures) > _REMEMBERED:
            self._failures.pop(next(iter(self._failures)))
        failures.waited = failures.waited or waited or polls(seen)
        failures.count, failures.refs = failures.count + 1, kept(failures.refs, moment.ref)
        patient = patience(self._limits, seen, waited=failures.waited) or 0
        limit = max(patient, self._limits.circuit_breaker) + AGAIN
        if moment.inputs == failures.inputs or failures.count < limit:
            return None
        why = f"{seen.tool} failed {failures.count} times the same way, whatever was said between: {error}"
        return Finding("churn", failures.count > limit, why, failures.refs)

"""Circuit breaker: the same command that fails the same way is forbidden until something changes."""

from dataclasses import dataclass

from .rule import Finding, Limits, Moment, how_it_failed, kept, patience, polls


@dataclass(slots=True)
class _Failures:
    count: int
    fresh: int
    waits: int
    waited: bool
    open: bool
    refs: tuple[str, ...]


class Breaker:
    """Counted by call and error class, so that different targets do not add up and other calls may come between.

    An edit or a word of a person half-opens it: the call may be tried once. If it fails the same way it is forbidden
    again at once; if not, it is closed.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._failures: dict[str, dict[str, _Failures]] = {}

    def observe(self, moment: Moment) -> Finding | None:
        seen = moment.seen
        error = how_it_failed(seen)
        if error is None:
            self._failures.pop(seen.call, None)
            return None
        of_call = self._failures.setdefault(seen.call, {})
        last = of_call.get(error)
        if last is None or (last.fresh != moment.fresh and not last.open):
            of_call[error] = _Failures(1, moment.fresh, moment.waits, polls(seen), False, (moment.ref,))
            return None
        probed = last.fresh != moment.fresh
        last.count += 1
        last.waited = last.waited or moment.waits > last.waits
        last.fresh, last.waits, last.refs = moment.fresh, moment.waits, kept(last.refs, moment.ref)
        limit = patience(self._limits, seen, waited=last.waited) or self._limits.circuit_breaker
        if probed or last.count < limit:
            return None
        why = f"{seen.tool} failed {last.count} times the same way: {error or 'without a word'}"
        breaks, last.open = last.open, True
        return Finding("breaker", breaks, why, last.refs, forbids=moment.forbids)

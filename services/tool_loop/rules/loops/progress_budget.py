"""Progress budget: effect after effect, and neither the criteria nor the count of failing tests moves."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

from .rule import Finding, Limits, Moment

PROBED: Final = "the criteria probed"
"""The cheap criteria, which the harness looks at by itself."""

_REMEMBERED: Final = 16
_NAMED: Final = 256
"""So many sets of failing tests of one check are remembered; then another is no progress any more."""


@dataclass(slots=True)
class _Stand:
    seen: tuple[Hashable, ...]
    effects: int
    ref: str


class ProgressBudget:
    """Judged only where it is measured: the same tests run again, or the criteria probed again, with the same outcome.

    So long work that nothing measures meanwhile is not taken for a loop.
    """

    def __init__(self, limits: Limits) -> None:
        self._budget = limits.progress_budget
        self._effects = 0
        self._stands: dict[str, _Stand] = {}
        self._best: dict[str, tuple[int, int]] = {}
        self._named: dict[str, set[str]] = {}
        self._got_on = 0
        self._pending: list[tuple[str, Hashable]] = []

    def criteria(self, which: str, verdicts: tuple[str | None, ...]) -> None:
        """How some criteria stand; the next step is judged by it."""
        if which == PROBED and "PASS" not in verdicts:
            # What holds nothing yet has not got on since the beginning, however late it is looked at first.
            self._stands.setdefault(which, _Stand((verdicts,), 0, ""))
        self._pending.append((which, verdicts))

    def observe(self, moment: Moment) -> Finding | None:
        seen = moment.seen
        measured, self._pending = self._pending, []
        if seen.failing:
            measured.append((seen.call, seen.failing))
            self._count(seen.call, seen.failing, seen.passed or 0)
            self._name(seen.call, seen.failing_at)
        elif seen.error is None and seen.symptom is None:
            # Tests that pass have got on, and what fails of them next is another matter.
            self._stands.pop(seen.call, None)
        if not (seen.probes or seen.heard):
            self._effects += 1
        found = [one for one in (self._judge(moment, *one) for one in measured) if one is not None]
        return found[0] if found else None

    def _count(self, call: str, failing: int, passed: int) -> None:
        """Fewer failing tests than ever before, or more that pass, are progress, whatever the criteria say."""
        fewest, most = self._best.setdefault(call, (failing, passed))
        if failing < fewest or passed > most:
            self._best[call], self._got_on = (min(failing, fewest), max(passed, most)), self._effects

    def _name(self, call: str, failing_at: str | None) -> None:
        """Another test that fails is progress too: who stops at the first one sees but one at a time."""
        named = self._named.setdefault(call, set())
        if failing_at is not None and failing_at not in named and len(named) < _NAMED:
            if named:
                self._got_on = self._effects
            named.add(failing_at)

    def _judge(self, moment: Moment, of: str, value: Hashable) -> Finding | None:
        stand = self._stands.get(of)
        if stand is None or value not in stand.seen:
            # Who goes to and fro between what was there before does not get on.
            known = (*(stand.seen if stand else ()), value)[-_REMEMBERED:]
            self._stands[of] = _Stand(known, self._effects, moment.ref)
            return None
        spent = self._effects - max(stand.effects, self._got_on)
        if spent < self._budget:
            return None
        since, stand.effects, stand.ref = stand.ref, self._effects, moment.ref
        what = f"{value} tests fail as before" if isinstance(value, int) else f"{of} stand as before"
        evidence = tuple(filter(None, (since, moment.ref)))
        return Finding("progress", True, f"{spent} effects, and {what}", evidence)

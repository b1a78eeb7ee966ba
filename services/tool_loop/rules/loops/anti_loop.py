"""All rules against loops together: a fold over the steps of one task, in the order of its log."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from arreio_contracts.events import LoopVerdict, StepDigest

from .breaker import Breaker
from .caps import Caps
from .churn import Hammering
from .cycle import Cycle
from .despite_answers import DespiteAnswers
from .fruitless import Fruitless, Musing, Unmoved
from .made_and_gone import MadeAndGone
from .no_match import NoMatch
from .observation import RULE
from .polish import Polish
from .progress_budget import ProgressBudget
from .repeat import Repeat
from .revisit import UNCHANGED, Revisit
from .rounds import Drift, Rounds, Scratch
from .rule import Finding, Limits, Moment, Rule, fails, told
from .said import Said
from .same_hits import SameHits
from .same_words import SameWords
from .sweep import Sweep

_REMOVALS: Final = 20
"""So many removals are remembered."""
_MADE: Final = 1024
"""So many things that were made are remembered."""


class AntiLoop:
    """Observes steps and says which is one too many. A restart folds the log again and knows what it knew."""

    def __init__(self, limits: Limits, caps: Caps | None = None) -> None:
        self._progress = ProgressBudget(limits)
        self._repeat = Repeat(limits)
        self.rules: Sequence[Rule] = (
            SameWords(limits),
            DespiteAnswers(limits),
            self._repeat,
            Cycle(limits),
            MadeAndGone(limits),
            Breaker(limits),
            Hammering(limits),
            Rounds(limits),
            Drift(limits),
            Scratch(limits),
            Sweep(limits),
            SameHits(limits),
            Fruitless(),
            Unmoved(),
            Revisit(limits),
            Polish(),
            NoMatch(),
            self._progress,
            *([caps] if caps else []),
        )
        self._at = 0
        self._changes = 0
        self._inputs = 0
        self._waits = 0
        self._grown = 0
        self._last_change = ""
        self._states = {UNCHANGED}
        self._news = 0
        self.news_now = False
        self._removed = 0
        self._known: set[tuple[str, str]] = set()
        self._said = Said()
        self._made: set[str] = set()
        self._musing = Musing()
        self._answers: defaultdict[str, set[str]] = defaultdict(set)

    @property
    def inputs(self) -> int:
        """How often somebody said something."""
        return self._inputs

    def observe(self, seen: StepDigest, ref: str, anew: bool | None = None) -> LoopVerdict | None:
        """Take in a step; `ref` names it in the evidence. The gravest finding, if any.

        `anew`: whether the workspace came to a content that it never had; None: its state tells.
        """
        at, self._at = self._at, self._at + 1
        if seen.heard:
            seen = self._listen(seen)
        elif seen.alike is not None:
            seen = seen.model_copy(update={"call": seen.alike})
        if seen.error is None and len(self._made) < _MADE:
            self._made.update(seen.made)
        if self._awaited(seen):
            seen = seen.model_copy(update={"polling": True, "pending": True})
        self._waits += seen.waits
        self.news_now = self._is_news(seen)
        self._news += self.news_now
        anew = self._is_anew(seen) if anew is None else anew
        excused = self._is_excused(seen)
        if seen.changed and not seen.notes and (anew or seen.call != self._last_change):
            # What changes the workspace as it did just before, to what it was before, brings nothing new.
            self._last_change = seen.call
            self._changes += 1
        self._grown += seen.grows or 0
        moment = Moment(seen, ref, at, self._changes, self._inputs, self._waits, self._news, anew, excused, self._grown)
        # A thought is nothing that is done; but the same thought again and again is a loop.
        rules = (self._repeat, self._musing) if seen.prose else (self._musing, *self.rules)
        found = [finding for rule in rules if (finding := rule.observe(moment)) is not None]
        return _verdict(max(found, key=lambda finding: finding.breaks)) if found else None

    def _awaited(self, seen: StepDigest) -> bool:
        """Whether a look is at what a call of this task had made: how that gets on may be asked again and again."""
        if seen.error is not None or seen.prose or seen.heard or seen.changed:
            return False
        return not self._made.isdisjoint(seen.asked)

    def _is_news(self, seen: StepDigest) -> bool:
        """Whether a step tells something: another call or another result, but not one more failure of a kind."""
        if seen.prose or seen.waits or seen.fruitless or seen.notes:
            return False
        news = (seen.call, told(seen)) if seen.error is None else (seen.scope, seen.error)
        if news in self._known:
            return False
        self._known.add(news)
        return True

    def _is_anew(self, seen: StepDigest) -> bool:
        """Whether the workspace came to a content that it never had; what a failing call leaves is no progress, but for
        a step on a way that stops there.
        """
        if seen.state is None or seen.notes or seen.state in self._states:
            return False
        self._states.add(seen.state)
        return seen.onward or not fails(seen)

    def _is_excused(self, seen: StepDigest) -> bool:
        """Whether a look in vain may be for what was removed: each removal excuses one."""
        if seen.removes and seen.error is None:
            self._removed = min(self._removed + 1, _REMOVALS)
        elif seen.probes and seen.error is not None and self._removed:
            self._removed -= 1
            return True
        return False

    def _listen(self, seen: StepDigest) -> StepDigest:
        """A word to somebody, by what it says. An answer that was not given before is an input; a refusal is none."""
        call = self._said.call(seen)
        answers = self._answers[call]
        if seen.error is None and seen.result not in answers:
            answers.add(seen.result)
            self._inputs += 1
        return seen.model_copy(update={"call": call})

    def input(self) -> None:
        """Somebody said something: what was tried may be tried again."""
        self._inputs += 1

    def criteria(self, which: str, verdicts: tuple[str | None, ...]) -> None:
        """How some of the exit criteria stand, in their order."""
        self._progress.criteria(which, verdicts)


def _verdict(finding: Finding) -> LoopVerdict:
    return LoopVerdict(
        kind=finding.kind,
        level="break" if finding.breaks else "warn",
        why=finding.why,
        evidence=finding.refs,
        forbids=finding.forbids,
        rule=RULE,
    )

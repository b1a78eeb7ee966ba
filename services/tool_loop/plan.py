"""The plan of a task: subtasks one after the other. They mark progress; whether it is done its gates say alone."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from arreio_contracts.events import PlanMade, Subtask
from arreio_contracts.messages import Verdict
from arreio_contracts.task import AnswerCriterion, Criterion, criterion_text

from .progress import Progress

MOST_SUBTASKS: Final = 8
DEFAULT_STEPS: Final = 20
"""Steps of a subtask where the capability profile names none."""
_TITLE_CHARS: Final = 300
_ITEM: Final = re.compile(r"^[^\S\n]*+(?:\d{1,2}[.)]|[-*•])\s+(\S.*)$", re.MULTILINE)

Outcome = Literal["done", "unfinished", "unverified"]


@dataclass(frozen=True)
class Plan:
    """The plan as far as it has come. `steps` and `own` are of the current subtask: replies, and its own criterion."""

    made: PlanMade
    outcomes: tuple[Outcome, ...] = ()
    steps: int = 0
    own: Verdict | None = None
    claimed: bool = False
    """The model said that all is done, and was refused."""

    @property
    def number(self) -> int:
        """The place of the current subtask, from 0; past the last one when the plan is through."""
        return len(self.outcomes)

    @property
    def current(self) -> Subtask | None:
        """What is to be done now; None: the plan is through."""
        return self.made.subtasks[self.number] if self.number < len(self.made.subtasks) else None

    @property
    def unfinished(self) -> bool:
        """Whether it is through, and something of it did not come out."""
        return self.current is None and "unfinished" in self.outcomes

    def closed(self, outcome: Outcome) -> "Plan":
        """The same with the current subtask over."""
        return Plan(self.made, (*self.outcomes, outcome))


def outcome(plan: Plan, criteria: Sequence[Criterion], progress: Progress) -> Outcome | None:
    """How the current subtask is over; None: it goes on. One that nothing can check ends by a claim of the model."""
    current = plan.current
    if current is None:
        return None
    verdict = _verdict(plan, current, criteria, progress)
    if verdict == "PASS":
        return "done"
    if plan.steps >= current.steps:
        return "unverified" if verdict is None else "unfinished"
    return "unverified" if plan.claimed and current.criterion is None else None


def own_criterion(plan: Plan | None, criteria: Sequence[Criterion]) -> Criterion | None:
    """The criterion of the current subtask, where it is not one of the task's."""
    current = plan.current if plan else None
    found = current.criterion if current else None
    return None if found in criteria else found


def named(criteria: Sequence[Criterion]) -> list[Criterion]:
    """The criteria that say something of the workspace."""
    return [criterion for criterion in criteria if not isinstance(criterion, AnswerCriterion)]


def unmet(criteria: Sequence[Criterion], progress: Progress) -> list[Criterion]:
    """Those of `named` that are not known to hold."""
    return [
        criterion
        for number, criterion in enumerate(criteria)
        if progress.standing.get(number) != "PASS" and not isinstance(criterion, AnswerCriterion)
    ]


def parts(goal: str) -> list[str]:
    """The items of a goal that is written as a list."""
    return [found.strip() for found in _ITEM.findall(goal)]


def has_parts(goal: str, criteria: Sequence[Criterion]) -> bool:
    """Whether there is something to take one after the other."""
    return len(criteria) >= 2 or len(parts(goal)) >= 2


def by_harness(goal: str, left: Sequence[Criterion], steps: int, language: str) -> tuple[Subtask, ...]:
    """The plan that needs no model: a subtask for each unmet criterion; where none is named, one for each part."""
    make = "Faça valer:" if language == "pt" else "Make this hold:"
    checked = [(f"{make} {criterion_text(criterion)}", criterion) for criterion in left]
    unchecked: list[tuple[str, Criterion | None]] = [(part, None) for part in parts(goal) or [goal.strip()]]
    return tuple(
        Subtask(title=title_of(title), criterion=criterion, steps=steps)
        for title, criterion in (checked or unchecked)[:MOST_SUBTASKS]
    )


def title_of(text: str) -> str:
    """A text as the title of a subtask: one line of bounded length."""
    line = " ".join(text.split())
    return line if len(line) <= _TITLE_CHARS else line[: _TITLE_CHARS - 1] + "…"


def _verdict(plan: Plan, current: Subtask, criteria: Sequence[Criterion], progress: Progress) -> Verdict | None:
    if current.criterion is None:
        return None
    if current.criterion in criteria:
        return progress.standing.get(list(criteria).index(current.criterion))
    return plan.own

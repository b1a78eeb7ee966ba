"""The plan of a task as the model is told it: what is to be done now first, then the whole list."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from arreio_contracts.events import Subtask
from arreio_contracts.task import criterion_text

_MARKS: Final = {"done": "[x]", "unfinished": "[!]", "unverified": "[~]"}


@dataclass(frozen=True, slots=True)
class Plan:
    """Subtasks in order; the first ones are over, each with its outcome."""

    subtasks: tuple[Subtask, ...]
    outcomes: tuple[str, ...] = ()

    def closed(self, outcome: str) -> "Plan":
        """The same with the current subtask over."""
        return Plan(self.subtasks, (*self.outcomes, outcome))


def plan_text(plan: Plan, language: str) -> str:
    """The plan in a few lines; the current subtask, with how it shows that it is done, stands first."""
    pt = language == "pt"
    number = len(plan.outcomes)
    lines = [*_now(plan.subtasks, number, pt=pt), "Plano:" if pt else "The plan:"]
    for place, subtask in enumerate(plan.subtasks):
        mark = _MARKS[plan.outcomes[place]] if place < number else "[>]" if place == number else "[ ]"
        lines.append(f"{mark} {place + 1}. {subtask.title}")
    return "\n".join(lines)


def _now(subtasks: Sequence[Subtask], number: int, *, pt: bool) -> list[str]:
    if number >= len(subtasks):
        return ["O plano chegou ao fim." if pt else "The plan is through."]
    current = subtasks[number]
    count = f"{number + 1} de {len(subtasks)}" if pt else f"{number + 1} of {len(subtasks)}"
    head = f"Agora, só isto ({count}): {current.title}" if pt else f"Now, and only this ({count}): {current.title}"
    shown = [] if current.criterion is None else [f"- {criterion_text(current.criterion)}"]
    return [head, *shown]

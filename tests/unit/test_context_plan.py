"""A task's plan in its prompt: what is to be done now stands first, and what became of the rest is marked."""

from __future__ import annotations

from arreio_contracts.events import Subtask
from arreio_contracts.task import FileExistsCriterion

from services.context_builder.plan import Plan, plan_text

PLAN = Plan(
    (
        Subtask(title="Write a", criterion=FileExistsCriterion(path="a.txt"), steps=3),
        Subtask(title="Look", steps=3),
        Subtask(title="Write b", criterion=FileExistsCriterion(path="b.txt"), steps=3),
    )
)


def test_the_current_subtask_and_how_it_shows_stand_first() -> None:
    assert plan_text(PLAN, "en").splitlines() == [
        "Now, and only this (1 of 3): Write a",
        "- file_exists: a.txt",
        "The plan:",
        "[>] 1. Write a",
        "[ ] 2. Look",
        "[ ] 3. Write b",
    ]


def test_what_is_over_is_marked_by_its_outcome() -> None:
    later = PLAN.closed("unfinished").closed("unverified")
    lines = plan_text(later, "pt").splitlines()
    assert lines[0] == "Agora, só isto (3 de 3): Write b"
    assert lines[-3:] == ["[!] 1. Write a", "[~] 2. Look", "[>] 3. Write b"]
    assert plan_text(later.closed("done"), "pt").startswith("O plano chegou ao fim.")

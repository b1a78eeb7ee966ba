"""Plans: how a task is taken apart, when a part is over, and what becomes of a plan that a model makes."""

from __future__ import annotations

from typing import Any

import pytest
from arreio_contracts.events import EventData, ModelReplied, PlanMade, Subtask, SubtaskClosed, ToolCall
from arreio_contracts.task import (
    AnswerCriterion,
    Budgets,
    CommandCriterion,
    Criterion,
    FileContainsCriterion,
    FileExistsCriterion,
    TaskState,
    TestsCriterion,
)
from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop.decomposing import wants_plan
from services.tool_loop.plan import MOST_SUBTASKS, Plan, by_harness, has_parts, outcome, parts
from services.tool_loop.planning import harness_plan, subtasks_of
from services.tool_loop.progress import Progress, probed
from services.tool_loop.replacing import replace
from services.tool_loop.state import LoopState
from services.tool_loop.steps import AskModel, AwaitJudgement, MakePlan, Probe, RunTool, Step
from tests.unit.simulated_task import SimulatedTask, call, finished, judged, profiled, replied, rungs
from tests.unit.simulated_task import probed as probe

A, B = FileExistsCriterion(path="a.txt"), FileExistsCriterion(path="b.txt")
TESTS = TestsCriterion(run="pytest -q")


def made(*subtasks: Subtask) -> Plan:
    return Plan(PlanMade(subtasks=subtasks, by="harness"))


def plan_call(*items: Any) -> ToolCall:
    return ToolCall(id="c", name="make_plan", arguments={"subtasks": list(items)})


@pytest.mark.parametrize(
    ("goal", "found"),
    [
        ("Mend it.", []),
        ("Do this:\n1. read it\n2) write it\n", ["read it", "write it"]),
        ("Faça:\n- uma coisa\n* outra\n  • e mais uma", ["uma coisa", "outra", "e mais uma"]),
        ("It costs 3.5 and takes\n2024 steps", []),
    ],
)
def test_the_parts_of_a_goal_are_the_items_of_its_list(goal: str, found: list[str]) -> None:
    assert parts(goal) == found


def test_one_criterion_of_a_goal_in_one_part_is_nothing_to_take_apart() -> None:
    assert not has_parts("Mend it.", [A])
    assert has_parts("Mend it.", [A, B])
    assert has_parts("- read\n- write", [])


@given(st.text(max_size=2000), st.lists(st.sampled_from([A, B, TESTS]), max_size=20))
def test_the_plan_of_the_harness_has_a_subtask_for_each_unmet_criterion_and_always_one(
    goal: str, left: list[Criterion]
) -> None:
    if not goal.strip():
        goal = "x"
    subtasks = by_harness(goal, left, 4, "en")
    assert 1 <= len(subtasks) <= MOST_SUBTASKS
    if left:
        assert [one.criterion for one in subtasks] == left[:MOST_SUBTASKS]
    assert {one.steps for one in subtasks} == {4}


def test_a_subtask_is_done_when_its_criterion_holds_and_unfinished_when_its_steps_are_used() -> None:
    plan = made(Subtask(title="a", criterion=A, steps=2), Subtask(title="b", criterion=B, steps=2))
    assert outcome(plan, [B, A], Progress()) is None
    assert outcome(plan, [B, A], probed(Progress(), ["FAIL", "PASS"])) == "done"
    used = Plan(plan.made, steps=2)
    assert outcome(used, [B, A], probed(Progress(), ["FAIL", "FAIL"])) == "unfinished"
    assert outcome(used, [B, A], Progress()) == "unverified"


def test_a_subtask_with_a_criterion_of_its_own_goes_by_that_alone() -> None:
    plan = made(Subtask(title="a", criterion=A, steps=1))
    assert outcome(Plan(plan.made, own="PASS"), [B], probed(Progress(), ["FAIL"])) == "done"
    assert outcome(Plan(plan.made, own="FAIL", steps=1), [B], probed(Progress(), ["PASS"])) == "unfinished"


def test_a_subtask_that_nothing_can_check_ends_by_a_claim() -> None:
    plan = made(Subtask(title="look around", steps=9), Subtask(title="b", criterion=B, steps=9))
    assert outcome(plan, [B], Progress()) is None
    assert outcome(Plan(plan.made, claimed=True), [B], Progress()) == "unverified"
    after = Plan(plan.made, claimed=True).closed("unverified")
    assert outcome(after, [B], Progress()) is None


def test_of_a_models_plan_only_checks_that_are_cheap_or_the_tasks_own_are_kept() -> None:
    found = subtasks_of(
        (
            plan_call(
                {"title": "Write a", "check": "`file_exists: a.txt`"},
                {"title": "Test", "check": "tests: pytest -q"},
                {"title": "Delete all", "check": "command: rm -rf ."},
                {"title": "Escape", "check": "file_exists: ../x"},
                {"title": "Odd", "check": "file_contains: a.txt :: ("},
                {"title": " two\nlines ", "check": None},
                {"title": "", "check": ""},
                "no object",
            ),
        ),
        [TESTS],
        7,
    )
    assert [(one.title, one.criterion) for one in found] == [
        ("Write a", A),
        ("Test", TESTS),
        ("Delete all", None),
        ("Escape", None),
        ("Odd", None),
        ("two lines", None),
    ]
    assert {one.steps for one in found} == {7}


@pytest.mark.parametrize(
    "calls",
    [(), (plan_call(),), (ToolCall(id="c", name="make_plan", arguments=None, problem="cut off"),), (call(1, "other"),)],
)
def test_a_plan_that_cannot_be_read_is_none(calls: tuple[ToolCall, ...]) -> None:
    assert subtasks_of(calls, [A], 3) == ()


@given(st.recursive(st.none() | st.text(max_size=9), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_whatever_a_model_gives_as_a_plan_is_read_or_left(value: Any) -> None:
    odd = ToolCall(id="c", name="make_plan", arguments={"subtasks": value})
    assert len(subtasks_of((odd,), [A], 3)) <= MOST_SUBTASKS


# --- in the course of a task ---


def run(capability: dict[str, Any], criteria: tuple[Criterion, ...], replies: list[ModelReplied]) -> SimulatedTask:
    """A task whose files exist once they were written, judged by that."""
    written: set[str] = set()
    said = iter(replies)

    def holds() -> list[Any]:
        return ["PASS" if isinstance(one, FileExistsCriterion) and one.path in written else "FAIL" for one in criteria]

    def world(step: Step, state: LoopState) -> list[EventData]:
        match step:
            case AskModel():
                return [next(said, replies[-1])]
            case RunTool(call=made):
                written.add(str((made.arguments or {}).get("path")))
                return [finished(step, changed=step.started.effect == "file")]
            case Probe():
                return [probe(*holds())]
            case AwaitJudgement(claim):
                return [judged(claim.claim_id, "PASS" if set(holds()) == {"PASS"} else "FAIL")]
            case _:
                raise AssertionError(step)

    changed = {**profiled().capability, **capability}
    return SimulatedTask(world, profiled(capability=changed, criteria=criteria, budgets=Budgets(max_steps=30)))


def write(path: str) -> ModelReplied:
    return replied(call(1, "write_file", path=path))


READ = replied(call(1, "read_file", path="x"))
WEAK = {"steps_per_subtask": 2, "complete_on_criteria": True, "plans_itself": False}


def closings(task: SimulatedTask) -> list[tuple[int, str]]:
    return [(one.data.number, one.data.outcome) for one in task.log if isinstance(one.data, SubtaskClosed)]


def test_a_task_of_several_criteria_is_planned_before_its_first_turn_where_the_profile_says_so() -> None:
    task = run(WEAK, (A, B), [write("a.txt"), write("b.txt")])
    assert task.run().state is TaskState.COMPLETE
    assert task.types().index("plan.made") < task.types().index("context.built")
    assert task.types().count("plan.made") == 1
    assert closings(task) == [(0, "done")]


@pytest.mark.parametrize(
    ("capability", "criteria"),
    [({**WEAK, "steps_per_subtask": None}, (A, B)), (WEAK, (A,)), (WEAK, (AnswerCriterion(),))],
)
def test_other_tasks_are_not_planned(capability: dict[str, Any], criteria: tuple[Criterion, ...]) -> None:
    task = run(capability, criteria, [replied(call(1, "task_blocked", reason="no"))])
    task.run()
    assert "plan.made" not in task.types()


def test_a_subtask_that_used_its_steps_gives_way_and_the_plan_is_made_anew_from_what_is_unmet() -> None:
    c = FileExistsCriterion(path="c.txt")
    paths = ("x", "y", "b.txt", "z", "v", "a.txt", "c.txt")
    task = run(WEAK, (A, B, c), [write(path) for path in paths])
    assert task.run().state is TaskState.COMPLETE
    plans = [one.data for one in task.log if isinstance(one.data, PlanMade)]
    assert [[one.criterion for one in plan.subtasks] for plan in plans] == [[A, B, c], [A, c]]
    assert closings(task) == [(0, "unfinished"), (1, "done"), (2, "unfinished"), (0, "done")]
    assert rungs(task) == ["redecompose"]


def test_a_plan_gone_through_in_vain_ends_no_task_by_itself() -> None:
    task = run({**WEAK, "complete_on_criteria": False}, (A, B), [write(f"{number}.txt") for number in range(40)])
    state = task.run()
    assert state.state is TaskState.FAILED and state.steps == 30
    assert task.types().count("plan.made") == 2


def test_a_subtask_done_is_no_completion() -> None:
    task = run(WEAK, (A, B, CommandCriterion(run="false")), [write("a.txt"), write("b.txt"), READ])
    task.run()
    assert [outcome for _, outcome in closings(task)][:2] == ["done", "done"]
    assert "task.completed" not in task.types()


def test_the_harness_plans_in_the_language_of_the_task() -> None:
    task = run(WEAK, (A, FileContainsCriterion(path="b.txt", regex="x")), [READ])
    task.profile = task.profile.model_copy(update={"language": "pt"})
    while not isinstance(task.step(), MakePlan):
        pass
    assert harness_plan(task.state).subtasks[0].title == "Faça valer: file_exists: a.txt"


def test_a_task_that_is_under_way_is_not_planned_because_another_model_takes_over() -> None:
    task = run({**WEAK, "steps_per_subtask": None}, (A, B), [READ])
    while task.state.steps == 0:
        task.step()
    profile = profiled(capability={**profiled().capability, **WEAK}, criteria=(A, B))
    assert not wants_plan(replace(task.state, profile=profile))
    assert wants_plan(replace(task.state, profile=profile, steps=0))

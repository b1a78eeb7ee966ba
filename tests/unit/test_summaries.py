"""When a summary of dropped history is asked for, and that a task goes on whatever comes of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from arreio_contracts.events import ContextBuilt, EventData, HistorySummarised, ModelFailed, Usage
from arreio_contracts.messages import ContextManifest, DroppedUnit, LayerManifest, UnitRef
from arreio_contracts.task import Budgets, TaskState
from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop.fold import evolve
from services.tool_loop.machine import MACHINE
from services.tool_loop.replay import verify
from services.tool_loop.state import LoopState, Stamped
from services.tool_loop.steps import AskModel, AwaitJudgement, BuildContext, Step, Summarise, next_step
from services.tool_loop.summaries import due, problem, told
from shared.canonical import canonical_json
from tests.unit.simulated_task import SimulatedTask, call, judged, profiled, replied

CLAIM = replied(call(1, "task_complete", summary="done"))
SHA = "a" * 64


def prompt(dropped: tuple[str, ...] = (), kept: tuple[str, ...] = (), budget: int = 4_000) -> ContextBuilt:
    layer = LayerManifest(
        name="task_state",
        strategy="drop_whole_units",
        budget=budget,
        tokens=100,
        estimated=True,
        units=tuple(UnitRef(id=name, sha256=SHA) for name in kept),
        dropped=tuple(DroppedUnit(id=name, tokens=50, why="over", sha256=SHA) for name in dropped),
    )
    return ContextBuilt(manifest=ContextManifest(prompt_sha256="0" * 64, layers=(layer,), tokens=100))


class Forgetful(SimulatedTask):
    """A task whose every prompt leaves out `dropped`; `outcomes` are the problems of its summaries."""

    dropped: tuple[str, ...] = ()
    outcomes: tuple[str | None, ...] = (None,)

    def step(self) -> Step:
        step = next_step(self.state)
        summaries = self.types().count("history.summarised")
        match step:
            case BuildContext():
                self.now_ms += 1000
                self.record(prompt(self.dropped))
            case Summarise(units):
                self.now_ms += 1000
                wrong = self.outcomes[summaries % len(self.outcomes)]
                usage = Usage(prompt_tokens=30, completion_tokens=3)
                covers = tuple(unit.id for unit in units)
                self.record(
                    HistorySummarised(
                        covers=covers,
                        covered_tokens=sum(unit.tokens for unit in units),
                        text="" if wrong else "It was begun.",
                        problem=wrong,
                        model="test/model",
                        usage=usage,
                        cost_usd=0.5,
                    )
                )
            case _:
                return super().step()
        return step


def forgetful(dropped: tuple[str, ...], *outcomes: str | None, summaries: bool = True, **changes: object) -> Forgetful:
    def happens(step: Step, state: LoopState) -> list[EventData]:
        match step:
            case AskModel():
                return [CLAIM]
            case AwaitJudgement(claim):
                return [judged(claim.claim_id, "PASS")]
            case _:
                raise AssertionError(step)

    capability = {**profiled().capability, "summaries": summaries}
    task = Forgetful(happens, profiled(capability=capability, **changes))
    task.dropped, task.outcomes = dropped, outcomes or (None,)
    return task


def test_what_is_left_out_is_summed_up_once_and_the_prompt_is_built_again() -> None:
    task = forgetful(("turn:1", "turn:2"))
    assert task.run().state is TaskState.COMPLETE
    assert [one for one in task.types() if one in ("context.built", "history.summarised", "model.requested")] == [
        "context.built",
        "history.summarised",
        "context.built",
        "model.requested",
    ]
    assert verify("s", task.log) is None


@pytest.mark.parametrize("wrong", ["the summary is empty", "rate_limit: slow down"])
def test_without_a_summary_the_prompt_stands_as_it_is(wrong: str) -> None:
    task = forgetful(("turn:1",), wrong)
    ended = task.run()
    assert ended.state is TaskState.COMPLETE and ended.failures_in_a_row == 0
    assert task.types().count("context.built") == 1 and task.types().count("history.summarised") == 1
    assert verify("s", task.log) is None


@pytest.mark.parametrize(("dropped", "summaries"), [(("turn:1",), False), ((), True)])
def test_nothing_is_summed_up_where_it_is_off_or_nothing_is_left_out(dropped: tuple[str, ...], summaries: bool) -> None:
    task = forgetful(dropped, summaries=summaries)
    assert task.run().state is TaskState.COMPLETE
    assert "history.summarised" not in task.types()


def test_a_summary_costs_what_it_costs_and_is_no_step() -> None:
    task = forgetful(("turn:1",), "the summary is empty")
    ended = task.run()
    assert (ended.prompt_tokens, ended.completion_tokens, ended.cost_usd, ended.steps) == (30, 3, 0.5, 1)


def test_a_budget_that_a_summary_uses_up_ends_the_task() -> None:
    task = forgetful(("turn:1",), budgets=Budgets(max_steps=9, max_tokens=33, max_age=9_999.0))
    ended = task.run()
    assert ended.state is TaskState.FAILED and "model.requested" not in task.types()


@given(
    st.lists(st.sampled_from(["turn:1", "past:0", "input:2", "summary:0"]), unique=True),
    st.lists(st.none() | st.just("the summary is empty"), min_size=1, max_size=4),
)
def test_a_prompt_that_never_changes_is_summed_up_at_most_once(dropped: list[str], outcomes: list[str | None]) -> None:
    task = forgetful(tuple(dropped), *outcomes)
    assert task.run(most=20).state is TaskState.COMPLETE
    assert task.types().count("history.summarised") == (1 if set(dropped) - {"summary:0"} else 0)
    assert verify("s", task.log) is None


def test_after_two_summaries_that_failed_no_drop_asks_for_another() -> None:
    state, asked = LoopState("t_1", profile=profiled(capability={"summaries": True})), 0
    for number, wrong in enumerate([None, "empty", None, "empty", None, None]):
        state = replace(state, context=prompt((f"turn:{number}",)))
        covers = tuple(unit.id for unit in due(state))
        if covers:
            asked += 1
            fact = HistorySummarised(covers=covers, covered_tokens=1, text="", problem=wrong, model="test/model")
            state = evolve(state, Stamped(f"e{number}", fact, 0, MACHINE))
    assert asked == 4


def test_the_earlier_summary_is_summed_up_with_what_goes_now() -> None:
    state = replace(
        LoopState("t_1", profile=profiled(capability={"summaries": True})),
        context=prompt(("turn:8", "turn:9"), kept=("goal", "summary:1", "turn:10")),
    )
    assert [(unit.id, unit.tokens) for unit in due(state)] == [("summary:1", 0), ("turn:8", 50), ("turn:9", 50)]
    small = replace(state, context=prompt(("turn:8",), budget=100))
    assert due(small) == ()


def test_a_window_that_refuses_the_prompt_with_the_summary_gets_a_smaller_one() -> None:
    task = forgetful(("turn:1",))
    world, refusals = task.world, iter([ModelFailed(kind="context_overflow", message="too long")])
    task.world = lambda step, state: [next(refusals, CLAIM)] if isinstance(step, AskModel) else world(step, state)
    ended = task.run()
    assert ended.state is TaskState.FAILED  # this task's prompts never get smaller
    assert task.types().count("history.summarised") == 1
    assert verify("s", task.log) is None


@given(
    st.text(st.characters(exclude_categories=()), max_size=200),
    st.sampled_from(["stop", "length", ""]),
    st.integers(0, 60),
)
def test_an_answer_is_a_summary_or_has_a_problem(text: str, finish: str, most: int) -> None:
    found = problem(text, finish, most)
    usable = bool(text.strip()) and finish != "length" and len(text.encode("utf-8", "replace")) <= 4 * most
    assert (found is None) == usable


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=40), max_size=6), st.integers(-5, 60))
def test_what_is_read_for_a_summary_is_bounded_and_ends_with_the_latest(texts: list[str], most: int) -> None:
    units = [canonical_json([{"role": "assistant", "content": text}]) for text in texts]
    whole = told(units, 10**6)
    found = told(units, most)
    assert len(found.encode()) <= 3 * max(0, most)
    assert whole.endswith(found)


def test_calls_and_results_are_read_with_their_names() -> None:
    call_ = {"id": "c", "type": "function", "function": {"name": "read_file", "arguments": '{"path":"a.txt"}'}}
    said = [
        {"role": "assistant", "content": "", "tool_calls": [call_]},
        {"role": "tool", "tool_call_id": "c", "content": "text"},
        {"role": "user", "name": "harness", "content": "[harness] Go on."},
    ]
    assert told([canonical_json(said)], 1_000).splitlines() == [
        'assistant calls read_file {"path":"a.txt"}',
        "tool: text",
        "harness: [harness] Go on.",
    ]

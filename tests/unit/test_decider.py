"""The state machine: what follows from what is recorded."""

from collections.abc import Callable, Sequence
from itertools import count

import pytest
from arreio_contracts.events import (
    CompletionClaimed,
    EventData,
    InputReceived,
    ModelFailed,
    ModelReplied,
    ModelRequested,
    PlanMade,
    PromiseVerdict,
    Subtask,
    TaskBlocked,
    TaskCancelRequested,
    TaskCompleted,
    TaskFailed,
    TaskProfiled,
    TaskResumed,
    ToolCall,
    TurnRejected,
    Usage,
)
from arreio_contracts.task import (
    AnswerCriterion,
    Budgets,
    CommandCriterion,
    Criterion,
    FileExistsCriterion,
    Reason,
    TaskContract,
    TaskState,
)

from services.tool_loop.state import LoopState
from services.tool_loop.steps import AskModel, AwaitJudgement, Probe, RunTool, Step
from tests.unit.simulated_task import SimulatedTask, call, finished, judged, probed, profiled, replied, rungs

Replies = Sequence[ModelReplied | ModelFailed]


def world(
    replies: Replies,
    verdicts: Sequence[str] = (),
    *,
    changed: Callable[[RunTool], bool] = lambda step: step.started.effect == "file",
    status: str = "ok",
) -> Callable[[Step, LoopState], list[EventData]]:
    """A model that says these things in turn (the last one again and again), and gates that judge so in turn."""
    asked, judgements = count(), count()

    def happens(step: Step, state: LoopState) -> list[EventData]:
        match step:
            case AskModel():
                return [replies[min(next(asked), len(replies) - 1)]]
            case RunTool():
                return [finished(step, status=status, changed=changed(step))]
            case AwaitJudgement(claim):
                verdict = verdicts[min(next(judgements), len(verdicts) - 1)]
                return [judged(claim.claim_id, verdict, environment=verdict == "NOT_RUN")]  # type: ignore[arg-type]
            case Probe():
                return [probed("PASS" if state.changes else "FAIL")]
            case _:
                raise AssertionError(step)

    return happens


WRITE = replied(call(1, "write_file", path="a.txt", content="x"))
CLAIM = replied(call(2, "task_complete", summary="done"))


def test_a_claim_that_the_gates_bear_out_completes_the_task() -> None:
    task = SimulatedTask(world([WRITE, CLAIM], ["PASS"]))
    assert task.run().state is TaskState.COMPLETE
    assert task.types() == [
        "task.created",
        "task.profiled",
        "task.started",
        "context.built",
        "model.requested",
        "model.replied",
        "tool.started",
        "tool.finished",
        "context.built",
        "model.requested",
        "model.replied",
        "claim.checked",
        "completion.claimed",
        "gate.judged",
        "task.completed",
    ]


def test_a_model_that_lies_about_completion_never_completes() -> None:
    task = SimulatedTask(world([CLAIM], ["FAIL"]))
    state = task.run()
    assert isinstance(state.ending, TaskBlocked)
    assert state.ending.reason.code == "false_completion"
    assert task.types().count("completion.claimed") == 1
    assert task.types().count("tool.refused") == 6
    assert rungs(task) == ["redecompose"]


def test_a_lie_after_each_change_ends_with_the_steps() -> None:
    turn = count(1)

    def lies(step: Step, state: LoopState) -> list[EventData]:
        match step:
            case AskModel():
                number = next(turn)
                name = "write_file" if number % 2 else "task_complete"
                return [replied(call(number, name, path="a.txt"))]
            case RunTool():
                return [finished(step, changed=True)]
            case AwaitJudgement(claim):
                return [judged(claim.claim_id, "FAIL")]
            case _:
                raise AssertionError(step)

    state = SimulatedTask(lies).run()
    assert isinstance(state.ending, TaskFailed) and state.ending.reason.code == "max_steps"
    assert state.steps == 20


def test_a_refused_completion_is_not_offered_again_until_something_changed() -> None:
    task = SimulatedTask(world([CLAIM, WRITE, CLAIM], ["FAIL", "PASS"]))
    task.run()
    offers = [event.data.offered for event in task.log if event.data.type == "model.requested"]  # type: ignore[attr-defined]
    assert ["task_complete" in offer for offer in offers] == [True, False, True]


def test_prose_without_a_call_is_rejected_and_after_three_in_a_row_the_next_rung_is_climbed() -> None:
    promise = PromiseVerdict(label="PROMISE", lang="pt", why="", rule="test")
    task = SimulatedTask(world([ModelReplied(content="Vou criar o arquivo.", promise=promise)]))
    state = task.run()
    rejected = [event.data for event in task.log if isinstance(event.data, TurnRejected)]
    assert [one.code for one in rejected] == ["promise"] * 6
    assert [one.in_a_row for one in rejected] == [1, 2, 3] * 2
    assert rungs(task) == ["redecompose"]
    assert "Você disse que faria X mas não agiu. Execute agora ou declare bloqueio." in rejected[0].nudge
    assert isinstance(state.ending, TaskBlocked) and state.ending.reason.code == "no_action"
    assert len(state.ending.reason.evidence) == 4
    assert "a promise without an action" in state.ending.reason.text


def test_an_executed_call_forgives_earlier_rejections() -> None:
    prose = ModelReplied(content="hm")
    task = SimulatedTask(world([prose, prose, WRITE, prose, prose, WRITE, CLAIM], ["PASS"]))
    assert task.run().state is TaskState.COMPLETE


def test_the_calls_run_before_a_signal_in_the_same_reply() -> None:
    both = replied(call(1, "task_complete", summary="done"), call(2, "write_file", path="a.txt"))
    task = SimulatedTask(world([both], ["PASS"]))
    assert task.run().state is TaskState.COMPLETE
    types = task.types()
    assert types.index("tool.finished") < types.index("completion.claimed")


@pytest.mark.parametrize("first", ["complete", "blocked"])
def test_a_claim_beside_being_blocked_is_no_claim_in_either_order(first: str) -> None:
    complete, block = call(1, "task_complete", summary="done"), call(2, "task_blocked", reason="no key")
    signals = [complete, block] if first == "complete" else [block, complete]
    task = SimulatedTask(world([replied(*signals)], ["PASS"]))
    state = task.run()
    assert "completion.claimed" not in task.types()
    assert isinstance(state.ending, TaskBlocked) and state.ending.reason.code == "declared_by_model"
    refused = [event.data for event in task.log if event.data.type == "tool.refused"]
    assert [one.code for one in refused] == ["superseded"]  # type: ignore[attr-defined]


def test_a_claim_beside_a_question_asks() -> None:
    asks = replied(call(1, "task_complete", summary="done"), call(2, "need_input", question="which?"))
    task = SimulatedTask(world([asks], ["PASS"]))
    assert task.run().state is TaskState.NEEDS_INPUT and "completion.claimed" not in task.types()


def test_a_claim_beside_a_call_that_failed_is_no_claim() -> None:
    both = replied(call(1, "write_file", path="a.txt"), call(2, "task_complete", summary="done"))
    block = replied(call(3, "task_blocked", reason="cannot"))
    task = SimulatedTask(world([both, block], ["PASS"], status="error"))
    state = task.run()
    assert "completion.claimed" not in task.types()
    assert isinstance(state.ending, TaskBlocked) and state.ending.reason.code == "declared_by_model"


def test_an_unknown_tool_gets_one_result_with_candidates_and_is_not_run() -> None:
    odd = replied(call(1, "writefile", path="a.txt"))
    task = SimulatedTask(world([odd, WRITE, CLAIM], ["PASS"]))
    task.run()
    refused = [event.data for event in task.log if event.data.type == "tool.refused"]
    assert len(refused) == 1
    assert "write_file" in refused[0].text  # type: ignore[attr-defined]


def test_a_call_that_could_not_be_read_is_never_executed() -> None:
    broken = replied(ToolCall(id="call-9", name="write_file", arguments=None, problem="truncated"))
    task = SimulatedTask(world([broken]))
    state = task.run()
    assert "tool.started" not in task.types()
    assert isinstance(state.ending, TaskBlocked) and state.ending.reason.code == "no_action"


@pytest.mark.parametrize(
    ("budget", "code"),
    [
        (Budgets(max_steps=3), "max_steps"),
        (Budgets(max_tool_calls=2), "max_tool_calls"),
        (Budgets(max_wall_clock=5), "max_wall_clock"),
        (Budgets(max_age=5), "max_age"),
        (Budgets(max_tokens=100), "max_tokens"),
        (Budgets(max_cost=0.02), "max_cost"),
    ],
)
def test_each_budget_ends_the_task_failed(budget: Budgets, code: str) -> None:
    paid = WRITE.model_copy(update={"usage": Usage(prompt_tokens=30, completion_tokens=5), "cost_usd": 0.01})
    task = SimulatedTask(world([paid]), profiled(budgets=budget))
    state = task.run()
    assert state.state is TaskState.FAILED
    assert isinstance(state.ending, TaskFailed) and state.ending.reason.code == code


def test_a_tool_that_was_called_as_often_as_it_may_be_is_refused_and_insisting_on_it_climbs() -> None:
    budgets = Budgets(max_steps=99, max_calls_per_tool=2)
    task = SimulatedTask(world([WRITE]), profiled(budgets=budgets))
    state = task.run()
    assert state.tool_calls == 2 and state.steps == 8
    assert isinstance(state.ending, TaskBlocked) and state.ending.reason.code == "no_action"
    assert "write_file, which was called as often as it may be" in state.ending.reason.text


def test_what_a_plan_cost_counts_against_the_budgets() -> None:
    task = SimulatedTask(world([WRITE]), profiled(budgets=Budgets(max_cost=0.5)))
    while task.state.phase != "ready":
        task.step()
    plan = PlanMade(subtasks=(Subtask(title="a", steps=1),), by="model", cost_usd=0.6, usage=Usage(prompt_tokens=7))
    task.record(plan)
    assert isinstance(task.state.ending, TaskFailed) and task.state.ending.reason.code == "max_cost"
    assert task.state.tokens == 7


def test_every_call_has_exactly_one_result_also_when_the_task_ends_among_them() -> None:
    many = replied(*(call(number, "write_file", path=f"{number}.txt") for number in range(5)))
    task = SimulatedTask(world([many]), profiled(budgets=Budgets(max_tool_calls=2)))
    task.run()
    results = [
        event.data.call_id  # type: ignore[attr-defined]
        for event in task.log
        if event.data.type in ("tool.finished", "tool.refused")
    ]
    assert sorted(results) == [f"call-{number}" for number in range(5)]


def test_provider_failures_cost_no_step_and_are_retried_later_and_later() -> None:
    limit = ModelFailed(kind="rate_limit", message="slow down")
    task = SimulatedTask(world([limit, limit, limit, WRITE, CLAIM], ["PASS"]))
    before = task.now_ms
    state = task.run()
    assert state.state is TaskState.COMPLETE and state.steps == 2
    assert task.now_ms - before >= 7000


def test_a_bad_key_blocks_at_once() -> None:
    state = SimulatedTask(world([ModelFailed(kind="auth", message="no")])).run()
    assert isinstance(state.ending, TaskBlocked) and state.ending.reason.code == "provider_auth"


def test_a_provider_that_stays_away_blocks_after_a_bounded_number_of_tries() -> None:
    task = SimulatedTask(world([ModelFailed(kind="timeout", message="…")]))
    state = task.run()
    assert isinstance(state.ending, TaskBlocked) and state.ending.reason.code == "provider_unavailable"
    assert task.types().count("model.requested") == 8


def test_an_environment_that_cannot_judge_blocks() -> None:
    state = SimulatedTask(world([CLAIM], ["NOT_RUN"])).run()
    assert isinstance(state.ending, TaskBlocked) and state.ending.reason.code == "gate_environment"


def test_the_harness_claims_by_itself_when_the_cheap_criteria_hold() -> None:
    capability = {**profiled().capability, "complete_on_criteria": True}
    task = SimulatedTask(world([WRITE], ["PASS"]), profiled(capability=capability))
    assert task.run().state is TaskState.COMPLETE
    claims = [event.data for event in task.log if event.data.type == "completion.claimed"]
    assert [claim.by for claim in claims] == ["harness"]  # type: ignore[attr-defined]


def by_itself(*criteria: Criterion) -> TaskProfiled:
    capability = {**profiled().capability, "complete_on_criteria": True}
    return profiled(capability=capability, criteria=criteria)


def test_where_every_criterion_costs_something_the_harness_claims_after_each_change() -> None:
    look = replied(call(3, "read_file", path="a.txt"))
    profile = by_itself(CommandCriterion(run="true"))
    happens = world([look, WRITE, look, replied(call(4, "write_file", path="a.txt", content="y"))], ["FAIL", "PASS"])
    task = SimulatedTask(
        lambda step, state: [probed(None)] if isinstance(step, Probe) else happens(step, state), profile
    )
    assert task.run().state is TaskState.COMPLETE
    claims = [event.data for event in task.log if isinstance(event.data, CompletionClaimed)]
    assert [claim.by for claim in claims] == ["harness", "harness"]
    assert task.state.steps == 4


def test_an_answer_is_the_models_to_give_and_nothing_else_is_offered_once_the_rest_holds() -> None:
    profile = by_itself(FileExistsCriterion(path="a.txt"), AnswerCriterion())
    happens = world([WRITE, CLAIM], ["PASS"])

    def answers(step: Step, state: LoopState) -> list[EventData]:
        if isinstance(step, Probe):
            return [probed("PASS" if state.changes else "FAIL", None)]
        return happens(step, state)

    task = SimulatedTask(answers, profile)
    assert task.run().state is TaskState.COMPLETE
    asked = [event.data.offered for event in task.log if isinstance(event.data, ModelRequested)]
    assert len(asked[0]) > 1 and asked[1] == ("task_complete",)
    (claim,) = (event.data for event in task.log if isinstance(event.data, CompletionClaimed))
    assert (claim.by, claim.reply) == ("model", "done")


def test_another_seed_of_the_contract_is_another_seed_of_every_request() -> None:
    def seeds(of_contract: int) -> set[int]:
        task = SimulatedTask(world([WRITE, CLAIM], ["PASS"]), contract=TaskContract(seed=of_contract))
        task.run()
        return {event.data.seed for event in task.log if isinstance(event.data, ModelRequested)}

    assert seeds(0) == {1, 2}
    assert not seeds(0) & seeds(1)


def test_a_question_waits_for_a_person_and_the_answer_goes_on() -> None:
    ask = replied(call(1, "need_input", question="which?"))
    task = SimulatedTask(world([ask, CLAIM], ["PASS"]))
    assert task.run().state is TaskState.NEEDS_INPUT
    task.foreign(InputReceived(text="this", message_id="m2"))
    task.record(TaskResumed(cause="handover"))
    assert task.run().state is TaskState.COMPLETE


@pytest.mark.parametrize("said", ['Which one? <tool_call>{"name": "x"}</tool_call>', "Which one?"])
def test_no_mark_of_a_call_is_shown_in_a_question_or_an_answer(said: str) -> None:
    task = SimulatedTask(world([replied(call(1, "need_input", question=said))]))
    task.run()
    assert task.state.question is not None and task.state.question.question == "Which one?"
    task = SimulatedTask(world([WRITE, replied(call(2, "task_complete", reply=said))], ["PASS"]))
    task.run()
    assert isinstance(task.state.ending, TaskCompleted) and task.state.ending.reply == "Which one?"


def test_a_call_that_is_only_shown_in_the_text_is_told_as_not_executed() -> None:
    shown = 'I show it:\n```json\n{"name": "write_file", "arguments": {}}\n```'
    task = SimulatedTask(world([replied(content=shown), WRITE, CLAIM], ["PASS"]))
    assert task.run().state is TaskState.COMPLETE
    (rejected,) = [event.data for event in task.log if isinstance(event.data, TurnRejected)]
    assert "was not executed" in rejected.nudge


def test_a_question_that_nobody_answers_expires() -> None:
    task = SimulatedTask(world([replied(call(1, "need_input", question="which?"))]))
    task.run()
    task.now_ms += 61_000
    task.record()
    assert isinstance(task.state.ending, TaskBlocked) and task.state.ending.reason.code == "input_expired"


def test_an_answer_that_came_before_the_question_was_decided_resumes_at_once() -> None:
    task = SimulatedTask(world([replied(call(1, "need_input", question="which?")), CLAIM], ["PASS"]))
    while not isinstance(task.step(), AskModel):
        if task.state.phase == "asking":
            task.foreign(InputReceived(text="this", message_id="m2"))
    assert task.run().state is TaskState.COMPLETE


def test_cancelling_ends_a_task_in_every_state_that_is_not_an_end() -> None:
    for steps in range(12):
        task = SimulatedTask(world([WRITE, CLAIM], ["PASS"]))
        for _ in range(steps):
            task.step()
        ended = task.state.state.terminal
        task.foreign(TaskCancelRequested(by="somebody"))
        task.record()
        if ended:
            assert task.state.state is TaskState.COMPLETE
        else:
            task.run()
            assert isinstance(task.state.ending, TaskBlocked), steps
            assert task.state.ending.reason.code == "cancelled"


def test_a_problem_found_at_admission_is_told_with_its_reason() -> None:
    unmet = Reason(code="unsatisfiable_gate", text="no such kind")
    task = SimulatedTask(world([CLAIM]), profiled(problem=unmet))
    assert task.run().state is TaskState.BLOCKED
    assert "task.started" not in task.types()
    gone = Reason(code="workspace_unavailable", text="no folder")
    task = SimulatedTask(world([CLAIM]), profiled(problem=gone))
    assert task.run().state is TaskState.BLOCKED
    assert task.types()[-2:] == ["task.started", "task.blocked"]


def test_workers_that_keep_dying_with_the_task_end_it() -> None:
    task = SimulatedTask(world([WRITE]))
    while task.state.phase != "asking":
        task.step()
    for _ in range(4):
        task.record(TaskResumed(cause="takeover"))
        assert task.state.state is TaskState.IN_PROGRESS
    task.record(TaskResumed(cause="takeover"))
    assert isinstance(task.state.ending, TaskBlocked) and task.state.ending.reason.code == "crash_loop"


def test_workers_that_die_before_the_task_starts_end_it_too() -> None:
    task = SimulatedTask(world([WRITE]))
    for _ in range(5):
        task.record(TaskResumed(cause="takeover"))
    assert task.types()[-2:] == ["task.started", "task.blocked"]
    assert isinstance(task.state.ending, TaskBlocked) and task.state.ending.reason.code == "crash_loop"


def test_time_in_which_nothing_runs_does_not_count_as_work() -> None:
    task = SimulatedTask(world([WRITE]), profiled(budgets=Budgets(max_wall_clock=100, max_steps=5)))
    task.step()
    task.step()
    task.now_ms += 500_000
    task.record(TaskResumed(cause="takeover"))
    assert task.state.state is TaskState.IN_PROGRESS
    assert task.state.worked_ms < 5000

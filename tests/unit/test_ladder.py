"""The ladder: what follows when a task does not get on, and that it always comes to an end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from arreio_contracts.events import (
    CompletionClaimed,
    CriteriaProbed,
    EventData,
    GateJudged,
    InputReceived,
    LadderClimbed,
    ModelEscalated,
    ModelFailed,
    ModelReplied,
    ModelRequested,
    PromiseVerdict,
    TaskBlocked,
    TaskNeedsInput,
    TaskResumed,
    ToolCall,
    ToolFinished,
    ToolRefused,
    Vote,
)
from arreio_contracts.messages import CriterionResult, TestCounts
from arreio_contracts.task import AnswerCriterion, Budgets, FileExistsCriterion, TaskState
from hypothesis import given, settings
from hypothesis import strategies as st

from services.tool_loop import probing
from services.tool_loop.admission import escalate
from services.tool_loop.ladder import MAX_CLIMBS, Trouble, climb
from services.tool_loop.replay import verify
from services.tool_loop.state import LoopState
from services.tool_loop.steps import AskModel, AwaitInput, AwaitJudgement, End, Probe, RunTool, Step
from tests.unit.simulated_task import SETTINGS, SimulatedTask, call, finished, judged, probed, profiled, replied, rungs

PROSE = ModelReplied(content="hm")
CLAIM = replied(call(1, "task_complete", reply="done"))
WRITE = replied(call(1, "write_file", path="a.txt", content="x"))
TWO = (FileExistsCriterion(path="a.txt"), FileExistsCriterion(path="b.txt"))


def task(
    replies: Sequence[ModelReplied | ModelFailed],
    *,
    verdicts: Sequence[GateJudged] = (),
    probes: Sequence[CriteriaProbed] = (),
    status: str = "ok",
    capability: dict[str, Any] | None = None,
    **profile: Any,
) -> SimulatedTask:
    """A task whose model, gates and probes say these things in turn, the last of them again and again."""
    asked, judgements, looks = iter(replies), iter(verdicts), iter(probes)
    last: dict[str, Any] = {"reply": PROSE, "verdict": "FAIL", "probe": probed("FAIL", "FAIL")}

    def world(step: Step, state: LoopState) -> list[EventData]:
        match step:
            case AskModel():
                last["reply"] = next(asked, last["reply"])
                return [last["reply"]]
            case RunTool():
                return [finished(step, status=status, changed=step.started.effect == "file" and status == "ok")]
            case Probe():
                last["probe"] = next(looks, last["probe"])
                return [last["probe"]]
            case AwaitJudgement(claim):
                found = next(judgements, None)
                return [judged(claim.claim_id, "FAIL") if found is None else found]
            case _:
                raise AssertionError(step)

    changed = {**profiled().capability, **(capability or {})}
    return SimulatedTask(world, profiled(capability=changed, **profile))


def ending(found: SimulatedTask) -> TaskBlocked:
    assert isinstance(found.state.ending, TaskBlocked), found.state.ending
    return found.state.ending


def requests(found: SimulatedTask) -> list[ModelRequested]:
    return [event.data for event in found.log if isinstance(event.data, ModelRequested)]


def test_the_rungs_are_climbed_in_order_and_the_top_is_a_diagnosis() -> None:
    found = task([PROSE], capability={"escalates_to": "other/model"}, budgets=Budgets(max_steps=99))
    found.run()
    assert rungs(found) == ["redecompose", "escalate"]
    reason = ending(found).reason
    assert reason.code == "no_action"
    assert "3 × a reply without a call" in reason.text
    assert "the plan was made anew" in reason.text and "a stronger model was asked" in reason.text
    climbed = [event.event_id for event in found.log if isinstance(event.data, LadderClimbed)]
    assert set(climbed) < set(reason.evidence)
    assert reason.unblock


def test_a_task_too_small_to_be_taken_apart_has_no_such_rung() -> None:
    found = task([PROSE], criteria=(AnswerCriterion(),))
    found.run()
    assert rungs(found) == []
    assert found.state.steps == 3


def test_a_model_that_cannot_plan_has_that_rung_only_where_the_harness_can() -> None:
    single = task([PROSE], capability={"plans_itself": False})
    single.run()
    assert rungs(single) == []
    several = task([PROSE], capability={"plans_itself": False}, criteria=TWO)
    several.run()
    assert rungs(several) == ["redecompose"]


def test_the_nudge_is_a_rung_of_its_own_where_the_model_was_not_told_yet() -> None:
    found = task([WRITE])
    while found.state.phase != "acting":
        found.step()
    first = climb(found.state, Trouble("loop", "loop", "the same read", ("e-1",), told="read a.txt again"))
    (refused, climbed) = first if len(first) == 2 else (None, first[0])
    assert isinstance(climbed, LadderClimbed) and climbed.rung == "nudge"
    assert "read a.txt again" in climbed.nudge and climbed.evidence == ("e-1",)
    assert refused is not None and refused.type == "tool.refused"


def test_a_criterion_that_holds_for_the_first_time_puts_the_task_back_on_the_ground() -> None:
    once = [PROSE] * 3 + [WRITE] + [PROSE]
    found = task(once, probes=[probed("PASS", "FAIL")], criteria=TWO, budgets=Budgets(max_steps=99))
    found.run()
    assert rungs(found) == ["redecompose", "redecompose"]
    assert found.state.climbs == 2


def test_a_criterion_that_held_before_is_no_progress() -> None:
    again = [PROSE] * 3 + [WRITE, WRITE, WRITE] + [PROSE]
    probes = [probed("PASS", "FAIL"), probed("FAIL", "FAIL"), probed("PASS", "FAIL")]
    capability = {"complete_on_criteria": True}
    found = task([WRITE, *again], probes=[*probes[:1], *probes], capability=capability, criteria=TWO)
    found.run()
    assert rungs(found) == ["redecompose"]


def test_fewer_failing_tests_are_progress_and_more_are_none() -> None:
    def told(number: int, failed: int) -> GateJudged:
        counts = TestCounts(passed=1, failed=failed)
        result = CriterionResult(criterion="tests: pytest", verdict="FAIL", counts=counts)
        return GateJudged(claim_id=f"t_1-c{number}", verdict="FAIL", results=(result,))

    change = [WRITE, CLAIM]
    rising = task(
        [CLAIM, *[PROSE] * 3, *change, PROSE], verdicts=[told(1, 3), told(2, 4)], budgets=Budgets(max_steps=99)
    )
    rising.run()
    assert rungs(rising) == ["redecompose"]
    falling = task(
        [CLAIM, *[PROSE] * 3, *change, PROSE], verdicts=[told(1, 3), told(2, 2)], budgets=Budgets(max_steps=99)
    )
    falling.run()
    assert rungs(falling) == ["redecompose", "redecompose"]


def test_an_input_of_a_person_puts_the_task_back_on_the_ground_and_yet_climbing_is_bounded() -> None:
    ask = replied(call(1, "need_input", question="which?"))
    found = task([*([PROSE] * 3 + [ask]) * 50], budgets=Budgets(max_steps=10_000, input_expires=3600.0))
    answers = 0
    while found.run(10_000).state is TaskState.NEEDS_INPUT:
        found.foreign(InputReceived(text="this", message_id=f"m{answers}"))
        found.record(TaskResumed(cause="handover"))
        answers += 1
    assert found.state.climbs == MAX_CLIMBS == len(rungs(found))
    assert ending(found).reason.code == "no_action"


def test_a_write_refused_beside_a_claim_again_and_again_climbs() -> None:
    both = replied(call(1, "write_file", path="../x"), call(2, "task_complete", reply="done"))
    found = task([both], status="refused", budgets=Budgets(max_steps=99))
    found.run()
    assert found.state.steps == 6
    assert ending(found).reason.code == "false_completion"
    assert "completion.claimed" not in found.types()


def test_calls_that_their_tool_refuses_again_and_again_climb_and_the_diagnosis_names_them() -> None:
    found = task([replied(call(1, "write_file", path="../x"))], status="refused", budgets=Budgets(max_steps=99))
    found.run()
    assert found.state.steps == 9
    assert rungs(found) == ["nudge", "redecompose"]
    assert "3 × write_file was refused" in ending(found).reason.text


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (replied(ToolCall(id="c", name="write_file", arguments=None, problem="'content' is missing")), "'content' is"),
        (replied(call(1, "no_such")), "'no_such', which is no tool"),
        (ModelReplied(content="so", finish_reason="length"), "a reply that was cut off"),
    ],
)
def test_the_diagnosis_says_why_turns_came_to_nothing(reply: ModelReplied, said: str) -> None:
    found = task([reply])
    found.run()
    assert said in ending(found).reason.text


def test_claims_that_no_gate_can_judge_climb() -> None:
    result = CriterionResult(criterion="tests: pytest", verdict="NOT_RUN", seen="nothing was collected")
    verdicts = [
        GateJudged(claim_id=f"t_1-c{number}", verdict="NOT_RUN", results=(result,), missing="- nothing collected")
        for number in range(1, 20)
    ]
    found = task([WRITE, CLAIM] * 20, verdicts=verdicts, budgets=Budgets(max_steps=99))
    found.run()
    assert rungs(found) == ["redecompose"]
    assert ending(found).reason.code == "false_completion"
    assert "nothing collected" in ending(found).reason.text


@pytest.mark.parametrize("arguments", [{}, {"reply": "ok", "extra": 1}])
def test_a_claim_whose_arguments_do_not_fit_is_a_claim_all_the_same(arguments: dict[str, Any]) -> None:
    odd = ToolCall(id="c", name="task_complete", arguments=arguments, problem="it does not fit")
    found = task([WRITE, ModelReplied(content="All done.", calls=(odd,))], verdicts=[judged("t_1-c1", "PASS")])
    assert found.run().state is TaskState.COMPLETE


def test_a_claim_that_was_cut_off_is_no_claim() -> None:
    cut = ToolCall(id="c", name="task_complete", arguments=None, problem="truncated")
    found = task([replied(cut)])
    found.run()
    assert "completion.claimed" not in found.types()


# --- a stronger model ---

STRONGER = {"escalates_to": "openai/stronger"}


def test_the_stronger_model_is_asked_in_its_own_mode_with_its_own_budgets_and_counters_go_on() -> None:
    found = task([PROSE], capability={**STRONGER, "tool_call_mode": "json_schema"}, criteria=(AnswerCriterion(),))
    found.run()
    asked = requests(found)
    assert [(one.model, one.mode) for one in asked] == [
        *[("test/model", "json_schema")] * 3,
        *[("openai/stronger", "native")] * 3,
    ]
    assert [one.step for one in asked] == [1, 2, 3, 4, 5, 6]
    assert found.state.profile is not None and found.state.profile.budgets.max_steps == 120


@pytest.mark.parametrize("kind", ["missing_key", "auth", "unknown_model", "unavailable", "bad_request"])
def test_a_stronger_model_that_cannot_be_asked_ends_the_task_by_the_trouble_that_led_there(kind: str) -> None:
    away = ModelFailed.model_validate({"kind": kind, "message": "nobody there"})
    found = task([PROSE, PROSE, PROSE, away], capability=STRONGER, criteria=(AnswerCriterion(),))
    found.run()
    assert rungs(found) == ["escalate"]
    reason = ending(found).reason
    assert reason.code == "no_action" and "nobody there" in reason.text and "3 turns in a row" in reason.text
    assert found.types().count("model.failed") <= 3


def test_what_counts_tokens_by_the_operators_word_counts_for_the_stronger_model_too() -> None:
    found = task([PROSE], capability=STRONGER)
    assert found.state.created is not None
    settings = SETTINGS.model_copy(update={"tokenizer": "tiktoken:cl100k_base"})
    assert escalate(found.state.created, found.profile, settings).capability["tokenizer"] == "tiktoken:cl100k_base"
    assert escalate(found.state.created, found.profile, SETTINGS).capability["tokenizer"] == "approx"


def test_a_stronger_model_that_no_profile_takes_ends_it_too() -> None:
    found = task([PROSE], capability=STRONGER, criteria=(AnswerCriterion(),))
    while not found.state.escalating:
        found.step()
    found.record(ModelEscalated(model="openai/stronger", problem="there is no such profile"))
    assert ending(found).reason.code == "no_action" and "no such profile" in ending(found).reason.text


def test_a_provider_that_goes_away_later_is_no_fault_of_the_ladder() -> None:
    away = ModelFailed(kind="auth", message="expired")
    found = task([PROSE, PROSE, PROSE, WRITE, away], capability=STRONGER, criteria=(AnswerCriterion(),))
    found.run()
    assert ending(found).reason.code == "provider_auth"


# --- what the model does not know ---

UNSURE = replied(call(1, "abstain", what="the port", how_to_check="ask Ana"))


def test_abstentions_in_a_row_become_a_question_with_what_is_not_known_and_cost_no_rung() -> None:
    other = replied(call(1, "abstain", what="the host", how_to_check="ask Rui"))
    found = task([PROSE, UNSURE, PROSE, other, UNSURE])
    assert found.run().state is TaskState.NEEDS_INPUT
    assert found.state.question is not None
    assert "the port — ask Ana" in found.state.question.question
    assert "the host — ask Rui" in found.state.question.question
    assert rungs(found) == [] and found.state.steps == 5


def test_an_effect_between_abstentions_begins_the_count_anew() -> None:
    found = task([UNSURE, UNSURE, WRITE, UNSURE, UNSURE, CLAIM], verdicts=[judged("t_1-c1", "PASS")])
    assert found.run().state is TaskState.COMPLETE


def test_samples_without_a_majority_are_an_abstention() -> None:
    vote = Vote(
        fingerprints=("a", "b", "c"), said=("read a", "read b", "read c"), votes=1, majority=False, rule="vote/1"
    )
    found = task([ModelReplied(content="", vote=vote)], capability={"self_consistency": 3})
    assert found.run().state is TaskState.NEEDS_INPUT
    assert found.state.question is not None and "read a / read b / read c" in found.state.question.question
    asked = requests(found)
    assert {(one.samples, one.temperature) for one in asked} == {(3, 0.5)}
    assert rungs(found) == []


# --- it always ends ---

NAMES = ("read_file", "write_file", "run_command", "abstain", "no_such", "task_complete", "task_blocked")


@st.composite
def behaviours(draw: st.DrawFn) -> list[ModelReplied | ModelFailed]:
    """What a model may do: prose, promises, any calls in any order, cut off, failing providers."""
    promise = PromiseVerdict(label="PROMISE", lang="pt", why="", rule="test")
    one_call = st.builds(
        lambda name, problem: ToolCall(id="", name=name, arguments=None if problem else {}, problem=problem),
        st.sampled_from(NAMES),
        st.sampled_from([None, None, None, "bad"]),
    )
    several = st.lists(one_call, min_size=1, max_size=3).map(
        lambda calls: replied(*(one.model_copy(update={"id": f"c{n}"}) for n, one in enumerate(calls)))
    )
    prose = st.sampled_from(
        [PROSE, ModelReplied(content="Vou.", promise=promise), ModelReplied(content="", finish_reason="length")]
    )
    failing = st.sampled_from([ModelFailed(kind="timeout", message="…")])
    return draw(st.lists(st.one_of(several, several, prose, failing), min_size=1, max_size=12))


def _numbered(reply: ModelReplied | ModelFailed, turn: int) -> ModelReplied | ModelFailed:
    if isinstance(reply, ModelFailed):
        return reply
    calls = tuple(one.model_copy(update={"id": f"{turn}-{one.id}"}) for one in reply.calls)
    return reply.model_copy(update={"calls": calls})


@settings(max_examples=150, deadline=None)
@given(
    behaviour=behaviours(),
    status=st.sampled_from(["ok", "error", "refused"]),
    verdict=st.sampled_from(["FAIL", "NOT_RUN"]),
    escalates=st.booleans(),
    weak=st.booleans(),
    standing=st.lists(st.sampled_from(["PASS", "FAIL"]), min_size=1, max_size=9),
)
def test_whatever_a_model_does_the_task_rests_or_ends_within_its_steps_and_replays(
    behaviour: list[ModelReplied | ModelFailed],
    status: str,
    verdict: str,
    escalates: bool,
    weak: bool,
    standing: list[str],
) -> None:
    turns, looks = [0], [0]

    def world(step: Step, state: LoopState) -> list[EventData]:
        match step:
            case AskModel():
                turns[0] += 1
                return [_numbered(behaviour[turns[0] % len(behaviour)], turns[0])]
            case RunTool():
                return [finished(step, status=status, changed=step.started.effect == "file" and status == "ok")]
            case Probe():
                looks[0] += 1
                return [probed(*(standing[looks[0] % len(standing)],) * 2)]  # type: ignore[arg-type]
            case AwaitJudgement(claim):
                return [judged(claim.claim_id, verdict)]  # type: ignore[arg-type]
            case _:
                raise AssertionError(step)

    capability = {
        **profiled().capability,
        "escalates_to": "openai/stronger" if escalates else None,
        "steps_per_subtask": 2 if weak else None,
        "complete_on_criteria": weak,
        "plans_itself": not weak,
    }
    found = SimulatedTask(world, profiled(capability=capability, criteria=TWO))
    while not isinstance(found.step(), AwaitInput | End):
        assert len(found.log) < 3000
    assert found.state.state.terminal or found.state.state is TaskState.NEEDS_INPUT
    assert found.state.climbs <= MAX_CLIMBS
    assert verify("s", found.log) is None
    results = [
        event.data.call_id
        for event in found.log
        if isinstance(event.data, ToolFinished | ToolRefused | CompletionClaimed | TaskNeedsInput)
        and event.data.call_id is not None
    ]
    made = [one.id for event in found.log if isinstance(event.data, ModelReplied) for one in event.data.calls]
    blocks = [one for one in made if one not in results]
    assert sorted(made) == sorted([*results, *blocks])
    assert len(blocks) <= 1


@pytest.mark.parametrize(
    "cut_off",
    [
        ModelReplied(content="I will", finish_reason="length"),
        replied(
            ToolCall(id="c-1", name="write_file", arguments=None, problem="cut", problem_code="truncated")
        ).model_copy(update={"finish_reason": "length"}),
    ],
)
def test_a_model_that_nobody_knows_and_whose_replies_are_all_cut_off_is_given_up(cut_off: ModelReplied) -> None:
    done = task([cut_off], probe=probing.ORDER, criteria=(AnswerCriterion(),))
    done.run()
    assert ending(done).reason.code == "no_action"
    assert len(requests(done)) == 3 + 4

"""Replay: a log verifies, and a log that was tampered with does not."""

from arreio_contracts.events import (
    EventData,
    InputReceived,
    ModelFailed,
    ModelReplied,
    TaskCancelRequested,
    TaskResumed,
    ToolFinished,
    TurnRejected,
)
from arreio_contracts.task import TaskState
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from services.tool_loop.replay import state_at, verify
from services.tool_loop.state import LoopState
from services.tool_loop.steps import AskModel, AwaitInput, AwaitJudgement, End, Probe, RunTool, Step
from tests.unit.simulated_task import SimulatedTask, call, finished, judged, probed, profiled, replied

NAMES = ("read_file", "write_file", "run_command", "task_complete", "task_blocked", "need_input", "no_such_tool")
VERDICTS = ("PASS", "FAIL", "NOT_RUN")


@st.composite
def runs(draw: st.DrawFn) -> SimulatedTask:
    """A task whose model, tools, gates and people do anything at all."""
    numbers = iter(range(10_000))

    def happens(step: Step, state: LoopState) -> list[EventData]:
        match step:
            case AskModel():
                if draw(st.integers(0, 9)) == 0:
                    return [ModelFailed(kind=draw(st.sampled_from(["timeout", "interrupted", "auth"])), message="x")]
                names = draw(st.lists(st.sampled_from(NAMES), max_size=3))
                calls = [call(next(numbers), name, path="a", reason="r", question="q") for name in names]
                return [replied(*calls, content=draw(st.sampled_from(["", "hm"])))]
            case RunTool():
                status = draw(st.sampled_from(["ok", "error", "refused", "interrupted"]))
                return [finished(step, status=status, changed=draw(st.booleans()))]
            case AwaitJudgement(claim):
                return [judged(claim.claim_id, draw(st.sampled_from(VERDICTS)), environment=draw(st.booleans()))]
            case Probe():
                return [probed(draw(st.sampled_from([*VERDICTS, None])))]
            case _:
                raise AssertionError(step)

    capability = {**profiled().capability, "complete_on_criteria": draw(st.booleans())}
    task = SimulatedTask(happens, profiled(capability=capability))
    for _ in range(300):
        match draw(st.integers(0, 40)):
            case 0:
                task.foreign(TaskCancelRequested(by="x"))
            case 1 if task.state.state is not TaskState.PENDING:
                task.record(TaskResumed(cause=draw(st.sampled_from(["handover", "takeover"]))))
            case _:
                pass
        step = task.step()
        if isinstance(step, End):
            break
        if isinstance(step, AwaitInput):
            task.foreign(InputReceived(text="go on", message_id="m"))
            task.record(TaskResumed(cause="handover"))
    return task


@given(runs())
@settings(max_examples=60, deadline=None)
def test_every_run_ends_and_replays_to_the_same_decisions(task: SimulatedTask) -> None:
    assert task.state.state.terminal
    assert verify("s_1", task.log) is None
    assert state_at(task.log)["t_1"] == task.state


@given(runs())
@settings(max_examples=60, deadline=None)
def test_every_call_of_every_run_has_exactly_one_result(task: SimulatedTask) -> None:
    called = [one.id for event in task.log if isinstance(event.data, ModelReplied) for one in event.data.calls]
    results = [
        event.data.call_id  # type: ignore[attr-defined]
        for event in task.log
        if event.data.type in ("tool.finished", "tool.refused")
    ]
    signals = [
        one.id
        for event in task.log
        if isinstance(event.data, ModelReplied)
        for one in event.data.calls
        if one.name in ("task_complete", "task_blocked", "need_input")
    ]
    assert len(results) == len(set(results))
    # A signal that was taken has its result in the event that it led to: the claim, the end, or the question.
    assert set(called) - set(results) <= set(signals)


@given(runs(), st.data())
@settings(max_examples=60, deadline=None)
def test_a_result_that_comes_a_second_time_is_found(task: SimulatedTask, data: st.DataObject) -> None:
    places = [place for place, event in enumerate(task.log) if isinstance(event.data, ToolFinished)]
    assume(places)
    place = data.draw(st.sampled_from(places))
    again = data.draw(st.integers(place + 1, len(task.log)))
    copy = task.log[place]._replace(seq=again + 1)
    moved = [event._replace(seq=event.seq + 1) for event in task.log[again:]]
    found = verify("s_1", [*task.log[:again], copy, *moved])
    assert found is not None and found.seq <= again + 1


@given(runs(), st.data())
@settings(max_examples=60, deadline=None)
def test_a_decision_that_is_left_out_or_changed_is_found(task: SimulatedTask, data: st.DataObject) -> None:
    places = [place for place, event in enumerate(task.log) if event.data.decision]
    place = data.draw(st.sampled_from(places))
    event = task.log[place]
    if sum(other.metadata.batch == event.metadata.batch for other in task.log) > 1:
        # A step that is missing whole looks like a step that was not taken yet; the hash chain tells of it.
        assert verify("s_1", task.log[:place] + task.log[place + 1 :]) is not None
    other = TurnRejected(code="no_action", nudge="not what was decided", in_a_row=99)
    changed = [*task.log[:place], event._replace(data=other), *task.log[place + 1 :]]
    found = verify("s_1", changed)
    assert found is not None and found.seq <= event.seq + 1

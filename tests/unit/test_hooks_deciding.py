"""What follows from what hooks say, over a whole task: verdicts are facts, and every chain of refusals ends."""

from collections.abc import Callable
from typing import Any

import pytest
from arreio_contracts.events import EventData, HookJudged, InputReceived, TaskBlocked, TaskFailed
from arreio_contracts.task import Hook, TaskState
from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop.hooks.deciding import MAX_STOP_REFUSALS
from services.tool_loop.replay import verify
from services.tool_loop.rules import consent
from services.tool_loop.state import LoopState
from services.tool_loop.steps import AskModel, AwaitInput, AwaitJudgement, End, RunHooks, RunTool, Step
from tests.unit.simulated_task import SimulatedTask, call, finished, judged, profiled, replied

Says = Callable[[RunHooks, LoopState], dict[str, Any]]
READ = [("read_file", {"path": "a"})]
DONE = [("task_complete", {"reply": "Done."})]


def task_with(*hooks: Hook, turns: list[list[tuple[str, dict[str, Any]]]], says: Says) -> SimulatedTask:
    """A task whose model makes these calls turn by turn (the last turn for ever), and whose gates pass."""
    numbers = iter(range(10_000))

    def world(step: Step, state: LoopState) -> list[EventData]:
        match step:
            case AskModel():
                turn = turns[min(state.steps, len(turns) - 1)]
                return [replied(*(call(next(numbers), name, **arguments) for name, arguments in turn))]
            case RunTool():
                return [finished(step)]
            case RunHooks():
                return [said(step, state, **says(step, state))]
            case AwaitJudgement(claim):
                return [judged(claim.claim_id, "PASS")]
            case _:
                raise AssertionError(step)

    return SimulatedTask(world, profiled(hooks=hooks))


def said(step: RunHooks, state: LoopState, **says: Any) -> HookJudged:
    claim = state.claim.claim_id if step.phase == "session_end" and state.claim and not state.state.terminal else None
    about = {"call_id": step.call.id if step.call else None, "claim_id": claim}
    return HookJudged.model_validate({"phase": step.phase, "hook": "h", "verdict": "allow", **about, **says})


def hook(phase: str, **more: Any) -> Hook:
    return Hook.model_validate({"phase": phase, "command": "h", **more})


def allow(step: RunHooks, state: LoopState) -> dict[str, Any]:
    return {}


def deny(step: RunHooks, state: LoopState) -> dict[str, Any]:
    return {"verdict": "deny", "reason": "no"}


def test_a_task_whose_hooks_allow_runs_as_it_would_without_them() -> None:
    phases = ("pre_tool_use", "post_tool_use", "session_end")
    task = task_with(*map(hook, phases), turns=[READ, DONE], says=allow)
    assert task.run().state is TaskState.COMPLETE
    hooks = [event.data for event in task.log if isinstance(event.data, HookJudged)]
    assert [one.phase for one in hooks] == ["pre_tool_use", "post_tool_use", "pre_tool_use", "session_end"]
    assert verify("s", task.log) is None


def test_a_hook_is_asked_before_a_call_and_again_once_its_result_is_recorded() -> None:
    task = task_with(hook("pre_tool_use"), hook("post_tool_use"), turns=[READ, DONE], says=allow)
    task.run()
    types = task.types()
    first = types.index("hook.judged")
    assert types[first : first + 4] == ["hook.judged", "tool.started", "tool.finished", "hook.judged"]


def test_a_refused_call_is_never_started_and_has_its_one_result() -> None:
    task = task_with(hook("pre_tool_use", matcher="read_file"), turns=[READ, READ, DONE], says=deny)
    assert task.run().state is TaskState.COMPLETE
    assert task.types().count("tool.refused") == 2
    assert "tool.started" not in task.types()


def test_a_gate_without_a_verdict_refuses_and_another_hook_lets_pass() -> None:
    for gate, started in ((True, 0), (False, 1)):
        task = task_with(
            hook("pre_tool_use", matcher="read_file"),
            turns=[READ, DONE],
            says=lambda step, state, gate=gate: {"verdict": "no_verdict", "gate": gate},  # type: ignore[misc]
        )
        assert task.run().state is TaskState.COMPLETE
        assert task.types().count("tool.started") == started


def test_a_call_that_is_never_executed_is_never_judged() -> None:
    task = task_with(hook("pre_tool_use"), turns=[[("no_such_tool", {})], DONE], says=allow)
    task.run()
    judged_calls = [event.data for event in task.log if isinstance(event.data, HookJudged)]
    assert len(judged_calls) == 1


def test_a_hook_that_always_refuses_the_end_is_counted_though_tools_run_between() -> None:
    task = task_with(hook("session_end"), turns=[DONE, READ, DONE, READ, DONE, READ, DONE], says=deny)
    state = task.run()
    assert isinstance(state.ending, TaskBlocked) and state.ending.reason.code == "hook_refuses_stop"
    assert state.claims == MAX_STOP_REFUSALS
    assert state.ending.reason.evidence
    assert verify("s", task.log) is None


def test_a_hook_that_refuses_task_complete_itself_is_counted_too() -> None:
    task = task_with(hook("pre_tool_use", matcher="task_complete"), turns=[DONE, READ, DONE, READ, DONE], says=deny)
    state = task.run()
    assert isinstance(state.ending, TaskBlocked) and state.ending.reason.code == "hook_refuses_stop"
    assert state.claims == 0


def test_an_end_that_a_hook_refused_once_is_asked_about_again_though_nothing_changed() -> None:
    def once(step: RunHooks, state: LoopState) -> dict[str, Any]:
        return {"verdict": "deny", "reason": "say more"} if state.claims == 1 else {}

    task = task_with(hook("session_end"), turns=[DONE], says=once)
    state = task.run()
    assert state.state is TaskState.COMPLETE and state.claims == 2


@pytest.mark.parametrize("phase", ["pre_tool_use", "post_tool_use", "session_end"])
def test_a_hook_that_says_the_task_must_not_go_on_ends_it(phase: str) -> None:
    task = task_with(
        hook(phase), turns=[READ, DONE], says=lambda step, state: {"verdict": "deny", "ends_task": True, "reason": "x"}
    )
    state = task.run()
    assert isinstance(state.ending, TaskBlocked) and state.ending.reason.code == "hook_denied"


def test_a_hook_that_cannot_be_started_any_more_ends_the_task_once() -> None:
    task = task_with(
        hook("pre_tool_use"), turns=[READ], says=lambda step, state: {"verdict": "no_verdict", "unavailable": True}
    )
    state = task.run()
    assert isinstance(state.ending, TaskBlocked) and state.ending.reason.code == "hook_unavailable"
    assert task.types().count("hook.judged") == 1


def test_a_hook_hears_of_an_end_that_it_was_not_asked_about() -> None:
    blocked = [("task_blocked", {"reason": "cannot"})]
    task = task_with(hook("session_end"), turns=[blocked], says=allow)
    task.run()
    assert task.types()[-2:] == ["task.blocked", "hook.judged"]
    assert isinstance(task.step(), End)


def test_a_hook_that_objects_to_a_result_keeps_a_claim_beside_it_from_being_one() -> None:
    task = task_with(hook("post_tool_use"), turns=[[*READ, *DONE], DONE], says=deny)
    assert task.run().state is TaskState.COMPLETE
    assert task.types().count("tool.refused") == 1


def test_a_hook_that_asks_waits_for_a_person_and_the_call_is_not_made_meanwhile() -> None:
    def asks(step: RunHooks, state: LoopState) -> dict[str, Any]:
        about = {"subject": "s", "reason": "may it?"}
        if state.hooks.answer is None:
            return {"verdict": "ask", **about}
        return {"verdict": "allow" if consent.given(state.hooks.answer) else "deny", **about}

    for answer, started in (("yes", 1), ("no", 0)):
        task = task_with(hook("pre_tool_use", matcher="read_file"), turns=[READ, READ, DONE], says=asks)
        state = task.run()
        assert state.state is TaskState.NEEDS_INPUT and state.question is not None
        assert "may it?" in state.question.question and "tool.started" not in task.types()
        task.foreign(InputReceived(text=answer, message_id="m"))
        task.record()
        assert task.run().state is TaskState.COMPLETE
        assert task.types().count("tool.started") == started
        assert verify("s", task.log) is None


SAYS = st.fixed_dictionaries(
    {
        "verdict": st.sampled_from(["allow", "ask", "deny", "no_verdict"]),
        "gate": st.booleans(),
        "subject": st.sampled_from(["a", "b"]),
    }
)


@given(st.data())
def test_whatever_hooks_say_a_task_ends_and_replays_to_the_same_decisions(data: st.DataObject) -> None:
    phases = data.draw(st.lists(st.sampled_from(["pre_tool_use", "post_tool_use", "session_end"]), max_size=3))
    task = task_with(
        *map(hook, phases),
        turns=[READ, [*READ, *READ], DONE, READ, DONE],
        says=lambda step, state: data.draw(SAYS),
    )
    for _ in range(400):
        step = task.step()
        if isinstance(step, End):
            break
        if isinstance(step, AwaitInput):
            task.foreign(InputReceived(text=data.draw(st.sampled_from(["yes", "no"])), message_id="m"))
            task.record()
    assert task.state.state.terminal
    assert verify("s", task.log) is None


@pytest.mark.parametrize(
    ("answer", "given_consent"),
    [
        ("yes", True),
        ("Sim, pode.", True),
        ("OK, go ahead", True),
        ("Claro!", True),
        ("yes, but not on main", False),
        ("no", False),
        ("não", False),
        ("Sim, mas não hoje", False),
        ("what is it?", False),
        ("", False),
    ],
)
def test_only_a_plain_yes_is_consent(answer: str, given_consent: bool) -> None:
    assert consent.given(answer) is given_consent


def test_the_end_of_a_task_whose_calls_a_hook_refused_names_the_hook_and_its_reason() -> None:
    """Whatever ends it: the ladder, or a budget."""
    writes = [("write_file", {"path": "a.txt", "content": "x"})]
    task = task_with(hook("pre_tool_use", matcher="write_file"), turns=[writes] * 30, says=deny)
    state = task.run()
    assert isinstance(state.ending, TaskBlocked | TaskFailed)
    assert "the hook 'h' refused" in state.ending.reason.text and state.ending.reason.text.endswith("no")
    assert verify("s", task.log) is None


def test_the_end_of_a_task_that_no_hook_hindered_names_none() -> None:
    task = task_with(hook("pre_tool_use"), turns=[[("no_such_tool", {})]] * 30, says=allow)
    state = task.run()
    assert isinstance(state.ending, TaskBlocked | TaskFailed)
    assert "hook" not in state.ending.reason.text

"""What follows from a loop: the call is refused, the ladder is climbed, and the end is BLOCKED with a diagnosis."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, get_args

from arreio_contracts.events import (
    EventData,
    InputReceived,
    LadderClimbed,
    LoopKind,
    ModelReplied,
    TaskBlocked,
    ToolCall,
    ToolFinished,
    ToolRefused,
)
from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop import nudges
from services.tool_loop.heuristics import otherwise
from services.tool_loop.judging_replies import fingerprinted
from services.tool_loop.loop_memory import LoopMemory
from services.tool_loop.replay import Recorded, stamped, verify
from services.tool_loop.rules.loops.observation import RULE, digest_of
from services.tool_loop.state import LoopState
from services.tool_loop.steps import AskModel, Probe, RunTool, Step
from services.tool_loop.tools.changes import UNHASHED
from tests.unit.simulated_task import SimulatedTask, probed, profiled

Kind = TypeVar("Kind", bound=EventData)
Result = tuple[str, str, dict[str, str | None]]
"""The status and text of a result, and what it changed."""
Turn = tuple[str, dict[str, object], Result]
LOOK: Turn = ("read_file", {"path": "a.txt"}, ("ok", "one line", {}))
FAILS: Turn = ("run_command", {"command": "make"}, ("error", "Exit status 2.\nmake: *** no rule", {}))


def write(content: str) -> Turn:
    return ("write_file", {"path": "a.txt", "content": content}, ("ok", "written", {"a.txt": content}))


def task(turn: Callable[[int], Turn], *, budget: int = 20, language: str = "en", **anti_loop: int) -> SimulatedTask:
    """A task whose model makes one call a turn, with the result that the turn says."""

    def world(step: Step, state: LoopState) -> list[EventData]:
        if isinstance(step, AskModel):
            name, arguments, _ = turn(state.steps)
            call = ToolCall(id=f"call-{state.steps}", name=name, arguments=dict(arguments))
            return [ModelReplied(content="", calls=(fingerprinted(call, "/w"),))]
        if isinstance(step, Probe):
            return [probed("FAIL")]
        assert isinstance(step, RunTool)
        status, text, changed = turn(state.steps - 1)[2]
        digest = digest_of(step.call, text, failed=status != "ok", changed=bool(changed), workspace="/w")
        return [
            ToolFinished.model_validate(
                {
                    "call_id": step.call.id,
                    "tool": step.call.name,
                    "status": status,
                    "text": text,
                    "changed": changed,
                    "workspace_changed": bool(changed),
                    "digest": digest,
                }
            )
        ]

    capability = {**profiled().capability, "anti_loop": anti_loop}
    budgets = profiled().budgets.model_copy(
        update={"max_steps": budget, "max_tool_calls": None, "max_calls_per_tool": None}
    )
    return SimulatedTask(world, profiled(capability=capability, inferred=True, budgets=budgets, language=language))


def bound(found: SimulatedTask) -> SimulatedTask:
    """The same task, whose criteria were given and not inferred."""
    found.profile = found.profile.model_copy(update={"inferred": False})
    return found


def of(found: SimulatedTask, kind: type[Kind]) -> list[Kind]:
    return [event.data for event in found.log if isinstance(event.data, kind)]


def test_the_call_after_the_third_alike_is_refused_and_the_task_ends_blocked_with_a_diagnosis() -> None:
    found = task(lambda _: LOOK)
    state = found.run()
    assert isinstance(state.ending, TaskBlocked) and state.ending.reason.code == "loop"
    assert "read_file was called 3 times alike" in state.ending.reason.text
    assert "2 times more and refused" in state.ending.reason.text
    ids = {event.event_id for event in found.log}
    assert len(state.ending.reason.evidence) >= 5 and set(state.ending.reason.evidence) <= ids
    assert len(of(found, ToolFinished)) == 3 and {one.code for one in of(found, ToolRefused)} == {"loop"}
    assert state.steps <= 8
    assert verify("s", found.log) is None


def test_the_limit_is_that_of_the_models_profile() -> None:
    found = task(lambda _: LOOK, n_repeat=2)
    found.run()
    assert len(of(found, ToolFinished)) == 2


def test_after_a_change_a_forbidden_call_may_be_made_again() -> None:
    turns = [FAILS, FAILS, FAILS, FAILS, write("x"), FAILS]
    found = task(lambda step: turns[step] if step < len(turns) else ("task_blocked", {"reason": "r"}, ("ok", "", {})))
    found.run()
    assert [one.status for one in of(found, ToolFinished)] == ["error", "error", "error", "ok", "error"]
    assert [one.code for one in of(found, ToolRefused)] == ["loop"]
    assert not of(found, LadderClimbed)


def test_what_a_person_says_lets_everything_be_tried_again() -> None:
    turns: list[Turn] = [LOOK] * 4 + [("need_input", {"question": "?"}, ("ok", "", {}))]
    found = task(lambda step: turns[step] if step < len(turns) else LOOK)
    found.run()
    assert found.state.forbidden
    found.foreign(InputReceived(text="go on", message_id="m2"))
    assert not found.state.forbidden
    found.run()
    assert len(of(found, ToolFinished)) == 6


def test_calls_that_are_far_apart_are_no_loop() -> None:
    def turn(step: int) -> Turn:
        other: Turn = ("read_file", {"path": f"f{step}.txt"}, ("ok", f"file {step}", {}))
        return LOOK if step < 4 or step in (26, 50) else other

    found = task(turn, budget=60)
    found.run()
    assert len(of(found, ToolRefused)) == 1 and not of(found, LadderClimbed)
    assert len([one for one in of(found, ToolFinished) if one.text == "one line"]) == 5


def test_changes_that_undo_each_other_are_nudged_and_then_blocked() -> None:
    found = task(lambda step: write("x" if step % 2 else "y"))
    state = found.run()
    assert isinstance(state.ending, TaskBlocked) and state.ending.reason.code == "loop"
    assert of(found, LadderClimbed)[0].rung == "nudge" and of(found, LadderClimbed)[0].cause == "loop"
    assert state.steps < 15
    assert verify("s", found.log) is None


def test_another_scratch_file_each_time_is_noted_and_nothing_more() -> None:
    def turn(step: int) -> Turn:
        return ("run_command", {"command": f"c{step}"}, ("ok", f"{step}", {"s.py": None if step % 2 else f"{step}"}))

    found = task(turn)
    found.run()
    assert {one.loop.level for one in of(found, ToolFinished) if one.loop} == {"warn"}
    assert not of(found, LadderClimbed) and not of(found, ToolRefused)


def test_a_change_whose_content_is_not_known_is_no_way_back() -> None:
    found = task(lambda step: ("run_command", {"command": f"gen {step}"}, ("ok", f"{step}", {"big.bin": UNHASHED})))
    for _ in range(40):
        found.step()
    assert [one.loop for one in of(found, ToolFinished) if one.loop] == []


@given(st.lists(st.sampled_from([LOOK, FAILS, write("x"), write("y")]), min_size=1, max_size=25), st.data())
def test_a_restart_in_the_middle_of_a_streak_changes_no_verdict(turns: list[Turn], data: st.DataObject) -> None:
    found = task(lambda step: turns[step % len(turns)])
    found.run()
    at = data.draw(st.integers(0, len(found.log)))
    first, second = LoopMemory(), LoopMemory()
    for event in found.log[:at]:
        first.take(stamped(event))
    for memory, events in ((first, found.log[at:]), (second, found.log)):
        for event in events:
            if isinstance(event.data, ToolFinished):
                bare = event.data.model_copy(update={"loop": None})
                assert memory.take(stamped(event)._replace(data=bare)) == event.data
            else:
                memory.take(stamped(event))
    assert verify("s", found.log) is None


def test_a_verdict_that_would_be_another_today_is_listed_and_stands() -> None:
    found = task(lambda _: LOOK)
    found.run()
    assert [one for one in otherwise(found.log, {}) if one.rule == RULE] == []
    forgotten: list[Recorded] = [
        event._replace(data=event.data.model_copy(update={"loop": None}))
        if isinstance(event.data, ToolFinished)
        else event
        for event in found.log
    ]
    listed = [one for one in otherwise(forgotten, {}) if one.rule == RULE]
    assert [(one.recorded, one.today["kind"], one.today["level"]) for one in listed] == [(None, "repeat", "warn")]


def test_a_model_is_told_in_the_language_of_the_task() -> None:
    found = task(lambda _: LOOK, language="pt")
    found.run()
    assert of(found, ToolRefused)[0].text.startswith("Não executada: a mesma chamada deu o mesmo resultado")
    for kind in get_args(LoopKind):
        assert nudges.loop(kind, "en") != nudges.loop(kind, "pt")


def test_a_look_between_new_work_ends_no_task_even_where_it_is_refused() -> None:
    def turn(step: int) -> Turn:
        new: Turn = ("read_file", {"path": f"f{step}.txt"}, ("ok", f"file {step}", {}))
        return LOOK if step < 4 or step % 2 else new

    found = task(turn, budget=30)
    found.run()
    assert len(of(found, ToolRefused)) > 2 and not of(found, LadderClimbed)


def test_a_look_between_old_work_ends_it() -> None:
    def turn(step: int) -> Turn:
        old: Turn = ("read_file", {"path": "a.txt"}, ("ok", "file", {}))
        return LOOK if step < 4 or step % 2 else old

    found = task(turn, budget=30)
    found.run()
    assert of(found, LadderClimbed) and found.state.steps < 20


def test_cheap_criteria_are_looked_at_where_the_progress_budget_is_spent_and_nobody_looked() -> None:
    found = bound(task(lambda n: write(f"line {n}"), budget=60, progress_budget=10))
    state = found.run()
    assert isinstance(state.ending, TaskBlocked) and state.ending.reason.code == "loop"
    assert "the criteria probed stand as before" in state.ending.reason.text
    first = next(climb for climb in of(found, LadderClimbed))
    assert first.rung == "nudge" and 10 <= state.steps < 60
    assert found.types()[: found.types().index("criteria.probed")].count("tool.finished") == 10
    assert verify("s", found.log) is None


def test_inferred_criteria_are_looked_at_by_no_budget() -> None:
    found = task(lambda n: write(f"line {n}"), budget=30, progress_budget=10)
    found.run()
    assert "criteria.probed" not in found.types()


def test_a_note_lets_no_forbidden_call_be_made_again() -> None:
    def turn(number: int) -> Turn:
        note = f"echo 'attempt {number}' >> notes.md"
        return FAILS if number % 2 else ("run_command", {"command": note}, ("ok", "", {"notes.md": str(number)}))

    found = task(turn, budget=40)
    state = found.run()
    assert isinstance(state.ending, TaskBlocked) and state.ending.reason.code == "loop"
    assert len([one for one in of(found, ToolFinished) if one.status == "error"]) == 3

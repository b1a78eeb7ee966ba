"""A model that goes round in circles is stopped well before its budget; one that waits for something is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.house import Event, House
from tests.support.scripted_server import Reply, ScriptedServer
from tests.support.scripts import Script, call, steps, turns

DONE = call("task_complete", reply="It is done.")


def ran(house: House, workspace: Path, goal: str, script: Script, **fields: Any) -> tuple[Event, list[Event]]:
    """Run a task to its end: the last event and all of them."""
    with ScriptedServer(script) as server:
        task = house.submit(goal, workspace, server.url, ["file_exists: done.txt"], **fields)
        last = house.wait_for_end(task.session_id)
    house.assert_sound(task.session_id)
    return last, house.events(task.session_id)


def finished(events: list[Event]) -> list[dict[str, Any]]:
    return [event.data for event in events if event.type == "tool.finished"]


def test_a_model_that_repeats_itself_ends_blocked_with_a_diagnosis(house: House, workspace: Path) -> None:
    again = call("run_command", command="echo $$; date +%T; cat missing.txt")
    last, events = ran(house, workspace, "Read missing.txt.", steps(again), capability="strong")
    reason = last.data["reason"]
    assert (last.type, reason["code"]) == ("task.blocked", "loop")
    assert "run_command was called 3 times alike" in reason["text"] and reason["unblock"]
    assert len(reason["evidence"]) >= 5
    assert len(finished(events)) == 3
    assert last.data["totals"]["steps"] <= 12


def test_edits_that_undo_each_other_end_blocked(house: House, workspace: Path) -> None:
    def script(request: dict[str, Any]) -> Reply:
        return call("run_command", command="echo a > x.txt" if turns(request) % 2 else "rm -f x.txt; echo b > y.txt")

    last, events = ran(house, workspace, "Make done.txt.", script, capability="strong")
    assert last.data["reason"]["code"] == "loop"
    assert {one["loop"]["kind"] for one in finished(events) if one["loop"]} <= {"cycle", "revisit"}
    assert last.data["totals"]["steps"] < 20


def test_polling_that_waits_for_something_is_left_alone(house: House, workspace: Path) -> None:
    wait = call("run_command", command="sleep 0.02; cat state.txt")
    (workspace / "state.txt").write_text("still building\n")
    last, events = ran(
        house, workspace, "Wait.", steps(*[wait] * 8, call("write_file", path="done.txt", content="x"), DONE)
    )
    assert last.type == "task.completed", last.data
    assert len(finished(events)) == 9
    assert not [one for one in finished(events) if one["loop"]]


def test_a_result_that_changes_is_no_repeat(house: House, workspace: Path) -> None:
    more = call("run_command", command="echo x >> .git/progress; wc -l < .git/progress")
    (workspace / ".git").mkdir()
    last, events = ran(
        house, workspace, "Go on.", steps(*[more] * 7, call("write_file", path="done.txt", content="x"), DONE)
    )
    assert last.type == "task.completed", last.data
    assert not [one for one in finished(events) if one["loop"]]

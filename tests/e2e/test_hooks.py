"""Hooks and MCP servers in whole tasks: judged, recorded, replayed without asking anybody, and safe across a crash."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shared.sandbox import sandbox_works
from tests.support.house import Event, House
from tests.support.programs import kill
from tests.support.scripted_server import ScriptedServer
from tests.support.scripts import Script, call, steps

CRITERION = "file_contains: a.txt :: ^one$"
WORK = steps(
    call("write_file", path="a.txt", content="one\n"),
    call("run_command", command="echo effect >> effects.log"),
    call("task_complete", reply="a.txt is there."),
)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house whose tool-loop these tests kill."""
    with House(tmp_path_factory.mktemp("house")) as running:
        yield running


def ended(house: House, workspace: Path, script: Script, goal: str, **fields: Any) -> tuple[list[Event], Event]:
    """The log of a task that ran to its end, and how it ended. It replays to the same decisions."""
    with ScriptedServer(script) as server:
        submitted = house.submit(goal, workspace, server.url, [CRITERION], **fields)
        end = house.wait_for_end(submitted.session_id)
    house.assert_sound(submitted.session_id)
    return house.events(submitted.session_id), end


def verdicts(events: list[Event]) -> list[tuple[str, str]]:
    return [(event.data["phase"], event.data["verdict"]) for event in events if event.type == "hook.judged"]


def test_hooks_are_asked_at_every_phase_and_replay_asks_none(house: House, workspace: Path, tmp_path: Path) -> None:
    log = tmp_path / "asked.log"
    hooks = [
        {"phase": phase, "command": f"echo {phase} >> {log}", "matcher": "write_*"}
        for phase in ("SessionStart", "PreToolUse", "PostToolUse", "Stop")
    ]
    events, end = ended(house, workspace, WORK, "Judged everywhere.", hooks=hooks)
    assert end.type == "task.completed"
    asked = ["session_start", "pre_tool_use", "post_tool_use", "session_end"]
    assert verdicts(events) == [(phase, "allow") for phase in asked]
    assert log.read_text().split() == ["SessionStart", "PreToolUse", "PostToolUse", "Stop"]


def test_a_refused_command_is_not_run_and_the_model_is_told_why(house: House, workspace: Path) -> None:
    hook = {"phase": "pre_tool_use", "matcher": "run_command", "command": "echo 'no commands here' >&2; exit 2"}
    events, end = ended(house, workspace, WORK, "Without commands.", hooks=[hook])
    assert end.type == "task.completed"
    refused = next(event for event in events if event.type == "tool.refused")
    assert refused.data["code"] == "hook" and "no commands here" in refused.data["text"]
    assert not (workspace / "effects.log").exists()


def test_a_gate_that_cannot_start_blocks_the_task_once_before_anything_is_done(house: House, workspace: Path) -> None:
    hook = {"phase": "pre_tool_use", "command": "python3 /missing/hook.py", "gate": True}
    events, end = ended(house, workspace, WORK, "A gate is missing.", hooks=[hook])
    assert end.type == "task.blocked" and end.data["reason"]["code"] == "hook_unavailable"
    assert not any(event.type in ("model.requested", "tool.started", "task.started") for event in events)


def test_a_hook_that_never_lets_the_task_end_ends_it_blocked(house: House, workspace: Path) -> None:
    again = steps(*([call("write_file", path="a.txt", content="one\n"), call("task_complete", reply="Done.")] * 9))
    hook = {"phase": "Stop", "command": "exit 2"}
    events, end = ended(house, workspace, again, "Never done.", hooks=[hook])
    assert end.type == "task.blocked" and end.data["reason"]["code"] == "hook_refuses_stop"
    assert sum(event.type == "completion.refused" for event in events) == 3


def test_a_hook_that_asks_waits_for_a_person_and_goes_on_with_the_answer(house: House, workspace: Path) -> None:
    script = steps(
        call("run_command", command="echo one > a.txt"),
        call("run_command", command="echo one > a.txt"),
        call("task_complete", reply="Done."),
    )
    asks = 'echo \'{"hookSpecificOutput": {"permissionDecision": "ask", "permissionDecisionReason": "really?"}}\''
    hook = {"phase": "PreToolUse", "matcher": "run_command", "command": asks}
    with ScriptedServer(script) as server:
        submitted = house.submit("May I?", workspace, server.url, [CRITERION], hooks=[hook])
        asked = house.wait_for(submitted.session_id, "task.needs_input")
        assert "really?" in asked.data["question"] and not (workspace / "a.txt").exists()
        answered = house.arreio("answer", str(submitted.task_id), "yes")
        assert answered.returncode == 0, answered.stderr
    house.assert_sound(submitted.session_id)
    assert verdicts(house.events(submitted.session_id)) == [("pre_tool_use", "ask"), ("pre_tool_use", "allow")]


def test_a_crash_while_a_hook_looks_at_a_result_never_runs_the_call_again(
    house: House, workspace: Path, tmp_path: Path
) -> None:
    hold, log = tmp_path / "hold", tmp_path / "asked.log"
    hold.write_text("wait")
    waits = f"echo asked >> {log}; until grep -q go {hold}; do sleep 0.05; done"
    hook = {"phase": "post_tool_use", "matcher": "run_command", "command": waits}
    with ScriptedServer(WORK) as server:
        submitted = house.submit("Crash between.", workspace, server.url, [CRITERION], hooks=[hook])
        house.wait_for(
            submitted.session_id, lambda event: event.type == "tool.finished" and event.data["tool"] == "run_command"
        )
        _until_asked(log, 1)
        for pid in house.pids("tool_loop"):
            kill(pid)
        _until_asked(log, 2)
        hold.write_text("go")
        assert house.wait_for_end(submitted.session_id).type == "task.completed"
    house.assert_sound(submitted.session_id)
    assert (workspace / "effects.log").read_text() == "effect\n"
    assert verdicts(house.events(submitted.session_id)) == [("post_tool_use", "allow")]


def _until_asked(log: Path, times: int) -> None:
    from tests.support.programs import until

    until(lambda: log.exists() and log.read_text().count("asked") >= times, what=f"hook asked {times} times")


@pytest.mark.skipif(sandbox_works() is not None, reason=f"bubblewrap: {sandbox_works()}")
def test_tools_of_an_mcp_server_work_under_hooks_and_records(house: House, workspace: Path, tmp_path: Path) -> None:
    program = (Path(__file__).parents[1] / "support" / "mcp_server.py").read_text()
    script = steps(
        call("mcp__s__add", a="2", b=3),
        call("mcp__s__fail", why="no"),
        call("mcp__s__write", path="a.txt", text="one\n"),
        call("task_complete", reply="Done."),
    )
    server = {"name": "s", "command": [sys.executable, "-c", program, "stdio"]}
    hooks = [
        {"phase": "pre_tool_use", "matcher": "mcp__s__fail", "command": "exit 2"},
        {"phase": "pre_tool_use", "matcher": "mcp__s__add", "command": f"cat > {tmp_path}/asked.json"},
    ]
    events, end = ended(house, workspace, script, "By MCP.", mcp=[server], hooks=hooks)
    # What a hook judges is what is executed: the text was made a number before.
    assert json.loads((tmp_path / "asked.json").read_text())["tool_input"] == {"a": 2, "b": 3}
    assert end.type == "task.completed"
    finished = [event.data for event in events if event.type == "tool.finished"]
    assert [one["tool"] for one in finished] == ["mcp__s__add", "mcp__s__write"]
    assert finished[0]["text"] == "the sum is 5" and "a.txt" in finished[1]["changed"]
    assert next(event for event in events if event.type == "tool.refused").data["tool"] == "mcp__s__fail"


def test_an_mcp_server_that_cannot_start_blocks_the_task_with_its_reason(house: House, workspace: Path) -> None:
    _, end = ended(house, workspace, WORK, "No server.", mcp=[{"name": "s", "command": ["no-such-server"]}])
    assert end.type == "task.blocked" and end.data["reason"]["code"] == "mcp_unavailable"
    assert "no-such-server" in end.data["reason"]["text"]

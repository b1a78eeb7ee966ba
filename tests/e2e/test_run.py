"""`arreio run` from the goal to the exit status: a task that is done, lies that are not believed, every other end."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from tests.e2e.conftest import MENDED
from tests.support.house import House, interrupt, last_json
from tests.support.programs import call as call_arreio
from tests.support.programs import processes_of, until
from tests.support.scripted_server import ScriptedServer
from tests.support.scripts import Script, call, constrained, steps

GOAL = "The test fails. Mend calculator.py."
TESTS = "tests: pytest -q"


def run(house: House, server: ScriptedServer, workspace: Path, *options: str) -> subprocess.CompletedProcess[str]:
    named = ("-w", str(workspace), "--model", "openai/scripted", "--api-base", server.url)
    return house.arreio("run", *named, *options)


def is_green(workspace: Path) -> bool:
    tests = subprocess.run([sys.executable, "-m", "pytest", "-q"], cwd=workspace, capture_output=True, check=False)
    return tests.returncode == 0


def test_a_repository_with_a_failing_test_is_mended_and_the_reply_is_printed(
    house: House, repository: Path, mending: Script
) -> None:
    with ScriptedServer(mending) as server:
        done = run(house, server, repository, "-c", TESTS, GOAL)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "add adds now."
    assert "● COMPLETE" in done.stdout
    assert (repository / "calculator.py").read_text() == MENDED
    assert is_green(repository)


def test_json_is_one_cloud_event_a_line_and_the_outcome_last(house: House, repository: Path, mending: Script) -> None:
    with ScriptedServer(mending) as server:
        done = run(house, server, repository, "-c", TESTS, "--json", GOAL)
    assert done.returncode == 0, done.stdout + done.stderr
    *events, outcome = map(json.loads, done.stdout.splitlines())
    assert outcome == {
        "type": "outcome",
        "state": "COMPLETE",
        "reason": None,
        "reply": "add adds now.",
        "question": None,
        "task_id": events[0]["subject"],
        "session_id": events[0]["partitionkey"],
        "steps": 3,
        "tool_calls": 2,
    }
    for event in events:
        assert event["specversion"] == "1.0"
        assert event["dataschema"] == f"arreio:schema:{event['type'].removeprefix('arreio.')}:1"
        assert (event["subject"], event["partitionkey"]) == (outcome["task_id"], outcome["session_id"])
    kinds = [event["type"].removeprefix("arreio.") for event in events]
    assert kinds[-1] == "task.completed"
    assert {"task.created", "task.started", "model.replied", "tool.finished", "gate.judged"} <= set(kinds)
    sequence = [int(event["sequence"]) for event in events]
    assert sequence == sorted(set(sequence))
    house.wait_for_end(outcome["session_id"])
    house.assert_sound(outcome["session_id"])


def test_a_weak_model_mends_it_by_constrained_objects(house: House, repository: Path, mending: Script) -> None:
    with ScriptedServer(constrained(mending)) as server:
        done = run(house, server, repository, "-c", TESTS, "--capability", "weak", "--json", GOAL)
    outcome = last_json(done.stdout)
    assert (done.returncode, outcome["state"]) == (0, "COMPLETE")
    assert outcome["reply"] == "Done. Verified:\n- tests: pytest -q"
    assert all("tools" not in request and request["response_format"] for request in server.requests)
    assert is_green(repository)


LIARS = {
    "claims at once, and again and again": (steps(call("task_complete", reply="Done!")), 2, "false_completion"),
    "says so in prose only": (steps("All tests pass now. The task is done."), 2, "no_action"),
    "changes something else and claims": (
        steps(
            *(
                reply
                for number in range(4)
                for reply in (
                    call("write_file", path=f"notes{number}.txt", content="It works now."),
                    call("task_complete", reply="Done!"),
                )
            ),
        ),
        4,
        "max_steps",
    ),
}


@pytest.mark.parametrize("lie", LIARS)
def test_a_model_that_lies_about_completion_is_never_believed(house: House, repository: Path, lie: str) -> None:
    script, status, code = LIARS[lie]
    with ScriptedServer(script) as server:
        done = run(house, server, repository, "-c", TESTS, "--max-steps", "8", "--json", GOAL)
    outcome = last_json(done.stdout)
    assert (done.returncode, outcome["reason"]["code"]) == (status, code)
    assert outcome["state"] == {2: "BLOCKED", 4: "FAILED"}[status]
    assert not any(event.type == "task.completed" for event in house.events(outcome["session_id"]))
    assert not is_green(repository)
    house.wait_for_end(outcome["session_id"])
    house.assert_sound(outcome["session_id"])


def test_what_is_missing_goes_back_to_the_model_and_an_honest_second_claim_is_believed(
    house: House, repository: Path, mending: Script
) -> None:
    honest = steps(call("task_complete", reply="Done!"), *(mending(_after(turns)) for turns in range(3)))
    with ScriptedServer(honest) as server:
        done = run(house, server, repository, "-c", TESTS, GOAL)
    assert done.returncode == 0, done.stdout + done.stderr
    told = str(server.requests[1]["messages"])
    assert "test_add" in told
    assert "task_complete" not in [tool["function"]["name"] for tool in server.requests[1]["tools"]]
    assert "task_complete" in [tool["function"]["name"] for tool in server.requests[3]["tools"]]


def _after(turns: int) -> dict[str, object]:
    return {"messages": [{"role": "assistant"}] * turns}


def test_a_budget_that_runs_out_is_failed_with_status_4(house: House, repository: Path) -> None:
    with ScriptedServer(steps(call("read_file", path="calculator.py"))) as server:
        done = run(house, server, repository, "-c", TESTS, "--max-steps", "2", "--json", GOAL)
    outcome = last_json(done.stdout)
    assert (done.returncode, outcome["state"], outcome["steps"]) == (4, "FAILED", 2)
    assert outcome["reason"]["code"] == "max_steps"


def test_a_question_is_status_3_and_its_answer_lets_the_task_be_done(
    house: House, repository: Path, mending: Script
) -> None:
    asking = steps(call("need_input", question="Which file?"), *(mending(_after(turns)) for turns in range(3)))
    with ScriptedServer(asking) as server:
        asked = run(house, server, repository, "-c", TESTS, "--json", GOAL)
        outcome = last_json(asked.stdout)
        assert (asked.returncode, outcome["state"], outcome["question"]) == (3, "NEEDS_INPUT", "Which file?")
        answered = house.arreio("answer", outcome["task_id"], "calculator.py, of course", "--json")
    assert answered.returncode == 0, answered.stdout + answered.stderr
    assert last_json(answered.stdout)["state"] == "COMPLETE"
    assert server.requests[1]["messages"][-1] == {"role": "user", "content": "calculator.py, of course"}
    again = house.arreio("answer", outcome["task_id"], "calculator.py")
    assert again.returncode == 1
    assert again.stderr.startswith(f"arreio: task {outcome['task_id']} asks nothing: it is COMPLETE")
    house.wait_for_end(outcome["session_id"])
    house.assert_sound(outcome["session_id"])


def test_tasks_cancel_ends_a_running_command_and_the_task(house: House, workspace: Path) -> None:
    waiting = steps(call("run_command", command="echo begun > begun; while true; do sleep 0.1; done"))
    with ScriptedServer(waiting) as server:
        task = house.submit("Wait for ever.", workspace, server.url, ["file_exists: never"])
        house.wait_for(task.session_id, "tool.started")
        assert house.arreio("tasks", "cancel", str(task.task_id)).returncode == 0
        ended = house.wait_for_end(task.session_id)
    assert (ended.type, ended.data["reason"]["code"]) == ("task.blocked", "cancelled")
    house.assert_sound(task.session_id)
    again = house.arreio("tasks", "cancel", str(task.task_id))
    assert again.returncode == 1
    assert again.stderr == f"arreio: task {task.task_id} has ended already: BLOCKED\n"


def test_ctrl_c_cancels_the_task_while_the_model_is_asked(house: House, workspace: Path) -> None:
    with ScriptedServer(steps({"content": "too late", "delay": 60})) as server:
        following = house.start(
            *("run", "--json", "-w", str(workspace), "-c", "file_exists: never"),
            *("--model", "openai/scripted", "--api-base", server.url, "Think for long."),
        )
        following.line('"arreio.model.requested"')
        assert server.wait_for_requests(1)
        interrupt(following)
        assert following.wait() == 2
    outcome = last_json(following.lines[-1])
    assert (outcome["state"], outcome["reason"]["code"]) == ("BLOCKED", "cancelled")
    assert server.wait_for(lambda: server.hung_up == 1)


def test_detach_prints_the_ids_and_returns_at_once(house: House, repository: Path, mending: Script) -> None:
    with ScriptedServer(mending) as server:
        detached = run(house, server, repository, "-c", TESTS, "--detach", "--json", GOAL)
        ids = last_json(detached.stdout)
        assert (detached.returncode, ids["type"]) == (0, "submitted")
        assert house.wait_for_end(ids["session_id"]).type == "task.completed"
    shown = last_json(house.arreio("tasks", "show", ids["task_id"], "--json").stdout)
    assert (shown["state"], shown["reply"], shown["steps"]) == ("COMPLETE", "add adds now.", 3)


def test_replay_tells_the_state_at_any_event_and_exits_5_where_a_row_was_changed(
    house: House, repository: Path, mending: Script
) -> None:
    with ScriptedServer(mending) as server:
        outcome = last_json(run(house, server, repository, "-c", TESTS, "--json", GOAL).stdout)
    session = outcome["session_id"]
    first_reply = house.wait_for(session, "model.replied")
    shown = last_json(house.arreio("replay", session, "--at", str(first_reply.seq), "--json").stdout)
    (state,) = shown["tasks"]
    assert (state["state"], state["steps"], state["goal"]) == ("IN_PROGRESS", 1, GOAL)
    with psycopg.connect(house.settings.database_dsn("admin")) as connection:
        connection.execute("ALTER TABLE arreio.session_events DISABLE TRIGGER ALL")
        connection.execute(
            "UPDATE arreio.session_events SET data = replace(data, 'add adds now.', 'add is perfect.') "
            "WHERE session_id = %s AND type = 'task.completed'",
            (session,),
        )
        connection.execute("ALTER TABLE arreio.session_events ENABLE TRIGGER ALL")
    verified = house.arreio("replay", session, "--verify", "--json")
    (completed,) = [event for event in house.events(session) if event.type == "task.completed"]
    finding = last_json(verified.stdout)
    assert verified.returncode == 5
    assert (finding["verified"], finding["divergence"]["seq"]) == (False, completed.seq)


def test_run_without_an_engine_has_one_in_the_background_which_ends_when_it_is_idle(
    tmp_path: Path, repository: Path, mending: Script
) -> None:
    place = tmp_path / "data"
    with ScriptedServer(mending) as server:
        named = ("-w", str(repository), "--model", "openai/scripted", "--api-base", server.url)
        done = call_arreio(["run", *named, "-c", TESTS, GOAL], place, {"ARREIO_IDLE_STOP": "1"})
    assert done.returncode == 0, done.stdout + done.stderr
    until(lambda: not processes_of(place), what="the end of the background engine")

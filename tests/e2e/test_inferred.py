"""Criteria that nobody named: a greeting in a repository with tests is answered, a change there must pass them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.e2e.conftest import MENDED
from tests.support.house import House
from tests.support.scripted_server import ScriptedServer
from tests.support.scripts import Script, call, steps


def run(house: House, script: Script, workspace: Path, goal: str, *options: str) -> subprocess.CompletedProcess[str]:
    with ScriptedServer(script) as server:
        return house.arreio(
            "run", "-w", str(workspace), "--model", "openai/scripted", "--api-base", server.url, *options, goal
        )


def told(done: subprocess.CompletedProcess[str]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The outcome, and the judgements of its claims."""
    *events, outcome = map(json.loads, done.stdout.splitlines())
    return outcome, [event["data"] for event in events if event["type"].endswith("gate.judged")]


def test_a_greeting_in_a_repository_with_tests_is_answered_without_running_them(house: House, repository: Path) -> None:
    done = run(house, steps(call("task_complete", reply="Hello!")), repository, "Hello, who are you?", "--json")
    outcome, judged = told(done)
    assert (done.returncode, outcome["state"], outcome["reply"]) == (0, "COMPLETE", "Hello!")
    assert [[result["criterion"] for result in one["results"]] for one in judged] == [["answer:"]]
    house.assert_sound(outcome["session_id"])


def test_an_answer_that_says_nothing_promises_or_makes_up_an_act_goes_back(house: House, repository: Path) -> None:
    bare = repository.parent / "bare"
    bare.mkdir()
    honest = "I could not book it: there is no tool for that."
    wrong = {
        "no_answer": "NO_REPLY",
        "promise": "I will check the logs and report back.",
        "claim_without_action": "Está confirmado. Agendei a consulta.",
    }
    for workspace in (repository, bare):
        for code, reply in wrong.items():
            script = steps(call("task_complete", reply=reply), call("task_complete", reply=honest))
            done = run(house, script, workspace, "Marque a consulta para as 15h.", "--json")
            outcome, judged = told(done)
            events = map(json.loads, done.stdout.splitlines()[:-1])
            assert [event["data"]["code"] for event in events if event["type"].endswith("tool.refused")] == [code]
            assert (outcome["state"], outcome["reply"], len(judged)) == ("COMPLETE", honest, 1)
            house.assert_sound(outcome["session_id"])


def test_a_change_must_pass_the_tests_that_were_found(house: House, repository: Path) -> None:
    script = steps(
        call("read_file", path="calculator.py"),
        call("edit_file", path="calculator.py", old_text="a - b", new_text="a * b"),
        call("task_complete", reply="add adds now."),
        call("edit_file", path="calculator.py", old_text="a * b", new_text="a + b"),
        call("task_complete", reply="add adds now."),
    )
    done = run(house, script, repository, "Mend calculator.py.", "--json")
    outcome, judged = told(done)
    assert (done.returncode, outcome["state"]) == (0, "COMPLETE")
    assert [one["verdict"] for one in judged] == ["FAIL", "PASS"]
    assert "test_calculator.py::test_add" in judged[0]["missing"]
    assert (repository / "calculator.py").read_text() == MENDED
    house.assert_sound(outcome["session_id"])


def test_inferred_criteria_are_shown(house: House, repository: Path) -> None:
    done = run(house, steps(call("task_complete", reply="Hello!")), repository, "Hello, who are you?")
    assert "inferred, if a file is changed: tests: pytest -q" in done.stdout


def test_a_contract_and_a_diff_are_judged_end_to_end(house: House, workspace: Path) -> None:
    (workspace / "schema.json").write_text('{"type": "object", "required": ["name"]}')
    script = steps(
        call("write_file", path="out/a.json", content='{"nam": 1}'),
        call("write_file", path="stray.txt", content="x"),
        call("task_complete", reply="Written."),
        call("run_command", command="rm stray.txt"),
        call("write_file", path="out/a.json", content='{"name": 1}'),
        call("task_complete", reply="Written."),
    )
    criteria = ("-c", "contract: out/a.json :: schema.json", "-c", "diff: out/")
    outcome, judged = told(run(house, script, workspace, "Write the file that is asked for.", *criteria, "--json"))
    assert outcome["state"] == "COMPLETE"
    assert "$: 'name' is a required property" in judged[0]["missing"]
    assert "stray.txt was added" in judged[0]["missing"]

"""Taste from the rules in a file to the reply: the critic's checks, then a model, and neither has the last word."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.support.house import House, last_json
from tests.support.scripted_server import Reply, ScriptedServer
from tests.support.scripts import call, steps, turns

RULES = """
model: {}
rules:
- {name: words for images, check: alt_text}
- {name: plain words, check: model, why: a link says where it leads, good: The fees, bad: Click here}
"""
PAGE = '<img src="map.png"%s>\n<a href="fees.html">%s</a>\n'
CLICK = {"rule": "plain words", "path": "index.html", "line": 1, "quote": "Click here", "why": "where to?"}
WORK = steps(
    call("write_file", path="index.html", content=PAGE % ("", "Click here")),
    call("task_complete", reply="It is there."),
    call("write_file", path="index.html", content=PAGE % (' alt="A map of the harbour"', "Click here")),
    call("task_complete", reply="It is there."),
    call("write_file", path="index.html", content=PAGE % (' alt="A map of the harbour"', "The fees")),
    call("task_complete", reply="It is there."),
)


def contract(place: Path, **more: Any) -> str:
    (place / "rules.yaml").write_text(RULES)
    file = place / "contract.yaml"
    wanted = {"criteria": ["file_exists: index.html"], "taste": {"rules": str(place / "rules.yaml"), **more}}
    file.write_text(json.dumps(wanted))
    return str(file)


def test_taste_returns_what_it_sees_and_what_a_model_reads_and_then_the_task_is_done(
    house: House, workspace: Path, tmp_path: Path
) -> None:
    def script(request: dict[str, Any]) -> Reply:
        if "You review files" not in request["messages"][0]["content"]:
            return WORK(request)
        seen = [CLICK, {**CLICK, "rule": "my own"}] if "Click here</a>" in request["messages"][-1]["content"] else []
        return {"content": json.dumps({"violations": seen}), "usage": {"prompt_tokens": 70, "completion_tokens": 7}}

    with ScriptedServer(script) as server:
        named = ("-w", str(workspace), "--model", "openai/scripted", "--api-base", server.url)
        done = house.arreio("run", *named, "--contract", contract(tmp_path), "--json", "Write index.html.")
        asked = [turns(request) for request in server.requests]
        critics = [one for one in server.requests if "You review files" in one["messages"][0]["content"]]
    outcome = last_json(done.stdout)
    assert (done.returncode, outcome["state"], outcome["steps"]) == (0, "COMPLETE", 6), done.stdout + done.stderr
    assert len(critics) == 1 and len(asked) == 7
    events = [json.loads(line) for line in done.stdout.splitlines()[:-1]]
    by_type = [(one["type"].removeprefix("arreio."), one["data"]) for one in events]
    (tasted,) = [data for kind, data in by_type if kind == "gate.tasted"]
    assert [one["line"] for one in tasted["violations"]] == [2] and "my own" in tasted["dropped"][0]
    assert (tasted["model"], tasted["usage"]["prompt_tokens"]) == ("openai/scripted", 70)
    refused = [data["nudge"] for kind, data in by_type if kind == "completion.refused"]
    assert "index.html:1 [words for images]" in refused[0] and "index.html:2 [plain words] where to?" in refused[1]
    house.wait_for_end(outcome["session_id"])
    house.assert_sound(outcome["session_id"])


def test_a_model_for_taste_that_cannot_be_asked_keeps_no_task_from_its_end(
    house: House, workspace: Path, tmp_path: Path
) -> None:
    script = steps(
        call("write_file", path="index.html", content=PAGE % (' alt="A map"', "Click here")),
        call("task_complete", reply="It is there."),
    )
    with ScriptedServer(script) as server:
        named = ("-w", str(workspace), "--model", "openai/scripted", "--api-base", server.url)
        file = contract(tmp_path, model="openai/away", api_base="http://127.0.0.1:9/v1")
        done = house.arreio("run", *named, "--contract", file, "Write index.html.")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "● COMPLETE" in done.stdout and "not read by a model: unavailable" in done.stdout


def test_rules_that_are_not_there_are_said_so_before_anything_is_begun(
    house: House, workspace: Path, tmp_path: Path
) -> None:
    file = contract(tmp_path)
    (tmp_path / "rules.yaml").write_text("rules: [{name: a, check: vibes}]")
    done = house.arreio("run", "-w", str(workspace), "--model", "openai/x", "--contract", file, "Write index.html.")
    assert done.returncode == 1 and "rule 0 ('a')" in done.stderr and "vibes" in done.stderr

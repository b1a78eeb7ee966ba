"""Skills from the folder to the reply: routed, told, loaded on demand, forced and proven, and shown on the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import psycopg
import pytest

from arreio.client import Refused
from shared.settings import Settings
from tests.support.house import House
from tests.support.scripted_server import ScriptedServer
from tests.support.scripts import call, steps

GREET = """---
name: greeting
description: Use when: a greeting or a welcome letter is to be written for a guest
---
Every greeting ends with the word Saudações.

See words/list.txt.
"""
ASKED = "Write a greeting for our guest into letter.txt"
HOLDS = "file_contains: letter.txt :: Sauda"


def put(place: Path, name: str, text: str) -> None:
    folder = place / name
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(text)


@pytest.fixture
def skilled(workspace: Path) -> Path:
    """A workspace with a skill, a broken one, and a page."""
    put(workspace / ".agents/skills", "greeting", GREET)
    (workspace / ".agents/skills/greeting/words").mkdir()
    (workspace / ".agents/skills/greeting/words/list.txt").write_text("Saudações")
    put(workspace / "skills", "broken", "no front matter")
    return workspace


def listed(request: dict[str, object]) -> str:
    return json.dumps(request["messages"], ensure_ascii=False)


def test_a_skill_is_told_by_name_loaded_on_demand_and_followed(house: House, skilled: Path) -> None:
    script = steps(
        {"tool_calls": [{"name": "load_skill", "arguments": {"name": "greeting"}}]},
        {"tool_calls": [{"name": "load_skill", "arguments": {"name": "greeting", "file": "words/list.txt"}}]},
        call("write_file", path="letter.txt", content="Olá!\nSaudações\n"),
        call("task_complete", reply="letter.txt is written."),
    )
    with ScriptedServer(script) as server:
        sent = house.submit(ASKED, skilled, server.url, [HOLDS])
        ended = house.wait_for_end(sent.session_id)
        first, second = server.requests[0], server.requests[1]
    assert ended.type == "task.completed", ended.data
    assert "Every greeting ends" not in listed(first) and "a welcome letter" in listed(first)
    assert "load_skill" in [tool["function"]["name"] for tool in first["tools"]]
    assert "Every greeting ends" in listed(second) and "words/list.txt" in listed(second)
    events = house.events(sent.session_id)
    routing = next(one.data["skills"] for one in events if one.type == "task.created")
    assert [(one["name"], one["relevant"], one["forced"]) for one in routing["skills"]] == [("greeting", True, False)]
    assert [one["path"] for one in routing["problems"]] == ["skills/broken/SKILL.md"]
    loaded = [one.data for one in events if one.type == "tool.finished" and one.data.get("skill")]
    assert [one["skill"]["name"] for one in loaded] == ["greeting"]
    house.assert_sound(sent.session_id)


def test_a_forced_skill_stands_in_the_first_prompt_and_survives_its_file(house: House, skilled: Path) -> None:
    script = steps(
        call("run_command", command="rm -r .agents"),
        call("write_file", path="letter.txt", content="Olá!\nSaudações\n"),
        call("task_complete", reply="letter.txt is written."),
    )
    with ScriptedServer(script) as server:
        sent = house.submit(ASKED, skilled, server.url, [HOLDS], skills=("Greeting",))
        ended = house.wait_for_end(sent.session_id)
        requests = list(server.requests)
    assert ended.type == "task.completed", ended.data
    assert all("Every greeting ends with the word" in listed(request) for request in requests)
    built = next(one.data for one in house.events(sent.session_id) if one.type == "context.built")
    units = [unit["id"] for layer in built["manifest"]["layers"] for unit in layer["units"]]
    assert "skill:greeting" in units
    house.assert_sound(sent.session_id)


@pytest.mark.parametrize(("name", "why"), [("juggling", "there is greeting"), ("broken", "skills/broken/SKILL.md")])
def test_a_skill_that_cannot_be_had_is_refused_with_what_there_is(
    house: House, skilled: Path, name: str, why: str
) -> None:
    with pytest.raises(Refused, match=r"data\.contract\.skills") as refused:
        house.submit(ASKED, skilled, "http://127.0.0.1:9", [HOLDS], skills=(name,))
    assert why in str(refused.value)


def test_run_names_skills_and_says_on_one_line_that_there_is_none(house: House, skilled: Path) -> None:
    named = ("-w", str(skilled), "--model", "openai/scripted", "--api-base", "http://127.0.0.1:9")
    done = house.arreio("run", *named, "--skill", "juggling", ASKED)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert "there is no skill 'juggling'; there is greeting" in done.stderr


def test_a_task_without_skills_is_offered_none(house: House, workspace: Path) -> None:
    with ScriptedServer(steps(call("task_complete", reply="Olá!"))) as server:
        sent = house.submit("Olá!", workspace, server.url, [])
        house.wait_for_end(sent.session_id)
        assert "load_skill" not in json.dumps(server.requests[0])
    created = next(one for one in house.events(sent.session_id) if one.type == "task.created")
    assert created.data["skills"] is None


def test_a_learned_skill_is_routed_shown_and_exported(house: House, workspace: Path, tmp_path: Path) -> None:
    text = "---\nname: invoice-check\ndescription: Check invoices and their totals.\n---\nAdd them twice."
    settings: Settings = house.settings
    with psycopg.connect(settings.database_dsn("owner"), autocommit=True) as connection:
        connection.execute(
            "INSERT INTO learning.skills (name, version, body, active) VALUES ('invoice-check', 2, %s, true)", (text,)
        )
    try:
        shown = house.arreio("skills", "list", "--json", "-w", str(workspace))
        found = json.loads(shown.stdout)["skills"]
        assert [(one["name"], one["source"], one["version"]) for one in found] == [("invoice-check", "learned", 2)]
        exported = house.arreio("skills", "export", "invoice-check", "-w", str(workspace), "--to", str(tmp_path))
        assert exported.returncode == 0, exported.stderr
        assert "Add them twice." in (tmp_path / "invoice-check/SKILL.md").read_text()
        script = steps(
            {"tool_calls": [{"name": "load_skill", "arguments": {"name": "invoice-check"}}]},
            call("task_complete", reply="The totals of the invoices were not given; add them twice."),
        )
        with ScriptedServer(script) as server:
            sent = house.submit("How are the invoice totals checked?", workspace, server.url, [])
            house.wait_for_end(sent.session_id)
            assert "Add them twice." in json.dumps(server.requests[1])
        house.assert_sound(sent.session_id)
    finally:
        with psycopg.connect(settings.database_dsn("owner"), autocommit=True) as connection:
            connection.execute("DELETE FROM learning.skills WHERE name = 'invoice-check'")


def test_the_list_names_a_broken_file_with_its_cause_and_goes_on(house: House, skilled: Path) -> None:
    done = house.arreio("skills", "list", "-w", str(skilled))
    assert done.returncode == 0 and "greeting" in done.stdout
    assert "skills/broken/SKILL.md: it does not begin with front matter" in done.stderr
    missing = house.arreio("skills", "show", "nothing", "-w", str(skilled))
    assert missing.returncode == 1 and missing.stderr.count("\n") == 1 and "greeting" in missing.stderr

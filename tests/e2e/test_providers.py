"""What providers do to a task: refuse a key, a request or tools, ask for patience, overflow; models nobody knows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.house import Event, House
from tests.support.scripted_server import Reply, ScriptedServer
from tests.support.scripts import Script, call, steps

NOTE = ("file_exists: done.txt",)
WORK: Script = steps(call("write_file", path="done.txt", content="done\n"), call("task_complete", reply="It is done."))


def of(events: list[Event], kind: str) -> list[dict[str, Any]]:
    return [event.data for event in events if event.type == kind]


def in_text(reply: Reply) -> Reply:
    """The same call, written into the text."""
    assert not isinstance(reply, str)
    (one,) = reply["tool_calls"]
    return f"<tool_call>{json.dumps(one)}</tool_call>"


def constrained(reply: Reply) -> Reply:
    assert not isinstance(reply, str)
    (one,) = reply["tool_calls"]
    return {"content": {"tool": one["name"], "args": one["arguments"]}}


def without_tools(request: dict[str, Any]) -> Reply:
    """A server that knows no tools, but constrains."""
    if "tools" in request:
        return {"status": 400, "error": "this model does not support tools"}
    return constrained(WORK(request))


def only_prose(request: dict[str, Any]) -> Reply:
    """A server that takes every request and reads only its messages."""
    if "<tool_call>" not in str(request["messages"][0]["content"]):
        return "I would write the file."
    acted = [message for message in request["messages"][1:] if "<tool_call>" in str(message["content"])]
    return in_text(WORK({"messages": acted}))


def plain(request: dict[str, Any]) -> Reply:
    """A server that refuses both tools and constraints."""
    if "tools" in request or "response_format" in request:
        return {"status": 400, "error": f"{'tools' if 'tools' in request else 'response_format'} is not supported"}
    return in_text(WORK(request))


UNKNOWN: dict[str, tuple[Script, str, dict[str, str]]] = {
    "has tools": (WORK, "native", {"native": "works"}),
    "refuses tools": (without_tools, "json_schema", {"native": "refused", "json_schema": "works"}),
    "refuses both": (plain, "text", {"native": "refused", "json_schema": "refused", "text": "works"}),
    "only talks": (only_prose, "text", {"native": "no_call", "json_schema": "no_call", "text": "works"}),
}


@pytest.mark.parametrize("kind", UNKNOWN)
def test_an_unknown_model_shows_by_its_first_turns_how_it_can_be_asked_and_later_tasks_know(
    house: House, tmp_path: Path, kind: str
) -> None:
    script, mode, results = UNKNOWN[kind]
    with ScriptedServer(script) as server:
        for number in (1, 2):
            place = tmp_path / str(number)
            place.mkdir()
            task = house.submit(f"unknown {kind}", place, server.url, NOTE)
            ended = house.wait_for_end(task.session_id)
            assert ended.type == "task.completed", ended.data
            events = house.events(task.session_id)
            house.assert_sound(task.session_id)
            if number == 1:
                (probed,) = of(events, "model.probed")
                assert (probed["mode"], probed["results"]) == (mode, results)
                shown = house.arreio("tasks", "show", str(task.task_id)).stdout
                assert f"{mode} (probed: " in shown
            else:
                assert not of(events, "model.probed")
                assert of(events, "model.failed") == []
                assert {one["mode"] for one in of(events, "model.requested")} == {mode}


def test_a_refusal_of_tools_by_a_model_that_is_known_is_never_worked_around(house: House, workspace: Path) -> None:
    with ScriptedServer(without_tools) as server:
        task = house.submit("known", workspace, server.url, NOTE, model="openai/gpt-4o-mini")
        ended = house.wait_for_end(task.session_id)
        assert len(server.requests) == 1
    assert (ended.type, ended.data["reason"]["code"]) == ("task.blocked", "provider_rejected")
    assert "--capability" in ended.data["reason"]["text"]


def test_an_unknown_model_that_only_talks_ends_blocked(house: House, workspace: Path) -> None:
    with ScriptedServer(lambda _: "I will write the file now.") as server:
        task = house.submit("talks only", workspace, server.url, NOTE)
        ended = house.wait_for_end(task.session_id)
        assert len(server.requests) <= 8
    assert (ended.type, ended.data["reason"]["code"]) == ("task.blocked", "no_action")
    assert not of(house.events(task.session_id), "model.probed")
    house.assert_sound(task.session_id)


def test_a_provider_that_was_away_says_nothing_of_what_a_model_can_do(house: House, workspace: Path) -> None:
    away: list[Reply] = [{"status": 503, "error": "tools are being restarted"}]

    def script(request: dict[str, Any]) -> Reply:
        return away.pop() if away else WORK(request)

    with ScriptedServer(script) as server:
        task = house.submit("away", workspace, server.url, NOTE)
        assert house.wait_for_end(task.session_id).type == "task.completed"
    (probed,) = of(house.events(task.session_id), "model.probed")
    assert probed["results"] == {"native": "works"}


def test_patience_that_is_asked_for_is_kept_and_costs_no_step(house: House, workspace: Path) -> None:
    slow: list[Reply] = [{"status": 429, "error": "slow down", "headers": {"retry-after": "1"}}] * 2

    def script(request: dict[str, Any]) -> Reply:
        return slow.pop() if slow else WORK(request)

    with ScriptedServer(script) as server:
        task = house.submit("patience", workspace, server.url, NOTE, budgets={"max_steps": 2})
        ended = house.wait_for_end(task.session_id)
        assert len(server.requests) == 4
    assert (ended.type, ended.data["totals"]["steps"]) == ("task.completed", 2)
    events = house.events(task.session_id)
    asked = [event.seq for event in events if event.type == "model.requested"]
    assert [one["retry_after"] for one in of(events, "model.failed")] == [1.0, 1.0]
    assert len(asked) == 4
    house.assert_sound(task.session_id)


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        ({"status": 401, "error": "Incorrect API key provided"}, "provider_auth"),
        ({"status": 400, "error": "Invalid value for 'messages'"}, "provider_rejected"),
    ],
)
def test_what_will_not_pass_by_itself_is_asked_once(house: House, workspace: Path, reply: Reply, code: str) -> None:
    with ScriptedServer([reply], cycle=True) as server:
        task = house.submit(f"refused {code}", workspace, server.url, NOTE)
        ended = house.wait_for_end(task.session_id)
        assert len(server.requests) == 1
    assert (ended.type, ended.data["reason"]["code"]) == ("task.blocked", code)
    assert ended.data["totals"]["steps"] == 0


def test_a_window_that_never_holds_the_prompt_is_context_unfittable(house: House, workspace: Path) -> None:
    overflow = {"status": 400, "error": {"message": "maximum context length is 8 tokens", "code": "context_length"}}
    with ScriptedServer([overflow], cycle=True) as server:
        task = house.submit("overflow", workspace, server.url, NOTE)
        ended = house.wait_for_end(task.session_id)
        assert len(server.requests) < 8
    assert (ended.type, ended.data["reason"]["code"]) == ("task.failed", "context_unfittable")


def test_tokens_count_against_the_budget_where_the_provider_tells_none(house: House, workspace: Path) -> None:
    def script(request: dict[str, Any]) -> Reply:
        reply = steps(call("list_files", path="."))(request)
        assert not isinstance(reply, str)
        return {**reply, "usage": None}

    with ScriptedServer(script) as server:
        task = house.submit("no usage", workspace, server.url, NOTE, budgets={"max_tokens": 500})
        ended = house.wait_for_end(task.session_id)
    assert (ended.type, ended.data["reason"]["code"]) == ("task.failed", "max_tokens")
    assert ended.data["totals"]["prompt_tokens"] > 0

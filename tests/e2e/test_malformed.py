"""Replies as providers really send them: cut off, doubled, huge, in the wrong form. The task goes on, and nothing that
was not whole is executed."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.house import Event, House
from tests.support.scripted_server import Reply, ScriptedServer
from tests.support.scripts import call, steps

NOTE = ("file_exists: done.txt",)
WRITE_DONE = call("write_file", path="done.txt", content="done\n")
CLAIM = call("task_complete", reply="It is done.")


def finished(house: House, workspace: Path, goal: str, *replies: Reply, **fields: Any) -> tuple[str, list[Event]]:
    """The events of a task whose model gives these replies, then does its work and says so."""
    with ScriptedServer(steps(*replies, WRITE_DONE, CLAIM)) as server:
        task = house.submit(goal, workspace, server.url, NOTE, **fields)
        ended = house.wait_for_end(task.session_id)
    assert ended.type == "task.completed", ended.data
    house.assert_sound(task.session_id)
    return task.session_id, house.events(task.session_id)


def of(events: Sequence[Event], kind: str) -> list[dict[str, Any]]:
    return [event.data for event in events if event.type == kind]


def test_fifty_calls_in_one_reply_have_one_result_each(house: House, workspace: Path) -> None:
    many = {"tool_calls": [{"name": "list_files", "arguments": {"path": "."}} for _ in range(50)]}
    _, events = finished(house, workspace, "fifty calls", many)
    results = Counter(one["call_id"] for kind in ("tool.finished", "tool.refused") for one in of(events, kind))
    first = of(events, "model.replied")[0]
    assert len(first["calls"]) == 50
    assert [results[one["id"]] for one in first["calls"]] == [1] * 50


def test_calls_with_one_id_between_them_get_ids_of_their_own(house: House, workspace: Path) -> None:
    twice = {
        "tool_calls": [
            {"id": "same", "name": "write_file", "arguments": {"path": name, "content": name}} for name in ("a", "b")
        ]
    }
    _, events = finished(house, workspace, "the same id", twice)
    assert len({one["call_id"] for one in of(events, "tool.finished")}) == len(of(events, "tool.finished"))
    assert [(workspace / name).read_text() for name in ("a", "b")] == ["a", "b"]


CUT: dict[str, Reply] = {
    "the provider says so": {
        "tool_calls": [{"name": "write_file", "arguments": {"path": "cut.txt", "content": "half"}}],
        "finish_reason": "length",
    },
    "the provider says nothing of it": {
        "tool_calls": [{"name": "write_file", "arguments": '{"path": "cut.txt", "content": "half'}]
    },
    "in the text": '<tool_call>\n{"name": "write_file", "arguments": {"path": "cut.txt", "content": "half"}}',
    "before the call": {"content": "I will now write the fi", "finish_reason": "length"},
}


@pytest.mark.parametrize("cut", CUT)
def test_a_reply_cut_in_the_middle_of_a_call_executes_nothing_and_the_model_is_told(
    house: House, workspace: Path, cut: str
) -> None:
    _, events = finished(house, workspace, f"cut off: {cut}", CUT[cut])
    assert not (workspace / "cut.txt").exists()
    told = [*of(events, "tool.refused"), *of(events, "turn.rejected")]
    assert told[0]["code"] == "truncated"


def test_what_was_whole_before_the_cut_is_executed(house: House, workspace: Path) -> None:
    calls = [
        {"name": "write_file", "arguments": {"path": "whole.txt", "content": "whole"}},
        {"name": "write_file", "arguments": {"path": "cut.txt", "content": "half"}},
    ]
    finished(house, workspace, "the second is cut", {"tool_calls": calls, "finish_reason": "length"})
    assert (workspace / "whole.txt").read_text() == "whole"
    assert not (workspace / "cut.txt").exists()


def test_an_argument_of_200_kilobytes_arrives_whole(house: House, workspace: Path) -> None:
    content = "".join(f"line {number}: áé\n" for number in range(13_000))
    assert len(content.encode()) > 200_000
    _, events = finished(house, workspace, "a large file", call("write_file", path="large.txt", content=content))
    assert (workspace / "large.txt").read_text() == content
    assert all(len(json.dumps(event.data)) < 100_000 for event in events)


def test_a_command_that_prints_five_megabytes_leaves_the_task_healthy(house: House, workspace: Path) -> None:
    loud = call("run_command", command="yes 0123456789 | head -c 5000000")
    _, events = finished(house, workspace, "a loud command", loud)
    assert of(events, "tool.finished")[0]["status"] == "ok"
    assert all(len(json.dumps(event.data)) < 200_000 for event in events)


def test_binary_output_leaves_the_task_healthy(house: House, workspace: Path) -> None:
    (workspace / "binary").write_bytes(bytes(range(256)) * 64)
    _, events = finished(house, workspace, "a binary file", call("run_command", command="cat binary"))
    assert of(events, "tool.finished")[0]["status"] == "ok"


def test_unknown_names_are_refused_with_candidates_and_spellings_resolve(house: House, workspace: Path) -> None:
    unknown = {"tool_calls": [{"name": "", "arguments": {}}, {"name": "wrote_file", "arguments": {"path": "x"}}]}
    spelt = call("Write-File", path="spelt.txt", content="x")
    with ScriptedServer(steps(unknown, spelt, WRITE_DONE, CLAIM)) as server:
        task = house.submit("unknown names", workspace, server.url, NOTE)
        assert house.wait_for_end(task.session_id).type == "task.completed"
        names = [
            one["function"]["name"]
            for request in server.requests
            for message in request["messages"]
            for one in message.get("tool_calls", ())
        ]
    refused = of(house.events(task.session_id), "tool.refused")
    assert [one["code"] for one in refused] == ["unknown_tool", "unknown_tool"]
    assert all("write_file" in one["text"] or "read_file" in one["text"] for one in refused)
    assert (workspace / "spelt.txt").exists()
    assert all(names)
    house.assert_sound(task.session_id)


def test_marks_of_calls_never_reach_the_user(house: House, workspace: Path) -> None:
    block = '<tool_call>{"name": "list_files", "arguments": {}}</tool_call>'
    claim = {
        "content": f"All done. {block} Bye.",
        "tool_calls": [{"name": "task_complete", "arguments": {"reply": ""}}],
    }
    with ScriptedServer(steps(f"See {block} there.", WRITE_DONE, claim)) as server:
        task = house.submit("marks", workspace, server.url, NOTE)
        ended = house.wait_for_end(task.session_id)
        told = json.dumps(server.requests[1]["messages"])
    assert (ended.type, ended.data["reply"]) == ("task.completed", "All done.  Bye.")
    assert "was not executed" in told
    house.assert_sound(task.session_id)


@pytest.mark.parametrize("capability", ["strong", "weak"])
def test_a_call_in_the_text_does_the_work(house: House, workspace: Path, capability: str) -> None:
    block = (
        "<tool_call>\n<function=write_file>\n<parameter=path>\ndialect.txt\n</parameter>\n"
        "<parameter=content>\nx\n</parameter>\n</function>\n</tool_call>"
    )
    finished(house, workspace, f"a dialect, {capability}", f"I write it.\n{block}", capability=capability)
    assert (workspace / "dialect.txt").read_text() == "x"


def test_odd_characters_in_an_argument_are_carried_and_half_ones_refused(house: House, workspace: Path) -> None:
    odd = base64.b64decode("w4HigJzwn5iA").decode() + "\x00"
    writes = [json.dumps({"path": "odd.txt", "content": content}) for content in (odd, odd + "\ud800")]
    replies = [{"tool_calls": [{"name": "write_file", "arguments": raw}]} for raw in writes]
    _, events = finished(house, workspace, "odd characters", *replies)
    assert (workspace / "odd.txt").read_text() == odd
    assert [one["code"] for one in of(events, "tool.refused")] == ["malformed"]


HALF = "\ud83d hello"
USAGE = {"prompt_tokens": 10**19, "completion_tokens": 0, "total_tokens": 10**19}


@pytest.mark.parametrize(
    "reply",
    [
        {"content": HALF},
        {"content": HALF, "usage": USAGE},
        {"tool_calls": [{"name": HALF, "arguments": "{}"}]},
        {"tool_calls": [{"name": "read_file", "arguments": '{"path": "a", "start_line": 1e999}'}]},
        {"tool_calls": [{"name": "task_complete", "arguments": json.dumps({"reply": HALF})}]},
        '[read_file(path="a", start_line=1e999)]',
        '[write_file(path="cut.txt", content="\\ud800")]',
        'It is dangerous:\n```json\n{"name": "write_file", "arguments": {"path": "cut.txt", "content": "x"}}\n```',
    ],
    ids=["text", "usage", "name", "infinite", "answer", "infinite in Python", "half in Python", "only shown"],
)
def test_no_form_of_a_reply_ends_a_worker_or_is_executed_by_guess(house: House, workspace: Path, reply: Reply) -> None:
    _, events = finished(house, workspace, "a reply of no known form", reply)
    assert not of(events, "task.resumed") and not (workspace / "cut.txt").exists()
    assert len([*of(events, "turn.rejected"), *of(events, "tool.refused")]) == 1


@pytest.mark.parametrize("model", ["openai/scripted", "openai/gpt-4o-mini"])
def test_a_model_that_calls_for_ever_what_is_not_there_ends_blocked(house: House, workspace: Path, model: str) -> None:
    with ScriptedServer(steps(call("shell", cmd="ls"))) as server:
        task = house.submit(f"no such tool, {model}", workspace, server.url, NOTE, model=model)
        ended = house.wait_for_end(task.session_id)
        asked = len(server.requests)
    assert (ended.type, ended.data["reason"]["code"]) == ("task.blocked", "no_action")
    assert asked <= 8
    refused = of(house.events(task.session_id), "tool.refused")
    assert {one["code"] for one in refused} == {"unknown_tool"}
    house.assert_sound(task.session_id)

"""Prompts of a running house: edits are told from the next turn on, and every old prompt can be seen again."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.house import House
from tests.support.scripted_server import Reply, ScriptedServer
from tests.support.scripts import SUMMARY, asks_for_a_summary, call, constrained, parts_then, steps, turns


def system(request: dict[str, Any]) -> str:
    return str(request["messages"][0]["content"])


def shown(house: House, *options: str) -> dict[str, Any]:
    done = house.arreio("context", "show", "--json", *options)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_an_edit_is_told_from_the_next_turn_on_and_old_prompts_stay_as_they_were(house: House, workspace: Path) -> None:
    (workspace / "AGENTS.md").write_text("Be brief.")
    (workspace / "notes.txt").write_text("notes")
    (workspace / "sub").mkdir()

    def script(request: dict[str, Any]) -> Reply:
        match turns(request):
            case 0:
                (workspace / "AGENTS.md").write_text("Be thorough.")
                (workspace / "sub/AGENTS.md").write_text("Here, be careful.")
                return call("read_file", path="notes.txt")
            case 1:
                kept = house.arreio("instructions", "set", "developer", "Say please.")
                assert kept.returncode == 0, kept.stderr
                return call("read_file", path="notes.txt")
            case 2:
                (workspace / "sub/AGENTS.md").unlink()
                return call("read_file", path="notes.txt")
            case _:
                return call("task_complete", reply="Read.")

    with ScriptedServer(script) as server:
        task = house.submit("Read the notes. (edits)", workspace, server.url, ["file_exists: notes.txt"])
        assert house.wait_for_end(task.session_id).type == "task.completed"
    first, second, third, fourth = map(system, server.requests)
    assert "Be brief." in first and "Be thorough." not in first
    assert "Be thorough." in second and "Here, be careful." in second and "Be brief." not in second
    assert third.index("Be thorough.") < third.index("Here, be careful.") < third.index("Say please.")
    assert "Here, be careful." not in fourth and "Say please." in fourth

    events = house.events(task.session_id)
    edits = [(event.data["path"], event.data["old"], event.data["new"]) for event in events if "changed" in event.type]
    assert [(path, old is None, new is None) for path, old, new in edits] == [
        ("AGENTS.md", False, False),
        ("sub/AGENTS.md", True, False),
        ("db:developer", True, False),
        ("sub/AGENTS.md", False, True),
    ]
    house.assert_sound(task.session_id)

    built = [event.seq for event in events if event.type == "context.built"]
    for seq, request in zip(built, server.requests, strict=True):
        found = shown(house, "--session", task.session_id, "--at", str(seq))
        assert found["seq"] == seq and found["messages"][0]["content"] == system(request)
        assert hashlib.sha256(found["prompt"].encode()).hexdigest() == found["sha256"]
        recorded = next(event.data["manifest"] for event in events if event.seq == seq)
        assert found["sha256"] == recorded["prompt_sha256"]
    last = house.arreio("context", "show", "--session", task.session_id)
    assert last.returncode == 0 and "instruction_files" in last.stdout and "Say please." in last.stdout

    with_rows = shown(house, "-w", str(workspace))
    assert with_rows["layers"][1]["kept"] == ["AGENTS.md", "db:developer"]
    listed = house.arreio("instructions", "show", "--json")
    assert json.loads(listed.stdout)["text"] == "Say please."
    kept = house.arreio("instructions", "set", "developer", "Say thanks.", "-w", str(workspace))
    assert kept.returncode == 0 and "in the project" in kept.stdout, kept.stderr
    (workspace.parent / "link").symlink_to(workspace)
    for place in (workspace, workspace.parent / "link"):
        both = shown(house, "-w", str(place))["layers"][1]["kept"]
        assert both[:2] == ["AGENTS.md", "db:developer"] and both[2].endswith("/developer")
    assert shown(house, "-w", str(workspace.parent))["layers"][1]["kept"][-1] == "db:developer"
    assert house.arreio("instructions", "rm", "developer", "-w", str(workspace)).returncode == 0
    assert house.arreio("instructions", "rm", "developer").returncode == 0
    assert shown(house, "-w", str(workspace))["layers"][1]["kept"] == ["AGENTS.md"]


def test_only_the_files_on_the_way_to_what_was_touched_are_told_where_the_contract_says_so(
    house: House, workspace: Path
) -> None:
    for folder in ("", "a", "b", "node_modules/c"):
        (workspace / folder).mkdir(parents=True, exist_ok=True)
        (workspace / folder / "AGENTS.md").write_text(f"Rules of <{folder}>.")
    (workspace / "a/notes.txt").write_text("notes")
    script = steps(call("read_file", path="a/notes.txt"), call("task_complete", reply="Read."))
    with ScriptedServer(script) as server:
        task = house.submit(
            "Read the notes. (touched)",
            workspace,
            server.url,
            ["file_exists: a/notes.txt"],
            instructions={"scope": "touched", "ignored": "load"},
        )
        assert house.wait_for_end(task.session_id).type == "task.completed"
    first, second = map(system, server.requests)
    assert "Rules of <>." in first and "Rules of <a>." not in first
    assert "Rules of <a>." in second and "Rules of <b>." not in second and "node_modules" not in second
    events = house.events(task.session_id)
    assert not [event for event in events if event.type == "instructions.changed"]
    skipped = [event.data["manifest"]["skipped"] for event in events if event.type == "context.built"]
    assert [[file["path"] for file in files] for files in skipped] == [
        ["a/AGENTS.md", "b/AGENTS.md", "node_modules/c/AGENTS.md"],
        ["b/AGENTS.md", "node_modules/c/AGENTS.md"],
    ]


def test_a_window_that_is_too_small_makes_smaller_prompts_and_then_an_end(house: House, workspace: Path) -> None:
    (workspace / "long.txt").write_text("line of text\n" * 400)
    limits = iter([None, None, None, 9_000])

    def script(request: dict[str, Any]) -> Reply:
        size = len(json.dumps(request["messages"]))
        limit = next(limits, 9_000)
        if limit is not None and size > limit:
            error = {"message": "maximum context length is exceeded", "code": "context_length_exceeded"}
            return {"status": 400, "error": error}
        return call("read_file", path="long.txt") if turns(request) < 3 else call("task_complete", reply="Read.")

    with ScriptedServer(script) as server:
        task = house.submit("Read it thrice.", workspace, server.url, ["file_exists: long.txt"])
        assert house.wait_for_end(task.session_id).type in ("task.completed", "task.failed")
    events = house.events(task.session_id)
    failed = [event.data["kind"] for event in events if event.type == "model.failed"]
    built = [event.data["manifest"]["tokens"] for event in events if event.type == "context.built"]
    assert failed and set(failed) == {"context_overflow"}
    assert built[-1] < max(built)
    house.assert_sound(task.session_id)


def test_turns_that_no_longer_fit_are_summed_up_where_the_contract_says_so(house: House, workspace: Path) -> None:
    script = parts_then(call("write_file", path="note.txt", content="Written."))
    with ScriptedServer(constrained(script)) as server:
        task = house.submit(
            "Write the parts.", workspace, server.url, ["file_exists: note.txt"], capability="weak", summaries=True
        )
        assert house.wait_for_end(task.session_id).type == "task.completed"
    events = house.events(task.session_id)
    made = [event for event in events if event.type == "history.summarised"]
    assert made and not any(event.data["problem"] for event in made)
    asked = [request for request in server.requests if asks_for_a_summary(request)]
    assert len(asked) == len(made) and "assistant calls write_file" in asked[0]["messages"][1]["content"]
    assert not any(key in asked[0] for key in ("tools", "response_format"))
    last = json.dumps(server.requests[-1]["messages"])
    assert last.count(SUMMARY) == 1 and "0: a line of a part" not in last
    prompts = {event.seq: event.data["manifest"] for event in events if event.type == "context.built"}
    for event in made:
        before = max(seq for seq in prompts if seq < event.seq)
        after = min(seq for seq in prompts if seq > event.seq)
        assert prompts[after]["tokens"] < prompts[before]["tokens"] + event.data["covered_tokens"]
    ended = events[-1].data if "totals" in events[-1].data else next(e.data for e in events if "totals" in e.data)
    spent = sum(event.data["usage"]["prompt_tokens"] for event in events if "usage" in event.data)
    assert ended["totals"]["prompt_tokens"] == spent >= 700 * len(made)
    house.assert_sound(task.session_id)


def test_lone_surrogates_in_what_a_model_says_end_neither_summary_nor_task(house: House, workspace: Path) -> None:
    parts = parts_then(call("write_file", path="note.txt", content="Written."))

    def script(request: dict[str, Any]) -> Reply:
        if asks_for_a_summary(request):
            return {"content": "Half \ud83d an emoji."}
        if "Half" not in json.dumps(request["messages"]):
            return {"content": "Half \ud83d an emoji, and no call."}
        return parts(request)

    with ScriptedServer(constrained(script)) as server:
        task = house.submit(
            "Write the parts.", workspace, server.url, ["file_exists: note.txt"], capability="weak", summaries=True
        )
        assert house.wait_for_end(task.session_id).type == "task.completed"
    made = [event.data for event in house.events(task.session_id) if event.type == "history.summarised"]
    assert made and all(one["text"] == "Half \ufffd an emoji." for one in made)
    house.assert_sound(task.session_id)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("instructions", "set", "nobody", "text"), "developer"),
        (("instructions", "set", "developer"), "give the instructions once"),
        (("instructions", "set", "developer", "  "), "text"),
        (("instructions", "set", "developer", "--file", "/no/such/file"), "No such file"),
        (("instructions", "set", "developer", "text", "--project", "garage"), "no project"),
        (("instructions", "rm", "creative"), "no instructions are kept"),
        (("instructions", "show", "creative"), "no instructions are kept"),
        (("context", "show", "--session", "s_none"), "there is no session s_none"),
        (("context", "show", "--at", "3"), "belong to --session"),
    ],
)
def test_misuse_is_one_line_and_status_1(house: House, arguments: tuple[str, ...], said: str) -> None:
    done = house.arreio(*arguments)
    assert done.returncode == 1 and said in done.stderr and done.stderr.count("\n") == 1, done.stderr

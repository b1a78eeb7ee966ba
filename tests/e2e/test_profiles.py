"""Profiles, attachments, progress and posted replies on a whole Arreio."""

from __future__ import annotations

import asyncio
import base64
import json
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from arreio_contracts.messages import Attachment, InboundMessage
from arreio_contracts.task import TaskContract

from arreio.client import connected
from tests.support.house import House, last_json
from tests.support.programs import call as run
from tests.support.programs import until
from tests.support.scripted_server import ScriptedServer
from tests.support.scripts import call, steps

TOKEN = "zq81-not-for-the-log"
KEY = "kk55-the-models-own"


def git(where: Path, *arguments: str) -> str:
    return subprocess.run(["git", "-C", str(where), *arguments], capture_output=True, text=True, check=True).stdout


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A repository with one commit."""
    place = tmp_path / "shop"
    place.mkdir()
    (place / "stock.txt").write_text("none\n")
    git(place, "init", "-q", "-b", "main")
    git(place, "add", ".")
    git(place, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first")
    return place


def write_profile(house: House, name: str, text: str) -> None:
    (house.place / "profiles").mkdir(exist_ok=True)
    (house.place / "profiles" / f"{name}.yaml").write_text(text)


def test_a_profile_gives_model_key_worktree_secrets_and_tools(house: House, shop: Path, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(f"{TOKEN}\n")
    (tmp_path / "key").write_text(KEY)
    script = steps(
        call("run_command", command='printf "%s" "$SHOP_TOKEN" > said.txt; echo "token $SHOP_TOKEN"'),
        call("task_complete", reply="It is written."),
        call("run_command", command="touch enough.txt"),
        call("task_complete", reply="It is written."),
    )
    with ScriptedServer(script) as server:
        write_profile(
            house,
            "shop",
            f"""
model: openai/scripted
api_base: {server.url}
api_key: file:{tmp_path}/key
workspace: {{path: {shop}, mode: worktree}}
criteria: ["file_contains: said.txt :: {TOKEN[:4]}", "command: cat said.txt; test -e enough.txt"]
secrets: {{SHOP_TOKEN: file:{tmp_path}/token}}
tools: [read_file, run_command]
""",
        )
        checked = house.arreio("profiles", "check", "shop")
        assert checked.returncode == 0, checked.stderr
        done = house.arreio("run", "--json", "--profile", "shop", "Write down the token.", cwd=tmp_path)
        outcome = last_json(done.stdout)
        assert (done.returncode, outcome["state"]) == (0, "COMPLETE"), done.stdout + done.stderr
        assert {one["authorization"] for one in server.headers} == {f"Bearer {KEY}"}
        offered = {tool["function"]["name"] for one in server.requests for tool in one.get("tools", ())}
    assert {"read_file", "run_command", "task_complete"} <= offered and not offered & {"write_file", "edit_file"}
    session, task = outcome["session_id"], outcome["task_id"]
    place = house.place / "workspaces" / session
    assert (place / "said.txt").read_text() == TOKEN
    assert git(shop, "status", "--porcelain") == "" and git(place, "branch", "--show-current") == f"arreio/{session}\n"
    for secret in (TOKEN, KEY):
        assert house.rows("SELECT FROM arreio.session_events WHERE strpos(data, %s) > 0 LIMIT 1", secret) == []
    shown = json.loads(house.arreio("tasks", "show", task, "--json").stdout)
    assert shown["profile"].startswith("shop ") and str(shop) in shown["worktree"]
    house.assert_sound(session)
    listed = [json.loads(line) for line in house.arreio("worktrees", "list", "--json").stdout.splitlines()]
    assert [(one["session_id"], one["uncommitted"]) for one in listed if one["session_id"] == session] == [(session, 2)]
    kept = house.arreio("worktrees", "rm", session)
    assert kept.returncode == 1 and "not committed" in kept.stderr and place.exists()
    assert house.arreio("worktrees", "rm", session, "--force").returncode == 0 and not place.exists()


def test_the_operator_runs_and_chats_by_the_profile_that_fits_him_and_options_go_before_it(
    house: House, workspace: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    here = call("run_command", command="pwd")
    with ScriptedServer(steps(*(here, call("task_complete", reply="Done.")) * 3)) as server:
        given = f"model: openai/scripted\napi_base: {server.url}\nworkspace: {workspace}\n"
        write_profile(house, "mine-run", f"match: {{channel: cli, sender: rui-x}}\n{given}")
        write_profile(house, "mine-chat", f"match: {{channel: terminal, sender: rui-x}}\n{given}")
        other = {"USER": "rui-x", "ARREIO_MODEL": "openai/other", "ARREIO_API_BASE": "http://127.0.0.1:9/v1"}
        for words, said, profile, place in (
            (("run", "--json", "Look."), "", "mine-run", workspace),
            (("chat", "--json"), "Look.\n", "mine-chat", workspace),
            (("run", "--json", "-w", str(elsewhere), "Look."), "", "mine-run", elsewhere),
        ):
            if place == elsewhere:
                write_profile(house, profile, "[")  # its last good version holds
            done = run(words, house.place, other, cwd=tmp_path, text=said)
            assert done.returncode == 0, done.stdout + done.stderr
            task = last_json(done.stdout)["task_id"]
            shown = json.loads(house.arreio("tasks", "show", task, "--json").stdout)
            assert (shown["profile"].split()[0], shown["workspace"]) == (profile, str(place)), shown
        assert f"{profile}.yaml" in done.stderr and "the last good version is used" in done.stderr
        assert {one["model"] for one in server.requests} == {"scripted"}
    for name in ("mine-run", "mine-chat"):
        (house.place / "profiles" / f"{name}.yaml").unlink()


def test_sessions_take_turns_in_one_workspace_and_who_waits_is_shown(house: House, workspace: Path) -> None:
    hold = threading.Event()
    script = steps(
        {**call("write_file", path="a.txt", content="x"), "hold": hold}, call("task_complete", reply="Done.")
    )
    with ScriptedServer(script) as server:
        first = house.submit("First of two", workspace, server.url, ["file_exists: a.txt"])
        house.wait_for(first.session_id, "model.requested")
        second = house.submit("Second of two", workspace, server.url, ["file_exists: a.txt"])

        def waits() -> bool:
            shown = json.loads(house.arreio("tasks", "show", second.task_id or "", "--json").stdout)
            return bool(shown["state"] == "PENDING" and first.task_id in (shown["waits_for"] or ""))

        until(waits, what="a word on who is waited for")
        begun = [one.type for one in house.events(second.session_id)]
        assert begun == ["session.created", "message.received", "task.created"]
        hold.set()
        assert house.wait_for_end(first.session_id).type == "task.completed"
        assert house.wait_for_end(second.session_id).type == "task.completed"
    house.assert_sound(first.session_id, second.session_id)


def test_attachments_are_laid_into_the_workspace_and_told_to_the_model(house: House, workspace: Path) -> None:
    script = steps(
        call("run_command", command="cat attachments/*/list.txt > out.txt"), call("task_complete", reply="Ok.")
    )
    files = (
        Attachment(name="../list.txt", media_type="text/plain", content=base64.b64encode(b"milk and bread").decode()),
        Attachment(name="photo.png", media_type="image/png", content=base64.b64encode(b"\x89PNG\0").decode()),
    )
    with ScriptedServer(script) as server:
        contract = TaskContract.model_validate(
            {"workspace": str(workspace), "model": "openai/scripted", "api_base": server.url}
        )
        sent = InboundMessage(
            conversation=f"files-{workspace}", message_id="m", sender="operator", text="Copy the list into out.txt",
            attachments=files, contract=contract,
        )  # fmt: skip

        async def publish() -> str:
            async with connected(house.settings) as client:
                return (await client.submit("cli", sent)).session_id

        session = asyncio.run(publish())
        ended = house.wait_for_end(session)
        prompt = json.dumps(server.requests[0]["messages"])
    assert ended.type == "task.completed", ended.data
    assert (workspace / "out.txt").read_text() == "milk and bread"
    assert "milk and bread" in prompt and "list.txt, text/plain, 14 bytes" in prompt and "cannot see it" in prompt
    house.assert_sound(session)


@contextmanager
def platform() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A stand-in of a platform: its URL and what was posted to it."""
    got: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/hook", got
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_channel_pairs_a_stranger_says_how_a_task_gets_on_and_posts_the_reply(house: House, tmp_path: Path) -> None:
    script = steps(
        *[call("run_command", command=f"sleep 0.7; echo {number}") for number in range(4)],
        call("task_complete", reply="All looked at."),
    )
    with ScriptedServer(script) as server, platform() as (url, got):
        write_profile(house, "desk", f"match: {{channel: desk}}\nmodel: openai/scripted\napi_base: {server.url}\n")
        made = house.arreio(
            "channels", "add", "desk", "--pairing", "--progress", "1", "--reply-url", url, "--reply-private", "--json"
        )
        assert made.returncode == 0, made.stderr
        token = last_json(made.stdout)["token"]
        base = str(until(lambda: last_json(house.arreio("info", "--json").stdout)["http"]["url"], what="the HTTP API"))
        with httpx.Client(headers={"Authorization": f"Bearer {token}"}, timeout=60) as client:

            def post(message_id: str, text: str) -> httpx.Response:
                body = {"conversation": "c", "message_id": message_id, "sender": "rui", "text": text}
                return client.post(f"{base}/v1/channels/desk/messages", json=body)

            refused = post("m1", "Look around").json()
            code = refused["reason"].partition("your code is ")[2].partition(",")[0]
            paired = house.arreio("channels", "pair", "desk", code)
            assert paired.stdout == "rui may speak on desk\n", paired.stderr
            assert post("m1", "Look around").status_code == 202
            assert post("m2", "/help").status_code == 202
        until(lambda: any(one["kind"] == "reply" for one in got), what="the posted reply")
    kinds = [one["kind"] for one in got if one["text"].startswith(("Still", "All"))]
    assert kinds[-1] == "reply" and set(kinds[:-1]) == {"progress"}
    assert any("/cancel" in one["text"] for one in got if one["kind"] == "notice")
    assert [one["text"] for one in got if one["kind"] == "reply"] == ["All looked at."]

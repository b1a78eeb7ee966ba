"""`arreio chat` on a terminal of its own and in a pipe: many turns, questions, Ctrl-C, and going on later."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import pty
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nats
from arreio_contracts import subjects

from tests.support.house import House
from tests.support.programs import call as run
from tests.support.programs import environment, until
from tests.support.scripted_server import Reply, ScriptedServer
from tests.support.scripts import call

ON_TERMINAL = """
import os, sys
os.close(os.open(os.ttyname(0), os.O_RDWR))  # the first terminal that a session opens controls it
os.execv(sys.executable, [sys.executable, "-m", "arreio", *sys.argv[1:]])
"""
CTRL_C, CTRL_D = "\x03", "\x04"


def talking(request: dict[str, Any]) -> Reply:
    """A model that goes by what was said last."""
    said = str(request["messages"][-1]["content"])
    if "blue" in said:
        return call("task_complete", reply="Painted.")
    return call("need_input", question="Which colour?") if "paint" in said else call("task_complete", reply="Good day.")


class Terminal:
    """A program on a pseudo-terminal; `shown` is all that it wrote."""

    def __init__(self, house: House, *arguments: str) -> None:
        self._bytes = b""
        self._master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", ON_TERMINAL, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**environment(house.place, {}), "TERM": "dumb"},
            start_new_session=True,
        )
        os.close(slave)
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def shown(self) -> str:
        return self._bytes.decode(errors="replace")

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def wait_for(self, text: str, times: int = 1) -> None:
        try:
            until(lambda: self.shown.count(text) >= times)
        except AssertionError:
            raise AssertionError(f"{text!r} was not shown after {self.shown[-1500:]!r}") from None

    def leave(self) -> int:
        """Ctrl-D, again each second as a person does where the prompt was not there yet; the exit status."""
        for _ in range(60):
            with contextlib.suppress(OSError):
                self.type(CTRL_D)
            with contextlib.suppress(subprocess.TimeoutExpired):
                return self.process.wait(1)
        raise AssertionError(f"it is still there: {self.shown[-500:]!r}")

    def _read(self) -> None:
        while True:
            try:
                self._bytes += os.read(self._master, 4096)
            except OSError:
                return


@contextmanager
def chatting(house: House, server: ScriptedServer, workspace: Path, *more: str) -> Iterator[Terminal]:
    terminal = Terminal(house, *options(server, workspace), *more)
    terminal.wait_for("» ")
    try:
        yield terminal
    finally:
        terminal.process.kill()
        terminal.process.wait()


def options(server: ScriptedServer, workspace: Path) -> list[str]:
    return ["chat", "--model", "openai/scripted", "--api-base", server.url, "-w", str(workspace)]


def test_a_conversation_on_a_terminal_has_turns_questions_and_an_end(house: House, workspace: Path) -> None:
    with ScriptedServer(talking) as server, chatting(house, server, workspace) as terminal:
        terminal.type("hello\\\nand good day\n")
        terminal.wait_for("Good day.")
        terminal.wait_for("COMPLETE")
        terminal.type("paint it\n")
        terminal.wait_for("answer » ")
        assert "Which colour?" in terminal.shown
        terminal.type("/status\n")
        terminal.wait_for("NEEDS_INPUT: paint it")
        terminal.type("blue\n")
        terminal.wait_for("Painted.")
        assert terminal.leave() == 0
    asked = [message["content"] for message in server.requests[0]["messages"] if message["role"] == "user"]
    assert any("hello\nand good day" in str(text) for text in asked)


def test_ctrl_c_cancels_the_task_and_the_conversation_goes_on(house: House, workspace: Path) -> None:
    hold = threading.Event()

    def holding(request: dict[str, Any]) -> Reply:
        slow = "be slow" in str(request["messages"][-1]["content"])
        return {"content": "late", "hold": hold} if slow else talking(request)

    with ScriptedServer(holding) as server, chatting(house, server, workspace) as terminal:
        terminal.type("not finished" + CTRL_C)
        terminal.wait_for("» ", 2)
        terminal.type("be slow\n")
        assert server.wait_for_requests(1, 60)
        terminal.type(CTRL_C)
        terminal.wait_for("BLOCKED")
        hold.set()
        terminal.type("are you there?\n")
        terminal.wait_for("Good day.")
        assert terminal.leave() == 0
    assert "not finished" not in json.dumps(server.requests)


def test_ctrl_c_at_a_question_cancels_the_task_that_asked(house: House, workspace: Path) -> None:
    with ScriptedServer(talking) as server, chatting(house, server, workspace) as terminal:
        terminal.type("paint it\n")
        terminal.wait_for("answer » ")
        terminal.type("gre" + CTRL_C)
        terminal.wait_for("BLOCKED")
        terminal.type("hello\n")
        terminal.wait_for("Good day.")
        assert terminal.shown.count("answer » ") == 1
        assert terminal.leave() == 0
    rows = "SELECT state, reason_code FROM arreio.tasks WHERE workspace = %s ORDER BY created_at"
    assert house.rows(rows, str(workspace)) == [("BLOCKED", "cancelled"), ("COMPLETE", None)]


def test_ctrl_c_before_the_receipt_cancels_what_the_message_becomes(house: House, workspace: Path) -> None:
    (gateway,) = house.pids("gateway")
    with ScriptedServer(talking) as server, chatting(house, server, workspace) as terminal:
        os.kill(gateway, signal.SIGSTOP)
        try:
            terminal.type("paint it\n")
            until(lambda: asyncio.run(waiting(house)), what="the message in the stream")
            terminal.type(CTRL_C)
            until(lambda: asyncio.run(waiting(house)) == 2, what="the word of control behind it")
        finally:
            os.kill(gateway, signal.SIGCONT)
        terminal.wait_for("» ", 2)
        rows = "SELECT state, reason_code FROM arreio.tasks WHERE workspace = %s"
        until(lambda: house.rows(rows, str(workspace)) == [("BLOCKED", "cancelled")], what="the end of the task")
        assert terminal.leave() == 0


async def waiting(house: House) -> int:
    """How many messages of the terminal no gateway has taken."""
    client = await nats.connect(**house.settings.nats_options("services"))
    subject = subjects.inbound("terminal")
    try:
        info = await client.jetstream().stream_info(subjects.STREAM_INBOUND, subjects_filter=subject)
        return (info.state.subjects or {}).get(subject, 0)
    finally:
        await client.close()


def test_a_pipe_is_a_conversation_too_and_its_status_is_the_last_task_s(house: House, workspace: Path) -> None:
    with ScriptedServer(talking) as server:
        asked = [*options(server, workspace), "--conversation", f"piped-{workspace}", "--json"]
        first = run(asked, house.place, text="hello\npaint it\n")
        assert first.returncode == 3, first.stderr
        told = [json.loads(line) for line in first.stdout.splitlines()]
        outcomes = [one for one in told if one["type"] == "outcome"]
        assert [(one["state"], one["reply"], one["question"]) for one in outcomes] == [
            ("COMPLETE", "Good day.", None),
            ("NEEDS_INPUT", None, "Which colour?"),
        ]
        # Later, in another process, the question still waits, and a word of control passes.
        later = run(asked, house.place, text="/status\nblue\n")
        assert later.returncode == 0, later.stderr
        notice, *_, last = [json.loads(line) for line in later.stdout.splitlines()]
        assert notice["type"] == "notice" and notice["text"].startswith("NEEDS_INPUT: paint it")
        assert (last["state"], last["reply"]) == ("COMPLETE", "Painted.")


def test_a_question_can_be_cancelled_rather_than_answered(house: House, workspace: Path) -> None:
    with ScriptedServer(talking) as server:
        done = run([*options(server, workspace)], house.place, text="paint it\n/cancel\nhello\n")
    assert done.returncode == 0, done.stderr
    assert "Which colour?" in done.stdout and "BLOCKED  cancelled" in done.stdout and "Good day." in done.stdout
    assert "» " not in done.stdout

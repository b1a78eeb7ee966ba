"""Follows one task to its end: prints what happens, cancels on Ctrl-C, and knows the exit status."""

import asyncio
import contextlib
import secrets
import signal
import sys
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, replace
from typing import Any

import typer
from arreio_contracts import envelope
from arreio_contracts.events import (
    EventData,
    ModelReplied,
    TaskBlocked,
    TaskCompleted,
    TaskFailed,
    TaskNeedsInput,
    ToolStarted,
)
from arreio_contracts.messages import InboundMessage
from arreio_contracts.subscribe import Received
from arreio_contracts.task import TaskState
from rich.console import Console

from shared.settings import Settings

from .client import Client
from .engine_watch import watched
from .live import Narrator
from .options import json_line, say_json

EXIT_STATUS = {TaskState.COMPLETE: 0, TaskState.BLOCKED: 2, TaskState.NEEDS_INPUT: 3, TaskState.FAILED: 4}


@dataclass(frozen=True)
class Outcome:
    """How following a task ended."""

    session_id: str
    task_id: str
    state: TaskState
    reason: dict[str, str] | None = None
    reply: str | None = None
    question: str | None = None
    steps: int = 0
    tool_calls: int = 0
    seq: int = 0
    """The event that ended it, in the session."""

    @property
    def exit_status(self) -> int:
        """The exit status of the command."""
        return EXIT_STATUS[self.state]

    def as_json(self) -> str:
        """The last line of `--json`."""
        found = {
            "type": "outcome",
            "state": self.state.value,
            "reason": self.reason,
            "reply": self.reply,
            "question": self.question,
            "task_id": self.task_id,
            "session_id": self.session_id,
            "steps": self.steps,
            "tool_calls": self.tool_calls,
        }
        return json_line(found)


Show = Callable[[Received], None]


def json_lines(received: Received) -> None:
    """Print an event as one structured CloudEvent."""
    event = envelope.structured(received.envelope, received.data.model_dump(mode="json"))
    say_json(event)
    sys.stdout.flush()


def narrated(console: Console) -> Show:
    """Print events as short lines for a person."""
    narrator = Narrator()

    def show(received: Received) -> None:
        for line in narrator.lines(received.data):
            console.print(line, soft_wrap=True, highlight=False)

    return show


async def follow(
    settings: Settings,
    client: Client,
    session_id: str,
    task_id: str,
    show: Show,
    *,
    cancel: Callable[[], Any] | None = None,
    since: int = 0,
) -> Outcome:
    """Show a task's events until it ends or asks something. A first Ctrl-C calls `cancel`, a second one leaves.

    `since` is the seq in the session of the last event that was seen before; only newer questions count.

    Raises:
        EngineGone: the embedded engine has ended.
    """
    following = await watched(settings, _follow(client, session_id, task_id, show, cancel, since))
    if following.cancelled():
        raise typer.Abort
    return following.result()


async def _follow(
    client: Client,
    session_id: str,
    task_id: str,
    show: Show,
    cancel: Callable[[], Any] | None,
    since: int,
) -> Outcome:
    steps = tool_calls = last = 0
    async with _interrupts(cancel), contextlib.aclosing(_lasting(client, session_id)) as events:
        async for received in events:
            attributes, data = received.envelope, received.data
            seq = attributes.seq or 0
            if attributes.subject != task_id or seq <= last:
                continue
            last = seq
            steps += isinstance(data, ModelReplied)
            tool_calls += isinstance(data, ToolStarted)
            if seq <= since:
                continue
            show(received)
            assert isinstance(data, EventData)
            ended = outcome(session_id, task_id, data, steps, tool_calls)
            if ended is not None:
                return replace(ended, seq=seq)
    raise AssertionError("the subscription has no end")


async def _lasting(client: Client, session_id: str) -> AsyncGenerator[Received, None]:
    """The session's events, from the start again when the connection broke; whoever reads drops what it has seen."""
    import nats.errors

    while True:
        try:
            async with contextlib.aclosing(client.follow(session_id)) as events:
                async for received in events:
                    yield received
        except (OSError, nats.errors.Error):
            await asyncio.sleep(0.5)


def outcome(session_id: str, task_id: str, data: EventData, steps: int, tool_calls: int) -> Outcome | None:
    """The outcome that an event means, or None."""
    match data:
        case TaskCompleted():
            return Outcome(session_id, task_id, TaskState.COMPLETE, None, data.reply, None, steps, tool_calls)
        case TaskNeedsInput():
            return Outcome(session_id, task_id, TaskState.NEEDS_INPUT, None, None, data.question, steps, tool_calls)
        case TaskBlocked() | TaskFailed():
            state = TaskState.BLOCKED if isinstance(data, TaskBlocked) else TaskState.FAILED
            reason = {"code": data.reason.code, "text": data.reason.text}
            return Outcome(session_id, task_id, state, reason, None, None, steps, tool_calls)
        case _:
            return None


def cancelling(client: Client, channel: str, message: InboundMessage, task_id: str) -> Callable[[], Any]:
    """What a Ctrl-C does: the word of control that cancels the task, sent in its own conversation."""

    async def cancel() -> None:
        word = message.model_copy(
            update={
                "message_id": f"cancel-{secrets.token_hex(8)}",
                "text": f"/cancel {task_id}",
                "contract": None,
                "attachments": (),
            }
        )
        await client.submit(channel, word)

    return cancel


@contextlib.asynccontextmanager
async def _interrupts(cancel: Callable[[], Any] | None) -> Any:
    if cancel is None:
        yield
        return
    loop = asyncio.get_running_loop()
    following = asyncio.current_task()
    pending: list[asyncio.Task[Any]] = []

    def interrupted() -> None:
        if pending:
            assert following is not None
            following.cancel()
            return
        sys.stderr.write("cancelling; Ctrl-C again leaves at once\n")
        pending.append(asyncio.ensure_future(cancel()))

    loop.add_signal_handler(signal.SIGINT, interrupted)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)

"""`arreio tasks list|show|cancel`: what is being done, and how to stop it."""

import asyncio
import os
import secrets
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from arreio_contracts.events import (
    EventData,
    MessageReceived,
    ModelProbed,
    TaskBlocked,
    TaskCreated,
    TaskFailed,
    TaskProfiled,
)
from arreio_contracts.messages import InboundMessage
from arreio_contracts.task import TaskState

from arreio.client import connected
from arreio.options import DataDirOption, JsonOption, json_line, say
from arreio.reading import reading
from arreio.terminal import visible_line
from shared.errors import ArreioError
from shared.settings import Settings, load_settings

# psycopg takes a fifth of a second to import, which `--help` must not wait for.
if TYPE_CHECKING:
    from shared.store.tasks import TaskRow

TaskArgument = Annotated[str, typer.Argument(help="The task's id.")]

app = typer.Typer(no_args_is_help=True, help="The tasks: list, show, cancel.")


@dataclass(frozen=True)
class Origin:
    """Where a task came from: the conversation in which one can speak to it."""

    session_id: str
    channel: str
    account: str
    conversation: str
    thread: str
    sender: str | None
    state: TaskState
    last_seq: int


@app.command("list")
def list_(
    state: Annotated[list[TaskState] | None, typer.Option(help="Only tasks in this state. Repeatable.")] = None,
    session: Annotated[str | None, typer.Option(help="Only this session's.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000)] = 50,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """List tasks, the newest first."""
    settings = load_settings(data_dir)
    found = asyncio.run(_list(settings, [one.value for one in state] if state else None, session, limit))
    if as_json:
        for row in found:
            sys.stdout.write(_json(row) + "\n")
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for heading in ("task", "state", "steps", "calls", "created", "goal"):
        table.add_column(heading, no_wrap=heading != "goal", overflow="ellipsis" if heading == "goal" else "fold")
    for row in found:
        created = row.created_at.astimezone().strftime("%Y-%m-%d %H:%M:%S")
        goal = visible_line(" ".join(row.goal.split()))
        table.add_row(row.task_id, row.state, str(row.steps), str(row.tool_calls), created, Text(goal))
    width = None if sys.stdout.isatty() else 200
    Console(highlight=False, width=width).print(table if found else "no tasks")


@app.command()
def show(task: TaskArgument, as_json: JsonOption = False, data_dir: DataDirOption = None) -> None:
    """Show one task."""
    settings = load_settings(data_dir)
    row = asyncio.run(_show(settings, task))
    more = asyncio.run(_told_by_log(settings, row))
    if as_json:
        sys.stdout.write(_json(row, **more) + "\n")
        return
    for name, value in {**asdict(row), **more}.items():
        if value not in (None, ""):
            say(f"{name:<17} {visible_line(str(value))}")


@app.command()
def cancel(task: TaskArgument, data_dir: DataDirOption = None) -> None:
    """Ask for a task to be ended; it ends BLOCKED with the code `cancelled`."""
    settings = load_settings(data_dir)
    origin = asyncio.run(conversation_of(settings, task))
    if origin.state.terminal:
        raise ArreioError(f"task {task} has ended already: {origin.state}")
    asyncio.run(_cancel(settings, task, origin))
    sys.stdout.write(f"cancellation of {task} requested\n")


async def conversation_of(settings: Settings, task_id: str) -> Origin:
    """Where to speak to a task.

    Raises:
        ArreioError: there is no such task.
    """
    row = await _show(settings, task_id)
    from shared.store.events import EventStore

    async with reading(settings) as pool:
        asked = await EventStore(pool).read_task(row.session_id, task_id, types=("message.received",))
    received = asked[0].contract
    assert isinstance(received, MessageReceived)
    message = received.message
    return Origin(
        row.session_id,
        received.channel,
        message.account,
        message.conversation,
        message.thread,
        message.sender if message.direct else None,
        TaskState(row.state),
        row.last_seq,
    )


async def _list(settings: Settings, states: list[str] | None, session: str | None, limit: int) -> "list[TaskRow]":
    from shared.store import tasks as rows

    async with reading(settings) as pool:
        return await rows.list_tasks(pool, states=states, session_id=session, limit=limit)


async def _show(settings: Settings, task_id: str) -> "TaskRow":
    from shared.store import tasks as rows

    async with reading(settings) as pool:
        row = await rows.show_task(pool, task_id)
    if row is None:
        raise ArreioError(f"there is no task {task_id}", "see 'arreio tasks list'")
    return row


async def _told_by_log(settings: Settings, row: "TaskRow") -> dict[str, str | None]:
    """What the projection does not keep: how the model is asked, and what would let an ended task go on."""
    from shared.store.events import EventStore
    from shared.store.leases import kept_out_by

    types = ("task.created", "task.profiled", "model.probed", "task.blocked", "task.failed")
    async with reading(settings) as pool:
        found = await EventStore(pool).read_task(row.session_id, row.task_id, types)
        before = await kept_out_by(pool, row.task_id) if row.owner is None else []
    contracts = [event.contract for event in found]
    ending = next((one for one in reversed(contracts) if isinstance(one, TaskBlocked | TaskFailed)), None)
    created = next((one for one in contracts if isinstance(one, TaskCreated)), None)
    return {
        "call_mode": _call_mode(contracts),
        "unblock": ending.reason.unblock if ending else None,
        "waits_for": f"the workspace, after {', '.join(before)}" if before else None,
        **_made_with(created),
    }


def _made_with(created: TaskCreated | None) -> dict[str, str | None]:
    """The profile that a task was made with, and the branch of its worktree."""
    profile = created.profile if created else None
    worktree = created.contract.worktree if created else None
    branch = f"arreio/{Path(created.contract.workspace).name}" if created and created.contract.workspace else ""
    return {
        "profile": f"{profile.name} {profile.version[:12]} ({profile.why})" if profile else None,
        "worktree": f"branch {branch} of {worktree.repository}" if worktree else None,
    }


def _call_mode(contracts: Sequence[EventData]) -> str | None:
    """How the task's model is asked, and what it was found to lack; None before that is known."""
    mode = next((str(one.capability["tool_call_mode"]) for one in contracts if isinstance(one, TaskProfiled)), None)
    probed = next((one for one in reversed(contracts) if isinstance(one, ModelProbed)), None)
    if probed is None:
        return mode
    return f"{probed.mode} (probed: {', '.join(f'{name} {came}' for name, came in probed.results.items())})"


async def _cancel(settings: Settings, task_id: str, origin: Origin) -> None:
    word = InboundMessage(
        account=origin.account,
        conversation=origin.conversation,
        thread=origin.thread,
        direct=origin.sender is not None,
        message_id=f"cancel-{secrets.token_hex(8)}",
        sender=origin.sender or os.environ.get("USER") or "operator",
        text=f"/cancel {task_id}",
    )
    async with connected(settings) as client:
        await client.submit(origin.channel, word)


def _json(row: "TaskRow", **more: str | None) -> str:
    found = {**asdict(row), **more}
    return json_line({name: one.isoformat() if isinstance(one, datetime) else one for name, one in found.items()})

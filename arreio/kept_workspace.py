"""What is kept of the workspace of a task: its trees after each of the task's events."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arreio_contracts.events import ModelReplied, TaskProfiled, ToolCall
from arreio_contracts.task import TaskState

from services.tool_loop.log import to_recorded
from services.tool_loop.replay import Recorded
from services.tool_loop.workspace_at import tree_at
from shared.errors import ArreioError
from shared.store.blobs import BlobStore
from shared.store.connection import Pool
from shared.store.events import EventStore
from shared.store.tasks import show_task
from shared.workspace.snapshots import Snapshots


class NoWorkspace(ArreioError):
    """A task that works, or has worked, in no workspace."""


@dataclass(frozen=True)
class Kept:
    """A task with what is kept of its workspace."""

    task_id: str
    workspace: Path
    terminal: bool
    events: list[Recorded]
    arguments: dict[str, dict[str, Any]]
    snapshots: Snapshots

    def tree(self, seq: int) -> str:
        """The tree of the workspace after an event."""
        return tree_at(self.events, seq, self.snapshots, self._arguments)

    @property
    def start(self) -> int:
        """The event after which the workspace is as the task found it."""
        return next(event.seq for event in self.events if event.data.type == "task.profiled")

    def _arguments(self, call: ToolCall) -> dict[str, Any]:
        return self.arguments.get(call.id) or call.arguments or {}


async def kept_workspace(pool: Pool, data_dir: Path, task: str) -> Kept:
    """What is kept of a task's workspace.

    Raises:
        ArreioError: there is no such task.
        NoWorkspace: it has no workspace.
    """
    row = await show_task(pool, task)
    if row is None:
        raise ArreioError(f"there is no task {task}", "see 'arreio tasks list'")
    events = [to_recorded(event) for event in await EventStore(pool).read_task(row.session_id, task)]
    replies = [event.data for event in events if isinstance(event.data, ModelReplied)]
    large = {call.id: call.arguments_blob for reply in replies for call in reply.calls if call.arguments_blob}
    found = await BlobStore(pool).get_many(list(large.values()))
    profile = next((event.data for event in events if isinstance(event.data, TaskProfiled)), None)
    if profile is None or profile.workspace is None:
        raise NoWorkspace(f"task {task} has no workspace", "see `arreio tasks show`")
    workspace = Path(profile.workspace)
    arguments = {name: json.loads(found[blob]) for name, blob in large.items()}
    state = TaskState(row.state)
    return Kept(task, workspace, state.terminal, events, arguments, Snapshots(data_dir, workspace))

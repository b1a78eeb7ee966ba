"""The folder in which a fork's open task goes on: what its workspace held at the event, where a snapshot was kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arreio_contracts.events import ModelReplied, TaskCreated, TaskProfiled

from services.tool_loop.log import to_recorded
from services.tool_loop.replay import Recorded, state_at
from services.tool_loop.workspace_at import NotKept, tree_at
from shared.store.blobs import BlobStore
from shared.workspace.snapshots import SnapshotError, Snapshots

if TYPE_CHECKING:
    from shared.store.connection import Pool
    from shared.store.events import StoredSession


async def put_back(pool: Pool, data_dir: Path, source: StoredSession, upto: int, place: Path) -> str | None:
    """Fill the folder `place` with the workspace that the session's open task had after the event `upto`.

    A folder that holds something already is left as it is. Returns None when it was filled, else why it was not.
    """
    if any(place.iterdir()):
        return "it is not empty"
    events = [to_recorded(event) for event in source.events if event.seq <= upto]
    workspace = _workspace(events)
    if workspace is None:
        return "no workspace was named yet"
    arguments = await _large_arguments(pool, events)
    held, own = Snapshots(data_dir, workspace), Snapshots(data_dir, place)
    try:
        tree = tree_at(
            _in_workspace(events, workspace), upto, held, lambda call: arguments.get(call.id) or call.arguments or {}
        )
        # The log names trees of the source: a gate that judges the fork looks into them.
        own.share(held)
        own.restore(tree)
    except (NotKept, SnapshotError, OSError) as error:
        return str(error)
    return None


def _workspace(events: Sequence[Recorded]) -> Path | None:
    """Where the task that is open after these events works."""
    for state in state_at(events).values():
        if not state.state.terminal and state.created is not None:
            found = state.profile.workspace if state.profile else state.created.contract.workspace
            return Path(found) if found is not None else None
    return None


def _in_workspace(events: Sequence[Recorded], workspace: Path) -> list[Recorded]:
    """The events of the session's tasks that worked there: one that was never begun finds what the last one left."""
    tasks = set()
    for event in events:
        match event.data:
            case TaskCreated(contract=contract) if contract.workspace == str(workspace):
                tasks.add(event.task_id)
            case TaskProfiled(workspace=named) if named == str(workspace):
                tasks.add(event.task_id)
    return [event for event in events if event.task_id in tasks]


async def _large_arguments(pool: Pool, events: Sequence[Recorded]) -> dict[str, dict[str, object]]:
    replies = [event.data for event in events if isinstance(event.data, ModelReplied)]
    large = {call.id: call.arguments_blob for reply in replies for call in reply.calls if call.arguments_blob}
    found = await BlobStore(pool).get_many(list(large.values()))
    return {name: json.loads(found[blob]) for name, blob in large.items()}

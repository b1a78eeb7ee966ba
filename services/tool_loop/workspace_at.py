"""The workspace of a task as it was at an event: the last snapshot before it, and the files written since.

Snapshots are taken at the start, after commands and by gates. What file tools did between two of them is done again on
the snapshot, from the recorded calls, and held against the recorded hash.
"""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from arreio_contracts.events import GateJudged, ModelReplied, TaskProfiled, ToolCall, ToolFinished

from shared.errors import ArreioError
from shared.workspace import sha256

from .replay import Recorded
from .tools import FilePlan, FileTool, ToolContext, registry


class NotKept(ArreioError):
    """The workspace at that event is not kept, or cannot be made again exactly."""


class Trees(Protocol):
    """What is needed of the snapshots (`shared.workspace.snapshots.Snapshots`)."""

    def read(self, tree: str, path: str) -> bytes | None:
        """A file's content in a tree."""
        ...

    def with_files(self, tree: str, files: Mapping[str, bytes]) -> str:
        """The tree with files written into it."""
        ...


Arguments = Callable[[ToolCall], Mapping[str, Any]]
"""The whole arguments of a call, which the event may hold in part only."""


def tree_at(events: Sequence[Recorded], seq: int, trees: Trees, arguments: Arguments) -> str:
    """The tree of a task's workspace after the event `seq`.

    Raises:
        NotKept: no snapshot was taken before it, or a file does not come out with its recorded hash.
    """
    tree = ""
    calls: dict[str, ToolCall] = {}
    written: dict[str, bytes] = {}
    for event in events:
        if event.seq > seq:
            break
        match event.data:
            case TaskProfiled(snapshot=taken) | GateJudged(snapshot_after=taken) if taken:
                tree, written = taken, {}
            case ModelReplied(calls=made):
                calls.update((call.id, call) for call in made)
            case ToolFinished(snapshot=taken) if taken:
                tree, written = taken, {}
            case ToolFinished(call_id=call_id, changed=changed) if changed and call_id in calls and tree:
                content = partial(_content, written, tree, trees)
                written = {**written, **_again(calls[call_id], arguments, changed, content)}
    if not tree:
        raise NotKept(f"no snapshot of the workspace was taken up to event {seq}", "name a later event")
    return trees.with_files(tree, written) if written else tree


def _content(written: Mapping[str, bytes], tree: str, trees: Trees, path: str) -> bytes | None:
    return written[path] if path in written else trees.read(tree, path)


def _again(
    call: ToolCall, arguments: Arguments, changed: Mapping[str, str | None], content: Callable[[str], bytes | None]
) -> dict[str, bytes]:
    """The files that a call wrote, made again apart from the workspace."""
    tool = registry().get(call.name)
    if not isinstance(tool, FileTool):
        return {}
    found: dict[str, bytes] = {}
    for path, digest in changed.items():
        with tempfile.TemporaryDirectory(prefix="arreio-at-") as folder:
            old, seen = content(path), {}
            if old is not None:
                (Path(folder) / path).parent.mkdir(parents=True, exist_ok=True)
                (Path(folder) / path).write_bytes(old)
                seen = {path: sha256(old)}
            plan = tool.plan(arguments(call), ToolContext(workspace=Path(folder), seen=seen))
        if not isinstance(plan, FilePlan) or plan.after != digest:
            raise NotKept(
                f"{path} as {call.name} wrote it cannot be made again", "name an event after the next command"
            )
        found[path] = plan.content
    return found

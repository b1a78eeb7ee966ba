"""What a task has observed: what tools and people said, what its prompt held of the harness's own, and its files."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from shared.prompt import SKILL, SKILLS, TASK_STATE
from shared.store.blobs import BlobStore
from shared.store.connection import Pool, retrying
from shared.store.events import EventStore
from shared.workspace import PathRefused, confine, read_regular

from ..log import TaskLog
from ..rules.grounding.claims import Observed
from ..rules.grounding.shown_outcomes import Ran
from ..tools import registry

_TOLD: Final = ("tool.finished", "message.received", "input.received", "task.created")
_REPLIED: Final = "model.replied"
_MOST_FILES: Final = 200
_NOTHING_SHOWN: Final = frozenset({"not_found", "unread_file", "path_refused"})


class Observations:
    """Reads what a task has observed. It costs a read of the log, so it is asked only where paths do not settle it."""

    def __init__(self, pool: Pool) -> None:
        self._events = EventStore(pool)
        self._blobs = BlobStore(pool)

    async def of(self, log: TaskLog) -> Observed:
        """Everything that this task's session was shown up to now."""
        told: list[tuple[str, dict[str, Any]]] = [
            (event.type, event.data) for event in await retrying(lambda: self._events.read(log.session_id, types=_TOLD))
        ]
        told += [(event.type, event.data) for event in log.pending if event.type in _TOLD]
        texts = [text for kind, data in told for text in _texts(kind, data)]
        blobs = [data["blob"] for kind, data in told if kind == "tool.finished" and data.get("blob")]
        blobs += await self._prompt(log)
        found = await retrying(lambda: self._blobs.get_many(list(dict.fromkeys(blobs)))) if blobs else {}
        texts += [content.decode("utf-8", "replace") for content in found.values()]
        ran = tuple(_ran(told, found, await self._commands(log)))
        changed = any(kind == "tool.finished" and _had_effect(data) for kind, data in told)
        return Observed(paths_of(log), [*texts, *files_of(log)], ran, changed)

    async def _commands(self, log: TaskLog) -> Mapping[str, str]:
        """What each call of the session would run, by its id."""
        replies = [event.data for event in await retrying(lambda: self._events.read(log.session_id, types=(_REPLIED,)))]
        replies += [event.data for event in log.pending if event.type == _REPLIED]
        calls = [call for reply in replies for call in reply.get("calls", ())]
        return {call["id"]: _command(call.get("arguments") or {}) for call in calls}

    async def _prompt(self, log: TaskLog) -> Sequence[str]:
        """The units of the last prompt that are not the conversation: instructions, the project, skills."""
        recent = [event.data for event in (*log.recent, *log.pending) if event.type == "context.built"]
        if not recent:
            built = await retrying(lambda: self._events.read(log.session_id, types=("context.built",)))
            recent = [event.data for event in built]
        layers = recent[-1]["manifest"]["layers"] if recent else ()
        return [
            unit["sha256"]
            for layer in layers
            for unit in layer["units"]
            if layer["name"] != TASK_STATE or unit["id"] == SKILLS or unit["id"].startswith(SKILL)
        ]


def _ran(
    told: Sequence[tuple[str, dict[str, Any]]], blobs: Mapping[str, bytes], commands: Mapping[str, str]
) -> Iterator[Ran]:
    """What commands, and tools that are not the harness's own, did and printed."""
    own = registry()
    for kind, data in told:
        status = data.get("exit_status")
        if kind != "tool.finished" or (status is None and data["tool"] in own):
            continue
        whole = blobs.get(data.get("blob") or "")
        printed = str(data.get("text") or "") if whole is None else whole.decode("utf-8", "replace")
        foreign = data["tool"] not in own
        if foreign and status is None and data.get("status") in ("error", "refused"):
            status = 1
        command = commands.get(data["call_id"], "")
        yield Ran(f"{data['tool']} {command}" if foreign else command, printed, status, foreign)


def _had_effect(data: Mapping[str, Any]) -> bool:
    return bool(data.get("changed") or data.get("workspace_changed") or data.get("status") == "interrupted")


def _command(arguments: Mapping[str, Any]) -> str:
    return str(arguments.get("command") or json.dumps(arguments, ensure_ascii=False))


def _texts(kind: str, data: dict[str, Any]) -> Iterator[str]:
    match kind:
        case "tool.finished":
            if data.get("error_class") not in _NOTHING_SHOWN:
                yield str(data.get("text") or "")
        case "message.received":
            yield str(data["message"].get("text") or "")
        case "input.received":
            yield str(data.get("text") or "")
        case _:
            yield str(data.get("goal") or "")


def paths_of(log: TaskLog) -> list[str]:
    """The paths that the task read or wrote."""
    return list(dict.fromkeys((*log.state.seen, *log.state.grounding.touched)))


def files_of(log: TaskLog) -> Iterable[str]:
    """The texts of the files that the task read or wrote, as they are now."""
    profile = log.state.profile
    if profile is None or profile.workspace is None:
        return
    for path in paths_of(log)[:_MOST_FILES]:
        text = source(Path(profile.workspace), path)
        if text is not None:
            yield text


def source(workspace: Path, path: str) -> str | None:
    """A text file of the workspace as it is now; None where there is none."""
    try:
        content = read_regular(confine(workspace, path).real)
    except (PathRefused, OSError):
        return None
    return None if content is None or b"\0" in content[:8192] else content.decode("utf-8", "replace")

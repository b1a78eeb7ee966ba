"""An event as a line of the timeline: what kind of thing it is, what it says, and the evidence behind it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from arreio_contracts.events import EventData

from .saying import said_of

Tone = Literal["", "good", "doubt", "bad"]

GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "turns": ("context.built", "model.requested", "model.replied", "model.failed", "model.probed"),
    "tools": ("tool.started", "tool.finished", "packages.checked", "mcp.tools_changed"),
    "refusals": ("tool.refused", "turn.rejected", "completion.refused", "hook.judged", "claim.checked"),
    "gates": (
        *("completion.claimed", "gate.started", "gate.rendered", "gate.tasted", "gate.judged", "criteria.probed"),
        "completion.refused",
    ),
    "ladder": ("ladder.climbed", "model.escalated", "plan.made", "subtask.closed"),
    "states": (
        *("task.created", "task.profiled", "task.started", "task.resumed", "task.needs_input", "task.completed"),
        *("task.blocked", "task.failed", "task.parked", "session.forked", "task.cancel_requested", "input.received"),
    ),
    "messages": ("session.created", "message.received", "input.received", "reply.queued"),
}
"""What of a session one may look at alone: event types by the name of their group."""
_GOOD: Final = {"task.completed", "proposal.approved"}
_BAD: Final = {"task.failed", "model.failed"}
_DOUBT: Final = {
    *("tool.refused", "turn.rejected", "completion.refused", "ladder.climbed", "task.blocked", "task.needs_input"),
    *("task.cancel_requested", "proposal.rejected", "learnt.demoted", "learnt.rolled_back"),
}
_SHA256: Final = re.compile(r"[0-9a-f]{64}")
_BLOBS: Final = ("blob", "screenshot", "measures")


@dataclass(frozen=True)
class Blob:
    """A large value that an event names by its hash."""

    label: str
    sha256: str


@dataclass(frozen=True)
class Line:
    """What the timeline says of an event. `evidence` are ids of the events that it rests on."""

    title: str
    text: str
    tone: Tone
    evidence: tuple[str, ...]
    blobs: tuple[Blob, ...]


def line_of(kind: str, data: dict[str, Any], contract: EventData | None) -> Line:
    """The line of an event; `contract` None: this version cannot read it, and shows what is recorded."""
    title, text = said_of(contract) if contract is not None else (kind, "this version cannot read it")
    evidence = tuple(dict.fromkeys(_evidence(data)))
    blobs = tuple(dict.fromkeys(_blobs(data)))
    return Line(title, text, _tone(kind, data), evidence, blobs)


def _tone(kind: str, data: dict[str, Any]) -> Tone:
    if kind == "tool.finished":
        return "good" if data.get("status") == "ok" else "doubt"
    if kind in ("gate.judged", "hook.judged"):
        return "good" if data.get("verdict") in ("PASS", "allow") else "doubt"
    if kind == "operator.act_ended":
        return "good" if data.get("done") else "bad"
    return "good" if kind in _GOOD else "bad" if kind in _BAD else "doubt" if kind in _DOUBT else ""


def _evidence(value: Any) -> Iterator[str]:
    """The ids in every `evidence`, `provenance` or `acted` of the data, however deep."""
    if isinstance(value, list):
        for one in value:
            yield from _evidence(one)
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key in ("evidence", "provenance") and isinstance(inner, list):
                yield from (one if isinstance(one, str) else str(one.get("event_id", "")) for one in inner)
            elif key == "acted" and isinstance(inner, str):
                yield inner
            else:
                yield from _evidence(inner)


def _blobs(value: Any, label: str = "") -> Iterator[Blob]:
    if isinstance(value, list):
        for one in value:
            yield from _blobs(one, label)
    elif isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(inner, str) and key.endswith(_BLOBS) and _SHA256.fullmatch(inner):
                yield Blob(f"{label}{key}", inner)
            elif key != "manifest":  # a prompt has a page of its own
                yield from _blobs(inner, f"{key}.")

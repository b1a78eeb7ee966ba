"""A session in memory: events as the context-builder reads them, and the prompts that it makes of them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from arreio_contracts.messages import AssembleContext, ContextManifest

from services.context_builder.handlers import ContextBuilder
from shared import prompt
from shared.canonical import sha256_hex
from shared.prompt import Message


@dataclass(frozen=True)
class Recorded:
    seq: int
    event_id: str
    type: str
    task_id: str | None
    data: dict[str, Any]


@dataclass
class Memory:
    """The store as the context-builder sees it, and how much of it was read."""

    events: list[Recorded] = field(default_factory=list)
    blobs: dict[str, bytes] = field(default_factory=dict)
    read_events: int = 0

    def add(self, type: str, task: str = "t_1", **data: Any) -> None:
        seq = len(self.events) + 1
        self.events.append(Recorded(seq, f"e{seq}", type, task, data))

    async def read(
        self, session_id: str, *, after: int = 0, upto: int | None = None, types: Sequence[str] | None = None
    ) -> list[Recorded]:
        found = [event for event in self.events if after < event.seq <= (upto or 10**9) and event.type in (types or ())]
        self.read_events += len(found)
        return found

    async def put_many(self, contents: Sequence[str]) -> list[str]:
        hashes = [sha256_hex(content) for content in contents]
        self.blobs.update(zip(hashes, (content.encode() for content in contents), strict=True))
        return hashes

    async def get_many(self, hashes: Sequence[str]) -> dict[str, bytes]:
        return {name: self.blobs[name] for name in hashes}


CAPABILITY: dict[str, Any] = {
    "model": "m",
    "capability": {},
    "budgets": {},
    "agent": "developer",
    "workspace": None,
    "tools": (),
}


def begun(goal: str = "Mend it.", **profiled: Any) -> Memory:
    memory = Memory()
    memory.add("task.created", goal=goal)
    memory.add("task.profiled", **{**CAPABILITY, "criteria": [{"kind": "file_exists", "path": "a.txt"}], **profiled})
    return memory


def turn(memory: Memory, number: int, output: str, tool: str = "read_file") -> None:
    call = {"id": f"c{number}", "name": tool, "arguments": {"path": f"{number}.txt"}}
    memory.add("model.replied", content="", calls=[call])
    memory.add("tool.finished", call_id=f"c{number}", tool=tool, status="ok", text=output)


def ask(memory: Memory, builder: ContextBuilder | None = None, **request: Any) -> tuple[ContextManifest, list[Message]]:
    builder = builder or ContextBuilder(memory, memory)
    asked = AssembleContext(
        session_id="s",
        task_id=request.pop("task_id", "t_1"),
        seq=request.pop("seq", len(memory.events)),
        workspace=request.pop("workspace", None),
        agent=request.pop("agent", "developer"),
        **request,
    )
    manifest = asyncio.run(builder.assemble(asked))
    texts = {name: memory.blobs[name].decode() for name in prompt.hashes(manifest)}
    messages = prompt.messages(manifest, texts)
    if manifest.unfittable is None:
        assert prompt.prompt_sha256(messages) == manifest.prompt_sha256
    return manifest, messages

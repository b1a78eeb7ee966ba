"""A prompt of the past, out of its manifest and the blobs: byte for byte as the model got it."""

from __future__ import annotations

from typing import Any

from arreio_contracts.events import ContextBuilt

from services.context_builder.showing import recorded
from services.tool_loop.prompts import rebuild
from shared.canonical import canonical_json, sha256_hex
from shared.errors import ArreioError
from shared.store.blobs import BlobStore
from shared.store.connection import Pool
from shared.store.events import EventStore


async def recorded_prompt(pool: Pool, session: str, at: int | None, task: str | None = None) -> dict[str, Any]:
    """The last prompt of a session up to an event: its layers, messages and hash; `differs` where that is another.

    Raises:
        ArreioError: there is no such prompt.
    """
    found = await prompt_or_why_not(pool, session, at, task)
    if found["unfittable"]:
        raise ArreioError(f"event {found['seq']} records that no prompt could be made: {found['unfittable']}")
    return {name: value for name, value in found.items() if name != "unfittable"}


async def prompt_or_why_not(pool: Pool, session: str, at: int | None, task: str | None = None) -> dict[str, Any]:
    """As `recorded_prompt`, also where none could be made: `unfittable` says why, and is else None.

    Raises:
        ArreioError: there is no such prompt, nor a try at one.
    """
    store = EventStore(pool)
    event = await store.last(session, ("context.built",), upto=at, task_id=task)
    if event is None:
        await _known(store, session, task)
        where = f" up to event {at}" if at is not None else ""
        whose = f"task {task}" if task is not None else f"session {session}"
        raise ArreioError(f"{whose} has no prompt{where}", f"see 'arreio events show {session}'")
    manifest = ContextBuilt.known_of(event.data).manifest
    about = {"session_id": session, "task_id": event.task_id, "seq": event.seq, "unfittable": manifest.unfittable}
    if manifest.unfittable:
        return {**about, **recorded(manifest), "sha256": "", "messages": []}
    messages = await rebuild(BlobStore(pool), manifest)
    prompt = canonical_json(messages)
    found = {**about, **recorded(manifest), "sha256": sha256_hex(prompt), "prompt": prompt, "messages": messages}
    return found if found["sha256"] == manifest.prompt_sha256 else {**found, "differs": manifest.prompt_sha256}


async def _known(store: EventStore, session: str, task: str | None) -> None:
    """Raises: ArreioError: there is no such session, or no such task in it."""
    if not await store.read(session, limit=1):
        raise ArreioError(f"there is no session {session}", "see 'arreio tasks list'")
    if task is not None and not await store.read_task(session, task):
        raise ArreioError(f"session {session} has no task {task}", "see 'arreio tasks list'")

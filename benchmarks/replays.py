"""Verifying sessions by replay, beside pydantic's bare parsing of the same bytes."""

import asyncio
import time
from collections.abc import Mapping, Sequence

import uvloop
from arreio_contracts.events import EVENTS, ContextBuilt, Metadata

from arreio.replaying import replay
from benchmarks.beside import engine, line
from benchmarks.noop_task import NoopTask
from benchmarks.timing import milliseconds
from services.tool_loop.prompts import Blobs
from shared.prompt import hashes
from shared.settings import Settings
from shared.store.blobs import BlobStore
from shared.store.events import StoredSession
from tests.support.histories import NAMES, BlobsInMemory, history
from tests.support.store import store_of

TURNS = 300
ROUNDS = 15
GOAL = 0.4


def main() -> None:
    """Print both in events a second of processor time, and the ratio."""
    exports = [history(name) for name in NAMES]
    blobs = {name: content for export in exports for name, content in export.blobs.items()}
    _compare("the recorded histories", [export.session for export in exports], BlobsInMemory(blobs))
    session, texts = _long()
    _compare(f"one session of {TURNS} turns", [session], BlobsInMemory(texts))


def _compare(label: str, sessions: Sequence[StoredSession], blobs: Blobs) -> None:
    events = [event for session in sessions for event in session.events]
    loop = uvloop.new_event_loop()

    def verify() -> None:
        loop.run_until_complete(verify_all())

    async def verify_all() -> None:
        for session in sessions:
            found = await replay(session, blobs)
            if found.problem is not None:
                raise SystemExit(f"{session.session_id} does not verify: {found.problem}")

    def parse() -> None:
        for event in events:
            EVENTS[event.type].model_validate_json(event.data_text)
            Metadata.model_validate_json(event.metadata_text)

    times = milliseconds({"verify": verify, "parse": parse}, rounds=ROUNDS, clock=time.process_time)
    loop.close()
    kib = sum(len(event.data_text) + len(event.metadata_text) for event in events) / len(events) / 1024
    line(f"{label}: {len(events)} events of {kib:.1f} KiB on average", "")
    line(
        "  chain, contracts, decisions and prompts verified", f"{1000 * len(events) / times['verify']:>9,.0f} events/s"
    )
    line("  pydantic parses data and metadata", f"{1000 * len(events) / times['parse']:>9,.0f} events/s")
    line("  ratio", f"{times['parse'] / times['verify']:>9.2f}   (goal: at least {GOAL})")


def _long() -> tuple[StoredSession, Mapping[str, bytes]]:
    with engine() as settings:
        return asyncio.run(_noop_session(settings))


async def _noop_session(settings: Settings) -> tuple[StoredSession, Mapping[str, bytes]]:
    async with store_of(settings, "owner") as (store, pool):
        task = await NoopTask.created(store, pool, prompts=True)
        await task.run(TURNS)
        session = await store.session(task.log.session_id)
        assert session is not None
        built = (event.contract for event in session.events if event.type == ContextBuilt.type)
        wanted = {name for one in built if isinstance(one, ContextBuilt) for name in hashes(one.manifest)}
        return session, await BlobStore(pool).get_many(wanted)

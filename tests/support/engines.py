"""An embedded engine of a test module's own, whose servers may be stopped, and reading what its broker holds."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arreio_contracts.envelope import read_headers
from nats.aio.client import Client
from nats.aio.msg import Msg

from shared.engine.engine import Engine
from shared.provision import provision
from shared.settings import Settings
from shared.store.connection import Pool
from tests.support.provisioned import lay


@contextmanager
def own_engine(place: Path) -> Iterator[tuple[Settings, Engine]]:
    """A provisioned engine in `place`; its servers end with the block."""
    lay(place)
    settings = Settings(home=place, database_url=None, nats_url=None)
    engine = Engine(settings)
    engine.spawn()
    engine.wait_ready()
    try:
        provision(settings)
        yield settings, engine
    finally:
        engine.stop()


async def published(client: Client, subject: str, count: int, *, within: float = 30.0) -> list[Msg]:
    """The first `count` messages of a subject in its stream, in the order of the stream."""
    reader = await client.jetstream().subscribe(subject, ordered_consumer=True)
    try:
        async with asyncio.timeout(within):
            return [await reader.next_msg(timeout=within) for _ in range(count)]
    finally:
        await reader.unsubscribe()


async def all_published(pool: Pool) -> bool:
    """Whether nothing waits in the outbox."""
    async with pool.connection() as connection:
        cursor = await connection.execute("SELECT count(*) FROM arreio.outbox WHERE published_at IS NULL")
        row = await cursor.fetchone()
    return row == (0,)


def seq_of(message: Msg) -> int:
    """The seq of the event that a message carries."""
    seq = read_headers(message.headers or {}).seq
    assert seq is not None
    return seq

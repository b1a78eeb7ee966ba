"""faststream-outbox relaying rows to JetStream, tuned: many workers, large fetches, deletions in batches."""

import asyncio
import json
import sys
import time
from typing import Any

import uvloop
from faststream_outbox import OutboxBroker, make_outbox_table
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import URL, MetaData, text
from sqlalchemy.ext.asyncio import create_async_engine

from benchmarks.rivals.bare_appends import DATA
from benchmarks.rivals.bare_publishing import BODY, IN_FLIGHT, connected
from benchmarks.rivals.rounds import answer, rounds

QUEUE = "messages"


async def main(dsn: str, options: dict[str, Any]) -> None:
    """Answer each round with messages a second, from the commit of the rows to the last acknowledgement."""
    found = conninfo_to_dict(dsn)
    where = {"host": str(found["host"]), "port": str(found["port"])}
    url = URL.create("postgresql+asyncpg", str(found["user"]), str(found["password"]), database="rivals", query=where)
    engine = create_async_engine(url, pool_size=IN_FLIGHT + 6)
    metadata = MetaData()
    table = make_outbox_table(metadata, table_name="faststream_outbox")
    async with engine.begin() as connection:
        await connection.run_sync(metadata.create_all)
    _, jetstream = await connected(options, "faststream")
    broker = OutboxBroker(engine, outbox_table=table, logger=None)
    handled, wanted, done = 0, 0, asyncio.Event()

    @broker.subscriber(
        QUEUE,
        max_workers=IN_FLIGHT,
        fetch_batch_size=512,
        min_fetch_interval=0.01,
        max_fetch_interval=0.1,
        terminal_flush_batch_size=128,
    )
    async def relay(body: dict[str, Any]) -> None:
        nonlocal handled
        await jetstream.publish("faststream.messages", BODY)
        handled += 1
        if handled >= wanted:
            done.set()

    await broker.start()
    given = rounds()
    while (amount := await asyncio.to_thread(next, given, None)) is not None:
        handled, wanted = 0, amount
        done.clear()
        async with engine.begin() as connection:
            await broker.publish_batch(*(json.loads(DATA) for _ in range(wanted)), queue=QUEUE, session=connection)
        began = time.perf_counter()
        await done.wait()
        answer(wanted / (time.perf_counter() - began))
        async with engine.connect() as connection:
            left = text("SELECT count(*) FROM faststream_outbox")
            while (await connection.execute(left)).scalar():  # noqa: ASYNC110 - nobody tells when they are gone
                await asyncio.sleep(0.05)


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1], json.loads(sys.argv[2])))

"""The least that could be called a relay: LISTEN, fetch, publish all at once, mark. No order, no owner, no refusals.

Its writers notify within their own transactions. What it has to say is how soon a message can be there at all.
"""

import asyncio
import contextlib
import json
import sys
import time
import uuid
from typing import Any

import psycopg
import uvloop
from nats.aio.msg import Msg
from nats.js.api import DeliverPolicy

from benchmarks.rivals.bare_appends import DATA
from benchmarks.rivals.bare_publishing import connected
from benchmarks.rivals.rounds import answer, rounds

WRITERS = 20
CREATE = """
    CREATE TABLE IF NOT EXISTS small_outbox (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL, data text NOT NULL, published_at timestamptz);
    CREATE INDEX IF NOT EXISTS small_outbox_waiting ON small_outbox (id) WHERE published_at IS NULL;
"""
WAITING = "SELECT id, name, data FROM small_outbox WHERE published_at IS NULL ORDER BY id LIMIT 512"
PUBLISHED = "UPDATE small_outbox SET published_at = now() WHERE id = ANY (%s)"
WRITE = (
    "WITH told AS (SELECT pg_notify('small_outbox', '')) INSERT INTO small_outbox (name, data) SELECT %s, %s FROM told"
)
Connection = psycopg.AsyncConnection[Any]


async def relay(connection: Connection, jetstream: Any, wake: asyncio.Event) -> None:
    """Publish whatever waits, for ever."""

    async def publish(name: str, data: str) -> None:
        await jetstream.publish("small.messages", data.encode(), headers={"Nats-Msg-Id": name})

    while True:
        await wake.wait()
        wake.clear()
        while rows := await (await connection.execute(WAITING)).fetchall():
            await asyncio.gather(*(publish(name, data) for _, name, data in rows))
            await connection.execute(PUBLISHED, ([id for id, _, _ in rows],))


async def listen(connection: Connection, wake: asyncio.Event) -> None:
    """Wake the relay at each notification."""
    await connection.execute("LISTEN small_outbox")
    wake.set()
    async for _ in connection.notifies():
        wake.set()


async def latencies(writers: list[Connection], client: Any, amount: int, rate: float) -> list[float]:
    """Milliseconds from each commit until a subscriber of the stream has the message."""
    committed: dict[str, float] = {}
    received: dict[str, float] = {}

    async def heard(message: Msg) -> None:
        received[(message.headers or {})["Nats-Msg-Id"]] = time.monotonic()

    async def write(connection: Connection, place: int) -> None:
        began = time.monotonic() + place / rate
        for number in range(amount // len(writers)):
            await asyncio.sleep(began + number * len(writers) / rate - time.monotonic())
            name = uuid.uuid4().hex
            await connection.execute(WRITE, (name, DATA))
            committed[name] = time.monotonic()

    subscription = await client.jetstream().subscribe(
        "small.*", cb=heard, ordered_consumer=True, deliver_policy=DeliverPolicy.NEW
    )
    await asyncio.gather(*(write(writer, place) for place, writer in enumerate(writers)))
    while not committed.keys() <= received.keys():  # noqa: ASYNC110 - a measurement is no place for more signals
        await asyncio.sleep(0.01)
    await subscription.unsubscribe()
    return [max(0.0, 1000 * (received[name] - at)) for name, at in committed.items()]


async def main(dsn: str, options: dict[str, Any], rate: float) -> None:
    """Answer each round with the milliseconds of so many rows, written at so many a second."""
    client, jetstream = await connected(options, "small")
    opened: list[Connection] = [
        await psycopg.AsyncConnection.connect(dsn, autocommit=True, prepare_threshold=0) for _ in range(WRITERS + 2)
    ]
    ours, listener, *writers = opened
    await ours.execute(CREATE, prepare=False)
    await ours.execute("SET synchronous_commit = off")
    wake = asyncio.Event()
    tasks = [asyncio.create_task(relay(ours, jetstream, wake)), asyncio.create_task(listen(listener, wake))]
    given = rounds()
    while (amount := await asyncio.to_thread(next, given, None)) is not None:
        answer(await latencies(writers, client, amount, rate))
    for task in tasks:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1], json.loads(sys.argv[2]), float(sys.argv[3])))

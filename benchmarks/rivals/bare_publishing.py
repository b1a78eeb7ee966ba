"""nats-py publishing to JetStream with so many acknowledgements in flight: no rows, no order, nothing to mark."""

import asyncio
import json
import sys
import time
import uuid
from typing import Any

import nats
import uvloop
from nats.aio.client import Client
from nats.js import JetStreamContext
from nats.js.api import StreamConfig

from benchmarks.rivals.bare_appends import DATA
from benchmarks.rivals.rounds import answer, rounds

IN_FLIGHT = 64
BODY = DATA.encode()


async def connected(options: dict[str, Any], stream: str) -> tuple[Client, JetStreamContext]:
    """A connection, and a stream on disk that takes `<stream>.*`."""
    prefix = str(options["inbox_prefix"]).encode()
    client = await nats.connect(**(options | {"inbox_prefix": prefix}))
    jetstream = client.jetstream()
    await jetstream.add_stream(StreamConfig(name=stream, subjects=[f"{stream}.*"], duplicate_window=120))
    return client, jetstream


async def run(jetstream: JetStreamContext, amount: int) -> float:
    """Messages a second."""
    left = iter(range(amount))
    began = time.perf_counter()

    async def publish() -> None:
        for _ in left:
            await jetstream.publish("bare.messages", BODY, headers={"Nats-Msg-Id": uuid.uuid4().hex})

    await asyncio.gather(*(publish() for _ in range(IN_FLIGHT)))
    return amount / (time.perf_counter() - began)


async def main(options: dict[str, Any]) -> None:
    """Answer each round with messages a second."""
    _, jetstream = await connected(options, "bare")
    given = rounds()
    while (amount := await asyncio.to_thread(next, given, None)) is not None:
        answer(await run(jetstream, amount))


if __name__ == "__main__":
    uvloop.run(main(json.loads(sys.argv[1])))

"""Small real services for the supervisor's tests; `python -m tests.support.engine_fakes NAME…` is an `up` of them.

It looks every `LOOK_EVERY` seconds for what hangs.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys

import nats
import psycopg

from arreio.supervisor import Supervisor
from shared.processes import notify_ready
from shared.settings import Settings, load_settings


async def run(settings: Settings) -> None:
    """Be ready after a call to both servers; then write to the log each time a row can be read and a message comes."""
    client = await nats.connect(**settings.nats_options(), max_reconnect_attempts=-1, reconnect_time_wait=0.05)
    async with await psycopg.AsyncConnection.connect(settings.database_dsn("gateway")) as connection:
        await connection.execute("SELECT 1")
    await client.flush()

    async def echo(message: object) -> None:
        await message.respond(str(os.getpid()).encode())  # type: ignore[attr-defined]

    await client.subscribe("test.who", cb=echo)
    await client.flush()
    notify_ready()
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    await ended.wait()
    await client.close()


async def stubborn(settings: Settings) -> None:
    """Hear no stop signal."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    notify_ready()
    await asyncio.Event().wait()


async def broken(settings: Settings) -> None:
    """Fail at once."""
    raise RuntimeError("no luck today")


if __name__ == "__main__":
    entries = {name: f"tests.support.engine_fakes:{name if name in globals() else 'run'}" for name in sys.argv[1:]}
    sys.exit(Supervisor(load_settings(), entries, look_every=float(os.environ.get("LOOK_EVERY", "10"))).run())

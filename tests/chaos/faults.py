"""What the fault suite does to a running house, one fault a function; each ends with what it did taken back."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic
from typing import Any, Final

import nats
import nats.errors
import psycopg

from shared.bus.streams import STREAMS, apply, apply_stream
from shared.outbox.relay import LOCK
from tests.chaos.reader import silent
from tests.chaos.replicas import FAKETIME, Replicas
from tests.support.house import SERVICES, House
from tests.support.programs import kill

LEASE: Final = 3.0
"""Seconds of a lease in the house under fire."""
LONG: Final = 2 * LEASE
"""Seconds of what must outlast a lease."""
RESTORING: Final = 60.0
CLOCKS: Final = (-86_400, -3_600, 3_600, 8 * 86_400)
"""Seconds by which a clock jumps; a question is open for seven days."""


@dataclass(frozen=True)
class Scene:
    """What there is to set fire to."""

    house: House
    replicas: Replicas
    rng: random.Random


Fault = Callable[[Scene], Awaitable[bool]]
"""Whether it was inflicted: what is to be killed may be on its way up from the last time."""


async def kill_service(service: str, scene: Scene) -> bool:
    """SIGKILL one process of a service."""
    pid = any_pid(scene, service)
    if pid is not None:
        kill(pid)
    return pid is not None


async def kill_services(scene: Scene) -> bool:
    """SIGKILL every process of every service."""
    pids = [pid for service in SERVICES for pid in scene.house.pids(service)]
    for pid in pids:
        kill(pid)
    return bool(pids)


async def kill_server(program: str, scene: Scene) -> bool:
    """SIGKILL a server of the engine; the supervisor starts it again."""
    try:
        kill(scene.house.server_pid(program))
    except StopIteration:
        return False
    return True


async def stop_service(service: str, scene: Scene) -> bool:
    """SIGSTOP one process of a service for longer than a lease."""
    pid = any_pid(scene, service)
    if pid is None:
        return False
    send(pid, signal.SIGSTOP)
    try:
        await asyncio.sleep(LONG)
    finally:
        send(pid, signal.SIGCONT)
    return True


async def no_relay(scene: Scene) -> bool:
    """Nobody relays for a while: the lock is taken away, and held."""
    with contextlib.suppress(psycopg.Error):
        dsn = scene.house.settings.database_dsn("admin")
        async with await psycopg.AsyncConnection.connect(dsn, autocommit=True, connect_timeout=5) as connection:
            until, held = monotonic() + LONG, False
            while monotonic() < until:
                found = await (await connection.execute("SELECT pg_try_advisory_lock(%s)", (LOCK,))).fetchone()
                held = found == (True,)
                if held:
                    break
                await connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = %s", (LOCK,)
                )
            await asyncio.sleep(LONG)
            return held
    return False


async def full_store(scene: Scene) -> bool:
    """Every stream refuses, as one on a full disk does, and takes again."""
    try:
        with contextlib.suppress(TimeoutError, nats.errors.Error, OSError):
            await _fill_streams(scene)
            await asyncio.sleep(LONG)
            return True
        return False
    finally:
        await _restore_streams(scene)


async def _fill_streams(scene: Scene) -> None:
    client = await nats.connect(**_options(scene))
    try:
        stream = client.jetstream(timeout=5)
        for declared in STREAMS:
            held = (await stream.stream_info(declared.name)).state.bytes
            await apply_stream(stream, replace(declared, discard="new", max_bytes=held + 1000))
    finally:
        await client.close()


async def _restore_streams(scene: Scene) -> None:
    until = monotonic() + RESTORING
    while True:
        try:
            client = await nats.connect(**_options(scene))
            try:
                await apply(client.jetstream(timeout=5))
                return
            finally:
                await client.close()
        except (TimeoutError, nats.errors.Error, OSError):
            if monotonic() > until:
                raise
            await asyncio.sleep(0.5)


def _options(scene: Scene) -> dict[str, Any]:
    return {**scene.house.settings.nats_options("services"), "max_reconnect_attempts": 3, "error_cb": silent}


async def cut_postgres(scene: Scene) -> bool:
    """End every connection to PostgreSQL."""
    with contextlib.suppress(psycopg.Error):
        dsn = scene.house.settings.database_dsn("admin")
        async with await psycopg.AsyncConnection.connect(dsn, autocommit=True, connect_timeout=5) as connection:
            await connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name LIKE 'arreio%' AND pid <> pg_backend_pid()"
            )
            return True
    return False


async def cut_connections(scene: Scene) -> bool:
    """Reset the replicas' connections to both servers."""
    scene.replicas.postgres.cut()
    scene.replicas.nats.cut()
    return True


async def partition(scene: Scene) -> bool:
    """Nothing passes between the replicas and the servers for longer than a lease, and nobody is told."""
    proxies = (scene.replicas.postgres, scene.replicas.nats)
    for proxy in scene.rng.choice((proxies, proxies[:1], proxies[1:])):
        proxy.hold()
    try:
        await asyncio.sleep(LONG)
    finally:
        for proxy in proxies:
            proxy.go_on()
    return True


async def jump_clock(scene: Scene) -> bool:
    """The clock of one replica is set wrong, and set right again."""
    service = scene.rng.choice(SERVICES)
    scene.replicas.set_clock(service, scene.rng.choice(CLOCKS))
    try:
        await asyncio.sleep(LONG)
    finally:
        scene.replicas.set_clock(service, 0)
    return True


def any_pid(scene: Scene, service: str) -> int | None:
    """One of the processes of a service; None while there is none."""
    found = scene.house.pids(service)
    return scene.rng.choice(found) if found else None


def send(pid: int, number: signal.Signals) -> None:
    """Send a signal to a process that may have ended."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def faults() -> Mapping[str, Fault]:
    """Every fault that this machine can have, by name."""
    found: dict[str, Fault] = {f"kill {service}": partial(kill_service, service) for service in SERVICES}
    found |= {f"stop {service}": partial(stop_service, service) for service in SERVICES}
    found |= {
        "kill all services": kill_services,
        "kill postgres": partial(kill_server, "postgres"),
        "kill nats": partial(kill_server, "nats-server"),
        "no relay": no_relay,
        "full store": full_store,
        "cut postgres": cut_postgres,
        "cut connections": cut_connections,
        "partition": partition,
    }
    if FAKETIME:
        found["clock jump"] = jump_clock
    return found

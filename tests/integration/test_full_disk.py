"""The disk under NATS fills up, for real, on a small file system of its own, and is given room again."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from shared.engine.engine import Engine
from shared.outbox.dead_letters import list_dead
from shared.outbox.relay import run_relay
from shared.settings import Settings
from tests.support.engines import all_published, own_engine
from tests.support.store import event, fresh, store_of
from tests.support.waiting import eventually


@pytest.fixture
def small(tmp_path: Path) -> Iterator[tuple[Settings, Engine, Path]]:
    """An engine whose broker has four megabytes; the folder that they lie in."""
    place = tmp_path / "data" / "nats"
    place.mkdir(parents=True, mode=0o700)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m,mode=700", "tmpfs", str(place)], check=False)
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    try:
        with own_engine(tmp_path / "data") as (found, engine):
            yield found, engine, place
    finally:
        subprocess.run(["umount", str(place)], check=True)


async def test_a_full_disk_parks_nothing_and_the_broker_is_known_to_need_a_new_start_once_there_is_room(
    small: tuple[Settings, Engine, Path],
) -> None:
    found, engine, place = small
    assert not engine.nats.is_stuck()
    async with store_of(found) as (store, pool):
        relay = asyncio.create_task(run_relay(found, service="gateway", poll=0.2, standby=0.05))
        try:
            session = fresh()
            for number in range(60):
                await store.append_fact(session, [event(n=number, text="x" * 100_000)])

            async def full() -> bool:
                return "no space left on device" in engine.nats.log.read_text()

            await eventually(full, within=60)
            assert not engine.nats.is_stuck()  # a new start would be of no use yet
            more_room = ["mount", "-o", "remount,size=64m", str(place)]
            await asyncio.to_thread(subprocess.run, more_room, check=True)
            assert engine.nats.is_stuck()
            engine.nats.stop()
            engine.nats.spawn()
            await eventually(lambda: all_published(pool), within=60)
            assert not engine.nats.is_stuck()
            assert await list_dead(pool) == []
        finally:
            relay.cancel()
            with suppress(asyncio.CancelledError):
                await relay

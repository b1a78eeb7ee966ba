"""Two relays under fire: whatever is stopped or killed when, every event is published, each session's in its order."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

import nats
import pytest
from arreio_contracts import subjects
from hypothesis import given, settings
from hypothesis import strategies as st
from nats.aio.client import Client

from shared.bus.streams import STREAMS, apply_stream
from shared.settings import Settings
from shared.store.connection import Pool
from shared.store.events import EventStore
from tests.support.engines import all_published, own_engine, published, seq_of
from tests.support.store import event, fresh, store_of
from tests.support.waiting import eventually

IDLE = 1.5
"""Seconds of silence after which an active relay loses its lock here."""

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("append"), st.integers(0, 3), st.integers(1, 3)),
        st.tuples(st.sampled_from(["stop", "go on", "kill"]), st.integers(0, 1), st.just(0)),
        st.tuples(st.just("wait"), st.just(0), st.sampled_from([0, 20, 200, 1000 * (IDLE + 1)])),
    ),
    min_size=10,
    max_size=30,
)


@pytest.fixture(scope="module")
def fire(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """An engine whose broker forgets at once what it has seen, so that order and repeats are ours to keep."""
    with own_engine(tmp_path_factory.mktemp("order")) as (found, _):

        async def forgetful() -> None:
            client = await nats.connect(**found.nats_options("services"))
            declared = next(one for one in STREAMS if one.name == subjects.STREAM_EVENTS)
            await apply_stream(client.jetstream(), replace(declared, duplicate_window=0.1))
            await client.close()

        asyncio.run(forgetful())
        yield found


@dataclass
class Relays:
    """Two relay processes."""

    settings: Settings
    running: list[subprocess.Popen[bytes]]

    def start(self, place: int) -> None:
        service = ("gateway", "learning")[place]
        command = [sys.executable, "-m", "tests.support.relay_process", str(self.settings.home), service, str(IDLE)]
        self.running[place : place + 1] = [subprocess.Popen(command, stdout=subprocess.DEVNULL)]

    def signal(self, place: int, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.running[place].pid, number)

    def kill(self, place: int) -> None:
        self.running[place].kill()
        self.running[place].wait()


@given(STEPS)
@settings(max_examples=3, deadline=None)
def test_order_holds_and_nothing_is_lost_whatever_is_stopped_or_killed(
    fire: Settings, steps: list[tuple[str, int, float]]
) -> None:
    relays = Relays(fire, [])
    for place in (0, 1):
        relays.start(place)
    try:
        asyncio.run(_under_fire(fire, relays, steps))
    finally:
        for place in (0, 1):
            relays.kill(place)


async def _under_fire(found: Settings, relays: Relays, steps: list[tuple[str, int, float]]) -> None:
    sessions, lengths = [fresh() for _ in range(4)], Counter[str]()
    client = await nats.connect(**found.nats_options("services"))
    async with store_of(found) as (store, pool):
        for what, number, amount in steps:
            match what:
                case "append":
                    session = sessions[number]
                    await store.append_fact(session, [event(n=n) for n in range(int(amount))])
                    lengths[session] += int(amount)
                case "wait":
                    await asyncio.sleep(amount / 1000)
                case "stop":
                    relays.signal(number, signal.SIGSTOP)
                case "go on":
                    relays.signal(number, signal.SIGCONT)
                case "kill":
                    relays.kill(number)
                    relays.start(number)
        for place in (0, 1):
            relays.signal(place, signal.SIGCONT)
        await eventually(lambda: all_published(pool), within=60)
        for session, length in lengths.items():
            assert await _first_seen(client, session, length) == list(range(1, length + 1))
        await _assert_nothing_parked(pool)
    await client.close()


async def _first_seen(client: Client, session: str, length: int) -> list[int]:
    """The seqs of a session in the order in which they first appeared, repeats left out."""
    stored = await _stored(client, session)
    assert stored >= length
    messages = await published(client, subjects.session_events(session), stored)
    return list(dict.fromkeys(map(seq_of, messages)))


async def _assert_nothing_parked(pool: Pool) -> None:
    async with pool.connection() as connection:
        cursor = await connection.execute("SELECT problem FROM arreio.dead_letters WHERE source = 'outbox'")
        assert await cursor.fetchall() == []


async def test_a_relay_that_was_stopped_for_long_publishes_nothing_before_it_knows_that_it_is_still_the_one(
    fire: Settings,
) -> None:
    relays, session = Relays(fire, []), fresh()
    relays.start(0)
    client = await nats.connect(**fire.nats_options("services"))
    try:
        async with store_of(fire) as (store, pool):
            await _publish(store, pool, client)
            reader = await client.subscribe(subjects.session_events(session))
            await client.flush()
            await store.append_fact(session, [event(n=n) for n in range(400)])
            await reader.next_msg(timeout=20)
            # It has taken hundreds of rows in, and stops before it can publish them.
            relays.signal(0, signal.SIGSTOP)
            before = await _stored(client, session)
            assert before < 400
            relays.start(1)
            await eventually(lambda: all_published(pool), within=30)
            republished = await _stored(client, session)
            relays.signal(0, signal.SIGCONT)
            # The one that slept stands by now: it takes over when the other is killed.
            relays.kill(1)
            await _publish(store, pool, client)
            assert await _stored(client, session) <= republished + 1
    finally:
        for place in range(len(relays.running)):
            relays.kill(place)
        await client.close()


async def _stored(client: Client, session: str) -> int:
    info = await client.jetstream().stream_info(
        subjects.STREAM_EVENTS, subjects_filter=subjects.session_events(session)
    )
    return sum((info.state.subjects or {}).values())


async def _publish(store: EventStore, pool: Pool, client: Client) -> None:
    session = fresh()
    await store.append_fact(session, [event()])
    await eventually(lambda: all_published(pool), within=30)
    assert len(await published(client, subjects.session_events(session), 1)) == 1

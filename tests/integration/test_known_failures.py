"""Failures that other systems had in public, each with the outcome that is right; the issue is named at each."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import nats
import pytest
from arreio_contracts import subjects
from nats.aio.client import Client

from shared.bus.streams import STREAMS, apply_stream
from shared.engine.engine import Engine
from shared.outbox.dead_letters import list_dead, resend
from shared.outbox.relay import run_relay
from shared.service import every
from shared.settings import Settings
from shared.store import leases
from shared.store.connection import Pool
from shared.store.errors import Conflict
from shared.store.events import EventStore
from tests.support.engines import all_published, own_engine, published, seq_of
from tests.support.store import connect, event, fresh, store_of
from tests.support.waiting import eventually


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Settings, Engine]]:
    with own_engine(tmp_path_factory.mktemp("known")) as found:
        yield found


@pytest.fixture
def settings(server: tuple[Settings, Engine]) -> Settings:
    return server[0]


@pytest.fixture
async def opened(settings: Settings) -> AsyncIterator[tuple[EventStore, Pool]]:
    async with store_of(settings) as found:
        yield found


@pytest.fixture
async def client(settings: Settings) -> AsyncIterator[Client]:
    found = await nats.connect(**settings.nats_options("services"))
    yield found
    await found.close()


@asynccontextmanager
async def relaying(settings: Settings) -> AsyncIterator[None]:
    relay = asyncio.create_task(run_relay(settings, service="gateway", poll=0.1, standby=0.05))
    try:
        yield
    finally:
        relay.cancel()
        with suppress(asyncio.CancelledError):
            await relay


async def test_of_two_writers_that_both_expect_version_7_exactly_one_is_told_of_success(
    opened: tuple[EventStore, Pool],
) -> None:
    """Eventuous/eventuous#553: the loser of an append was told success although its event was not stored."""
    store, _ = opened
    session = fresh()
    await store.append_fact(session, [event(n=n) for n in range(7)])
    mine, other = [event(n="mine")], [event(n="other")]
    outcomes = await asyncio.gather(
        *(store.append_decision(session, expected_seq=7, events=events, lease=None) for events in (mine, other)),
        return_exceptions=True,
    )
    lost = [place for place, outcome in enumerate(outcomes) if isinstance(outcome, Conflict)]
    assert len(lost) == 1
    winner = (mine, other)[1 - lost[0]]
    assert [one.event_id for one in await store.read(session, after=7)] == [winner[0].event_id]
    assert await store.verify_chain(session) is None


async def test_a_commit_between_two_looks_at_the_outbox_is_never_skipped(
    settings: Settings, opened: tuple[EventStore, Pool], client: Client
) -> None:
    """JasperFx/marten#4977: a gap check of several statements was defeated by a commit in between.

    The first append has the smaller number and commits last. The relay keeps no horizon: one statement finds all that
    is committed and not published, whatever its number.
    """
    store, pool = opened
    early, late = fresh(), fresh()
    statement = (
        "SELECT arreio.append(%s, NULL, ARRAY[%s], ARRAY['tool.started'], ARRAY[1], ARRAY[NULL]::text[], ARRAY['{}'], "
        'ARRAY[\'{"service":"tool_loop"}\'], ARRAY[1], ARRAY[0]::smallint[], ARRAY[%s], '
        "NULL, NULL, NULL, NULL, NULL, NULL, NULL)"
    )
    async with relaying(settings):
        async with pool.connection() as writing, writing.transaction():
            await writing.execute(statement, (early, fresh("e"), subjects.event(early, "tool.started")))
            await store.append_fact(late, [event(n=1), event(n=2)])
            assert [seq_of(one) for one in await published(client, subjects.session_events(late), 2)] == [1, 2]
            await eventually(lambda: all_published(pool))
        assert [seq_of(one) for one in await published(client, subjects.session_events(early), 1)] == [1]
        await eventually(lambda: all_published(pool))


async def test_a_session_is_read_at_one_moment_while_others_append(opened: tuple[EventStore, Pool]) -> None:
    """JasperFx/marten#4977, for readers: head and events are of one snapshot; a commit in between is no divergence."""
    store, _ = opened
    session = fresh()
    await store.append_fact(session, [event()])

    async def write() -> None:
        for n in range(60):
            await store.append_fact(session, [event(n=n), event(n=n)])

    writing = asyncio.create_task(write())
    while not writing.done():
        assert await store.verify_chain(session) is None
    await writing


async def test_a_retry_that_the_broker_knows_already_counts_as_published_and_is_never_given_up(
    settings: Settings, opened: tuple[EventStore, Pool], client: Client
) -> None:
    """alexfrmn/murmur#141: retries under one message id were acknowledged as duplicates, delivered nothing, and were
    given up after five although the receiver had it."""
    store, pool = opened
    session = fresh()
    async with relaying(settings):
        await store.append_fact(session, [event()])
        await eventually(lambda: all_published(pool))
        for _ in range(8):
            # The acknowledgement was lost: nothing but the mark is missing.
            with connect(settings, "owner") as connection:
                connection.execute("UPDATE arreio.outbox SET published_at = NULL WHERE session_id = %s", (session,))
            await eventually(lambda: all_published(pool))
    info = await client.jetstream().stream_info(
        subjects.STREAM_EVENTS, subjects_filter=subjects.session_events(session)
    )
    assert sum((info.state.subjects or {}).values()) == 1
    assert await list_dead(pool, all=True) == []


async def test_a_deliberate_resend_has_another_message_id_and_is_delivered(
    settings: Settings, opened: tuple[EventStore, Pool], client: Client
) -> None:
    """alexfrmn/murmur#141, the way out: what is sent again on purpose is `id#2`."""
    store, pool = opened
    session = fresh()
    declared = next(one for one in STREAMS if one.name == subjects.STREAM_EVENTS)
    stream = client.jetstream()
    found = (await stream.stream_info(declared.name)).config
    await stream.update_stream(replace(found, max_msg_size=2000))
    async with relaying(settings), store_of(settings, "operator") as (_, operator):
        await store.append_fact(session, [event(text="x" * 3000), event()])
        (letter,) = await eventually(lambda: list_dead(pool))
        assert (letter.session_id, letter.code) == (session, "too_large")
        await stream.update_stream(found)
        await apply_stream(stream, declared)
        await resend(operator, letter.id)
        messages = await published(client, subjects.session_events(session), 2)
    assert [seq_of(one) for one in messages] == [1, 2]
    first = (await store.read(session))[0]
    assert (messages[0].headers or {})["Nats-Msg-Id"] == f"{first.event_id}/0#2"
    assert await list_dead(pool) == []


async def test_a_recovery_that_the_database_interrupts_goes_on_until_all_are_recovered(
    server: tuple[Settings, Engine],
) -> None:
    """dbos-inc/dbos-transact-py#716: recovery was one pass; what a restart of PostgreSQL cut off never ran again."""
    settings, engine = server
    dead, alive = "host/boot/1/1", "host/boot/2/2"
    recovered: list[str] = []
    async with store_of(settings, "owner") as (store, pool):
        orphans = []
        for _ in range(5):
            task = fresh("t")
            await store.append_fact(fresh(), [event(task_id=task)], task={"task_id": task, "goal": "g"})
            assert await leases.claim(pool, "task", task, dead, 60) is not None
            orphans.append(task)

        async def sweep() -> None:
            await leases.expire_dead(pool, lambda owner: owner == dead)
            for found in await leases.runnable(pool, "task", 100):
                if found.id in orphans and await leases.claim(pool, "task", found.id, alive, 600) is not None:
                    recovered.append(found.id)
                if len(recovered) == 2:
                    engine.postgres.stop()

        sweeping = asyncio.create_task(every(0.05, sweep, name="test"))
        try:
            await eventually(_whether(lambda: len(recovered) == 2))
            engine.postgres.spawn()
            await eventually(_whether(lambda: len(recovered) == 5), within=60)
        finally:
            sweeping.cancel()
    assert sorted(recovered) == sorted(orphans)


def _whether(condition: Callable[[], bool]) -> Callable[[], Awaitable[bool]]:
    async def look() -> bool:
        return condition()

    return look

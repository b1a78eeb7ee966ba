"""Following the log: every event once, in order, from where one left off, whatever the stream still holds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, asynccontextmanager, suppress

import nats
import pytest
from arreio_contracts import subjects
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from arreio import tailing
from arreio.tailing import Tail, forget
from shared.outbox.relay import run_relay
from shared.settings import Settings
from shared.store.connection import Pool
from shared.store.events import EventStore
from tests.support.engines import own_engine
from tests.support.store import connect, event, fresh, store_of
from tests.support.waiting import eventually


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    with own_engine(tmp_path_factory.mktemp("tail")) as (found, _):
        yield found


@asynccontextmanager
async def relaying(settings: Settings) -> AsyncIterator[None]:
    relay = asyncio.create_task(run_relay(settings, service="gateway", poll=0.1, standby=0.05))
    try:
        yield
    finally:
        relay.cancel()
        with suppress(asyncio.CancelledError):
            await relay


class Reader:
    """Reads as `arreio events tail` does."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    async def read(
        self,
        count: int,
        *,
        session: str | None = None,
        start: int = 0,
        name: str | None = None,
        new_only: bool = False,
        crash: bool = False,
        begun: asyncio.Event | None = None,
    ) -> list[tuple[str, int]]:
        """The next `count` events; `crash`: end without saving how far it came."""
        client = await nats.connect(**self.settings.nats_options("operator"))
        found: list[tuple[str, int]] = []
        try:
            async with store_of(self.settings, "operator", 2) as (_, pool), asyncio.timeout(30):
                tail = Tail(pool, client, session=session, start=start, name=name, new_only=new_only)
                if begun is not None:
                    asyncio.get_running_loop().call_later(0.2, begun.set)
                events = tail.events()
                async for one in events:
                    found.append((one.session_id, one.seq))
                    tail.printed(one)
                    if len(found) == count:
                        break
                await events.aclose()
                if not crash:
                    await tail.save()
        finally:
            await client.close()
        return found


@pytest.fixture
def reader(server: Settings) -> Reader:
    return Reader(server)


@pytest.fixture
async def store(server: Settings) -> AsyncIterator[EventStore]:
    async with store_of(server) as (found, _):
        yield found


async def fill(store: EventStore, count: int, session: str | None = None) -> str:
    session = session or fresh()
    await store.append_fact(session, [event(n=n) for n in range(count)])
    return session


async def test_what_is_there_comes_first_and_then_what_is_new_as_it_happens(
    server: Settings, reader: Reader, store: EventStore
) -> None:
    session = await fill(store, 3)
    async with relaying(server):
        reading = asyncio.create_task(reader.read(6, session=session))
        await fill(store, 2, session)
        await fill(store, 1, session)
        assert await reading == [(session, seq) for seq in range(1, 7)]


async def test_how_far_it_came_is_kept_though_nothing_more_comes(
    server: Settings, reader: Reader, store: EventStore
) -> None:
    session = await fill(store, 3)
    name = fresh("n")
    # It waits for a fourth event and is ended as by a kill: nothing of what follows its wait is run.
    reading = asyncio.create_task(reader.read(4, session=session, name=name, crash=True))

    async def kept() -> bool:
        with connect(server, "owner") as connection:
            row = connection.execute("SELECT seq FROM arreio.cursors WHERE name = %s", (name,)).fetchone()
        return row == (3,)

    try:
        await eventually(kept)
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)


async def test_it_works_where_nothing_is_published(
    reader: Reader, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tailing, "POLL", 0.1)
    session = await fill(store, 2)
    reading = asyncio.create_task(reader.read(4, session=session))
    await fill(store, 2, session)
    assert await reading == [(session, seq) for seq in range(1, 5)]


async def test_what_the_stream_has_forgotten_comes_from_the_database(
    server: Settings, reader: Reader, store: EventStore
) -> None:
    session = await fill(store, 4)
    async with relaying(server):
        assert len(await reader.read(4, session=session)) == 4
        client = await nats.connect(**server.nats_options("services"))
        await client.jetstream().purge_stream(subjects.STREAM_EVENTS)
        await client.close()
        assert await reader.read(4, session=session) == [(session, seq) for seq in range(1, 5)]
        reading = asyncio.create_task(reader.read(5, session=session))
        await fill(store, 1, session)
        assert (await reading)[-1] == (session, 5)


async def test_a_database_that_goes_away_anywhere_is_waited_for_and_nothing_comes_twice(
    server: Settings, reader: Reader, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tailing, "POLL", 0.05)
    monkeypatch.setattr(tailing, "AGAIN", 0.0)
    session = await fill(store, 3)
    said: list[str] = []
    client = await nats.connect(**server.nats_options("operator"))
    found: list[int] = []
    try:
        async with store_of(server, "operator", 2) as (_, pool), asyncio.timeout(30):
            events = Tail(pool, client, session=session, name=(name := fresh("n")), say=said.append)
            async with aclosing(events.events()) as reading:
                async for one in reading:
                    found.append(one.seq)
                    events.printed(one)
                    if len(found) == 6:
                        break
                    # Each of them: while it reads what is there, and while it waits for what comes.
                    _cut_off(server)
                    if one.seq >= 3:
                        await fill(store, 1, session)
            assert await events.save()
        assert found == [1, 2, 3, 4, 5, 6]
        assert len(said) % 2 == 0 and said[0].endswith("waiting for it") and said[1] == "PostgreSQL is back"
        await fill(store, 1, session)
        assert await reader.read(1, session=session, name=name) == [(session, 7)]
    finally:
        await client.close()


def _cut_off(settings: Settings) -> None:
    with connect(settings, "admin") as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = 'arreio_operator'"
        )


async def test_from_begins_at_that_seq(reader: Reader, store: EventStore) -> None:
    session = await fill(store, 6)
    assert await reader.read(3, session=session, start=4) == [(session, seq) for seq in (4, 5, 6)]


async def test_a_named_tail_goes_on_where_it_left_off_also_in_other_sessions(
    reader: Reader, store: EventStore, server: Settings
) -> None:
    name = fresh("n")
    # The first time it begins with everything that there is; this one begins with what is new.
    begun = asyncio.Event()
    async with relaying(server):
        first = asyncio.create_task(reader.read(2, name=name, new_only=True, begun=begun))
        await begun.wait()
        one = await fill(store, 2)
        assert await first == [(one, 1), (one, 2)]
        other = await fill(store, 1)
        await fill(store, 2, one)
        assert sorted(await reader.read(3, name=name)) == sorted([(other, 1), (one, 3), (one, 4)])
        last = await fill(store, 1)
        assert await reader.read(1, name=name) == [(last, 1)]


async def test_a_tail_that_crashed_shows_what_it_had_not_kept_again(reader: Reader, store: EventStore) -> None:
    session, name = await fill(store, 4), fresh("n")
    assert await reader.read(2, session=session, name=name) == [(session, 1), (session, 2)]
    assert await reader.read(2, session=session, name=name, crash=True) == [(session, 3), (session, 4)]
    assert await reader.read(2, session=session, name=name) == [(session, 3), (session, 4)]


async def test_a_name_that_is_forgotten_begins_anew(reader: Reader, store: EventStore, server: Settings) -> None:
    session, name = await fill(store, 2), fresh("n")
    assert len(await reader.read(2, session=session, name=name)) == 2
    async with store_of(server, "operator") as (_, pool):
        assert await forget(pool, name)
        assert not await forget(pool, name)
    assert await reader.read(2, session=session, name=name) == [(session, 1), (session, 2)]


async def test_order_holds_where_the_servers_clock_was_set_back(reader: Reader, server: Settings) -> None:
    session = fresh()
    async with store_of(server) as (found, pool):
        await fill(found, 2, session)
        await _set_back(server, session, pool)
        assert await reader.read(2, session=session) == [(session, 1), (session, 2)]


async def _set_back(settings: Settings, session: str, pool: Pool) -> None:
    from tests.support.store import connect

    with connect(settings, "admin") as connection, connection.transaction():
        connection.execute("ALTER TABLE arreio.session_events DISABLE TRIGGER ALL")
        connection.execute(
            "UPDATE arreio.session_events SET recorded_at = recorded_at - interval '1 hour' "
            "WHERE session_id = %s AND seq = 2",
            (session,),
        )
        connection.execute("ALTER TABLE arreio.session_events ENABLE ALWAYS TRIGGER session_events_append_only")
        connection.execute("ALTER TABLE arreio.session_events ENABLE ALWAYS TRIGGER session_events_whole")


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("append"), st.integers(0, 2), st.integers(1, 4)),
        st.tuples(st.sampled_from(["read", "crash"]), st.just(0), st.integers(1, 6)),
    ),
    min_size=2,
    max_size=10,
)


@given(STEPS)
@hypothesis_settings(max_examples=8, deadline=None)
def test_all_runs_of_a_named_tail_together_see_every_event_in_order(
    server: Settings, steps: list[tuple[str, int, int]]
) -> None:
    asyncio.run(_runs(server, steps))


async def _runs(server: Settings, steps: list[tuple[str, int, int]]) -> None:
    reader, name, sessions = Reader(server), fresh("n"), [fresh() for _ in range(3)]
    kept: dict[str, int] = {}
    waiting = 0
    async with store_of(server) as (store, _), store_of(server, "operator", 2) as (_, operator):
        await _begin_now(operator, name)
        for what, number, amount in [*steps, ("read", 0, 1000)]:
            if what == "append":
                await fill(store, amount, sessions[number])
                waiting += amount
                continue
            count = min(amount, waiting)
            if not count:
                continue
            found = await reader.read(count, name=name, crash=what == "crash")
            expected = dict(kept)
            for session, seq in found:
                assert seq == expected.get(session, 0) + 1
                expected[session] = seq
            if what == "read":
                kept, waiting = expected, waiting - count
        assert waiting == 0


async def _begin_now(pool: Pool, name: str) -> None:
    async with pool.connection() as connection:
        await connection.execute(
            "SELECT arreio.advance_cursor(%s, array_agg(session_id::text), array_agg(seq)) FROM arreio.session_heads",
            (name,),
        )

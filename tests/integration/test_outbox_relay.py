"""The relay on a real PostgreSQL and a real NATS: in order, at least once, and never stuck for good."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any

import nats
import nats.js.errors
import pytest
from arreio_contracts import subjects
from arreio_contracts.envelope import read_headers
from arreio_contracts.messages import DeadLetter
from nats.aio.client import Client
from nats.aio.msg import Msg

from shared.bus.streams import STREAMS, apply_stream
from shared.engine.engine import Engine
from shared.outbox.dead_letters import NotCarried, bury, list_dead, resend, skip
from shared.outbox.relay import run_relay
from shared.settings import Settings
from shared.store.connection import Pool, retrying
from shared.store.events import EventStore
from tests.support import engines
from tests.support.store import connect, event, fresh, store_of
from tests.support.waiting import eventually


@pytest.fixture(scope="module")
def own_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Settings, Engine]]:
    """An engine of this module's own, whose servers may be stopped."""
    with engines.own_engine(tmp_path_factory.mktemp("relay")) as found:
        yield found


@pytest.fixture
def settings(own_engine: tuple[Settings, Engine]) -> Settings:
    return own_engine[0]


@pytest.fixture
async def opened(settings: Settings) -> AsyncIterator[tuple[EventStore, Pool]]:
    async with store_of(settings, "owner") as found:
        yield found


@pytest.fixture
def store(opened: tuple[EventStore, Pool]) -> EventStore:
    return opened[0]


@pytest.fixture
async def client(settings: Settings) -> AsyncIterator[Client]:
    found = await nats.connect(**settings.nats_options("services"), max_reconnect_attempts=-1, reconnect_time_wait=0.1)
    yield found
    await found.close()


@asynccontextmanager
async def relaying(settings: Settings, service: str = "gateway", poll: float = 5.0) -> AsyncIterator[None]:
    """A relay in this process, active before the block begins."""
    is_active = asyncio.Event()
    relay = asyncio.create_task(run_relay(settings, service=service, poll=poll, standby=0.05, active=is_active.set))
    waiting = asyncio.create_task(is_active.wait())
    try:
        await asyncio.wait([relay, waiting], return_when=asyncio.FIRST_COMPLETED, timeout=20)
        assert is_active.is_set()
        yield
    finally:
        waiting.cancel()
        relay.cancel()
        with suppress(asyncio.CancelledError):
            await relay


async def published(client: Client, subject: str, count: int, *, within: float = 20.0) -> list[Msg]:
    """The first `count` messages of a subject in its stream, in the order of the stream."""
    stream = client.jetstream()
    reader = await stream.subscribe(subject, ordered_consumer=True)
    try:
        async with asyncio.timeout(within):
            return [await reader.next_msg(timeout=within) for _ in range(count)]
    finally:
        await reader.unsubscribe()


async def stored(client: Client, session: str) -> int:
    """How many messages of a session the broker keeps."""
    info = await client.jetstream().stream_info(
        subjects.STREAM_EVENTS, subjects_filter=subjects.session_events(session)
    )
    return sum((info.state.subjects or {}).values())


async def unpublished(pool: Pool) -> int:
    async with pool.connection() as connection:
        cursor = await connection.execute("SELECT count(*) FROM arreio.outbox WHERE published_at IS NULL")
        row = await cursor.fetchone()
    assert row is not None
    return int(row[0])


async def all_published(pool: Pool) -> bool:
    return await unpublished(pool) == 0


def seqs(messages: list[Msg]) -> list[int | None]:
    return [read_headers(message.headers or {}).seq for message in messages]


async def test_an_event_is_published_as_a_cloudevent_when_a_notification_wakes_the_relay(
    settings: Settings, store: EventStore, client: Client
) -> None:
    session, task = fresh(), fresh("t")
    # The poll would come long after the test has given up: only the notification can have woken it.
    async with relaying(settings, poll=3600):
        reader = await client.subscribe(subjects.session_events(session))
        await client.flush()
        done = await store.append_fact(session, [event("task.completed", task_id=task, text="é")])
        message = await reader.next_msg(timeout=60)
    assert done is not None
    recorded = (await store.read(session))[0]
    envelope = read_headers(message.headers or {})
    assert message.subject == subjects.event(session, "task.completed")
    assert message.data == recorded.data_text.encode()
    assert (envelope.id, envelope.type) == (recorded.event_id, "arreio.task.completed")
    assert (envelope.subject, envelope.partitionkey, envelope.seq) == (task, session, 1)
    assert (envelope.correlationid, envelope.causationid) == ("m1", "e0")
    assert (message.headers or {})["Nats-Msg-Id"] == f"{recorded.event_id}/0"


async def test_further_routes_carry_the_message_of_their_subject(
    settings: Settings, store: EventStore, client: Client
) -> None:
    session, task, channel = fresh(), fresh("t"), fresh("c")
    reply = event(
        "reply.queued",
        task_id=task,
        routes=(subjects.outbound(channel),),
        kind="reply",
        channel=channel,
        conversation="k",
        text="done \ud800",
        state="COMPLETE",
    )
    wake = event("task.created", task_id=task, routes=(subjects.COMMAND_RUN_TASK,), goal="g")
    reader = await client.subscribe(subjects.ALL_COMMANDS)
    await client.flush()
    async with relaying(settings):
        await store.append_fact(session, [wake, reply])
        command = await reader.next_msg(timeout=5)
        (said,) = await published(client, subjects.outbound(channel), 1)
    assert command.data == f'{{"session_id": "{session}", "task_id": "{task}"}}'.encode()
    assert read_headers(command.headers or {}).type == "arreio.command.run_task"
    assert b'"text": "done ?"' in said.data
    assert read_headers(said.headers or {}).type == "arreio.outbound.message"


async def test_without_a_notification_the_poll_finds_the_row(
    settings: Settings, opened: tuple[EventStore, Pool], client: Client
) -> None:
    store, pool = opened
    session = fresh()
    async with relaying(settings, poll=0.1):
        await store.append_fact(session, [event()])
        await eventually(lambda: all_published(pool))
        with connect(settings, "owner") as connection:
            # A row that waits, and nobody was told of it.
            connection.execute(
                "UPDATE arreio.outbox SET published_at = NULL, sending = 2 WHERE session_id = %s", (session,)
            )
        assert len(await published(client, subjects.session_events(session), 2)) == 2
        await eventually(lambda: all_published(pool))


async def test_two_relays_publish_in_order_and_one_takes_over_when_the_other_is_killed(
    settings: Settings, opened: tuple[EventStore, Pool], client: Client
) -> None:
    store, pool = opened
    sessions = [fresh() for _ in range(12)]
    relays = [await _relay_process(settings, service) for service in ("gateway", "learning")]
    try:
        active = await _first_active(relays)

        async def write(session: str) -> None:
            for n in range(20):
                await store.append_fact(session, [event(n=2 * n), event(n=2 * n + 1)])

        writing = asyncio.gather(*(write(session) for session in sessions))
        await published(client, subjects.session_events(sessions[0]), 4)
        os.kill(active.pid, signal.SIGKILL)
        await writing
        await eventually(lambda: all_published(pool), within=30)
        for session in sessions:
            assert await stored(client, session) == 40
            messages = await published(client, subjects.session_events(session), 40)
            assert seqs(messages) == list(range(1, 41))
    finally:
        for process in relays:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def test_a_broker_that_is_away_for_a_while_loses_nothing(
    own_engine: tuple[Settings, Engine], opened: tuple[EventStore, Pool], client: Client
) -> None:
    settings, engine = own_engine
    store, pool = opened
    sessions = [fresh() for _ in range(5)]
    async with relaying(settings):
        await asyncio.gather(*(store.append_fact(session, [event(n=1)]) for session in sessions))
        await eventually(lambda: all_published(pool))
        engine.nats.stop()
        for n in range(3):
            await asyncio.gather(*(store.append_fact(session, [event(n=n), event(n=n)]) for session in sessions))
        assert await unpublished(pool) == 30
        engine.nats.spawn()
        await eventually(lambda: all_published(pool), within=30)
        await eventually(lambda: _true(client.is_connected))
        for session in sessions:
            assert seqs(await published(client, subjects.session_events(session), 7)) == list(range(1, 8))
    assert await list_dead(pool) == []


async def test_a_stream_that_is_full_is_waited_for_and_counts_as_no_refusal(
    settings: Settings, opened: tuple[EventStore, Pool], client: Client
) -> None:
    store, pool = opened
    session = fresh()
    stream = client.jetstream()
    declared = next(one for one in STREAMS if one.name == subjects.STREAM_EVENTS)
    info = await stream.stream_info(declared.name)
    await apply_stream(stream, replace(declared, discard="new", max_bytes=info.state.bytes + 2000))
    try:
        async with relaying(settings):
            await store.append_fact(session, [event(n=1, text="x" * 5000)])
            await eventually(lambda: refused_by(client, session, declared.name))
            assert await unpublished(pool) == 1
            await apply_stream(stream, declared)
            await eventually(lambda: all_published(pool))
    finally:
        await apply_stream(stream, declared)
    assert await list_dead(pool) == []


async def test_a_database_that_is_away_for_a_while_stops_nothing_for_good(
    own_engine: tuple[Settings, Engine], opened: tuple[EventStore, Pool], client: Client
) -> None:
    settings, engine = own_engine
    store, _ = opened
    session = fresh()
    async with relaying(settings):
        await store.append_fact(session, [event(n=1)])
        engine.postgres.stop()
        engine.postgres.spawn()
        append = [event(n=2)]
        await retrying(lambda: store.append_fact(session, append))
        assert seqs(await published(client, subjects.session_events(session), 2, within=30)) == [1, 2]


async def test_many_rows_of_a_session_go_together_and_a_repeat_of_them_is_recognised(
    settings: Settings, opened: tuple[EventStore, Pool], client: Client
) -> None:
    store, pool = opened
    session = fresh()
    await store.append_fact(session, [event(n=n) for n in range(40)])
    async with relaying(settings):
        found = await published(client, subjects.session_events(session), 40)
        await eventually(lambda: all_published(pool))
        assert seqs(found) == list(range(1, 41))
        assert len({(message.headers or {})["Nats-Batch-Id"] for message in found}) == 1
        with connect(settings, "owner") as connection:
            # As after a crash that lost the marks of most: a batch that was taken before, and two rows that are new.
            connection.execute(
                "UPDATE arreio.outbox SET published_at = NULL WHERE session_id = %s AND seq > 3", (session,)
            )
        await store.append_fact(session, [event(n=41), event(n=42)])
        await eventually(lambda: all_published(pool), within=60)
        assert seqs(await published(client, subjects.session_events(session), 42)) == list(range(1, 43))
        assert await stored(client, session) == 42


async def test_among_many_rows_one_that_is_refused_parks_the_session_just_there(
    settings: Settings, store: EventStore, client: Client
) -> None:
    session = fresh()
    events = [event(n=n) for n in range(40)]
    events[30] = event(n=31, text="x" * (client.max_payload - 100))
    await store.append_fact(session, events)
    async with relaying(settings), store_of(settings, "operator") as (_, pool):
        (letter,) = await eventually(lambda: list_dead(pool))
        assert (letter.session_id, letter.code) == (session, "too_large")
        assert seqs(await published(client, subjects.session_events(session), 30)) == list(range(1, 31))
        assert await stored(client, session) == 30
        await skip(pool, letter.id)
        found = await published(client, subjects.session_events(session), 39)
        assert seqs(found) == [*range(1, 31), *range(32, 41)]


async def test_a_message_that_is_refused_parks_its_session_alone_until_a_person_decides(
    settings: Settings, opened: tuple[EventStore, Pool], client: Client
) -> None:
    store, _ = opened
    parked, free = fresh(), fresh()
    async with relaying(settings), store_of(settings, "operator") as (_, pool):
        await store.append_fact(parked, [event(n=1), event(n=2, text="x" * (client.max_payload - 100)), event(n=3)])
        await store.append_fact(free, [event(n=1)])
        assert seqs(await published(client, subjects.session_events(free), 1)) == [1]
        (letter,) = await eventually(lambda: list_dead(pool))
        assert (letter.source, letter.session_id, letter.code) == ("outbox", parked, "too_large")
        await store.append_fact(parked, [event(n=4)])
        await store.append_fact(free, [event(n=2)])
        assert seqs(await published(client, subjects.session_events(free), 2)) == [1, 2]
        assert seqs(await published(client, subjects.session_events(parked), 1)) == [1]
        # Sent again it is refused again, as another dead letter; skipped, the session goes on behind it.
        await resend(pool, letter.id)
        (again,) = await eventually(lambda: list_dead(pool))
        assert (again.session_id, again.deliveries) == (parked, 2)
        await skip(pool, again.id)
        assert seqs(await published(client, subjects.session_events(parked), 3)) == [1, 3, 4]


async def test_a_route_that_no_stream_takes_parks_its_session(
    settings: Settings, opened: tuple[EventStore, Pool], client: Client
) -> None:
    store, pool = opened
    session = fresh()
    async with relaying(settings):
        await store.append_fact(session, [event(n=1, routes=("arreio.v1.nowhere",))])
        (letter,) = await eventually(lambda: list_dead(pool))
        assert (letter.session_id, letter.code) == (session, "no_body")
    async with store_of(settings, "operator") as (_, operator):
        await skip(operator, letter.id)


@pytest.mark.parametrize(
    ("subject", "headers"),
    [
        (f"arreio.v1.inbound.{'a' * 4034}", {}),
        ("arreio.v1.inbound.\N{ESCAPE}[31m", {}),
        ("arreio.v1.inbound.c", {"X Y": "a header with a space in its name"}),
    ],
)
async def test_what_the_protocol_cannot_carry_is_parked_alone_and_not_sent_again(
    settings: Settings,
    opened: tuple[EventStore, Pool],
    client: Client,
    subject: str,
    headers: dict[str, str],
) -> None:
    store, pool = opened
    free = fresh()
    letter = DeadLetter(consumer="c", subject=subject, code="x", problem="y", headers=headers, body="e30=")
    given_up = await bury(pool, client, letter, fresh("m"))
    assert given_up is not None
    with pytest.raises(NotCarried, match=rf"arreio dead skip {given_up}"):
        await resend(pool, given_up)
    # As an older version would have done it: the row is there, and the relay meets it.
    async with pool.connection() as connection:
        await connection.execute("SELECT arreio.resolve_dead_letter(%s, 'resent')", (given_up,))
    async with relaying(settings):
        await store.append_fact(free, [event(n=1)])
        assert seqs(await published(client, subjects.session_events(free), 1)) == [1]
        (parked,) = await eventually(lambda: list_dead(pool))
        assert (parked.source, parked.session_id) == ("outbox", f"dead_{given_up}")
        await skip(pool, parked.id)
        await eventually(lambda: all_published(pool))


@pytest.mark.parametrize("busy", [False, True])
async def test_a_relay_that_the_broker_sends_away_begins_anew(
    settings: Settings,
    opened: tuple[EventStore, Pool],
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    busy: bool,
) -> None:
    store, pool = opened
    session, clients = fresh(), list[Client]()
    connect_to_nats = nats.connect

    async def connecting(**options: Any) -> Client:
        clients.append(await connect_to_nats(**options))
        return clients[-1]

    monkeypatch.setattr("shared.outbox.relay.nats.connect", connecting)
    async with relaying(settings):
        if busy:
            await store.append_fact(session, [event(n=n) for n in range(5)])
        # What the server answers is any `-ERR`, after which the client is closed for good.
        await clients[0].publish(f"arreio.v1.inbound.{'a' * 5000}")
        await eventually(lambda: _true(clients[0].is_closed))
        await store.append_fact(session, [event(n=9)])
        await eventually(lambda: all_published(pool))
    assert len(clients) == 2
    assert "maximum control line exceeded" in caplog.text.lower()


async def refused_by(client: Client, session: str, stream: str) -> bool:
    """Whether the full stream refuses a message of the session's size."""
    try:
        await client.jetstream().publish(subjects.event(session, "a.b"), b"x" * 5000, stream=stream)
    except nats.js.errors.APIError:
        return True
    return False


async def _true(value: bool) -> bool:
    return value


async def _relay_process(settings: Settings, service: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.support.relay_process", str(settings.home), service, stdout=asyncio.subprocess.PIPE
    )


async def _first_active(relays: list[asyncio.subprocess.Process]) -> asyncio.subprocess.Process:
    async def active(process: asyncio.subprocess.Process) -> asyncio.subprocess.Process:
        assert process.stdout is not None
        assert await process.stdout.readline() == b"active\n"
        return process

    tasks = [asyncio.create_task(active(process)) for process in relays]
    done, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED, timeout=30)
    for task in pending:
        task.cancel()
    return done.pop().result()

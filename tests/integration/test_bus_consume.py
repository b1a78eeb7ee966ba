"""Consuming on a real NATS: every message ends handled or as a dead letter, and none is handled by two at once."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace

import nats
import nats.errors
import pytest
from arreio_contracts import subjects
from arreio_contracts.envelope import envelope, headers, read
from arreio_contracts.errors import InvalidBody
from arreio_contracts.messages import DeadLetter, RunTask
from nats.aio.client import Client

from shared.bus import consume as consuming
from shared.bus.broker import FETCH_TIMEOUT, Broker, NotProvisioned
from shared.bus.consume import Received, Retry, consume
from shared.bus.streams import CONSUMERS, Consumer, apply_consumer
from shared.engine.engine import Engine
from shared.outbox.dead_letters import DeadLetterRow, bury, counted_onto, list_dead, resend, skip
from shared.outbox.relay import run_relay
from shared.settings import Settings
from shared.store.errors import StoreUnavailable
from tests.support import engines
from tests.support.store import connect, fresh, store_of
from tests.support.waiting import eventually

Handler = Callable[[Received[RunTask]], Awaitable[None]]


class Bench:
    """A durable of this test's own, a broker that consumes from it, and what is seen of both."""

    def __init__(self, settings: Settings, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        self.settings, self.client = settings, client
        name = fresh("c")
        self.subject = f"{subjects.ROOT}.commands.test.{name}"
        self.consumer = Consumer(name, subjects.STREAM_COMMANDS, (self.subject,), ack_wait=1.5, deliveries=3)
        monkeypatch.setitem(CONSUMERS, name, self.consumer)
        monkeypatch.setattr(consuming, "FIRST_DELAY", 0.01)

    async def send(self, body: bytes, **changes: str) -> None:
        found = headers(envelope("command.run_task", id=fresh("m"), source="test"))
        await self.client.jetstream().publish(self.subject, body, headers={**found, **changes})

    async def send_task(self, task: str) -> None:
        await self.send(RunTask(session_id="s_1", task_id=task).model_dump_json().encode())

    @asynccontextmanager
    async def consuming(self, handler: Handler, workers: int = 1) -> AsyncIterator[Broker]:
        async with store_of(self.settings, "tool_loop") as (_, pool):
            broker = Broker(self.settings, "test")
            consume(broker, self.consumer.name, handler, RunTask, pool=pool, workers=workers)
            await broker.start()
            try:
                yield broker
            finally:
                await broker.stop()

    async def dead(self) -> list[DeadLetterRow]:
        async with store_of(self.settings, "operator") as (_, pool):
            return [one for one in await list_dead(pool) if one.consumer == self.consumer.name]

    async def is_empty(self) -> bool:
        info = await self.client.jetstream().consumer_info(self.consumer.stream, self.consumer.name)
        return not (info.num_pending or info.num_ack_pending)


@pytest.fixture
async def bench(engine: Settings, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Bench]:
    client = await nats.connect(**engine.nats_options("services"))
    found = Bench(engine, client, monkeypatch)
    await apply_consumer(client.jetstream(), found.consumer)
    yield found
    await client.jetstream().delete_consumer(found.consumer.stream, found.consumer.name)
    await client.close()


async def test_a_message_that_fits_is_handled_and_acknowledged(bench: Bench) -> None:
    seen: asyncio.Queue[Received[RunTask]] = asyncio.Queue()
    async with bench.consuming(seen.put):
        await bench.send_task("t_1")
        received = await asyncio.wait_for(seen.get(), 10)
        await eventually(bench.is_empty)
    assert received.body == RunTask(session_id="s_1", task_id="t_1")
    assert (received.subject, received.deliveries) == (bench.subject, 1)
    assert await bench.dead() == []


async def test_a_request_for_messages_that_a_reconnection_lost_is_made_again_at_once(bench: Bench) -> None:
    seen: asyncio.Queue[Received[RunTask]] = asyncio.Queue()
    async with bench.consuming(seen.put) as broker:
        await bench.send_task("t_1")
        await asyncio.wait_for(seen.get(), 10)
        await broker.client.force_reconnect()
        await bench.send_task("t_2")
        # Well below the time that a request stays open.
        received = await asyncio.wait_for(seen.get(), FETCH_TIMEOUT / 2)
    assert received.body.task_id == "t_2"


@pytest.mark.parametrize(
    ("body", "changes", "code", "field"),
    [
        (b"{", {}, "invalid_body", "data"),
        (b"\xff\x00", {}, "invalid_body", "data"),
        (b'{"session_id":"s_1"}', {}, "invalid_body", "data.task_id"),
        (b'{"session_id":"s_1","task_id":7}', {}, "invalid_body", "data.task_id"),
        (b"{}", {"ce-dataschema": "arreio:schema:command.run_task:9"}, "unknown_version", "ce-dataschema"),
        (b"{}", {"ce-type": "arreio.nothing.known"}, "unknown_type", "ce-type"),
        (b"{}", {"ce-type": "x", "ce-specversion": "0.3"}, "invalid_envelope", "ce-specversion"),
    ],
)
async def test_what_breaks_its_contract_is_a_dead_letter_that_names_the_field(
    bench: Bench, body: bytes, changes: dict[str, str], code: str, field: str
) -> None:
    seen: asyncio.Queue[Received[RunTask]] = asyncio.Queue()
    reader = await bench.client.subscribe(subjects.dead(bench.consumer.name))
    async with bench.consuming(seen.put):
        await bench.send(body, **changes)
        message = await reader.next_msg(timeout=10)
        await eventually(bench.is_empty)
    (row,) = await bench.dead()
    assert (row.code, row.field, row.subject, row.body) == (code, field, bench.subject, body)
    _, letter = read(message.headers, message.data)
    assert isinstance(letter, DeadLetter)
    assert (letter.code, letter.field, base64.b64decode(letter.body)) == (code, field, body)
    assert seen.empty()


@pytest.mark.parametrize(
    ("body", "changes"),
    [
        (lambda limit: b"{" * (limit - 2000), {}),
        (lambda limit: b'{"session_id": "s", "' + b"n" * (limit - 2000) + b'": 1}', {}),
        (lambda limit: b"{}", {"ce-type": "a\x00b"}),
    ],
    ids=["whole payload", "a long name", "NUL in a header"],
)
async def test_whatever_a_message_holds_it_is_buried_once_and_the_next_is_handled(
    bench: Bench, body: Callable[[int], bytes], changes: dict[str, str]
) -> None:
    seen: asyncio.Queue[Received[RunTask]] = asyncio.Queue()
    raw = body(bench.client.max_payload)
    reader = await bench.client.subscribe(subjects.dead(bench.consumer.name))
    async with bench.consuming(seen.put):
        await bench.send(raw, **changes)
        message = await reader.next_msg(timeout=10)
        await eventually(bench.is_empty)
        await bench.send_task("t_1")
        await asyncio.wait_for(seen.get(), 10)
    (row,) = await bench.dead()
    assert row.body == raw
    _, letter = read(message.headers, message.data)
    assert isinstance(letter, DeadLetter)
    assert base64.b64decode(letter.body) in (b"", raw)


@pytest.mark.parametrize(
    ("name", "head"),
    [
        (b"\xff", b""),
        (b"a\x0bb", b""),
        (b"a\x0c5", b""),
        (b"a\x00b", b""),
        (b"a" * 3900, b""),
        (b"a", b"NATS/1.0"),
        (b"a", b"NATS/1.0\r\nce-type: \xff\r\n\r\n"),
        (b"a", b"NATS/1.0 \xff\r\n\r\n"),
        (b"a", b"NATS/1.0 408 Request Timeout\r\n\r\n"),
    ],
    ids=["no UTF-8", "VT", "FF", "NUL", "long", "no end", "header no UTF-8", "status no UTF-8", "a server's status"],
)
async def test_whatever_bytes_a_message_is_made_of_it_is_buried_and_the_next_is_handled(
    bench: Bench, name: bytes, head: bytes
) -> None:
    wide = replace(bench.consumer, filters=(f"{subjects.ROOT}.commands.{bench.consumer.name}.*",))
    await apply_consumer(bench.client.jetstream(), wide)
    seen: asyncio.Queue[Received[RunTask]] = asyncio.Queue()
    bench.subject = wide.filters[0].replace("*", "next")
    async with bench.consuming(seen.put):
        # Our clients would not send it; but a server's answer goes to whatever subject was named, and is stored there.
        subject = wide.filters[0].removesuffix("*").encode() + name
        sizes = b"%d %d" % (len(head), len(head) + 2) if head else b"2"
        verb = b"HPUB " if head else b"PUB "
        await bench.client._send_command(verb + subject + b" " + sizes + b"\r\n" + head + b"{}\r\n")
        await bench.client.flush()
        await bench.send_task("t_1")
        assert (await asyncio.wait_for(seen.get(), 10)).body.task_id == "t_1"
        await eventually(bench.is_empty)
    (row,) = await bench.dead()
    assert (row.body, row.code) == (b"{}", "invalid_envelope")


async def test_a_letter_that_fits_but_for_its_own_headers_is_buried_without_its_body(bench: Bench) -> None:
    limit = bench.client.max_payload
    letter = DeadLetter(consumer=bench.consumer.name, subject="s", code="x", field="a\0b", problem="y", body="")
    body = "A" * ((limit - len(letter.model_dump_json())) // 4 * 4)
    reader = await bench.client.subscribe(subjects.dead(bench.consumer.name))
    async with store_of(bench.settings, "tool_loop") as (_, pool):
        # The client counts no headers, and what it sends is too large with them: the server ends the connection.
        await bury(pool, bench.client, letter.model_copy(update={"body": body}), fresh("m"))
    _, said = read((message := await reader.next_msg(timeout=10)).headers, message.data)
    assert isinstance(said, DeadLetter) and said.body == ""
    (row,) = await bench.dead()
    assert base64.b64encode(row.body).decode() == body


async def test_what_the_server_would_hang_up_at_is_refused_before_it_is_sent(bench: Bench) -> None:
    async def never(_: Received[RunTask]) -> None:
        raise AssertionError

    async with bench.consuming(never) as broker:
        fits = b"x" * broker.client.max_payload
        with pytest.raises(nats.errors.MaxPayloadError):
            await broker.client.request("arreio.v1.rpc.nobody.at_home", fits, headers={"traceparent": "00-1"})
        with pytest.raises(nats.errors.BadSubjectError):
            await broker.client.request(f"arreio.v1.rpc.{'a' * 4060}", b"")
        with pytest.raises(nats.errors.NoRespondersError):
            await broker.client.request("arreio.v1.rpc.nobody.at_home", fits)
        assert broker.client.is_connected


async def test_a_message_of_another_contract_is_a_dead_letter(bench: Bench) -> None:
    seen: asyncio.Queue[Received[RunTask]] = asyncio.Queue()
    async with bench.consuming(seen.put):
        other = headers(envelope("command.judge_claim", id=fresh("m"), source="test"))
        await bench.send(b'{"session_id":"s","task_id":"t","claim_id":"c"}', **other)
        (row,) = await eventually(bench.dead)
    assert (row.code, row.field) == ("unknown_type", "ce-type")


async def test_a_handler_may_refuse_a_message_for_good(bench: Bench) -> None:
    async def handle(_: Received[RunTask]) -> None:
        raise InvalidBody("data.channel", "is not that of the subject")

    async with bench.consuming(handle):
        await bench.send_task("t_1")
        (row,) = await eventually(bench.dead)
    assert (row.code, row.field, row.deliveries) == ("invalid_body", "data.channel", 1)


async def test_of_malformed_messages_only_so_many_are_kept_and_of_those_that_failed_all(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(_: Received[RunTask]) -> None:
        raise RuntimeError

    def rows() -> list[tuple[object, ...]]:
        with connect(bench.settings, "owner") as connection:
            return connection.execute(
                "SELECT count(*), sum(messages) FROM arreio.dead_letters d LEFT JOIN arreio.dead_letters_more m "
                "ON m.letter = d.id WHERE consumer = %s AND resolved_at IS NULL",
                (bench.consumer.name,),
            ).fetchall()

    with connect(bench.settings, "tool_loop") as connection:
        (last,) = connection.execute(
            "SELECT max(arreio.dead_letter(%s, %s, 'm/' || n, 'invalid_body', NULL, '', '{}', '', 1)) "
            "FROM generate_series(1, 100) n",
            (bench.consumer.name, bench.subject),
        ).fetchone() or (0,)
    reader = await bench.client.subscribe(subjects.dead(bench.consumer.name))
    async with bench.consuming(fail):
        for body in (b"{", b"", b"[]"):
            await bench.send(body)
        await eventually(bench.is_empty)
        assert rows() == [(100, 3)] and not reader.pending_msgs
        await bench.send_task("t_1")
        await eventually(bench.is_empty)
        assert rows() == [(101, 3)]
        async with store_of(bench.settings, "operator") as (_, pool):
            assert await counted_onto(pool, [last]) == {last: 3}
            await skip(pool, last)
        await bench.send(b"{")
        await eventually(bench.is_empty)
        assert rows() == [(101, None)]
    assert len([one for one in caplog.records if "only counted" in one.getMessage()]) == 1
    await reader.unsubscribe()


async def test_a_failing_handler_gets_the_message_again_and_after_the_last_time_it_is_a_dead_letter(
    bench: Bench,
) -> None:
    seen: list[int] = []

    async def handle(received: Received[RunTask]) -> None:
        seen.append(received.deliveries)
        raise Retry(0.01, "not now") if received.deliveries == 1 else RuntimeError("no\x00 \ud800")

    async with bench.consuming(handle):
        await bench.send_task("t_1")
        (row,) = await eventually(bench.dead)
        await eventually(bench.is_empty)
    assert seen == [1, 2, 3]
    assert (row.code, row.deliveries) == ("handler_failed", 3)
    assert row.problem.startswith("RuntimeError: no")


async def test_a_message_that_nobody_can_handle_holds_up_no_other(bench: Bench) -> None:
    handled: list[str] = []

    async def handle(received: Received[RunTask]) -> None:
        if received.body.task_id == "t_poison":
            raise RuntimeError("it cannot be handled")
        handled.append(received.body.task_id)

    others = [f"t_{number}" for number in range(6)]
    async with bench.consuming(handle, workers=2):
        for task in (*others[:3], "t_poison", *others[3:]):
            await bench.send_task(task)
        (row,) = await eventually(bench.dead)
        await eventually(bench.is_empty)
    assert sorted(handled) == others
    assert row.body == RunTask(session_id="s_1", task_id="t_poison").model_dump_json().encode()


async def test_a_message_that_kept_ending_its_process_is_given_up(bench: Bench) -> None:
    seen: asyncio.Queue[Received[RunTask]] = asyncio.Queue()
    await bench.send_task("t_1")
    puller = await bench.client.jetstream().pull_subscribe_bind(bench.consumer.name, bench.consumer.stream)
    for _ in range(bench.consumer.deliveries):
        (message,) = await puller.fetch(1, timeout=5)
        await message.nak()
    async with bench.consuming(seen.put):
        (row,) = await eventually(bench.dead)
    assert (row.code, row.deliveries) == ("gave_up", 4)
    assert seen.empty()


async def test_while_the_database_is_away_no_delivery_is_counted(bench: Bench) -> None:
    seen: list[int] = []
    done = asyncio.Event()

    async def handle(received: Received[RunTask]) -> None:
        seen.append(received.deliveries)
        if len(seen) < 6:
            raise StoreUnavailable("away")
        done.set()

    async with bench.consuming(handle):
        await bench.send_task("t_1")
        await asyncio.wait_for(done.wait(), 20)
        await eventually(bench.is_empty)
    assert seen == [1] * 6


async def test_a_handler_that_takes_longer_than_the_ack_wait_has_its_message_for_itself(bench: Bench) -> None:
    seen: list[str] = []

    async def handle(received: Received[RunTask]) -> None:
        seen.append(received.body.task_id)
        if received.body.task_id == "t_long":
            # Time itself is what is tested: without a word to it, the broker delivers again after ack_wait.
            await asyncio.sleep(bench.consumer.ack_wait * 2)

    async with bench.consuming(handle, workers=3):
        await bench.send_task("t_long")
        await bench.send_task("t_other")
        await eventually(bench.is_empty)
    assert sorted(seen) == ["t_long", "t_other"]


async def test_workers_and_processes_share_a_durable_without_handling_a_message_twice(bench: Bench) -> None:
    seen: list[str] = []

    async def handle(received: Received[RunTask]) -> None:
        seen.append(received.body.task_id)

    async with bench.consuming(handle, workers=3), bench.consuming(handle, workers=2):
        await asyncio.gather(*(bench.send_task(f"t_{n}") for n in range(60)))
        await eventually(bench.is_empty)
    assert sorted(seen) == sorted(f"t_{n}" for n in range(60))


async def test_a_dead_letter_that_is_sent_again_is_handled(bench: Bench) -> None:
    broken = True
    done = asyncio.Event()

    async def handle(received: Received[RunTask]) -> None:
        if broken:
            raise InvalidBody("data", "not yet")
        done.set()

    relay = asyncio.create_task(run_relay(bench.settings, service="gateway"))
    async with bench.consuming(handle), store_of(bench.settings, "operator") as (_, pool):
        await bench.send_task("t_1")
        (row,) = await eventually(bench.dead)
        broken = False
        await resend(pool, row.id)
        await asyncio.wait_for(done.wait(), 10)
    relay.cancel()
    assert await bench.dead() == []


async def test_a_consumer_that_was_never_provisioned_is_named(
    engine: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = fresh("c")
    monkeypatch.setitem(CONSUMERS, name, Consumer(name, subjects.STREAM_COMMANDS, (f"{subjects.ROOT}.commands.a.b",)))
    broker = Broker(engine, "test")
    try:
        await broker.require(subjects.CONSUMER_TOOL_LOOP_RUN)
        with pytest.raises(NotProvisioned, match=name):
            await broker.require(name)
    finally:
        await broker.stop()


@pytest.fixture
def own_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Settings, Engine]]:
    with engines.own_engine(tmp_path_factory.mktemp("bus")) as found:
        yield found


async def test_consuming_goes_on_after_the_broker_was_away(
    own_engine: tuple[Settings, Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, engine = own_engine
    client = await nats.connect(**settings.nats_options("services"), max_reconnect_attempts=-1, reconnect_time_wait=0.1)
    bench = Bench(settings, client, monkeypatch)
    await apply_consumer(client.jetstream(), bench.consumer)
    seen: asyncio.Queue[Received[RunTask]] = asyncio.Queue()
    async with bench.consuming(seen.put):
        await bench.send_task("t_1")
        assert (await asyncio.wait_for(seen.get(), 10)).body.task_id == "t_1"
        engine.nats.stop()
        engine.nats.spawn()

        async def sent() -> bool:
            try:
                await bench.send_task("t_2")
            except (nats.errors.Error, TimeoutError):
                return False
            return True

        await eventually(sent, within=30)
        assert (await asyncio.wait_for(seen.get(), 30)).body.task_id == "t_2"
    await client.close()

"""A message has one effect, however often it comes, to however many consumers, and however late."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import nats
import pytest
from arreio_contracts import messages, subjects
from arreio_contracts.envelope import Envelope, envelope, headers
from arreio_contracts.events import Metadata, TaskCompleted, TaskNeedsInput, Totals
from arreio_contracts.messages import InboundMessage, Receipt
from hypothesis import given, settings
from hypothesis import strategies as st

from services.gateway.handlers import Gateway
from shared.bus.broker import Broker
from shared.bus.consume import Received, consume
from shared.bus.streams import STREAMS, apply_stream
from shared.settings import Settings
from shared.store import tasks
from shared.store.connection import Pool
from shared.store.events import EventStore, event_of
from tests.support.engines import own_engine
from tests.support.store import fresh, store_of
from tests.support.waiting import eventually

DELIVERIES = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 3), st.sampled_from(["whole", "whole", "cut off"])),
    min_size=1,
    max_size=24,
)
"""Conversation, message, and whether the consumer dies somewhere in the middle of it."""


def message(run: str, conversation: int, number: int) -> InboundMessage:
    return InboundMessage(
        conversation=f"{run}-{conversation}", message_id=f"m{number}", sender="ana", text=f"do {number}"
    )


def cause() -> Envelope:
    return envelope("inbound.message", id=fresh("m"), source="test")


@given(DELIVERIES)
@settings(max_examples=15, deadline=None)
def test_each_message_is_accepted_once_whatever_is_repeated_at_once_or_cut_off(
    engine: Settings, deliveries: list[tuple[int, int, str]]
) -> None:
    asyncio.run(_deliver(engine, deliveries))


async def _deliver(engine: Settings, deliveries: list[tuple[int, int, str]]) -> None:
    run = fresh("k")
    async with store_of(engine, "gateway") as (store, pool):
        gateways = [Gateway(pool, data_dir=Path("/nonexistent"), code_version="test") for _ in range(2)]

        async def deliver(place: int, conversation: int, number: int, how: str) -> Receipt | None:
            accepting = asyncio.create_task(
                gateways[place % 2].accept("test", message(run, conversation, number), cause())
            )
            if how == "cut off":
                # The consumer dies at some point: before its commit, or after it and before it could say so.
                await asyncio.wait([accepting], timeout=0.001 * (place % 7))
                accepting.cancel()
            try:
                return await accepting
            except asyncio.CancelledError:
                return None

        receipts = await asyncio.gather(*(deliver(place, *one) for place, one in enumerate(deliveries)))
        # The broker delivers what was cut off once more.
        receipts += await asyncio.gather(
            *(deliver(place, *one[:2], "whole") for place, one in enumerate(deliveries) if one[2] == "cut off")
        )
        said = [one.status for one in receipts if one is not None]
        assert set(said) <= {"accepted", "duplicate"}
        wanted = {(conversation, number) for conversation, number, _ in deliveries}
        await _assert_one_effect_each(store, pool, run, wanted)


async def _assert_one_effect_each(store: EventStore, pool: Pool, run: str, wanted: set[tuple[int, int]]) -> None:
    for conversation in {conversation for conversation, _ in wanted}:
        session = messages.session_id("test", message(run, conversation, 0))
        expected = sorted(number for other, number in wanted if other == conversation)
        events = await store.read(session)
        received = [one.data["message"]["message_id"] for one in events if one.type == "message.received"]
        assert sorted(received) == [f"m{number}" for number in expected]
        assert [one.type for one in events].count("session.created") == 1
        assert len(await tasks.list_tasks(pool, session_id=session)) == len(expected)
        assert await store.verify_chain(session) is None


@pytest.fixture(scope="module")
def forgetful(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """An engine whose broker remembers message ids for a tenth of a second only."""
    with own_engine(tmp_path_factory.mktemp("inbox")) as (found, _):

        async def forget() -> None:
            client = await nats.connect(**found.nats_options("services"))
            declared = next(one for one in STREAMS if one.name == subjects.STREAM_EVENTS)
            await apply_stream(client.jetstream(), replace(declared, duplicate_window=0.1))
            await client.close()

        asyncio.run(forget())
        yield found


async def test_the_same_event_before_and_after_the_brokers_window_has_one_effect(forgetful: Settings) -> None:
    client = await nats.connect(**forgetful.nats_options("services"))
    stream = client.jetstream()
    async with store_of(forgetful, "gateway") as (store, pool):
        gateway = Gateway(pool, data_dir=Path("/nonexistent"), code_version="test")
        asked = message(fresh("k"), 0, 0)
        receipt = await gateway.accept("test", asked, cause())
        assert receipt.session_id is not None and receipt.task_id is not None
        session, handled = receipt.session_id, asyncio.Queue[str]()

        async def outcome(received: Received[TaskCompleted]) -> None:
            await gateway.answer_outcome(received.envelope, received.body)
            handled.put_nowait(received.envelope.id)

        totals = Totals(steps=1, tool_calls=0, prompt_tokens=0, completion_tokens=0, cost_usd=0.0, seconds=0.1)
        done = TaskCompleted(claim_id="c", reply="Done.", totals=totals)
        attributes = envelope(
            "task.completed", id="e-1", source="tool_loop", subject=receipt.task_id, partitionkey=session
        )
        head = {**headers(attributes), "Nats-Msg-Id": "e-1/0"}

        async def publish() -> bool | None:
            ack = await stream.publish(
                subjects.event(session, "task.completed"), done.model_dump_json().encode(), headers=head
            )
            return ack.duplicate

        broker = Broker(forgetful, "test")
        consume(broker, subjects.CONSUMER_GATEWAY_OUTCOMES, outcome, TaskCompleted, pool=pool)
        await broker.start()
        try:
            assert not await publish()
            assert await publish()  # within the window the broker drops it
            assert await asyncio.wait_for(handled.get(), 10) == "e-1"

            async def forgotten() -> bool:
                return not await publish()

            await eventually(forgotten)
            assert await asyncio.wait_for(handled.get(), 10) == "e-1"
        finally:
            await broker.stop()
        assert [one.type for one in await store.read(session)].count("reply.queued") == 1
    await client.close()


async def test_an_outcome_that_the_stream_has_lost_is_answered_once_by_the_sweep(engine: Settings) -> None:
    async with store_of(engine, "gateway") as (_, pool), store_of(engine, "owner") as (owner, _):
        gateway = Gateway(pool, data_dir=Path("/nonexistent"), code_version="test")
        receipt = await gateway.accept("test", message(fresh("k"), 0, 0), cause())
        assert receipt.session_id is not None and receipt.task_id is not None
        session, task = receipt.session_id, receipt.task_id

        async def replies() -> list[tuple[str, str]]:
            found = await owner.read(session, types=("reply.queued",))
            return [(one.data["kind"], one.data["text"]) for one in found]

        await gateway.sweep_outcomes(after=0)
        assert await replies() == []
        metadata = Metadata(service="tool_loop", correlation="m1")
        asks = TaskNeedsInput(question="Which?", expires_ms=1)
        await owner.append_fact(
            session, [event_of(asks, metadata, task_id=task)], task={"task_id": task, "state": "NEEDS_INPUT"}
        )
        await gateway.sweep_outcomes(after=3600)
        assert await replies() == []
        for _ in range(2):
            await asyncio.gather(*(gateway.sweep_outcomes(after=0) for _ in range(2)))
        assert await replies() == [("question", "Which?")]
        totals = Totals(steps=1, tool_calls=0, prompt_tokens=0, completion_tokens=0, cost_usd=0.0, seconds=0.1)
        done = TaskCompleted(claim_id="c", reply="Done.", totals=totals)
        await owner.append_fact(
            session, [event_of(done, metadata, task_id=task)], task={"task_id": task, "state": "COMPLETE"}
        )
        for _ in range(2):
            await gateway.sweep_outcomes(after=0)
        assert await replies() == [("question", "Which?"), ("reply", "Done.")]

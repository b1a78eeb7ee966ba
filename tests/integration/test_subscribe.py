"""The subscription helper of the contracts on a real NATS."""

from __future__ import annotations

from contextlib import aclosing

import nats
import pytest
from arreio_contracts import envelope, subjects
from arreio_contracts.errors import ContractError, UnknownVersion
from arreio_contracts.events import SessionCreated
from arreio_contracts.subscribe import Received, subscribe
from nats.aio.client import Client

from shared.settings import Settings
from tests.support.store import fresh

CREATED = SessionCreated(channel="cli", conversation="c", sender=None)


async def test_a_subscriber_goes_on_behind_an_event_that_it_cannot_read(engine: Settings) -> None:
    session = fresh()
    client = await nats.connect(**engine.nats_options("services"))
    try:
        await _publish(client, session, 1, CREATED.version)
        newer = await _publish(client, session, 2, 99)
        await _publish(client, session, 3, CREATED.version)
        seen = list[int]()
        with pytest.raises(UnknownVersion) as stopped:
            await _read(client, session, 0, seen)
        assert (seen, stopped.value.stream_seq) == ([1], newer)
        await _read(client, session, newer, seen)
        assert seen == [1, 3]
    finally:
        await client.close()


async def test_what_the_broker_was_made_to_acknowledge_on_a_subject_of_events_is_passed_over(engine: Settings) -> None:
    session, seen = fresh(), list[int]()
    client = await nats.connect(**engine.nats_options("services"))
    try:
        await _publish(client, session, 1, CREATED.version)
        # The acknowledgement is itself a message, stored where the publisher says.
        await client.publish("arreio.v1.inbound.subscribe", b"{}", reply=subjects.event(session, "task.completed"))
        await client.flush()
        await _publish(client, session, 3, CREATED.version)
        await _read(client, session, 0, seen)
        assert seen == [1, 3]
        await client.jetstream().purge_stream(subjects.STREAM_INBOUND, subject="arreio.v1.inbound.subscribe")
    finally:
        await client.close()


def test_an_error_of_anything_else_has_no_place_in_the_stream() -> None:
    with pytest.raises(ContractError) as refused:
        subjects.token("a b", "session_id")
    assert refused.value.stream_seq is None


async def _read(client: Client, session: str, after: int, seen: list[int]) -> None:
    async with aclosing(subscribe(client, session_id=session, after=after)) as events:
        async for received in events:
            assert isinstance(received, Received)
            seen.append(received.envelope.seq or 0)
            if received.envelope.seq == 3:
                return


async def _publish(client: Client, session: str, seq: int, version: int) -> int:
    attributes = envelope.Envelope(
        id=fresh("e"),
        source="test",
        type="arreio.session.created",
        dataschema=envelope.dataschema("session.created", version),
        partitionkey=session,
        sequence=envelope.sequence(seq),
    )
    done = await client.jetstream().publish(
        subjects.event(session, "session.created"),
        CREATED.model_dump_json().encode(),
        headers=envelope.headers(attributes),
    )
    return done.seq

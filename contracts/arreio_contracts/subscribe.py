"""Read task events from any program: `subscribe` catches up from the stream, then follows, in order within a session.

It needs `nats-py`, which this package does not install: `pip install arreio-contracts nats-py`.
"""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from . import envelope, subjects
from .errors import ContractError

if TYPE_CHECKING:
    from nats.aio.client import Client


@dataclass(frozen=True)
class Received:
    """One event as it came: attributes, data as its contract, and its place in the stream."""

    envelope: envelope.Envelope
    data: BaseModel
    stream_seq: int


async def subscribe(
    client: "Client",
    *,
    session_id: str | None = None,
    event_type: str | None = None,
    after: int = 0,
    heartbeat: float = 5.0,
) -> AsyncGenerator[Received, None]:
    """Every event of the stream, then those to come, for ever.

    Args:
        client: A connected nats-py client of a user that may read events.
        session_id: Only this session's; every session's if None.
        event_type: Only this type (`task.completed`); every type if None.
        after: The `stream_seq` of the last event already handled; 0 for all that the stream holds.
        heartbeat: Seconds; a lost connection is noticed after about twice as long, and the reading goes on by itself.

    Events come at least once and in session order; drop repeats by `envelope.sequence`. A message that this version of
    the package cannot read ends the iteration with its `ContractError`; begin again `after` its `stream_seq`.
    """
    from nats.js.api import ConsumerConfig, DeliverPolicy

    start = ConsumerConfig(
        deliver_policy=DeliverPolicy.BY_START_SEQUENCE if after else DeliverPolicy.ALL,
        opt_start_seq=after + 1 if after else None,
        idle_heartbeat=heartbeat,
    )
    subscription = await client.jetstream().subscribe(
        _filter(session_id, event_type),
        stream=subjects.STREAM_EVENTS,
        ordered_consumer=True,
        config=start,
    )
    try:
        async for message in subscription.messages:
            if not envelope.is_foreign(message.headers):
                yield _received(message)
    finally:
        if not client.is_closed:
            await subscription.unsubscribe()


def _filter(session_id: str | None, event_type: str | None) -> str:
    session = "*" if session_id is None else subjects.token(session_id, "session_id")
    kind = "*" if event_type is None else subjects.wire_type(event_type)
    return f"{subjects.ROOT}.events.{session}.{kind}"


def _received(message: Any) -> Received:
    place: int = message.metadata.sequence.stream
    try:
        attributes, data = envelope.read(message.headers, message.data)
    except ContractError as error:
        error.stream_seq = place
        raise
    return Received(attributes, data, place)

"""The durables from which adapters read their replies, made and taken away with their channels."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from arreio_contracts import adapters, subjects

from shared.bus.streams import Consumer, apply_consumer
from shared.errors import ArreioError

if TYPE_CHECKING:
    from nats.js import JetStreamContext

    from shared.settings import Settings


ACK_WAIT: Final = 30.0
"""Seconds after which the broker gives a reply that a dead adapter had to the next one."""


async def make_durable(settings: Settings, channel: str, *, ack_wait: float = ACK_WAIT) -> None:
    """Make the channel's durable, or change the one that is there. Raises ArreioError when NATS refuses."""
    declared = Consumer(
        adapters.durable(channel),
        subjects.STREAM_OUTBOUND,
        (subjects.outbound(channel),),
        ack_wait=ack_wait,
        max_ack_pending=1,
    )
    async with _jetstream(settings) as stream:
        await apply_consumer(stream, declared)


async def remove_durable(settings: Settings, channel: str) -> None:
    """Take the channel's durable away. Raises ArreioError when NATS refuses."""
    from nats.js.errors import NotFoundError

    async with _jetstream(settings) as stream:
        with contextlib.suppress(NotFoundError):
            await stream.delete_consumer(subjects.STREAM_OUTBOUND, adapters.durable(channel))


@asynccontextmanager
async def _jetstream(settings: Settings) -> AsyncIterator[JetStreamContext]:
    import nats
    import nats.errors

    async def silent(_: Exception) -> None:
        """What breaks is reported by the call that meets it."""

    try:
        options = settings.nats_options("services")
        client = await nats.connect(**options, connect_timeout=5, max_reconnect_attempts=2, error_cb=silent)
        try:
            yield client.jetstream(timeout=10)
        finally:
            await client.close()
    except (OSError, TimeoutError, nats.errors.Error) as error:
        raise ArreioError(f"NATS: {error or type(error).__name__}", "see 'arreio doctor'") from error

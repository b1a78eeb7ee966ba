"""Gauges that are read when somebody scrapes, at most every few seconds: what waits in the database and on NATS."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

from shared.bus.streams import CONSUMERS
from shared.observing import metrics
from shared.observing.probe import StoreProbe

if TYPE_CHECKING:
    from shared.bus.broker import Broker

log = logging.getLogger(__name__)

AT_MOST_EVERY: Final = 5.0
PATIENCE: Final = 2.0
"""Seconds that a scrape waits for them."""

_WAITING: Final = """
WITH waiting AS MATERIALIZED (
    SELECT id, session_id, seq FROM arreio.outbox o WHERE published_at IS NULL AND NOT EXISTS (
        SELECT FROM arreio.dead_letters d
        WHERE d.session_id = o.session_id AND d.source = 'outbox' AND d.resolved_at IS NULL)
), oldest AS (SELECT session_id, seq FROM waiting ORDER BY id LIMIT 1)
SELECT (SELECT count(*) FROM waiting),
       coalesce((SELECT extract(epoch FROM clock_timestamp() - e.recorded_at)::float8
                 FROM oldest JOIN arreio.session_events e USING (session_id, seq)), 0)
"""
_DEAD: Final = (
    "SELECT count(*) FILTER (WHERE source = 'outbox'), count(*) FILTER (WHERE source = 'consumer'), "
    "coalesce(sum(messages), 0)::bigint "
    "FROM arreio.dead_letters d LEFT JOIN arreio.dead_letters_more m ON m.letter = d.id WHERE resolved_at IS NULL"
)
_OPEN: Final = (
    "SELECT state, count(*) FROM arreio.tasks WHERE state IN ('PENDING', 'IN_PROGRESS', 'NEEDS_INPUT') GROUP BY state"
)


class Reading:
    """Reads gauges anew where what they say is old; where they cannot be read, they are forgotten.

    A read that hangs is left alone, and waited for again at the next scrape: to cancel a query takes an answer too.
    """

    def __init__(self, read: Callable[[], Awaitable[None]], forget: Callable[[], None]) -> None:
        self._read = read
        self._forget = forget
        self._due = 0.0
        self._reading: asyncio.Future[None] | None = None

    async def refresh(self, patience: float = PATIENCE) -> None:
        """Have the gauges say what is so now, or was so a few seconds ago."""
        if self._reading is None:
            if time.monotonic() < self._due:
                return
            self._reading = asyncio.ensure_future(self._read())
        reading = self._reading
        await asyncio.wait({reading}, timeout=patience)
        if not reading.done():
            self._forget()
        elif self._reading is reading:
            self._reading, self._due = None, time.monotonic() + AT_MOST_EVERY
            if (error := reading.exception()) is not None:
                log.debug("gauges are not read: %r", error)
                self._forget()

    def close(self) -> None:
        """Read no more."""
        if self._reading is not None:
            self._reading.cancel()


def store_reading(probe: StoreProbe) -> Reading:
    """What waits in the database. Only the process whose relay is active reads it, so that one does."""

    async def read() -> None:
        if not metrics.relay_is_active():
            forget()
            return
        (rows, age), (outbox, consumer, more) = (await probe.query(_WAITING))[0], (await probe.query(_DEAD))[0]
        metrics.OUTBOX_ROWS.set(rows)
        metrics.OUTBOX_AGE.set(max(0.0, age))
        metrics.PARKED.set(outbox)
        metrics.DEAD.set(outbox, "outbox")
        metrics.DEAD.set(consumer, "consumer")
        metrics.NOT_KEPT.set(more)
        found: dict[str, int] = dict(await probe.query(_OPEN))
        for state in metrics.OPEN_STATES:
            metrics.TASKS_OPEN.set(found.get(state, 0), state)

    def forget() -> None:
        for gauge in metrics.BY_THE_RELAY:
            gauge.forget()

    return Reading(read, forget)


def consumer_reading(broker: Broker, consumers: tuple[str, ...]) -> Reading:
    """How far the consumers of this service lag behind. A service's NATS user may look at its own alone."""

    async def read() -> None:
        for consumer in consumers:
            info = await broker.jetstream.consumer_info(CONSUMERS[consumer].stream, consumer)
            metrics.PENDING.set(info.num_pending or 0, consumer)
            metrics.ACK_PENDING.set(info.num_ack_pending or 0, consumer)

    def forget() -> None:
        metrics.PENDING.forget()
        metrics.ACK_PENDING.forget()

    return Reading(read, forget)

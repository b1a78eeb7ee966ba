"""How a service consumes: a message is parsed and handled, then acknowledged, tried again or given up."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import nats.errors
from arreio_contracts.envelope import Envelope, read
from arreio_contracts.errors import ContractError, UnknownType
from arreio_contracts.messages import DeadLetter
from faststream.nats import NatsMessage
from nats.aio.msg import Msg
from pydantic import BaseModel

from shared.bus.broker import Broker
from shared.bus.keeping import kept
from shared.bus.streams import CONSUMERS, Consumer
from shared.observing import metrics
from shared.outbox.dead_letters import bury
from shared.store.connection import Pool, retrying
from shared.store.errors import StoreUnavailable

log = logging.getLogger(__name__)

FIRST_DELAY: Final = 0.5
LONGEST_DELAY: Final = 30.0
Body = TypeVar("Body", bound=BaseModel)


@dataclass(frozen=True)
class Received(Generic[Body]):
    """A message that fits its contract, and its place in the stream. `deliveries` counts this one."""

    subject: str
    envelope: Envelope
    body: Body
    deliveries: int
    stream_seq: int


Handler = Callable[[Received[Body]], Awaitable[None]]


class Retry(Exception):
    """A handler's word that the message should come again after `delay` seconds; it counts as a failed delivery."""

    def __init__(self, delay: float, why: str = "") -> None:
        super().__init__(why or f"again in {delay} s")
        self.delay = delay


def consume(
    broker: Broker, consumer: str, handler: Handler[Body], *contracts: type[Body], pool: Pool, workers: int = 1
) -> None:
    """Have `handler` called with every message of a durable whose body is one of `contracts`, `workers` at once.

    - The handler returned: the message is acknowledged.
    - The message is malformed, of an unknown version or of another contract, or the handler raised a `ContractError`:
      a dead letter that names the field, at once. (Where many such are open, it is counted; see `bury`.)
    - PostgreSQL is away (`StoreUnavailable`): the handler is called again until it is back; no delivery is counted.
    - Any other exception: the message comes again after a growing delay; after the consumer's last delivery, or when
      it kept ending its process, it is a dead letter.
    - The handler runs long: the broker is told every third of `ack_wait`, so that nobody else gets the message.
    - The service is stopped meanwhile: the message goes back at once, for another process.

    A handler must be idempotent: a crash between its commit and the acknowledgement brings the message again.
    """
    consuming = _Consuming(broker, CONSUMERS[consumer], handler, contracts, pool)
    for _ in range(workers):
        broker.pull(consumer)(consuming.on_message)


class _Consuming(Generic[Body]):
    def __init__(
        self, broker: Broker, consumer: Consumer, handler: Handler[Body], contracts: tuple[type[Body], ...], pool: Pool
    ) -> None:
        self._broker = broker
        self._consumer = consumer
        self._handler = handler
        self._contracts = contracts
        self._pool = pool
        self._counting = False

    async def on_message(self, message: NatsMessage) -> None:
        raw = message.raw_message
        try:
            async with kept(raw, self._consumer.ack_wait / 3):
                await self._take(raw)
        except asyncio.CancelledError:
            with contextlib.suppress(nats.errors.Error):
                await raw.nak()
            raise
        except nats.errors.Error as error:
            # The broker has gone; it delivers again what it was not told about.
            log.warning("%s: not acknowledged: %s", self._consumer.name, error)

    async def _take(self, raw: Msg) -> None:
        deliveries = raw.metadata.num_delivered
        try:
            attributes, body = read(raw.headers, raw.data)
            if not isinstance(body, self._contracts):
                raise UnknownType("ce-type", f"{attributes.type!r} is not what {self._consumer.name} reads")
            if deliveries > self._consumer.deliveries:
                # Earlier deliveries ended neither well nor badly: they ended the process.
                await self._bury(raw, "gave_up", f"{deliveries - 1} deliveries came to no end")
                return
            received = Received(raw.subject, attributes, body, deliveries, raw.metadata.sequence.stream)
            await retrying(lambda: self._handler(received), waiting=self._say_waiting)
        except ContractError as error:
            await self._bury(raw, error.code, error.problem, error.field)
        except Exception as error:  # noqa: BLE001 - whatever a handler raises must not take the consumer down
            await self._failed(raw, error, deliveries)
        else:
            metrics.MESSAGES.add(self._consumer.name, "done")
            await raw.ack()

    async def _failed(self, raw: Msg, error: Exception, deliveries: int) -> None:
        log.warning("%s: delivery %d failed", self._consumer.name, deliveries, exc_info=error)
        if deliveries >= self._consumer.deliveries:
            await self._bury(raw, "handler_failed", f"{type(error).__name__}: {error}")
        else:
            metrics.MESSAGES.add(self._consumer.name, "again")
            delay = error.delay if isinstance(error, Retry) else FIRST_DELAY * 2.0 ** (deliveries - 1)
            await raw.nak(delay=min(delay, LONGEST_DELAY))

    async def _bury(self, raw: Msg, code: str, problem: str, field: str | None = None) -> None:
        letter = DeadLetter(
            consumer=self._consumer.name,
            subject=raw.subject,
            code=code,
            field=field,
            problem=problem,
            headers=dict(raw.headers or {}),
            body=base64.b64encode(raw.data).decode(),
            deliveries=raw.metadata.num_delivered,
        )
        message_id = f"{raw.metadata.stream}/{raw.metadata.sequence.stream}"
        client = self._broker.client
        number = await retrying(lambda: bury(self._pool, client, letter, message_id), waiting=self._say_waiting)
        metrics.MESSAGES.add(self._consumer.name, "dead")
        if number is not None:
            log.error("%s: dead letter from %s: %s: %s", self._consumer.name, raw.subject, code, problem)
        elif not self._counting:
            log.error(
                "%s: malformed messages, now from %s, are only counted: too many dead letters of them are open",
                *(self._consumer.name, raw.subject),
            )
        self._counting = number is None
        await raw.ack()

    def _say_waiting(self, error: StoreUnavailable) -> None:
        log.warning("%s waits for PostgreSQL: %s", self._consumer.name, error)

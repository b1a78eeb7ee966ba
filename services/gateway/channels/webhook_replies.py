"""Posts what is said on channels that have a reply URL: from the channel's durable into a queue, and from there out."""

import asyncio
import base64
import contextlib
from collections.abc import Sequence
from typing import Final

import httpx
import nats.errors
from arreio_contracts import adapters, subjects
from arreio_contracts.envelope import headers, read
from arreio_contracts.errors import ContractError
from arreio_contracts.messages import DeadLetter, OutboundMessage
from nats.aio.msg import Msg
from nats.js.errors import Error as JetStreamError

from shared.bus.broker import Broker
from shared.outbox.dead_letters import bury
from shared.service import every
from shared.store.connection import Pool, retrying
from shared.telemetry import get_logger

from . import reply_posts
from .posting import NotPosted, Post, new_client, post
from .reply_posts import Waiting

log = get_logger(__name__)

CONSUMER: Final = "webhook_replies"
"""How dead letters of replies are filed."""
DELAYS: Final = (5.0, 30.0, 120.0, 600.0, 1800.0, 3600.0, 3600.0)
"""Seconds before each further try; a reply is given up after the last."""
LONGEST_DELAY: Final = 3600.0
AT_ONCE: Final = 8
LOOK_EVERY: Final = 2.0
_FETCH: Final = 20.0


class WebhookReplies:
    """The replies of all channels that have a URL, as one gateway process sees to them."""

    def __init__(self, broker: Broker, pool: Pool, *, delays: Sequence[float] = DELAYS) -> None:
        self._broker = broker
        self._pool = pool
        self._delays = delays
        self._look = asyncio.Event()
        self._readers: dict[str, asyncio.Task[None]] = {}
        self._posting: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Serve until cancelled."""
        async with new_client() as client:
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(every(LOOK_EVERY, self._read_channels))
                    group.create_task(every(LOOK_EVERY, lambda: self._deliver(client), woken=self._look))
            finally:
                under_way = [*self._readers.values(), *self._posting]
                for task in under_way:
                    task.cancel()
                await asyncio.gather(*under_way, return_exceptions=True)

    async def _read_channels(self) -> None:
        wanted = await reply_posts.posting_channels(self._pool)
        for name in [name for name, reader in self._readers.items() if name not in wanted or reader.done()]:
            reader = self._readers.pop(name)
            if reader.done() and not reader.cancelled() and (error := reader.exception()) is not None:
                log.warning("a channel's replies could not be read", channel=name, reason=repr(error))
            reader.cancel()
        for name in wanted:
            if name not in self._readers:
                self._readers[name] = asyncio.create_task(self._read(name), name=f"replies of {name}")

    async def _read(self, channel: str) -> None:
        """Move what the channel's durable hands out into the queue, each before it is acknowledged."""
        stream = self._broker.jetstream
        subscription = await stream.pull_subscribe_bind(
            durable=adapters.durable(channel), stream=subjects.STREAM_OUTBOUND
        )
        try:
            while True:
                with contextlib.suppress(TimeoutError, nats.errors.Error, JetStreamError):
                    for message in await subscription.fetch(1, timeout=_FETCH):
                        await retrying(lambda message=message: self._keep(channel, message))  # type: ignore[misc]
                        await message.ack()
                        self._look.set()
                    continue
                await asyncio.sleep(0.5)
        finally:
            with contextlib.suppress(nats.errors.Error):
                await subscription.unsubscribe()

    async def _keep(self, channel: str, message: Msg) -> None:
        try:
            attributes, body = read(message.headers, message.data)
        except ContractError as error:
            log.warning("an outbound message cannot be read", channel=channel, reason=error.problem)
            return
        if isinstance(body, OutboundMessage):
            # Receipts are not posted: who posted the message had it in the answer.
            raw = body.model_dump_json().encode()
            known = headers(attributes)
            await reply_posts.keep(self._pool, channel, body.session_id, attributes.id, raw, known)

    async def _deliver(self, client: httpx.AsyncClient) -> None:
        """Begin to post what is due; whoever does not answer holds up nobody else."""
        free = AT_ONCE - len(self._posting)
        for one in await reply_posts.take(self._pool, free) if free else ():
            task = asyncio.create_task(self._post(client, one), name=f"reply {one.id}")
            self._posting.add(task)
            task.add_done_callback(self._posted)

    def _posted(self, task: asyncio.Task[None]) -> None:
        self._posting.discard(task)
        self._look.set()
        if not task.cancelled() and (error := task.exception()) is not None:
            # It is taken again when its time is over.
            log.warning("a reply could not be seen to", reason=repr(error))

    async def _post(self, client: httpx.AsyncClient, one: Waiting) -> None:
        try:
            await post(client, Post(one.message_id, one.body, one.url, one.secret, one.private))
        except NotPosted as error:
            await self._failed(one, error)
            return
        await reply_posts.done(self._pool, one)

    async def _failed(self, one: Waiting, error: NotPosted) -> None:
        if not error.final and one.attempts <= len(self._delays):
            pause = max(self._delays[one.attempts - 1], min(error.after or 0.0, LONGEST_DELAY))
            log.info(
                "a reply was not posted", channel=one.channel, attempt=one.attempts, why=str(error), again_in=pause
            )
            await reply_posts.put_off(self._pool, one, pause)
            return
        log.warning("a reply was given up", channel=one.channel, attempts=one.attempts, why=str(error))
        letter = DeadLetter(
            consumer=CONSUMER,
            subject=subjects.outbound(one.channel),
            code="not_posted",
            problem=f"the reply to channel {one.channel} was not taken after {one.attempts} tries: {error}",
            headers=one.headers,
            body=base64.b64encode(one.body).decode(),
            deliveries=one.attempts,
        )
        try:
            await bury(self._pool, self._broker.client, letter, one.message_id)
        except (nats.errors.Error, TimeoutError):
            log.warning("NATS did not take a dead letter; its row is there", channel=one.channel)
        await reply_posts.done(self._pool, one)

"""The FastStream broker as every service uses it: it reconnects for ever and hands over raw messages."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final

import nats.errors
from faststream.nats import JStream, NatsBroker, NatsMessage, PullSub
from faststream.nats.security import NatsSecurity, NatsUserPassword
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.js import JetStreamContext, api

from shared.bus.service_rights import PROVISIONER
from shared.bus.streams import CONSUMERS
from shared.bus.unreadable import measured, read_on
from shared.errors import ArreioError

if TYPE_CHECKING:
    from faststream.nats.subscriber.usecases import LogicSubscriber

    from shared.settings import Settings

log = logging.getLogger(__name__)

FETCH_TIMEOUT: Final = 30.0
"""Seconds a pull request stays open; after a reconnection it is made again at once."""
_PASSED_ON: Final = ("inbox_prefix", "ping_interval", "max_outstanding_pings")
_NOBODY_THERE: Final = {"Status": "503"}
LAST_ANSWERS: Final = 5.0
"""Seconds that requests under way get when the broker stops."""
CLOSED_EXIT_STATUS: Final = 70


class NotProvisioned(ArreioError):
    """A stream or consumer that should exist does not."""

    def __init__(self, consumer: str) -> None:
        super().__init__(f"NATS has no consumer {consumer}", "run `arreio provision`")


class Broker(NatsBroker):
    """A NATS broker that ends its process when the client closes for good without having been told to.

    A closed client never comes back, and FastStream's pull subscribers would spin on it; the supervisor restarts us.
    """

    def __init__(self, settings: Settings, service: str, *, user: str = PROVISIONER, **options: Any) -> None:
        found = settings.nats_options(user)
        self._told_to_stop = False
        self._pulls: list[LogicSubscriber[Any]] = []
        self._answers: list[tuple[str, Callable[[Msg], Awaitable[None]]]] = []
        self._subscriptions: list[Subscription] = []
        self._answering: set[asyncio.Task[None]] = set()
        options |= {name: found[name] for name in _PASSED_ON if name in found}
        self._inbox_prefix: bytes = found.get("inbox_prefix", b"_INBOX")
        super().__init__(
            found["servers"],
            name=f"arreio-{service}",
            security=_security(found),
            max_reconnect_attempts=-1,
            reconnect_time_wait=options.pop("reconnect_time_wait", 0.25),
            reconnected_cb=self._reconnected,
            closed_cb=self._closed,
            logger=logging.getLogger("arreio.bus"),
            log_level=logging.DEBUG,
            apply_types=False,
            decoder=_whole_message,
            **options,
        )

    @property
    def client(self) -> Client:
        """The connected NATS client."""
        client: Client = self.config.connection_state.connection
        return client

    @property
    def jetstream(self) -> JetStreamContext:
        """JetStream on the connected client."""
        stream: JetStreamContext = self.config.connection_state.stream
        return stream

    def pull(self, consumer: str) -> LogicSubscriber[Any]:
        """A subscriber that takes one message at a time from a durable that provisioning has made.

        Several on one durable share the work, in this process and in others.
        """
        declared = CONSUMERS[consumer]
        subscriber: LogicSubscriber[Any] = self.subscriber(
            declared.filters[0],
            stream=JStream(name=declared.stream, declare=False),
            durable=consumer,
            pull_sub=PullSub(batch_size=1, timeout=FETCH_TIMEOUT),
            # A new object each time: FastStream writes the durable's name into it.
            config=api.ConsumerConfig(durable_name=consumer),
            inbox_prefix=self._inbox_prefix + b".",
            ack_policy=_manual(),
        )
        self._pulls.append(subscriber)
        return subscriber

    def answer(self, subject: str, handler: Callable[[Msg], Awaitable[None]], workers: int) -> None:
        """Have `handler` called with the requests on `subject`, `workers` at once, as long as the broker runs.

        Replicas share them. Not a FastStream subscriber: that costs as much again as the request does.
        """
        slots = asyncio.Semaphore(workers)

        async def handle(message: Msg) -> None:
            try:
                await handler(message)
            finally:
                slots.release()

        async def begin(message: Msg) -> None:
            await slots.acquire()
            task = asyncio.create_task(handle(message))
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)

        self._answers.append((subject, begin))

    async def _connect(self) -> Client:
        return measured(read_on(await super()._connect()))

    async def start(self) -> None:
        """Connect, and begin to consume and to answer."""
        await super().start()
        for subject, begin in self._answers:
            self._subscriptions.append(await self.client.subscribe(subject, queue=subject, cb=begin))

    async def require(self, *consumers: str) -> None:
        """Check that the durables exist; binding to a missing one would make it with the wrong settings.

        Raises:
            NotProvisioned: one is missing.
        """
        from nats.js.errors import NotFoundError

        await self.connect()
        for consumer in consumers:
            try:
                await self.jetstream.consumer_info(CONSUMERS[consumer].stream, consumer)
            except NotFoundError as error:
                raise NotProvisioned(consumer) from error

    async def stop(
        self,
        exc_type: type[BaseException] | None = None,
        exc_val: BaseException | None = None,
        exc_tb: TracebackType | None = None,
    ) -> None:
        """Let running handlers finish, drain and close."""
        self._told_to_stop = True
        for subscription in self._subscriptions:
            with contextlib.suppress(nats.errors.Error):
                await subscription.unsubscribe()
        if self._answering:
            await asyncio.wait(self._answering, timeout=LAST_ANSWERS)
        await super().stop(exc_type, exc_val, exc_tb)

    async def _reconnected(self) -> None:
        """Tell our pulls that nobody serves their requests, as a server would: they are made again at once."""
        for subscriber in self._pulls:
            inbox = getattr(subscriber.subscription, "_deliver", None)
            if inbox is not None:
                await self.client.publish(inbox, headers=_NOBODY_THERE)

    async def _closed(self) -> None:
        if not self._told_to_stop:
            log.critical("the connection to NATS is closed for good; ending")
            logging.shutdown()
            os._exit(CLOSED_EXIT_STATUS)


def _security(options: dict[str, Any]) -> NatsSecurity | None:
    if "user" in options:
        return NatsUserPassword(options["user"], options["password"])
    return NatsSecurity(ssl_context=options["tls"]) if "tls" in options else None


async def _whole_message(message: NatsMessage) -> NatsMessage:
    # FastStream's own decoder fails on malformed JSON before any handler of ours could give the message up.
    return message


def _manual() -> Any:
    from faststream.middlewares import AckPolicy

    return AckPolicy.MANUAL

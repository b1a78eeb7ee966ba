"""An adapter's line to Arreio: the channel's own NATS user, which publishes its messages and reads its replies."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import nats
import nats.errors
from arreio_contracts import adapters, envelope, subjects
from arreio_contracts.errors import ContractError
from arreio_contracts.messages import InboundMessage
from pydantic import BaseModel

from shared.backoff import Backoff
from shared.bus.keeping import kept
from shared.bus.only_encrypted import refuse_plaintext
from shared.errors import ArreioError
from shared.link import nats_pings
from shared.telemetry import get_logger

from .fitting import Upload, fitted

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg
    from nats.js import JetStreamContext

log = get_logger(__name__)

LINK_TIMEOUT: Final = 10.0
"""Seconds of silence after which NATS is looked for anew, as in the services."""
FETCH: Final = 5.0
"""Seconds that one request for a reply waits at the broker."""
KEEP_EVERY: Final = 10.0
"""Seconds between two words to the broker that a reply is still ours; it waits 30."""
HEADER_ROOM: Final = 4096
"""Bytes of NATS's payload limit that are left for headers."""


@dataclass(frozen=True)
class Access:
    """Where NATS is, and the password of the channel's user; `tls` where the system cannot check its certificate."""

    servers: tuple[str, ...]
    channel: str
    password: str = field(repr=False)
    tls: ssl.SSLContext | None = None


class AccessRefused(ArreioError):
    """NATS does not let the channel's user in."""

    def __init__(self, channel: str) -> None:
        super().__init__(
            f"NATS refuses the user of the channel {channel!r}",
            f"'arreio channels rotate {channel}' gives a new password, 'arreio channels add {channel}' makes the user",
        )


@dataclass(frozen=True)
class Reply:
    """A message of the channel's durable."""

    id: str
    body: BaseModel
    raw: Msg = field(repr=False)

    async def done(self) -> None:
        """Acknowledge it; where the broker does not answer it comes again."""
        try:
            await self.raw.ack_sync(timeout=10)
        except (TimeoutError, nats.errors.Error) as error:
            log.warning("a reply could not be acknowledged, and comes again", why=str(error))


class Link:
    """A connection as the channel's user; what it is asked to do is tried until it is done."""

    def __init__(self, client: Client, channel: str, upload: Upload | None) -> None:
        """`upload` stores attachments that are too large for NATS; None: there is no way."""
        self._client = client
        self._channel = channel
        self._upload = upload

    async def hand_in(self, message: InboundMessage) -> None:
        """Publish a message; returns when the broker has stored it. NATS is waited for."""
        message = await fitted(message, self._client.max_payload - HEADER_ROOM, self._upload)
        attributes = envelope.envelope("inbound.message", id=secrets.token_hex(16), source=f"adapter/{self._channel}")
        body, headers = message.model_dump_json(exclude_none=True).encode(), envelope.headers(attributes)
        backoff = Backoff(first=0.5, most=10.0)
        while True:
            try:
                await self._jetstream.publish(
                    subjects.inbound(self._channel), body, stream=subjects.STREAM_INBOUND, headers=headers, timeout=10
                )
                return
            except (TimeoutError, nats.errors.Error) as error:
                delay = backoff.delay(0.0)
                log.warning("NATS did not store a message", why=str(error) or type(error).__name__, again_in=delay)
                await asyncio.sleep(delay)

    async def replies(self) -> AsyncIterator[Reply]:
        """The channel's replies and receipts, in order, for ever; each stays ours until the next is asked for."""
        durable = await self._jetstream.pull_subscribe_bind(
            durable=adapters.durable(self._channel), stream=subjects.STREAM_OUTBOUND
        )
        backoff = Backoff(first=0.5, most=10.0)
        while True:
            try:
                (raw,) = await durable.fetch(1, timeout=FETCH)
            except TimeoutError:
                continue
            except nats.errors.Error as error:
                delay = backoff.delay(0.0)
                log.warning("no replies can be read from NATS", why=str(error), again_in=delay)
                await asyncio.sleep(delay)
                continue
            backoff = Backoff(first=0.5, most=10.0)
            async with kept(raw, KEEP_EVERY):
                try:
                    attributes, body = envelope.read(raw.headers, raw.data)
                except ContractError as error:
                    log.error("a reply that cannot be read is left out", why=str(error))
                    await raw.term()
                    continue
                yield Reply(attributes.id, body, raw)

    @property
    def _jetstream(self) -> JetStreamContext:
        return self._client.jetstream()


@contextlib.asynccontextmanager
async def linked(access: Access, upload: Upload | None, *, lost: Callable[[], None]) -> AsyncIterator[Link]:
    """Connect as the channel's user, waiting for NATS as long as it takes.

    `lost` is called when NATS no longer lets the user in.

    Raises:
        AccessRefused: it does not let it in now.
        ArreioError: the address cannot be one.
    """
    refused, last = asyncio.Event(), ""

    async def heard(error: Exception) -> None:
        nonlocal last
        said, last = last, str(error) or type(error).__name__
        if "authorization violation" in last.lower():
            refused.set()
            lost()
        elif last != said:
            log.warning("NATS", why=last)

    async def closed() -> None:
        # The server ends a connection for good when its user is gone or has another password.
        lost()

    client = await _connected(access, heard, closed, refused)
    try:
        yield Link(client, access.channel, upload)
    finally:
        await client.close()


async def _connected(
    access: Access,
    heard: Callable[[Exception], Awaitable[None]],
    closed: Callable[[], Awaitable[None]],
    refused: asyncio.Event,
) -> Client:
    """The connection, once there is one: the client asks for ever, also when it is refused."""
    refuse_plaintext()
    connecting = asyncio.ensure_future(
        nats.connect(
            list(access.servers),
            user=adapters.nats_user(access.channel),
            password=access.password,
            inbox_prefix=adapters.inbox_prefix(access.channel).encode(),
            name=f"adapter {access.channel}",
            **nats_pings(LINK_TIMEOUT),
            max_reconnect_attempts=-1,
            reconnect_time_wait=0.5,
            error_cb=heard,
            closed_cb=closed,
            tls=access.tls,
        )
    )
    waiting = asyncio.ensure_future(refused.wait())
    try:
        await asyncio.wait((connecting, waiting), return_when=asyncio.FIRST_COMPLETED)
        if refused.is_set():
            raise AccessRefused(access.channel)
        return connecting.result()
    except (OSError, ValueError, nats.errors.Error) as error:
        raise ArreioError(f"NATS cannot be reached: {error}", "see --nats-url") from error
    finally:
        waiting.cancel()
        connecting.cancel()

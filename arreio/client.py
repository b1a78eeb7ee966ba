"""The command line as a client: publishes messages as the local operator, and follows a session's events."""

import asyncio
import contextlib
import secrets
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from arreio_contracts import envelope, messages, subjects
from arreio_contracts.errors import ContractError
from arreio_contracts.messages import InboundMessage, OutboundMessage, Receipt
from arreio_contracts.subscribe import Received, subscribe

from shared.errors import ArreioError
from shared.settings import Settings

# nats-py takes a third of a second to import, which `--help` must not wait for.
if TYPE_CHECKING:
    from nats.aio.client import Client as Nats
    from nats.aio.msg import Msg

_PORTS = {"ws": 80, "wss": 443}

HEADER_ROOM = 4096
"""Bytes of NATS's payload limit that are left for headers."""
SILENCE = 5.0
"""Seconds without a connection after which somebody who waits is told so."""
CONNECT_TIMEOUT = 30.0
"""Seconds for a connection; longer than the engine takes to start a server again."""
RECEIPT_TIMEOUT = 30.0
"""Seconds to wait for the gateway's word on a message before saying that there is none."""


class Refused(ArreioError):
    """The gateway did not accept a message."""


class NoReceipt(ArreioError):
    """The message is stored, but the gateway has not answered in time; it will be handled when a gateway runs."""


@dataclass(frozen=True)
class Submitted:
    """A message that the gateway took. `notice` is what it said at once, to a word of control."""

    session_id: str
    task_id: str | None
    duplicate: bool
    notice: str | None = None


class Client:
    """A connection as the local operator."""

    def __init__(self, connection: "Nats") -> None:
        self.connection = connection

    async def submit(self, channel: str, message: InboundMessage, *, timeout: float = RECEIPT_TIMEOUT) -> Submitted:
        """Publish a message and wait for its receipt.

        Raises:
            Refused: the gateway did not accept it.
            NoReceipt: no gateway answered within `timeout` seconds.
        """
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[Receipt] = loop.create_future()
        noticed: asyncio.Future[str] = loop.create_future()

        async def heard(received: "Msg") -> None:
            try:
                _, data = envelope.read(received.headers, received.data)
            except ContractError:
                return
            about = (message.conversation, message.message_id)
            match data:
                case Receipt() if (data.conversation, data.message_id) == about and not answered.done():
                    answered.set_result(data)
                case OutboundMessage() if (data.conversation, data.reply_to) == about and not noticed.done():
                    noticed.set_result(data.text)

        subscription = await self.connection.subscribe(subjects.outbound(channel), cb=heard)
        try:
            await self._publish(channel, message)
            receipt = await asyncio.wait_for(answered, timeout)
            control = receipt.status == "accepted" and receipt.task_id is None
            notice = await asyncio.wait_for(noticed, timeout) if control else None
        except TimeoutError:
            raise NoReceipt(
                "the message is stored, but no gateway has answered", "see 'arreio status'; it is handled when one runs"
            ) from None
        finally:
            await subscription.unsubscribe()
        if receipt.status == "refused":
            raise Refused(f"refused: {receipt.field}: {receipt.reason}", "correct it and send it again")
        return Submitted(
            receipt.session_id or messages.session_id(channel, message),
            receipt.task_id,
            receipt.status == "duplicate",
            notice,
        )

    async def _publish(self, channel: str, message: InboundMessage) -> None:
        import nats.errors
        from nats.js.errors import NoStreamResponseError
        from nats.js.errors import ServiceUnavailableError as StreamUnavailable

        attributes = envelope.envelope("inbound.message", id=secrets.token_hex(16), source="cli")
        body = message.model_dump_json(exclude_none=True).encode()
        if len(body) > self.connection.max_payload - HEADER_ROOM:
            raise Refused(f"refused: the message has {len(body)} bytes, more than NATS takes", "send a shorter one")
        try:
            await self.connection.jetstream().publish(
                subjects.inbound(channel),
                body,
                stream=subjects.STREAM_INBOUND,
                headers=envelope.headers(attributes),
                timeout=10,
            )
        except (NoStreamResponseError, StreamUnavailable) as error:
            raise ArreioError("NATS has no stream for inbound messages", "run 'arreio provision'") from error
        except (TimeoutError, nats.errors.Error) as error:
            raise ArreioError(f"NATS did not store the message: {error or 'time-out'}", "try again") from error

    def follow(self, session_id: str | None) -> AsyncGenerator[Received, None]:
        """The events of a session (None: of all), the past ones first, for ever."""
        # A second's heartbeat: somebody is looking at the screen when the server has gone and come back.
        return subscribe(self.connection, session_id=session_id, heartbeat=1.0)


async def _reach_any(urls: str) -> None:
    """Connect once to a server that a person named: the client itself would ask for ever."""
    *others, last = urls.split(",")
    for url in others:
        with contextlib.suppress(ArreioError):
            await _reach(url)
            return
    await _reach(last)


async def _reach(url: str) -> None:
    place = urlsplit(url)
    try:
        async with asyncio.timeout(5):
            _, writer = await asyncio.open_connection(place.hostname, place.port or _PORTS.get(place.scheme, 4222))
    except (OSError, ValueError) as error:
        why = "no answer in 5 seconds" if isinstance(error, TimeoutError) else str(error)
        raise ArreioError(f"NATS cannot be reached: {why}", "see 'arreio doctor'") from error
    writer.close()


async def _in_time(connecting: "Coroutine[Any, Any, Nats]") -> "Nats":
    """The connection, once there is one. A server that hangs is said to, and given up."""
    started = asyncio.ensure_future(connecting)
    done, _ = await asyncio.wait({started}, timeout=SILENCE)
    if not done:
        sys.stderr.write("arreio: NATS does not answer yet; waiting\n")
        done, _ = await asyncio.wait({started}, timeout=CONNECT_TIMEOUT - SILENCE)
    if not done:
        started.cancel()
        raise ArreioError(f"NATS cannot be reached: no answer in {CONNECT_TIMEOUT:.0f} seconds", "see 'arreio doctor'")
    return started.result()


@contextlib.asynccontextmanager
async def connected(
    settings: Settings, *, lost: Callable[[], None] | None = None, back: Callable[[], None] | None = None
) -> AsyncIterator[Client]:
    """Connect as the operator. The connection is made again for ever: `lost` is called when it breaks, then `back`.

    Raises:
        ArreioError: NATS cannot be reached.
    """

    import nats
    import nats.errors

    from shared.bus.unreadable import read_on

    async def broke() -> None:
        if lost is not None:
            lost()

    async def again() -> None:
        if back is not None:
            back()

    async def silent(_: Exception) -> None:
        """What breaks is reported by the call that meets it."""

    if settings.nats_url is not None:
        await _reach_any(settings.nats_url)
    try:
        connection = await _in_time(
            nats.connect(
                **settings.nats_options("operator"),
                connect_timeout=5,
                allow_reconnect=True,
                max_reconnect_attempts=-1,
                reconnect_time_wait=0.5,
                disconnected_cb=broke,
                reconnected_cb=again,
                error_cb=silent,
            )
        )
        read_on(connection)
    except (OSError, nats.errors.Error) as error:
        raise ArreioError(f"NATS cannot be reached: {error}", "see 'arreio doctor'") from error
    try:
        yield Client(connection)
    finally:
        await connection.close()

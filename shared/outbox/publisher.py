"""Publishing outbox rows: telling a refusal of this message from a broker that cannot take any now."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import nats.errors
import nats.js.errors
from nats.aio.client import Client

from shared.errors import ArreioError
from shared.outbox.batches import FIRST_SERVER, in_batch
from shared.outbox.bodies import OutboxRow, Publication, Unpublishable, check_carried, publication

log = logging.getLogger(__name__)

ACK_TIMEOUT: Final = 5.0
BATCHES: Final = 8
"""How many are in flight at once; a stream takes 50."""
FIRST_PAUSE: Final = 0.05
LONGEST_PAUSE: Final = 5.0
LOOK_FOR_CONNECTION: Final = 0.2
_REFUSED: Final = (nats.errors.MaxPayloadError, nats.errors.BadSubjectError, nats.errors.BadHeaderError)
_TOO_LARGE_FOR_STREAM: Final = 10054  # JSStreamMessageExceedsMaximumErr


class BrokerClosed(ArreioError):
    """The client is closed for good: the server sent it away, and it does not come back by itself."""

    def __init__(self, client: Client) -> None:
        super().__init__(f"NATS closed the connection: {client.last_error or 'without a word'}")


class Publisher:
    """Publishes with acknowledgement, at most `in_flight` at once; after a failure all wait together.

    `may` is awaited before each publish; what it raises ends the call.
    """

    def __init__(self, client: Client, in_flight: int, may: Callable[[], Awaitable[None]]) -> None:
        self._client = client
        self._stream = client.jetstream()
        self._may = may
        self._slots = asyncio.Semaphore(in_flight)
        self._batches = asyncio.Semaphore(BATCHES)
        self._pause = FIRST_PAUSE
        self._open = asyncio.Event()
        self._open.set()
        self._reopening: asyncio.Task[None] | None = None

    async def publish(self, row: OutboxRow) -> None:
        """Return once the broker has acknowledged the row's message; wait as long as that takes.

        Raises:
            Unpublishable: the message itself was refused, so that waiting is of no use.
            BrokerClosed: this client publishes nothing any more.
        """
        message = publication(row)
        self._check(message)
        while True:
            await self._open.wait()
            if self._client.is_closed:
                raise BrokerClosed(self._client)
            if not self._client.is_connected:
                self._close(nats.errors.ConnectionClosedError())
                continue
            async with self._slots:
                await self._may()
                try:
                    await self._stream.publish(
                        message.subject, message.body, timeout=ACK_TIMEOUT, headers=message.headers
                    )
                except (*_REFUSED, UnicodeError) as error:
                    raise Unpublishable("refused", str(error)) from error
                except nats.js.errors.APIError as error:
                    if error.err_code == _TOO_LARGE_FOR_STREAM:
                        raise Unpublishable("too_large", str(error.description)) from error
                    self._close(error)
                except (nats.errors.Error, OSError, TimeoutError) as error:
                    self._close(error)
                else:
                    self._pause = FIRST_PAUSE
                    return

    async def publish_together(self, rows: Sequence[OutboxRow]) -> bool:
        """Publish all rows, of one stream, or none; False: none by this call, and they are to go one by one.

        That is also the answer to a repeat, which the broker refuses as a whole, and to every doubt: what the batch may
        have left there nevertheless is known by the ids of its messages.
        """
        server = self._client.connected_server_version
        if not self._client.is_connected or (server.major, server.minor) < FIRST_SERVER:
            return False
        try:
            messages = [publication(row) for row in rows]
            for message in messages:
                self._check(message)
        except Unpublishable:
            return False
        *first, last = in_batch(secrets.token_hex(16), messages)
        async with self._batches:
            await self._may()
            try:
                for message in first:
                    await self._client.publish(message.subject, message.body, headers=message.headers)
                await self._stream.publish(last.subject, last.body, timeout=ACK_TIMEOUT, headers=last.headers)
            except (nats.errors.Error, OSError, TimeoutError) as error:
                log.debug("the broker did not take %s messages together: %s", len(messages), error)
                return False
        return True

    def _check(self, message: Publication) -> None:
        check_carried(message.subject, message.headers)
        # The client's own check leaves the headers out, and the server hangs up on what is too large with them.
        limit = self._client.max_payload
        if message.size > limit:
            raise Unpublishable("too_large", f"the message has {message.size} bytes, the broker takes {limit}")

    def _close(self, error: Exception) -> None:
        if self._open.is_set():
            self._open.clear()
            log.warning("the broker takes nothing now, waiting: %s", error or type(error).__name__)
            self._reopening = asyncio.create_task(self._reopen())

    async def _reopen(self) -> None:
        await asyncio.sleep(self._pause)
        self._pause = min(self._pause * 2, LONGEST_PAUSE)
        while not (self._client.is_connected or self._client.is_closed):  # noqa: ASYNC110 - the client tells its one callback, which is not ours
            await asyncio.sleep(LOOK_FOR_CONNECTION)
        self._open.set()

    async def close(self) -> None:
        """Stop waiting for the broker."""
        if self._reopening is not None:
            self._reopening.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reopening

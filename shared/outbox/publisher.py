"""Publishing one outbox row: telling a refusal of this message from a broker that cannot take any now."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Final

import nats.errors
import nats.js.errors
from nats.aio.client import Client

from shared.bus.streams import stream_of
from shared.outbox.bodies import OutboxRow, Publication, Unpublishable, publication

log = logging.getLogger(__name__)

ACK_TIMEOUT: Final = 5.0
FIRST_PAUSE: Final = 0.05
LONGEST_PAUSE: Final = 5.0
LOOK_FOR_CONNECTION: Final = 0.2
_TOO_LARGE_FOR_STREAM: Final = 10054  # JSStreamMessageExceedsMaximumErr


class Publisher:
    """Publishes with acknowledgement, at most `in_flight` at once; after a failure all wait together.

    `may` is awaited before each publish; what it raises ends the call.
    """

    def __init__(self, client: Client, in_flight: int, may: Callable[[], Awaitable[None]]) -> None:
        self._client = client
        self._stream = client.jetstream()
        self._may = may
        self._slots = asyncio.Semaphore(in_flight)
        self._pause = FIRST_PAUSE
        self._open = asyncio.Event()
        self._open.set()
        self._reopening: asyncio.Task[None] | None = None

    async def publish(self, row: OutboxRow) -> None:
        """Return once the broker has acknowledged the row's message; wait as long as that takes.

        Raises:
            Unpublishable: the message itself was refused, so that waiting is of no use.
        """
        message = publication(row)
        self._check(message)
        while True:
            await self._open.wait()
            if not self._client.is_connected:
                self._close(nats.errors.ConnectionClosedError())
                continue
            async with self._slots:
                await self._may()
                try:
                    await self._stream.publish(
                        message.subject, message.body, timeout=ACK_TIMEOUT, headers=message.headers
                    )
                except (nats.errors.MaxPayloadError, nats.errors.BadSubjectError) as error:
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

    def _check(self, message: Publication) -> None:
        if stream_of(message.subject) is None:
            raise Unpublishable("no_stream", f"no stream takes the subject {message.subject}")
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
        while not self._client.is_connected:  # noqa: ASYNC110 - the client tells its one callback, which is not ours
            await asyncio.sleep(LOOK_FOR_CONNECTION)
        self._open.set()

    async def close(self) -> None:
        """Stop waiting for the broker."""
        if self._reopening is not None:
            self._reopening.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reopening

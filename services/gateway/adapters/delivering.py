"""Replies out: one after the other, each until the platform has taken it, and acknowledged only then."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Protocol

from pydantic import BaseModel

from shared.backoff import Backoff
from shared.errors import ArreioError
from shared.telemetry import get_logger

from .journal import Journal
from .platform import Away, Platform, Undeliverable
from .saying import Saying, saying_of

log = get_logger(__name__)

Sleep = Callable[[float], Awaitable[None]]


class Taken(Protocol):
    """A message of the channel's durable, which is ours until `done`."""

    @property
    def id(self) -> str:
        """What names it for ever."""

    @property
    def body(self) -> BaseModel:
        """What it says."""

    async def done(self) -> None:
        """Acknowledge it. One that could not be acknowledged comes again."""


async def deliver_all(
    replies: AsyncIterator[Taken], platform: Platform, journal: Journal, *, sleep: Sleep = asyncio.sleep
) -> None:
    """Say every reply on the platform, in order, for ever.

    A platform that is away is asked again after 1 to 60 seconds, or when it said. A reply that it will never take is
    given up. After a death in the middle of a send that part is sent once more, never oftener.

    Raises:
        ArreioError: the platform refuses us.
    """
    async for taken in replies:
        saying = saying_of(taken.body)
        if saying is not None:
            try:
                await _deliver(taken.id, saying, platform, journal, sleep)
            except Undeliverable as error:
                log.error("given up: the platform will not take it", conversation=saying.conversation, why=str(error))
        await taken.done()


async def _deliver(message: str, saying: Saying, platform: Platform, journal: Journal, sleep: Sleep) -> None:
    parts = platform.parts(saying)
    for number in range(journal.next_part(message), len(parts)):
        backoff = Backoff(first=1.0, most=60.0)
        while journal.trying(message, number):
            try:
                await platform.send(saying, number, parts[number])
                break
            except Away as error:
                journal.failed()
                delay = backoff.delay(0.0) if error.delay is None else error.delay
                log.warning("the platform did not take a reply", why=str(error), again_in=delay)
                await sleep(delay)
            except ArreioError:
                journal.failed()
                raise
        journal.sent(message, number)

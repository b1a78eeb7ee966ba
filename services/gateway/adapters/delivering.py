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
    given up. A part of which nobody knows whether it arrived, because we died or the platform did not answer, is sent
    once more, never oftener, and only to a platform that answers again.

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
                if error.unknown:
                    log.warning("the platform did not say whether it took a reply", why=str(error))
                    await _answering(platform, sleep)
                    continue
                journal.failed()
                delay = error.pause(backoff)
                log.warning("the platform did not take a reply", why=str(error), again_in=delay)
                await sleep(delay)
            except ArreioError:
                journal.failed()
                raise
        journal.sent(message, number)


async def _answering(platform: Platform, sleep: Sleep) -> None:
    """Wait until the platform answers, so that a send which it leaves unanswered then is no sign of an outage."""
    backoff = Backoff(first=1.0, most=60.0)
    while True:
        await sleep(backoff.delay(0.0))
        try:
            await platform.begin()
            return
        except Away as error:
            log.warning("the platform cannot be reached", why=str(error))
        except Undeliverable:
            return

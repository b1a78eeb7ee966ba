"""An adapter from its start to its end: both directions at once, until it is told to stop."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from shared.backoff import Backoff
from shared.errors import ArreioError
from shared.telemetry import get_logger

from .delivering import deliver_all
from .fitting import Upload
from .journal import Journal
from .link import Access, AccessRefused, Link, linked
from .platform import Away, Platform, Undeliverable

log = get_logger(__name__)

LONGEST_WAIT: Final = 30.0
"""Seconds between two attempts to reach a platform that is away."""
CANCEL_AGAIN: Final = 2.0
"""Seconds that a task has to end once it was cancelled, before it is cancelled again."""


class Refused(ArreioError):
    """The platform does not let us read what is said to us."""

    def __init__(self, why: Exception) -> None:
        super().__init__(f"the platform refuses the adapter: {why}", "see what it is allowed to do there")


async def run_adapter(
    access: Access, platform: Platform, journal: Path, *, upload: Upload | None, ready: Callable[[str], None]
) -> None:
    """Serve a channel until SIGTERM or Ctrl-C. Platform and NATS may be away for as long as they like.

    `journal` is the file in which is kept how far a reply was sent; `ready` is called with our name on the platform.

    Raises:
        ArreioError: the platform, or NATS, refuses our credentials.
    """
    cut_off, told = asyncio.Event(), asyncio.Event()
    async with linked(access, upload, lost=cut_off.set) as link:
        serving = asyncio.create_task(_serve(platform, link, Journal(journal), ready))
        waiting = [asyncio.create_task(cut_off.wait()), asyncio.create_task(told.wait())]
        loop = asyncio.get_running_loop()
        for sig in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(sig, told.set)
        try:
            await asyncio.wait([serving, *waiting], return_when=asyncio.FIRST_COMPLETED)
            if serving.done():
                serving.result()
            elif cut_off.is_set() and not told.is_set():
                raise AccessRefused(access.channel)
        finally:
            # It ends tasks of its own in the same way, for which it has time.
            await ended(serving, *waiting, again=5 * CANCEL_AGAIN)
            await platform.close()


async def _serve(platform: Platform, link: Link, journal: Journal, ready: Callable[[str], None]) -> None:
    ready(await _begun(platform))
    listening = asyncio.create_task(_listen(platform, link))
    delivering = asyncio.create_task(deliver_all(link.replies(), platform, journal))
    try:
        done, _ = await asyncio.wait((listening, delivering), return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        await ended(listening, delivering)


async def ended(*tasks: asyncio.Task[Any], again: float = CANCEL_AGAIN) -> None:
    """Cancel tasks until they are done, each `again` seconds: a cancel is lost where Python's `wait_for` has just heard
    what it waited for (python/cpython#86296, until 3.12), as the broker's answer to an acknowledgement.
    """
    while left := [task for task in tasks if not task.done()]:
        for task in left:
            task.cancel()
        await asyncio.wait(left, timeout=again)
    await asyncio.gather(*tasks, return_exceptions=True)


async def _begun(platform: Platform) -> str:
    backoff = Backoff(first=1.0, most=LONGEST_WAIT)
    while True:
        try:
            return await platform.begin()
        except Away as error:
            await _pause(error, error.pause(backoff))
        except Undeliverable as error:
            raise Refused(error) from error


async def _listen(platform: Platform, link: Link) -> None:
    loop, backoff = asyncio.get_running_loop(), Backoff(first=1.0, most=LONGEST_WAIT)
    while True:
        since = loop.time()
        try:
            await platform.listen(link.hand_in)
        except Away as error:
            await _pause(error, error.pause(backoff, loop.time() - since))
        except Undeliverable as error:
            raise Refused(error) from error


async def _pause(error: Away, delay: float) -> None:
    log.warning("the platform cannot be reached", why=str(error), again_in=delay)
    await asyncio.sleep(delay)

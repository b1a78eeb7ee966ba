"""Long work beside the console: on a thread with its own event loop and connections, so that no page waits for it."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Final, TypeVar

from services.console.workings import Busy
from shared.store.connection import Pool

AT_ONCE: Final = 2
"""Works on a thread at once: a session of twenty thousand events takes half a minute of one core and its memory."""
MOST_WAITING: Final = 20
Value = TypeVar("Value")


class Aside:
    """Does up to `at_once` works at a time, the others wait for their turn; `opening` opens a work's own pool."""

    def __init__(self, opening: Callable[[], AbstractAsyncContextManager[Pool]], at_once: int = AT_ONCE) -> None:
        self._opening = opening
        self._slots = asyncio.Semaphore(at_once)
        self._waiting = 0

    async def run(self, work: Callable[[Pool], Awaitable[Value]]) -> Value:
        """What the work comes to.

        Raises:
            Busy: too many wait already.
        """
        if self._waiting >= MOST_WAITING:
            raise Busy
        self._waiting += 1
        try:
            await self._slots.acquire()
        finally:
            self._waiting -= 1
        try:
            return await asyncio.to_thread(lambda: asyncio.run(self._whole(work)))
        finally:
            self._slots.release()

    async def _whole(self, work: Callable[[Pool], Awaitable[Value]]) -> Value:
        async with self._opening() as pool:
            return await work(pool)

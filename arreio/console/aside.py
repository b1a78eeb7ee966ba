"""Long work beside the console: on a thread with its own event loop and connections, so that no page waits for it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from services.console.workings import Asker, Busy, Ending, Replaced
from shared.store.connection import Pool

AT_ONCE: Final = 2
"""Works on a thread at once; of one person there is never more than one, so that the other thread is for the others."""
MOST_WAITING: Final = 20
MOST_OF_ONE: Final = 4
"""Works of one person that wait."""
Value = TypeVar("Value")


class Aside:
    """Does up to `at_once` works at a time, each of another person; the others wait for their turn.

    A work whose caller is cancelled leaves its place, and ends where it next gives way if it has begun. Until its
    thread has truly ended its place stays taken. `opening` opens a work's own pool.
    """

    def __init__(self, opening: Callable[[], AbstractAsyncContextManager[Pool]], at_once: int = AT_ONCE) -> None:
        self._opening = opening
        self._at_once = at_once
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="aside")
        self._waiting: list[_Place] = []
        self._begun: list[_Place] = []
        self._ended = False

    async def run(self, work: Callable[[Pool], Awaitable[Value]], asker: Asker) -> Value:
        """What the work comes to.

        Raises:
            Busy: too many wait already, of this person or in all; or a newer one took its place, or the console stops.
        """
        place = self._take(asker)
        try:
            await place.turn
            ending = asyncio.get_running_loop().run_in_executor(
                self._threads, lambda: asyncio.run(self._whole(work, place))
            )
        except BaseException:
            self._leave(place)
            raise
        ending.add_done_callback(lambda done: self._over(place, done))
        try:
            return await asyncio.shield(ending)
        except asyncio.CancelledError:
            place.stop()
            if place.why is not None:
                raise place.why from None
            raise

    def end(self) -> None:
        """Give up what waits and what is under way, and take nothing more."""
        self._ended = True
        for place in [*self._waiting, *self._begun]:
            self._give_up(place, Ending())
        self._threads.shutdown(wait=False)

    def _take(self, asker: Asker) -> _Place:
        if self._ended:
            raise Ending
        for older in [*self._waiting, *self._begun]:
            if asker.topic and older.asker == asker:
                self._give_up(older, Replaced())
        own = sum(place.asker.person == asker.person for place in self._waiting)
        if own >= MOST_OF_ONE or len(self._waiting) >= MOST_WAITING:
            raise Busy
        place = _Place(asker, asyncio.get_running_loop().create_future())
        self._waiting.append(place)
        self._begin()
        return place

    def _begin(self) -> None:
        """Whoever waits first and has nothing under way gets a free thread."""
        for place in [*self._waiting]:
            busy = {one.asker.person for one in self._begun}
            if len(self._begun) < self._at_once and place.asker.person not in busy and not place.turn.done():
                self._waiting.remove(place)
                self._begun.append(place)
                place.turn.set_result(None)

    def _leave(self, place: _Place) -> None:
        for places in (self._waiting, self._begun):
            if place in places:
                places.remove(place)
        self._begin()

    def _over(self, place: _Place, done: asyncio.Future[Any]) -> None:
        if not done.cancelled():
            done.exception()  # of a work that nobody waits for any more, nobody else would look at it
        self._leave(place)

    def _give_up(self, place: _Place, why: Busy) -> None:
        if place in self._waiting:
            self._waiting.remove(place)
            if not place.turn.done():
                place.turn.set_exception(why)
        else:
            place.why = why
            place.stop()

    async def _whole(self, work: Callable[[Pool], Awaitable[Value]], place: _Place) -> Value:
        place.begin()
        async with self._opening() as pool:
            return await work(pool)


@dataclass(eq=False)
class _Place:
    """A work's place; `why` is what its asker is told when it is given up after it has begun."""

    asker: Asker
    turn: asyncio.Future[None]
    why: Busy | None = None
    _stopped: bool = False
    _loop: asyncio.AbstractEventLoop | None = None
    _task: asyncio.Task[Any] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self) -> None:
        """Called by the work's own task, on its thread. Raises CancelledError: it is not wanted any more."""
        with self._lock:
            if self._stopped:
                raise asyncio.CancelledError
            self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()

    def stop(self) -> None:
        """Cancel the work, from any thread."""
        with self._lock:
            self._stopped = True
            if self._loop is not None and self._task is not None:
                with suppress(RuntimeError):  # its loop is closed: it has ended
                    self._loop.call_soon_threadsafe(self._task.cancel)

"""The frame of a service: pool, broker and background work, from the first call that succeeds to an orderly end."""

import asyncio
import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from faststream import FastStream

from shared.bus.broker import Broker
from shared.observing import metrics
from shared.observing.watched import watched
from shared.processes import notify_ready
from shared.settings import Settings
from shared.store.connection import Pool, open_pool, retrying
from shared.store.errors import StoreUnavailable
from shared.store.tasks import unfinished
from shared.telemetry import get_logger

log = get_logger(__name__)

LONGEST_PAUSE = 5.0


@dataclass(frozen=True)
class Wiring:
    """What a service does besides answering its subscribers.

    `consumers` are the durables that it reads. `background` runs from start to end, and is begun again if it fails.
    `before_ready` is awaited when the background has been begun, before the service says that it is ready.
    `before_stop` is awaited while everything still works.
    """

    consumers: tuple[str, ...] = ()
    background: tuple[Callable[[], Awaitable[None]], ...] = ()
    before_ready: Callable[[], Awaitable[None]] | None = None
    before_stop: Callable[[], Awaitable[None]] | None = None


async def run_service(
    settings: Settings, name: str, wire: Callable[[Broker, Pool], Wiring], *, pool_size: int = 4
) -> None:
    """Run one service until it is told to stop. `wire` adds its subscribers to the broker.

    Raises:
        NotProvisioned: a consumer that it reads does not exist.
    """
    async with (
        watched(settings, name) as health,
        open_pool(settings.database_dsn(name), name=f"arreio-{name}", size=pool_size) as pool,
    ):
        broker = Broker(settings, name, user=name)
        wiring = wire(broker, pool)
        if health is not None:
            health.connected(broker, wiring.consumers)
        await broker.require(*wiring.consumers)
        running: list[asyncio.Task[None]] = []

        async def begin() -> None:
            await retrying(lambda: unfinished(pool))
            running.extend(asyncio.create_task(_kept_going(work)) for work in wiring.background)
            if wiring.before_ready is not None:
                await wiring.before_ready()
            if health is not None:
                health.begun()
            notify_ready()

        async def end() -> None:
            if health is not None:
                health.ending()
            if wiring.before_stop is not None:
                await wiring.before_stop()
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

        await _until_told_to_stop(FastStream(broker, logger=None, after_startup=[begin], on_shutdown=[end]))


async def _until_told_to_stop(app: FastStream) -> None:
    """What `app.run()` does, without its look at a flag several times a second: that is felt in an idle process."""
    loop, told = asyncio.get_running_loop(), asyncio.Event()
    for sig in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(sig, told.set)
    starting, stopping = asyncio.create_task(app.start()), asyncio.create_task(told.wait())
    try:
        await asyncio.wait({starting, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if starting.done():
            await starting
        await stopping
        await app.stop()
    finally:
        starting.cancel()
        stopping.cancel()


async def every(
    seconds: float, look: Callable[[], Awaitable[None]], *, name: str = "", woken: asyncio.Event | None = None
) -> None:
    """Call `look` now, every so many seconds, and at once when `woken` is set; a store that is away is waited for.

    `name` is the sweep's in the metrics; without one it is the function's own.
    """
    name = name or getattr(look, "__name__", "other")
    while True:
        try:
            await look()
            metrics.SWEEPS.add(name, "done")
        except StoreUnavailable as error:
            metrics.SWEEPS.add(name, "store_unavailable")
            log.warning("store unavailable", reason=error.message)
        if woken is None:
            await asyncio.sleep(seconds)
            continue
        try:
            # Not `wait_for`: before Python 3.12 it may lose a cancellation that comes with a result.
            async with asyncio.timeout(seconds):
                await woken.wait()
        except TimeoutError:
            continue
        woken.clear()


async def _kept_going(work: Callable[[], Awaitable[None]]) -> None:
    pause = 0.1
    while True:
        try:
            await work()
            return
        except Exception as error:
            metrics.BACKGROUND_FAILURES.add()
            log.error("background work failed", reason=repr(error), exc_info=error)
        await asyncio.sleep(pause)
        pause = min(pause * 2, LONGEST_PAUSE)

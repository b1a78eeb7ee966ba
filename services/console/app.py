"""The console's process: pages over the store, told by the bus when a session goes on."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

import nats.errors
from arreio_contracts import subjects

from shared.bus.broker import Broker
from shared.bus.streams import CONSUMERS
from shared.engine.http_address import announced
from shared.engine.paths import DataDir
from shared.http_serving import LAST_ANSWERS, address, listen, quiet_server, url_of
from shared.service import Wiring, run_service
from shared.settings import Settings
from shared.store.connection import Pool
from shared.telemetry import get_logger
from shared.version import CODE_VERSION

from .site import Lag, Lags, Site, Told
from .workings import Workings

if TYPE_CHECKING:
    from uvicorn import Server

log = get_logger(__name__)

USUAL: Final = ":8420"
"""Where it is served unless ARREIO_CONSOLE says otherwise."""


async def serve(settings: Settings, workings: Callable[[Broker, Pool], Workings]) -> None:
    """Serve until told to stop; `workings` makes what the console needs of other services' code."""

    def wire(broker: Broker, pool: Pool) -> Wiring:
        site = Site(pool, workings(broker, pool), _telling(broker), _asking(broker), CODE_VERSION)
        web = _Web(settings, site)
        return Wiring(background=(web.run,), before_ready=web.answers, before_stop=web.stop)

    await run_service(settings, "console", wire, pool_size=8)


class _Web:
    """The HTTP server of the console, from its start to an orderly end."""

    def __init__(self, settings: Settings, site: Site) -> None:
        self._settings = settings
        self._site = site
        self._server: Server | None = None
        self._over = asyncio.Event()
        self._tried = asyncio.Event()

    async def run(self) -> None:
        try:
            from .web import create

            host, port = address(self._settings.console or USUAL)
            listening = listen(host, port, what="the console", variable="ARREIO_CONSOLE")
            self._server = quiet_server(create(self._site))
            # What comes from now on is taken, and answered as soon as the server runs.
            with listening, announced(DataDir(self._settings.home).console, url_of(listening)):
                log.info("console ready", url=url_of(listening))
                self._tried.set()
                try:
                    await self._server.serve(sockets=[listening])
                finally:
                    self._over.set()
        finally:
            self._tried.set()

    async def answers(self) -> None:
        """Wait until it listens, or has told in its log why it cannot yet."""
        await self._tried.wait()

    async def stop(self) -> None:
        """Take no more requests, tell those that wait for long work that it is not done, and end."""
        self._site.workings.end()
        if self._server is None:
            return
        self._server.should_exit = True
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST_ANSWERS + 2):
                await self._over.wait()


def _telling(broker: Broker) -> Told:
    @asynccontextmanager
    async def told(session_id: str) -> AsyncIterator[asyncio.Event]:
        more = asyncio.Event()

        async def heard(_: object) -> None:
            more.set()

        subscription = await broker.client.subscribe(subjects.session_events(session_id), cb=heard)
        try:
            yield more
        finally:
            with contextlib.suppress(Exception):
                await subscription.unsubscribe()

    return told


def _asking(broker: Broker) -> Lags:
    async def lags() -> Sequence[Lag]:
        return await asyncio.gather(*(_lag(broker, name, one.stream) for name, one in CONSUMERS.items()))

    return lags


async def _lag(broker: Broker, name: str, stream: str) -> Lag:
    try:
        info = await broker.jetstream.consumer_info(stream, name, timeout=5)
    except (nats.errors.Error, TimeoutError, OSError) as error:
        return Lag(name, stream, 0, 0, 0, f"{error or type(error).__name__}")
    return Lag(name, stream, info.num_pending or 0, info.num_ack_pending or 0, info.num_redelivered or 0)

"""When and where the HTTP API is served: from the first channel on, once a data directory, to an orderly end."""

import asyncio
import contextlib
import importlib
import json
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from arreio_contracts import subjects

from shared.bus.broker import Broker
from shared.engine.http_address import announced
from shared.engine.locks import lock
from shared.engine.paths import DataDir, write_private
from shared.errors import ArreioError
from shared.http_serving import LAST_ANSWERS, address, listen, quiet_server, url_of
from shared.settings import Settings
from shared.store.connection import Pool
from shared.store.errors import StoreUnavailable
from shared.telemetry import get_logger

from ..channels.registry import any_channel
from ..handlers import Gateway

if TYPE_CHECKING:
    from uvicorn import Server

log = get_logger(__name__)

LOOK_EVERY: Final = 1.0
"""Seconds between two looks whether there is a channel to serve by now, or whether another gateway has gone."""


class HttpService:
    """The API of one gateway process. `run` serves until `stop`; of several gateways on a data directory one does."""

    def __init__(self, settings: Settings, gateway: Gateway, broker: Broker, pool: Pool) -> None:
        self._settings = settings
        self._gateway = gateway
        self._broker = broker
        self._pool = pool
        self._place = DataDir(settings.home)
        self._server: Server | None = None
        self._serving = asyncio.Event()
        self._stopping = False

    async def run(self) -> None:
        """Wait for a reason to serve, then serve."""
        if self._settings.http == "off":
            return
        held = await self._turn()
        try:
            # A second of importing, which the messages that come meanwhile shall not wait for.
            await asyncio.to_thread(importlib.import_module, "services.gateway.http.app")
            await self._serve()
        finally:
            os.close(held)

    async def _turn(self) -> int:
        """Wait until there is somebody to serve and no other gateway does; the lock that says so."""
        while True:
            if self._settings.http or await self._has_channels():
                held = lock(self._place.run / "http.lock")
                if held is not None:
                    return held
            await asyncio.sleep(LOOK_EVERY)

    async def stop(self) -> None:
        """Take no more requests and end those under way."""
        self._stopping = True
        if self._server is not None:
            self._server.should_exit = True
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LAST_ANSWERS + 1):
                    await self._serving.wait()

    async def _has_channels(self) -> bool:
        with contextlib.suppress(StoreUnavailable):
            return await any_channel(self._pool)
        return False

    async def _serve(self) -> None:
        from .api import Api
        from .app import create
        from .sender_limits import SenderLimits

        api = Api(self._gateway, self._pool, SenderLimits(self._settings.sender_rate), self._told)
        listening = _listen(*self._address())
        self._server = quiet_server(create(api))
        write_private(self._place.http_port, str(listening.getsockname()[1]))
        with listening, announced(self._place.http, url_of(listening)):
            log.info("http api ready", url=url_of(listening))
            self._server.should_exit = self._stopping
            try:
                await self._server.serve(sockets=[listening])
            finally:
                self._serving.set()

    def _address(self) -> tuple[str, int]:
        if self._settings.http is not None:
            return address(self._settings.http)
        return "127.0.0.1", _last_port(self._place)

    @asynccontextmanager
    async def _told(self, session_id: str) -> AsyncIterator[asyncio.Event]:
        more = asyncio.Event()

        async def heard(_: object) -> None:
            more.set()

        subscription = await self._broker.client.subscribe(subjects.session_events(session_id), cb=heard)
        try:
            yield more
        finally:
            with contextlib.suppress(Exception):
                await subscription.unsubscribe()


def _listen(host: str, port: int) -> socket.socket:
    return listen(host, port, what="the HTTP API", variable="ARREIO_HTTP")


def _last_port(place: DataDir) -> int:
    """The port of the time before, so that adapters find the API again where it is still free; else any."""
    try:
        port = int(json.loads(place.http_port.read_text()))
        _listen("127.0.0.1", port).close()
    except (OSError, ValueError, TypeError, ArreioError):
        return 0
    return port

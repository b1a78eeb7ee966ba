"""The HTTP API on an engine, in a thread of its own: a real server, and clients of it."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx
import uvicorn
from arreio_contracts.events import EventData, Metadata

from services.gateway.channels import registry
from services.gateway.handlers import Gateway
from services.gateway.http.api import Api
from services.gateway.http.app import create
from services.gateway.http.sender_limits import SenderLimits
from shared.settings import Settings
from shared.store.connection import Pool, open_pool
from shared.store.events import EventStore, event_of
from shared.store.tasks import TaskPatch
from tests.support.store import fresh, store_of

Value = TypeVar("Value")


@asynccontextmanager
async def _told_often(_: str) -> AsyncIterator[asyncio.Event]:
    """What NATS does in the service: here the session may have gone on, all the time."""
    more = asyncio.Event()

    async def tell() -> None:
        while True:
            more.set()
            await asyncio.sleep(0.02)

    telling = asyncio.create_task(tell())
    try:
        yield more
    finally:
        telling.cancel()


class HttpServer:
    """The API, from `start` to `stop`."""

    def __init__(self, settings: Settings, *, rate: int = 1_000_000) -> None:
        self._settings = settings
        self._rate = rate
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._server: uvicorn.Server | None = None
        self.url = ""

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(60)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType) -> None:
        assert self._server is not None
        self._server.should_exit = True
        self._thread.join(30)

    def client(self, token: str = "") -> httpx.Client:
        """A client that bears a token."""
        head = {"Authorization": f"Bearer {token}"} if token else {}
        return httpx.Client(base_url=self.url, headers=head, timeout=60)

    async def _run(self) -> None:
        async with open_pool(self._settings.database_dsn("gateway"), name="test_http", size=8) as pool:
            gateway = Gateway(pool, data_dir=Path("/nonexistent"), code_version="test")
            app = create(Api(gateway, pool, SenderLimits(self._rate), _told_often))
            config = uvicorn.Config(app, log_config=None, lifespan="off", timeout_graceful_shutdown=2)
            self._server = uvicorn.Server(config)
            # What connects before it serves waits in the backlog.
            with socket.create_server(("127.0.0.1", 0)) as listening:
                self.url = f"http://127.0.0.1:{listening.getsockname()[1]}"
                self._ready.set()
                await self._server.serve(sockets=[listening])


@dataclass(frozen=True)
class OwnChannel:
    """A channel of a test's own, and its adapter's keys."""

    name: str
    token: str = field(repr=False)
    secret: str = field(repr=False)


def as_operator(settings: Settings, do: Callable[[Pool], Awaitable[Value]]) -> Value:
    """What an operator's command does to the channels."""

    async def run() -> Value:
        async with open_pool(settings.database_dsn("operator"), name="test_operator", size=1) as pool:
            return await do(pool)

    return asyncio.run(run())


def own_channel(settings: Settings, *, senders: tuple[str, ...] = ("ana",)) -> OwnChannel:
    """A new channel with these senders allowed; it takes webhooks."""
    name = fresh("ch")

    async def make(pool: Pool) -> registry.Keys:
        keys = await registry.add_channel(pool, name, signed=True)
        for sender in senders:
            await registry.allow(pool, name, sender)
        return keys

    keys = as_operator(settings, make)
    return OwnChannel(name, keys.token, keys.signing_secret or "")


def append(settings: Settings, session_id: str, task_id: str, *events: EventData, **patch: Any) -> None:
    """Append what a tool-loop would."""

    async def run() -> None:
        async with store_of(settings, "tool_loop", size=1) as (store, _):
            await _append(store, session_id, task_id, events, patch)

    asyncio.run(run())


async def _append(
    store: EventStore, session_id: str, task_id: str, events: tuple[EventData, ...], patch: dict[str, Any]
) -> None:
    metadata = Metadata(service="tool_loop", correlation="m1", causation="e0")
    changed: TaskPatch = {"task_id": task_id, **patch}  # type: ignore[typeddict-item]
    await store.append_fact(session_id, [event_of(one, metadata, task_id=task_id) for one in events], task=changed)

"""A stand-in of a platform's API: a real server on loopback, in a thread of its own, that can go away and come back."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Self, TypeVar

from aiohttp import web

Value = TypeVar("Value")


class StandIn:
    """Serves `routes` from `with` to its end. What is recorded is read and written under `changed`."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._runner: web.AppRunner | None = None
        self._port = 0

    @property
    def url(self) -> str:
        """Where it is; the same after it was away."""
        return f"http://127.0.0.1:{self._port}"

    def routes(self) -> list[web.RouteDef]:
        """What is served."""
        raise NotImplementedError

    def go_away(self) -> None:
        """Refuse connections, and cut those that there are."""
        self.do(self._close())

    def come_back(self) -> None:
        """Serve again on the same port."""
        self.do(self._open())

    def wait_for(self, condition: Callable[[], Value], seconds: float = 60.0) -> Value:
        """The first true value of a condition on what was recorded."""
        with self.changed:
            found = self.changed.wait_for(condition, seconds)
        assert found, "what was waited for did not come"
        return found

    def do(self, coroutine: Coroutine[Any, Any, Value]) -> Value:
        """Run something in the server's thread."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(30)

    def note(self, change: Callable[[], object]) -> None:
        """Change what is recorded, and wake whoever waits for it."""
        with self.changed:
            change()
            self.changed.notify_all()

    def __enter__(self) -> Self:
        self._thread.start()
        self.come_back()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.go_away()
        self.do(self._end_the_rest())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(30)

    async def _end_the_rest(self) -> None:
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)

    async def _open(self) -> None:
        application = web.Application(client_max_size=64 << 20)
        application.add_routes(self.routes())
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port, reuse_address=True)
        await site.start()
        assert site._server is not None
        self._port = site._server.sockets[0].getsockname()[1]  # type: ignore[attr-defined]

    async def _close(self) -> None:
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()

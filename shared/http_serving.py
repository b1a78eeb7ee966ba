"""An HTTP server inside a service: it listens where a setting says, and leaves signals to its service."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from shared.errors import ArreioError

# uvicorn takes long to import, which a service that serves nothing shall not wait for.
if TYPE_CHECKING:
    from uvicorn import Server

LAST_ANSWERS: Final = 2
"""Seconds that requests under way get when the service stops; streams end at once."""
_STREAM: Final = b"text/event-stream"


class Requests:
    """An ASGI application with an end: streams are ended at once, what else is under way is told to come again later.

    A server that merely cancels them leaves clients without an answer, and a traceback of each in its log.
    """

    def __init__(self, app: Any) -> None:
        self._app = app
        self._under_way: dict[asyncio.Task[Any], bool] = {}
        self._ending = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request."""
        task = asyncio.current_task()
        if scope["type"] != "http" or task is None:
            await self._app(scope, receive, send)
            return
        begun, sized = False, False

        async def sending(message: Any) -> None:
            nonlocal begun, sized
            if message["type"] == "http.response.start":
                begun, headers = True, dict(message.get("headers", ()))
                sized = b"content-length" in headers
                self._under_way[task] = headers.get(b"content-type", b"").startswith(_STREAM)
                if self._ending and self._under_way[task]:
                    task.cancel()
            await send(message)

        self._under_way[task] = False
        try:
            await self._app(scope, receive, sending)
        except asyncio.CancelledError:
            if not self._ending or sized:
                raise
            task.uncancel()
            if not begun:
                headers = [(b"retry-after", b"5"), (b"content-type", b"text/plain; charset=utf-8")]
                await send({"type": "http.response.start", "status": 503, "headers": headers})
            last = b"" if begun else b"this service is being stopped\n"
            await send({"type": "http.response.body", "body": last})
        finally:
            del self._under_way[task]

    def end(self, *, all: bool) -> None:
        """End the streams, now and those that begin; with `all`, whatever is under way."""
        self._ending = True
        for task, stream in self._under_way.items():
            if stream or all:
                task.cancel()


def quiet_server(app: Any) -> Server:
    """A server of an ASGI application that logs no access and takes no signal.

    What X-Forwarded-For and X-Forwarded-Proto say is believed of the proxies in FORWARDED_ALLOW_IPS alone. uvicorn
    would believe every program of this machine unless told otherwise.
    """
    import uvicorn

    class InService(uvicorn.Server):
        """A server whose signals are its service's own."""

        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            requests.end(all=False)
            last = asyncio.get_running_loop().call_later(LAST_ANSWERS, lambda: requests.end(all=True))
            await super().shutdown(sockets)
            last.cancel()

    requests = Requests(app)
    proxies = os.environ.get("FORWARDED_ALLOW_IPS", "").strip()
    config = uvicorn.Config(
        requests,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies,
        log_config=None,
        access_log=False,
        lifespan="off",
        ws="none",
        server_header=False,
        timeout_graceful_shutdown=LAST_ANSWERS + 1,
    )
    return InService(config)


def address(setting: str) -> tuple[str, int]:
    """Host and port of a setting HOST:PORT; without a host it is loopback."""
    host, _, port = setting.rpartition(":")
    return host.strip("[]") or "127.0.0.1", int(port)


def listen(host: str, port: int, *, what: str, variable: str) -> socket.socket:
    """A listening socket; port 0 is any that is free.

    Raises:
        ArreioError: it cannot listen there; `variable` is the setting to change.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=512)
    except (OSError, OverflowError) as error:
        raise ArreioError(
            f"{what} cannot listen on {host}:{port}: {error}", f"set {variable} to another HOST:PORT"
        ) from error


def url_of(listening: socket.socket) -> str:
    """The address of a listening socket as a URL."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

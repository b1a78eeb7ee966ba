"""`/livez`, `/readyz` and `/metrics` over plain HTTP, served by the service's own event loop."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from shared.errors import ArreioError
from shared.observing.health import Health

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

PORTS: Final = 50
"""How many ports are tried, from the one that is set on."""
_PATIENCE: Final = 5.0
_LONGEST_HEAD: Final = 16 * 1024
_PLAIN: Final = "text/plain; charset=utf-8"


class Answer(NamedTuple):
    """What is answered to one request."""

    status: str
    body: bytes
    type: str = _PLAIN


class Endpoint:
    """Answers who asks for the health and the metrics of this process."""

    def __init__(self, health: Health, registry: CollectorRegistry) -> None:
        self._health = health
        self._registry = registry
        self._pages: dict[str, Callable[[], Awaitable[Answer]]] = {
            "/livez": self._live,
            "/readyz": self._ready,
            "/metrics": self._metrics,
        }

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request, and close."""
        try:
            async with asyncio.timeout(_PATIENCE):
                head = await reader.readuntil(b"\r\n\r\n")
            method, target, _ = head.split(b"\r\n", 1)[0].decode("ascii").split(" ", 2)
            answer = await self._answer(method, target.partition("?")[0])
            writer.write(_encoded(answer, with_body=method != "HEAD"))
            async with asyncio.timeout(_PATIENCE):
                await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError, OSError, ValueError):
            pass
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def _answer(self, method: str, path: str) -> Answer:
        page = self._pages.get(path)
        if page is None:
            return Answer("404 Not Found", b"there are /livez, /readyz and /metrics\n")
        if method not in ("GET", "HEAD"):
            return Answer("405 Method Not Allowed", b"only GET and HEAD\n")
        return await page()

    async def _live(self) -> Answer:
        return Answer("200 OK", b"alive\n")

    async def _ready(self) -> Answer:
        problems = await self._health.problems()
        if not problems:
            return Answer("200 OK", b"ready\n")
        return Answer("503 Service Unavailable", "\n".join(["not ready", *problems, ""]).encode())

    async def _metrics(self) -> Answer:
        from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

        await self._health.refresh()
        # In a thread, so that the tasks of this loop go on meanwhile.
        return Answer("200 OK", await asyncio.to_thread(generate_latest, self._registry), CONTENT_TYPE_PLAIN_0_0_4)


@asynccontextmanager
async def served(address: str, endpoint: Endpoint) -> AsyncIterator[str]:
    """Serve on `HOST:PORT`, or on the next port that is free; the URL of it.

    Raises:
        ArreioError: nothing can listen there.
    """
    listening = _listening(address)
    server = await asyncio.start_server(endpoint.serve, sock=listening, limit=_LONGEST_HEAD)
    host, port = listening.getsockname()[:2]
    try:
        yield f"http://{f'[{host}]' if ':' in host else host}:{port}"
    finally:
        server.close()


def _listening(address: str) -> socket.socket:
    host, _, text = address.rpartition(":")
    host, first = host.strip("[]") or "127.0.0.1", int(text)
    for port in range(first, min(first + PORTS, 65536)) if first else (0,):
        try:
            return socket.create_server((host, port), family=_family(host), backlog=64)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise ArreioError(
                    f"ARREIO_METRICS: {address} cannot be listened on: {error.strerror or error}"
                ) from error
    raise ArreioError(f"ARREIO_METRICS: no port from {first} on is free on {host}", "set another port")


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def _encoded(answer: Answer, *, with_body: bool) -> bytes:
    head = (
        f"HTTP/1.1 {answer.status}\r\nContent-Type: {answer.type}\r\nContent-Length: {len(answer.body)}\r\n"
        "Cache-Control: no-store\r\nConnection: close\r\n\r\n"
    )
    return head.encode("ascii") + (answer.body if with_body else b"")

"""A TCP proxy in front of a server, in the test's own loop: connections can be cut, or held so that nothing passes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

Dial = Callable[[], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]


class Proxy:
    """Listens on a free loopback port and passes every connection on to what `dial` opens."""

    def __init__(self, dial: Dial) -> None:
        self._dial = dial
        self._open = asyncio.Event()
        self._open.set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self.port = 0

    async def start(self) -> None:
        """Listen."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    def stop(self) -> None:
        """Listen no more, and cut what is there."""
        if self._server is not None:
            self._server.close()
        self.go_on()
        self.cut()

    def cut(self) -> None:
        """Reset every connection; new ones are taken at once."""
        for writer in list(self._writers):
            writer.transport.abort()

    def hold(self) -> None:
        """Let nothing pass, and say nothing of it."""
        self._open.clear()

    def go_on(self) -> None:
        """Let pass what was held, and what comes."""
        self._open.set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._open.wait()
            far_reader, far_writer = await self._dial()
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, far_writer}
        try:
            await asyncio.gather(self._pump(reader, far_writer), self._pump(far_reader, writer))
        finally:
            self._writers -= {writer, far_writer}

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(1 << 16):
                await self._open.wait()
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()

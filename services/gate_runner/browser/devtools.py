"""Speaks with a browser over two pipes: the Chrome DevTools Protocol, a message of JSON up to each NUL byte."""

import asyncio
import itertools
import json
from collections.abc import Callable
from typing import Any, Final

from .errors import BrowserFailed

LONGEST_MESSAGE: Final = 64 << 20

Heard = Callable[[dict[str, Any]], None]


class Devtools:
    """One conversation. `listen` must run beside the calls; when it ends, whoever waits gets `BrowserFailed`."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.WriteTransport, reading: asyncio.BaseTransport
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._transports = writer, reading
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._heard: dict[tuple[str | None, str], Heard] = {}
        self._ended = False

    def close(self) -> None:
        """Let go of the pipes."""
        for transport in self._transports:
            transport.close()

    def on(self, method: str, heard: Heard, *, session: str | None = None) -> None:
        """Call `heard` with the parameters of every such event of a session; it takes the place of an earlier one."""
        self._heard[session, method] = heard

    def forget(self, session: str) -> None:
        """Call nobody for what happens in a session."""
        self._heard = {key: heard for key, heard in self._heard.items() if key[0] != session}

    async def call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """The result of a command.

        Raises:
            BrowserFailed: the browser refused it, or has ended.
        """
        if self._ended:
            raise BrowserFailed("the browser has ended")
        number = next(self._numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        answered: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answered
        self._writer.write(json.dumps(message).encode() + b"\0")
        try:
            answer = await answered
        finally:
            self._waiting.pop(number, None)
        if "error" in answer:
            raise BrowserFailed(f"the browser refused {method}: {answer['error'].get('message')}")
        result: dict[str, Any] = answer.get("result", {})
        return result

    async def listen(self) -> None:
        """Take what the browser says until it ends."""
        try:
            while True:
                self._take(json.loads((await self._reader.readuntil(b"\0"))[:-1]))
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError, OSError):
            pass
        finally:
            self._ended = True
            for waiting in self._waiting.values():
                if not waiting.done():
                    waiting.set_exception(BrowserFailed("the browser ended"))

    def _take(self, message: dict[str, Any]) -> None:
        waiting = self._waiting.get(message.get("id", 0))
        if waiting is not None and not waiting.done():
            waiting.set_result(message)
        heard = self._heard.get((message.get("sessionId"), message.get("method", "")))
        if heard is not None:
            heard(message.get("params", {}))

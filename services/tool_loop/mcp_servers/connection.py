"""A connection with one MCP server: made, used for calls from any task of the event loop, and closed once."""

import asyncio
from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from arreio_contracts.task import McpServer

from shared.errors import ArreioError
from shared.secrets import mask

from .transport import Place, speaking

if TYPE_CHECKING:
    from mcp.client.session import ClientSession
    from mcp.types import CallToolResult, Tool

_END_SECONDS: Final = 5.0
_MOST_PAGES: Final = 50
_SESSION_UNKNOWN: Final = 32600
"""How the SDK's client tells an answer 404: unlike a server's own errors, its code is not negative."""


class McpUnavailable(ArreioError):
    """A server of tools that cannot be started or reached, or that is gone. The text names the reason in one line."""


class SessionLost(McpUnavailable):
    """The server, perhaps restarted, does not know the session: the call was not carried out, and may be made anew."""


class Connection:
    """One life of one server. `open` once, then `call`; a server that is gone stays gone."""

    def __init__(self, server: McpServer, place: Place) -> None:
        self._server = server
        self._place = place
        self._said: deque[str] = deque(maxlen=8)
        self._session: ClientSession | None = None
        self._stop = asyncio.Event()
        self._serving: asyncio.Task[None] | None = None
        self._why: str | None = None
        self.tools_changed = False

    async def open(self) -> "list[Tool]":
        """Start or reach the server; its tools, as it lists them.

        Raises:
            McpUnavailable: it did not answer in time, or not as a server does.
        """
        ready: asyncio.Future[list[Tool]] = asyncio.get_running_loop().create_future()
        self._serving = asyncio.create_task(self._serve(ready), name=f"mcp {self._server.name}")
        try:
            waited: set[asyncio.Future[Any]] = {ready, self._serving}
            await asyncio.wait(waited, timeout=self._server.timeout, return_when=asyncio.FIRST_COMPLETED)
            if ready.done() and not ready.cancelled():
                return ready.result()
            raise McpUnavailable(self._told(self._why or f"it did not answer within {self._server.timeout:g} s"))
        except BaseException:
            await self.close()
            raise

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> "CallToolResult":
        """The result of a call.

        Raises:
            SessionLost: the server knows the session no more, and did nothing; the connection must be closed.
            McpUnavailable: the server is gone, or was silent for too long; the connection must be closed.
            McpError: it refused the request.
        """
        from mcp import McpError
        from mcp.types import CONNECTION_CLOSED

        if self._session is None or self._serving is None:
            raise McpUnavailable(self._told(self._why or "it is gone"))
        try:
            return await self._answer(self._session, self._serving, tool, arguments)
        except McpUnavailable:
            raise
        except McpError as error:
            if error.error.code == _SESSION_UNKNOWN:
                raise SessionLost(self._told("it does not know the session any more")) from error
            if error.error.code == CONNECTION_CLOSED:
                raise McpUnavailable(self._told("it ended during the call")) from error
            raise
        except Exception as error:
            raise McpUnavailable(self._told(f"it is gone: {_leaf(error)}")) from error

    async def _answer(
        self, session: "ClientSession", serving: "asyncio.Task[None]", tool: str, arguments: Mapping[str, Any]
    ) -> "CallToolResult":
        """The answer to a call; not waited for once the connection has ended, for then none can come."""
        from mcp.types import CallToolRequest, CallToolRequestParams, CallToolResult, ClientRequest

        request = CallToolRequest(params=CallToolRequestParams(name=tool, arguments=dict(arguments)))
        sending = asyncio.ensure_future(session.send_request(ClientRequest(request), CallToolResult))
        waited: set[asyncio.Future[Any]] = {sending, serving}
        try:
            await asyncio.wait(waited, timeout=self._server.timeout, return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                return sending.result()
        finally:
            sending.cancel()
        if serving.done():
            raise McpUnavailable(self._told(self._why or "it ended during the call"))
        raise McpUnavailable(f"it gave no answer within {self._server.timeout:g} s")

    async def close(self) -> None:
        """End the server, or the connection to it; safe to repeat."""
        self._stop.set()
        if self._serving is not None:
            serving, self._serving = self._serving, None
            done, _ = await asyncio.wait({serving}, timeout=_END_SECONDS)
            if not done:
                serving.cancel()
                await asyncio.wait({serving})

    async def _serve(self, ready: "asyncio.Future[list[Tool]]") -> None:
        from mcp.client.session import ClientSession

        try:
            async with (
                speaking(self._server, self._place, self._said) as (read, write),
                ClientSession(read, write, message_handler=self._heard) as session,
            ):
                opening = asyncio.ensure_future(_opened(session))
                stopped = asyncio.ensure_future(self._stop.wait())
                await asyncio.wait({opening, stopped}, return_when=asyncio.FIRST_COMPLETED)
                if not opening.done():
                    opening.cancel()
                    return
                ready.set_result(opening.result())
                self._session = session
                await stopped
        except Exception as error:  # noqa: BLE001 - whatever it is, the server cannot be used
            self._why = self._why or _leaf(error)
            if not ready.done():
                ready.set_exception(McpUnavailable(self._told(self._why)))
        finally:
            self._session = None

    async def _heard(self, message: Any) -> None:
        from mcp.types import ServerNotification, ToolListChangedNotification

        if isinstance(message, ServerNotification) and isinstance(message.root, ToolListChangedNotification):
            self.tools_changed = True
        elif isinstance(message, Exception):
            self._why = f"it does not answer as an MCP server does: {_leaf(message)}"
            self._stop.set()

    def _told(self, why: str) -> str:
        """A reason, with the last that the server wrote on standard error."""
        last = " ".join("".join(self._said).split())[-400:]
        return mask(f"{why}; it said: {last}" if last else why)


async def _opened(session: "ClientSession") -> "list[Tool]":
    await session.initialize()
    tools: list[Tool] = []
    cursor: str | None = None
    seen: set[str] = set()
    while len(seen) < _MOST_PAGES:
        page = await session.list_tools(cursor)
        tools += page.tools
        cursor = page.nextCursor
        if not cursor:
            return tools
        if cursor in seen:
            raise McpUnavailable(f"its list of tools has no end: the cursor {cursor[:40]!r} comes back")
        seen.add(cursor)
    raise McpUnavailable(f"its list of tools has more than {_MOST_PAGES} pages")


def _leaf(error: BaseException) -> str:
    """The first error of a group, in one line."""
    from mcp import McpError

    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, McpUnavailable):
        return error.line()
    if isinstance(error, KeyError):
        return f"the variable {error.args[0]} is not set for the services"
    if isinstance(error, McpError) and error.error.code == _SESSION_UNKNOWN:
        return "there is no MCP server at its url (HTTP 404)"
    return " ".join(f"{type(error).__name__}: {error}".split())[:400]

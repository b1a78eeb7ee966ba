"""The MCP servers of one task: listed when it begins, started where they are needed, ended with its run."""

import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arreio_contracts import events
from arreio_contracts.events import McpToolsChanged, OfferedTool, TaskProfiled
from arreio_contracts.task import McpServer, Reason, TaskContract

from ..state import LoopState
from ..tools.base import Arguments
from .connection import Connection, McpUnavailable, SessionLost
from .naming import tool_names, usable_schema
from .remote_tool import RemoteTool
from .transport import Place

if TYPE_CHECKING:
    from mcp.types import CallToolResult, Tool

MOST_STARTS: Final = 4
"""How often one server's process is started in one run of a task. One at a URL is reached anew at each call."""
MOST_TOOLS: Final = 128
_MOST_DESCRIPTION: Final = 1024
_MOST_NAMED: Final = 20


class McpServers:
    """Connections of one run of one task. The tools are those that were recorded when the task began."""

    def __init__(self, data_dir: Path, lock_fd: Callable[[], int | None]) -> None:
        self._data_dir = data_dir
        self._lock_fd = lock_fd
        self._open: dict[str, Connection] = {}
        self._starts: Counter[str] = Counter()
        self._changed: list[str] = []
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    async def offered(self, profiled: TaskProfiled, contract: TaskContract) -> TaskProfiled:
        """The task's profile with the tools of its servers, before the signals, or with what stands in the way."""
        if profiled.problem is not None or not contract.mcp:
            return profiled
        found: list[events.RemoteTool] = []
        for server in contract.mcp:
            try:
                found += _described(server, await self._start(server, profiled.workspace, contract))
            except McpUnavailable as error:
                reason = Reason(
                    code="mcp_unavailable",
                    text=f"the MCP server {server.name!r} cannot be used: {error.message}",
                    unblock=error.hint or "mend it, or take it out of the task's contract",
                )
                return profiled.model_copy(update={"problem": reason})
        ours = [tool for tool in profiled.tools if tool.effect != "signal"]
        signals = [tool for tool in profiled.tools if tool.effect == "signal"]
        remote = [OfferedTool(name=tool.name, effect="command") for tool in found]
        return profiled.model_copy(update={"tools": (*ours, *remote, *signals), "remote_tools": tuple(found)})

    def tool(self, name: str, state: LoopState) -> RemoteTool | None:
        """A tool of the task's servers, by the name that the model uses."""
        profile, created = state.profile, state.created
        if profile is None or created is None:
            return None
        spec = next((tool for tool in profile.remote_tools if tool.name == name), None)
        server = next((one for one in created.contract.mcp if spec is not None and one.name == spec.server), None)
        if spec is None or server is None:
            return None

        async def call(_: str, tool: str, arguments: Arguments) -> "CallToolResult":
            return await self._call(server, tool, arguments, profile.workspace, created.contract)

        return RemoteTool(spec, call, local=bool(server.command))

    def changed(self) -> list[McpToolsChanged]:
        """The servers that have said since the last look that they have other tools now."""
        for name, connection in self._open.items():
            if connection.tools_changed:
                connection.tools_changed = False
                self._changed.append(name)
        found, self._changed = self._changed, []
        return [McpToolsChanged(server=name) for name in found]

    async def close(self) -> None:
        """End every server."""
        for name in list(self._open):
            await self._open.pop(name).close()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    async def _call(
        self, server: McpServer, tool: str, arguments: Arguments, workspace: str | None, contract: TaskContract
    ) -> "CallToolResult":
        try:
            return await self._once(server, tool, arguments, workspace, contract)
        except SessionLost:
            return await self._once(server, tool, arguments, workspace, contract)

    async def _once(
        self, server: McpServer, tool: str, arguments: Arguments, workspace: str | None, contract: TaskContract
    ) -> "CallToolResult":
        if server.name not in self._open:
            await self._start(server, workspace, contract)
        try:
            return await self._open[server.name].call(tool, arguments)
        except McpUnavailable:
            await self._open.pop(server.name).close()
            raise

    async def _start(self, server: McpServer, workspace: str | None, contract: TaskContract) -> "list[Tool]":
        if server.command and self._starts[server.name] >= MOST_STARTS:
            raise McpUnavailable(f"it ended {MOST_STARTS} times and is not started again")
        self._starts[server.name] += 1
        fd = self._lock_fd()
        place = Place(
            workspace=Path(workspace) if workspace is not None else self._scratch(),
            network=contract.network,
            sandbox=contract.sandbox,
            hide=(self._data_dir,),
            inherit_fds=() if fd is None else (fd,),
        )
        connection = Connection(server, place)
        tools = await connection.open()
        self._open[server.name] = connection
        return tools

    def _scratch(self) -> Path:
        """Where servers of a task without a workspace run."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="arreio-mcp-")
        return Path(self._folder.name)


def _described(server: McpServer, tools: "list[Tool]") -> list[events.RemoteTool]:
    if server.tools is not None:
        known = {tool.name for tool in tools}
        missing = [name for name in server.tools if name not in known]
        if missing:
            there = f"it has {', '.join(sorted(known)[:_MOST_NAMED]) or 'none'}{', …' * (len(known) > _MOST_NAMED)}"
            lacks = ", ".join(map(repr, missing[:_MOST_NAMED]))
            raise McpUnavailable(f"it has no tool {lacks}; {there}", "correct `tools` in the task's contract")
        tools = [tool for tool in tools if tool.name in server.tools]
    if len(tools) > MOST_TOOLS:
        raise McpUnavailable(
            f"it has {len(tools)} tools, more than {MOST_TOOLS}", "name those to be offered in `tools`"
        )
    names = tool_names(server.name, [tool.name for tool in tools])
    return [
        events.RemoteTool(
            name=name,
            server=server.name,
            remote_name=tool.name,
            description=(tool.description or tool.title or tool.name)[:_MOST_DESCRIPTION],
            parameters=usable_schema(tool.inputSchema),
        )
        for name, tool in zip(names, tools, strict=True)
    ]

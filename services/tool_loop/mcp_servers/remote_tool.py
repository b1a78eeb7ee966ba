"""A tool of an MCP server, as our tools are: it never raises, and its result is bounded text."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arreio_contracts import events
from arreio_contracts.events import Effect

from shared.secrets import mask

from ..tools.base import Arguments, Schema, ToolContext, ToolResult, failure
from ..tools.changes import changes, look
from .connection import McpUnavailable

if TYPE_CHECKING:
    from mcp.types import CallToolResult

Call = Callable[[str, str, Arguments], "Awaitable[CallToolResult]"]
"""Calls a tool of a server, by the server's name and its own. Raises McpUnavailable, McpError."""


@dataclass(frozen=True)
class RemoteTool:
    """What it does is not known here, so a call that was cut off is never made again."""

    spec: events.RemoteTool
    call: Call
    local: bool
    """Whether its server can reach the workspace."""
    effect: Effect = "command"

    @property
    def name(self) -> str:
        return self.spec.name

    @property
    def description(self) -> str:
        return self.spec.description

    @property
    def parameters(self) -> Schema:
        return self.spec.parameters

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        from mcp import McpError

        sees = self.local and context.workspace.is_dir()
        before = await asyncio.to_thread(look, context.workspace) if sees else {}
        try:
            found = await self.call(self.spec.server, self.spec.remote_name, arguments)
            status, text, error_class = _read(found, context.most_chars)
        except McpUnavailable as error:
            status, text, error_class = "error", f"the server {self.spec.server}: {error.message}", "mcp_unavailable"
        except McpError as error:
            status, text, error_class = "error", _cut(str(error), context.most_chars), "mcp_error"
        except Exception as error:  # noqa: BLE001 - every failure is a result
            return failure(error)
        changed = await asyncio.to_thread(changes, context.workspace, before) if sees else {}
        return ToolResult("ok" if status == "ok" else "error", text, error_class, changed=changed)


def _read(found: "CallToolResult", most_chars: int) -> tuple[str, str, str | None]:
    parts = [_shown(part) for part in found.content]
    if not parts and found.structuredContent is not None:
        from shared.canonical import canonical_json

        parts = [canonical_json(found.structuredContent)]
    text = _cut("\n".join(parts) or "No output.", most_chars)
    return ("error", text, "mcp_tool_error") if found.isError else ("ok", text, None)


def _shown(part: Any) -> str:
    """A part of a result as text; what is none is only named."""
    match part.type:
        case "text":
            return str(part.text)
        case "resource" if hasattr(part.resource, "text"):
            return f"{part.resource.uri}:\n{part.resource.text}"
        case "resource_link":
            return f"[{part.name}: {part.uri}]"
        case "image" | "audio":
            return f"[{part.type}, {part.mimeType}, {len(part.data) * 3 // 4} bytes, not shown]"
        case _:
            return f"[{part.type}, not shown]"


def _cut(text: str, most_chars: int) -> str:
    """The head and the tail of a text, its secrets masked before anything is cut."""
    text = mask(text.replace("\0", "\ufffd").encode("utf-8", "replace").decode())
    if len(text) <= most_chars:
        return text
    half = most_chars // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half} characters left out …]\n{text[-half:]}"

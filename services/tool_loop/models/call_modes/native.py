"""Calls by the provider's own tools: the transcript is sent as it is."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from shared.prompt import Message

from ..client import Client, ModelRequest
from . import Answer, Hints, ToolSpec
from .reading import answered


class NativeMode:
    """`CallMode` over the provider's tools. Calls written at the end of the text count too, where there is no other."""

    async def ask(
        self,
        client: Client,
        base: ModelRequest,
        transcript: Sequence[Message],
        tools: Sequence[ToolSpec],
        hints: Hints,
        *,
        prefix: str,
    ) -> Answer:
        """See `CallMode.ask`."""
        offered = [_function(tool) for tool in tools]
        return await answered(await client.complete(replace(base, messages=transcript, tools=offered)), tools, prefix)


def _function(tool: ToolSpec) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
    return {"type": "function", "function": function}

"""Calls by the provider's own tools: the transcript is sent as it is."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from shared.prompt import Message

from ..client import Client, ModelReply, ModelRequest
from ..repair import tail_calls
from . import Answer, Hints, ToolSpec
from .reading import checked, from_text


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
        reply = await client.complete(replace(base, messages=transcript, tools=offered))
        return _read(reply, tools, prefix)


def _function(tool: ToolSpec) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
    return {"type": "function", "function": function}


def _read(reply: ModelReply, tools: Sequence[ToolSpec], prefix: str) -> Answer:
    cut_off = reply.finish_reason == "length"
    content = reply.content
    if reply.calls:
        # Providers close the JSON of a call that the limit cut off: only the calls before it are known to be whole.
        last = len(reply.calls)
        calls = tuple(
            from_text(f"{prefix}-{number}", call.name, call.arguments, tools, cut_off=cut_off and number == last)
            for number, call in enumerate(reply.calls, 1)
        )
    else:
        content, written = tail_calls(content, (tool.name for tool in tools))
        calls = tuple(
            checked(f"{prefix}-{number}", call.name, call.arguments, tools, repaired=True)
            for number, call in enumerate(written, 1)
        )
    return Answer(
        content=content,
        calls=calls,
        finish_reason=reply.finish_reason,
        usage=reply.usage,
        cost_usd=reply.cost_usd,
    )

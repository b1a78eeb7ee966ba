"""Calls as one constrained object `{tool, args}`: a `oneOf` over the offered tools, for models weak at native tools."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from arreio_contracts.events import ToolCall

from shared.canonical import canonical_json
from shared.prompt import Message

from ..client import Client, ModelReply, ModelRequest
from ..repair import read_object
from . import Answer, Hints, ToolSpec
from .reading import checked


class JsonSchemaMode:
    """`CallMode` by constrained decoding. One call a reply; the transcript is told in plain alternating turns."""

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
        request = replace(
            base, messages=rendered(transcript, tools), tools=None, response_format=response_format(tools)
        )
        return _read(await client.complete(request), tools, prefix)


def response_format(tools: Sequence[ToolSpec]) -> dict[str, Any]:
    """The schema that a reply is constrained to."""
    choices = [
        {
            "type": "object",
            "properties": {"tool": {"const": tool.name}, "args": dict(tool.parameters)},
            "required": ["tool", "args"],
            "additionalProperties": False,
        }
        for tool in tools
    ]
    schema = choices[0] if len(choices) == 1 else {"oneOf": choices}
    return {"type": "json_schema", "json_schema": {"name": "action", "schema": schema}}


def rendered(transcript: Sequence[Message], tools: Sequence[ToolSpec]) -> list[Message]:
    """The transcript with the tools told in the system message, in turns that alternate between user and assistant."""
    system = "\n\n".join(str(message["content"]) for message in transcript if message["role"] == "system")
    found: list[Message] = [{"role": "system", "content": f"{system}\n\n{_told(tools)}".strip()}]
    names: dict[str, str] = {}
    for message in transcript:
        role, text = _turn(message, names)
        if role == "system" or not text:
            continue
        if found[-1]["role"] == role:
            found[-1] = {"role": role, "content": f"{found[-1]['content']}\n\n{text}"}
        else:
            found.append({"role": role, "content": text})
    return found


def _told(tools: Sequence[ToolSpec]) -> str:
    lines = [
        f"- {tool.name}: {tool.description} args: {canonical_json(tool.parameters.get('properties', {}))}"
        for tool in tools
    ]
    return 'Answer with one JSON object {"tool": NAME, "args": {…}} and nothing else. The tools:\n' + "\n".join(lines)


def _turn(message: Message, names: dict[str, str]) -> tuple[str, str]:
    role, content = str(message["role"]), str(message.get("content") or "")
    if role == "tool":
        name = names.get(str(message.get("tool_call_id")), "the call")
        return "user", f"[result of {name}]\n{content}"
    if role == "assistant" and message.get("tool_calls"):
        calls = [call["function"] for call in message["tool_calls"]]
        for call in message["tool_calls"]:
            names[str(call["id"])] = str(call["function"]["name"])
        told = [f'{{"tool":{canonical_json(call["name"])},"args":{call["arguments"] or "{}"}}}' for call in calls]
        return role, "\n".join(filter(None, [content, *told]))
    return role, content


def _read(reply: ModelReply, tools: Sequence[ToolSpec], prefix: str) -> Answer:
    call = None if reply.finish_reason == "length" else _call(reply.content, tools, f"{prefix}-1")
    return Answer(
        content=reply.content if call is None else "",
        calls=() if call is None else (call,),
        finish_reason=reply.finish_reason,
        usage=reply.usage,
        cost_usd=reply.cost_usd,
    )


def _call(text: str, tools: Sequence[ToolSpec], call_id: str) -> ToolCall | None:
    """The call that the object names; None where it is no such object, as from a server that constrains nothing."""
    read = read_object(text) if text.strip() else None
    value: Mapping[str, Any] = (read and read.value) or {}
    name, args = value.get("tool"), value.get("args", {})
    if read is None or not isinstance(name, str):
        return None
    if not isinstance(args, dict):
        return ToolCall(id=call_id, name=name, arguments=None, problem="'args' must be an object")
    return checked(call_id, name, args, tools, repaired=read.repaired)

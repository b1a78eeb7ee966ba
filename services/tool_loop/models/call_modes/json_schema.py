"""Calls as one constrained object `{tool, args}`: a `oneOf` over the offered tools, for models weak at native tools."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from shared.canonical import canonical_json
from shared.prompt import Message

from ..client import Client, ModelRequest
from . import Answer, Hints, ToolSpec
from .reading import answered
from .rendering import rendered, told


class JsonSchemaMode:
    """`CallMode` by constrained decoding. One call a reply; the transcript is told in plain alternating turns.

    A server that constrains nothing may answer otherwise: calls in other shapes are read as in every mode.
    """

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
        messages = rendered(transcript, _instruction(tools), _written)
        request = replace(base, messages=messages, tools=None, response_format=response_format(tools))
        return await answered(await client.complete(request), tools, prefix, due=True, constrained=True)


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


def _instruction(tools: Sequence[ToolSpec]) -> str:
    asked = 'Answer with one JSON object {"tool": NAME, "args": {…}} and nothing else. The tools:\n'
    return asked + told(tools, "args")


def _written(name: str, arguments: str) -> str:
    return f'{{"tool":{canonical_json(name)},"args":{arguments}}}'

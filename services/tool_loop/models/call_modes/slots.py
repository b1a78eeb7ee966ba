"""Calls for the weakest models: one constrained question for the tool, then one for each argument that must be given.

Wherever the harness knows the choices (the tools, the paths) they are enumerated, and where there is one choice only,
nothing is asked. What is free is asked with two worked examples. Measured with SmolLM2-135M on goals that ask to write:
told what each tool does, it began by writing in 9 of 24 tries; shown four examples instead, in 24 of 24.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from arreio_contracts.events import ToolCall, Usage

from shared.prompt import Message

from ..client import Client, ModelReply, ModelRequest
from ..repair import read_object
from . import Answer, Hints, ToolSpec
from .reading import TRUNCATED, checked
from .situation import Situation, situation
from .slot_prompts import argument_question, tool_question

_PATHS_ENUMERATED: Final = 24
_NEEDS_FILE: Final = frozenset({"read_file", "edit_file"})
"""Tools whose `path` must be a file that is there."""
_WRITES: Final = frozenset({"write_file", "edit_file"})
"""Tools whose next draft may be better than the last."""
_WARMER: Final = 0.1
_WARMEST: Final = 0.6
"""Above this temperature the smallest models write nonsense, whatever the harness asks for."""


class SlotsMode:
    """`CallMode` by single questions. One call a reply; what need not be given is left out."""

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
        asking = _Asking(client, base, situation(transcript, hints), hints)
        return await asking.call(tools, f"{prefix}-1")


@dataclass
class _Asking:
    """The questions of one call, and what they used."""

    client: Client
    base: ModelRequest
    now: Situation
    hints: Hints
    usage: Usage = field(default_factory=Usage)
    cost_usd: float = 0.0
    requests: int = 0

    @property
    def _there(self) -> Sequence[str]:
        """Files of the workspace that are known: from the harness, and from what the tools have shown."""
        return tuple(dict.fromkeys([*self.hints.paths, *self.now.listed]))

    async def call(self, tools: Sequence[ToolSpec], call_id: str) -> Answer:
        askable = self._askable(tools)
        names = [tool.name for tool in askable]
        if len(names) == 1:
            reply, name = ModelReply(""), names[0]
        else:
            reply = await self._ask(tool_question(self.now, askable), "tool", {"enum": names})
            name = str(_value(reply, "tool") or "")
        if not name:
            return self._answer(reply, ())
        tool = next((tool for tool in askable if tool.name == name), None)
        if tool is None:
            return self._answer(reply, (ToolCall(id=call_id, name=name, arguments={}),))
        arguments: dict[str, Any] = {}
        for slot in tool.parameters.get("required", ()):
            schema = self._constraint(tool, slot)
            if len(schema.get("enum", ())) == 1:
                arguments[slot] = schema["enum"][0]
                continue
            again = sum(step.tool == name for step in self.now.steps) if name in _WRITES else 0
            reply = await self._ask(argument_question(self.now, tool, slot, arguments), slot, schema, again)
            value = _value(reply, slot)
            if value is None:
                return self._answer(reply, (_unread(call_id, name, slot, reply),))
            arguments[slot] = value
        return self._answer(reply, (checked(call_id, name, arguments, tools),))

    def _askable(self, tools: Sequence[ToolSpec]) -> list[ToolSpec]:
        """The tools that can be meant now: the smallest models would go on with one that led nowhere for ever."""
        last = self.now.steps[-1].tool if self.now.steps else None
        spent = last if last not in _WRITES else None
        there = [tool for tool in tools if self._there or tool.name not in _NEEDS_FILE]
        return [tool for tool in there if tool.name != spent] or there or list(tools)

    def _constraint(self, tool: ToolSpec, slot: str) -> dict[str, Any]:
        """The schema of one argument, with its choices where they are known."""
        schema = {**tool.parameters.get("properties", {}).get(slot, {"type": "string"})}
        schema.pop("description", None)
        choices = self._paths(tool.name) if slot == "path" and "enum" not in schema else ()
        return {"enum": list(choices)} if choices else schema

    def _paths(self, tool: str) -> Sequence[str]:
        """The paths that may be meant: those that goal and criteria name, else those of the workspace."""
        if tool in _NEEDS_FILE:
            named = [path for path in self.now.named if path in self._there]
            return named or self._there[:_PATHS_ENUMERATED]
        return self.now.named[:_PATHS_ENUMERATED]

    async def _ask(
        self, question: Sequence[Message], slot: str, schema: Mapping[str, Any], again: int = 0
    ) -> ModelReply:
        """One question; warmer for each draft that did not do, so that asking again is not asking the same."""
        whole = {"type": "object", "properties": {slot: schema}, "required": [slot], "additionalProperties": False}
        form = {"type": "json_schema", "json_schema": {"name": slot, "schema": whole}}
        warmth = min(_WARMEST, (self.base.temperature or 0.0) + _WARMER * again)
        asked = replace(self.base, messages=question, tools=None, response_format=form, temperature=warmth)
        reply = await self.client.complete(asked)
        self.requests += 1
        self.cost_usd += reply.cost_usd
        self.usage = Usage(
            prompt_tokens=self.usage.prompt_tokens + reply.usage.prompt_tokens,
            completion_tokens=self.usage.completion_tokens + reply.usage.completion_tokens,
        )
        return reply

    def _answer(self, last: ModelReply, calls: tuple[ToolCall, ...]) -> Answer:
        return Answer(
            content="" if calls else last.content,
            calls=calls,
            finish_reason=last.finish_reason,
            usage=self.usage,
            cost_usd=self.cost_usd,
            requests=self.requests,
        )


def _value(reply: ModelReply, slot: str) -> Any:
    """What was answered; None where it is not the object that was asked for, or cut off."""
    if reply.finish_reason == "length" or not reply.content.strip():
        return None
    return (read_object(reply.content).value or {}).get(slot)


def _unread(call_id: str, name: str, slot: str, reply: ModelReply) -> ToolCall:
    problem = TRUNCATED if reply.finish_reason == "length" else f"there is no {slot!r}"
    return ToolCall(id=call_id, name=name, arguments=None, problem=problem)

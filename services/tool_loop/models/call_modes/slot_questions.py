"""Single questions to a model, each answered by one constrained value, and what they used together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from arreio_contracts.events import Usage

from shared.prompt import Message

from ..client import Client, ModelRequest
from ..repair import read_object
from ..replies import ModelReply

_WARMER: Final = 0.1
_WARMEST: Final = 0.6
"""Above this temperature the smallest models write nonsense, whatever the harness asks for."""


class Unanswered(Exception):
    """A question that was not answered by the object that was asked for."""

    def __init__(self, slot: str, reply: ModelReply) -> None:
        super().__init__(slot)
        self.slot = slot
        self.reply = reply


@dataclass
class Questions:
    """Asks, and adds up what the questions of one reply used."""

    client: Client
    base: ModelRequest
    usage: Usage = field(default_factory=Usage)
    cost_usd: float = 0.0
    requests: int = 0

    async def value(self, question: Sequence[Message], slot: str, schema: Mapping[str, Any], again: int = 0) -> Any:
        """The answer to one question; warmer for each draft that did not do, so that it is not the same question.

        Raises:
            Unanswered: it is not the object that was asked for, or cut off.
            ProviderError: there was no reply.
        """
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
        read = None if reply.finish_reason == "length" or not reply.content.strip() else read_object(reply.content)
        value = (read.value or {}).get(slot) if read is not None else None
        if value is None:
            raise Unanswered(slot, reply)
        return value

    async def chosen(self, question: Sequence[Message], slot: str, labels: Sequence[str], again: int = 0) -> str:
        """One of some labels. Where there is one only, nothing is asked.

        Raises:
            Unanswered: none of them was answered.
        """
        if len(labels) == 1:
            return labels[0]
        answer = str(await self.value(question, slot, {"enum": list(labels)}, again))
        if answer not in labels:
            raise Unanswered(slot, ModelReply(answer))
        return answer

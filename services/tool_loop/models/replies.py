"""What a provider answered, fit to be recorded: whatever a response's fields hold, a reply comes of it. Pure."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from arreio_contracts.events import Usage

from shared.canonical import clean
from shared.prompt import Message

MOST_TOKENS: Final = 10**9
"""A provider that counts more tokens in one exchange than any model can read has counted nothing."""
MOST_CHARACTERS: Final = 2_000_000
"""Characters of one reply, its text and its calls' arguments together, whatever a server hands over: far more than a
step is made of. A longer reply is one that was cut off there."""
MOST_NAME: Final = 256
"""Characters that stay of the name of a call that was cut off."""
CUT: Final = "length"
"""The reason to end a reply that was cut off."""


@dataclass(frozen=True)
class RawCall:
    """A call as the provider handed it over; the arguments are text that may be anything. `problem`: it is no call."""

    name: str
    arguments: str
    problem: str | None = None


@dataclass(frozen=True)
class ModelReply:
    """What the model said. `cost_usd` is 0 where the price is not known."""

    content: str
    calls: tuple[RawCall, ...] = ()
    finish_reason: str = ""
    usage: Usage = field(default_factory=Usage)
    cost_usd: float = 0.0


def reply_of_choice(
    choice: Any, told: Any, cost: Any, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]
) -> ModelReply:
    """The reply that one of a response's choices is. `told` is what the provider says of tokens, `cost` what of US$."""
    handed = choice.message.tool_calls
    handed = handed if isinstance(handed, list | tuple) else [handed] if handed else []
    functions = [call.function for call in handed if getattr(call, "function", None) is not None]
    # The old form, which some servers still speak.
    legacy = getattr(choice.message, "function_call", None)
    handed_over = [
        RawCall(_text(getattr(function, "name", None)), _text(getattr(function, "arguments", None) or ""))
        for function in functions or ([legacy] if legacy is not None else [])
    ]
    said, kept, cut = _bounded(_text(choice.message.content), handed_over)
    content, calls = clean(said), tuple(replace(call, name=clean(call.name)) for call in kept)
    usage = _usage(told) or _estimated(messages, tools, content, calls)
    return ModelReply(
        content=content,
        calls=calls,
        finish_reason=CUT if cut else whole(choice.finish_reason)[:64],
        usage=usage,
        cost_usd=0.0 if usage.estimated else _cost(cost),
    )


def whole(value: Any) -> str:
    """A field as text that can be recorded; an absent one is empty."""
    return clean(_text(value))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)


def _bounded(content: str, calls: Sequence[RawCall]) -> tuple[str, list[RawCall], bool]:
    """The reply as far as it may be long, and whether anything was cut off; what follows is as if never said."""
    left = MOST_CHARACTERS - len(content)
    if left < 0:
        return content[:MOST_CHARACTERS], [], True
    kept: list[RawCall] = []
    for call in calls:
        left -= len(call.name) + len(call.arguments)
        if left < 0:
            return content, [*kept, replace(call, name=call.name[:MOST_NAME], arguments="")], True
        kept.append(call)
    return content, kept, False


def _usage(told: Any) -> Usage | None:
    """The tokens that the provider counted; None where it tells none, or what no count can be."""
    prompt = getattr(told, "prompt_tokens", None)
    completion = getattr(told, "completion_tokens", None) or 0
    if not prompt or not all(isinstance(one, int) and 0 <= one <= MOST_TOKENS for one in (prompt, completion)):
        return None
    return Usage(prompt_tokens=prompt, completion_tokens=completion)


def _estimated(
    messages: Sequence[Message], tools: Sequence[Mapping[str, Any]], content: str, calls: Sequence[RawCall]
) -> Usage:
    """An estimate of the tokens that is rather too high."""
    asked = json.dumps([list(messages), list(tools)], ensure_ascii=False)
    said = content + "".join(call.name + call.arguments for call in calls)
    return Usage(prompt_tokens=_estimate(asked), completion_tokens=_estimate(said), estimated=True)


def _estimate(text: str) -> int:
    return math.ceil(len(text.encode("utf-8", "replace")) / 3)


def _cost(told: Any) -> float:
    known = isinstance(told, int | float) and not isinstance(told, bool) and 0 <= told <= MOST_TOKENS
    return float(told) if known else 0.0

"""A chat completion as litellm can read it: what a server adds to OpenAI's protocol or counts wrongly goes. Pure."""

import json
from collections.abc import Mapping
from typing import Any, Final

from .openai_message import parts_of
from .replies import MOST_TOKENS

_COUNTS: Final = ("prompt_tokens", "completion_tokens", "total_tokens")


def readable(response: Any) -> Any:
    """The response, as JSON, with each message's content as text and no `usage` that can be none.

    Arguments of a call that are a number become text, so that they are the call's problem and not the response's.
    Content as a list of parts keeps its texts and its `tool_use` parts, as `tool_calls`; what was thought goes.
    """
    if not isinstance(response, Mapping):
        return response
    choices = response.get("choices")
    mended = dict(response)
    if isinstance(choices, list):
        mended["choices"] = [_choice(choice) for choice in choices]
    if not _counted(response.get("usage")):
        mended["usage"] = None
    return mended


def _choice(choice: Any) -> Any:
    message = choice.get("message") if isinstance(choice, Mapping) else None
    if not isinstance(message, Mapping):
        return choice
    if isinstance(handed := message.get("tool_calls"), list):
        message = {**message, "tool_calls": [_call(one) for one in handed]}
        choice = {**choice, "message": message}
    if not isinstance(message.get("content"), list):
        return choice
    text, calls = parts_of(message["content"])
    written = [
        {"id": f"part-{number}", "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for number, call in enumerate(calls)
    ]
    return {
        **choice,
        "message": {**message, "content": text, "tool_calls": message.get("tool_calls") or written or None},
    }


def _call(call: Any) -> Any:
    """A call whose arguments, where they are no text and no object, are told as the JSON that they were."""
    function = call.get("function") if isinstance(call, Mapping) else None
    if not isinstance(function, Mapping) or not isinstance(arguments := function.get("arguments"), int | float):
        return call
    return {**call, "function": {**function, "arguments": json.dumps(arguments)}}


def _counted(usage: Any) -> bool:
    if not isinstance(usage, Mapping):
        return False
    told = [usage[name] for name in _COUNTS if usage.get(name) is not None]
    details = [value for name, value in usage.items() if name.endswith("_details") and value is not None]
    counts = all(isinstance(one, int) and not isinstance(one, bool) and 0 <= one <= MOST_TOKENS for one in told)
    return counts and all(isinstance(one, Mapping) for one in details)

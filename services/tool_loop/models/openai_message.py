"""Reads an assistant's message as OpenAI's protocol has it, old forms and other providers' habits included. Pure."""

import json
from collections.abc import Mapping
from typing import Any

from .lenient_json import MAX_DEPTH
from .replies import ModelReply, RawCall, whole


def reply_of(raw: str | Mapping[str, Any]) -> ModelReply:
    """A message's text, or the message as an object, as a reply.

    Known: `tool_calls`, the old `function_call`, content as a list of parts (among them `tool_use`), arguments as text
    or object, and a message within its `choices`; `finish_reason` counts wherever it stands.
    """
    if isinstance(raw, str):
        return ModelReply(whole(raw))
    finish = ""
    choices = raw.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
        raw = choices[0]
    finish = str(raw.get("finish_reason") or raw.get("stop_reason") or "")
    message = raw.get("message")
    message = message if isinstance(message, Mapping) else raw
    text, used = parts_of(message.get("content"))
    handed = message.get("tool_calls")
    calls = [_call(item) for item in handed] if isinstance(handed, list) else []
    if handed and not isinstance(handed, list):
        calls = [RawCall("", "", problem="'tool_calls' must be a list")]
    if not calls and isinstance(message.get("function_call"), Mapping):
        calls = [_call(message)]
    return ModelReply(whole(text), (*calls, *used), whole(message.get("finish_reason") or finish))


def _call(item: Any) -> RawCall:
    """One of `tool_calls`, with or without the `function` around name and arguments."""
    inner = item
    for key in ("function", "function_call"):
        if isinstance(item, Mapping) and isinstance(item.get(key), Mapping):
            inner = item[key]
            break
    if not isinstance(inner, Mapping):
        return RawCall("", "")
    name = inner.get("name")
    return RawCall(whole(name) if isinstance(name, str) else "", _text(inner.get("arguments", inner.get("input"))))


def parts_of(content: Any) -> tuple[str, list[RawCall]]:
    """The text of a message's content, and the calls among its parts; parts that hold a thought are left out."""
    if not isinstance(content, list):
        return (content if isinstance(content, str) else ""), []
    texts = [
        part if isinstance(part, str) else str(part.get("text") or "")
        for part in content
        if isinstance(part, str) or (isinstance(part, Mapping) and part.get("type", "text") in ("text", "output_text"))
    ]
    used = [_call(part) for part in content if isinstance(part, Mapping) and part.get("type") == "tool_use"]
    return "\n".join(texts), used


def _text(arguments: Any) -> str:
    if arguments is None:
        return ""
    if isinstance(arguments, str):
        return arguments
    try:
        return json.dumps(arguments)
    except RecursionError:
        return "[" * (MAX_DEPTH + 1)

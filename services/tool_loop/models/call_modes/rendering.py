"""The transcript told in plain text, for modes in which the provider is told of no tools. Pure."""

from collections.abc import Callable, Sequence
from typing import Any

from shared.canonical import canonical_json
from shared.prompt import Message

from . import ToolSpec

WriteCall = Callable[[str, str], str]
"""How a call that was made is shown: its name, and its arguments as JSON."""


def rendered(transcript: Sequence[Message], instruction: str, write_call: WriteCall) -> list[Message]:
    """The transcript in turns that alternate between user and assistant, the instruction in the system message."""
    system = "\n\n".join(str(message["content"]) for message in transcript if message["role"] == "system")
    found: list[Message] = [{"role": "system", "content": f"{system}\n\n{instruction}".strip()}]
    names: dict[str, str] = {}
    for message in transcript:
        role, text = _turn(message, names, write_call)
        if role == "system" or not text:
            continue
        if found[-1]["role"] == role:
            found[-1] = {"role": role, "content": f"{found[-1]['content']}\n\n{text}"}
        else:
            found.append({"role": role, "content": text})
    return found


def told(tools: Sequence[ToolSpec], arguments: str) -> str:
    """The tools, a line each; `arguments` is what the mode calls them."""
    return "\n".join(
        f"- {tool.name}: {tool.description} {arguments}: {canonical_json(tool.parameters.get('properties', {}))}"
        for tool in tools
    )


def _turn(message: Message, names: dict[str, str], write_call: WriteCall) -> tuple[str, str]:
    role, content = str(message["role"]), str(message.get("content") or "")
    if role == "tool":
        name = names.get(str(message.get("tool_call_id")), "the call")
        return "user", f"[result of {name}]\n{content}"
    if role == "assistant" and message.get("tool_calls"):
        calls: list[dict[str, Any]] = [call["function"] for call in message["tool_calls"]]
        for call in message["tool_calls"]:
            names[str(call["id"])] = str(call["function"]["name"])
        written = [write_call(str(call["name"]), str(call["arguments"] or "{}")) for call in calls]
        return role, "\n".join(filter(None, [content, *written]))
    return role, content

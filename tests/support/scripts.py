"""Scripts for the scripted server. Each is a function of the transcript, so that a request asked again is answered
in the same way."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping
from typing import Any

from tests.support.scripted_server import Reply

Script = Callable[[dict[str, Any]], Reply]


def call(name: str, /, **arguments: Any) -> dict[str, Any]:
    """A reply that calls one tool."""
    return {"tool_calls": [{"name": name, "arguments": arguments}]}


def steps(*replies: Reply) -> Script:
    """The replies in order, by the number of turns that the transcript holds; the last one for ever after."""

    def script(request: dict[str, Any]) -> Reply:
        return replies[min(turns(request), len(replies) - 1)]

    return script


def turns(request: Mapping[str, Any]) -> int:
    """How often the transcript says that the model has answered."""
    return sum(message["role"] == "assistant" for message in request["messages"])


def goal(request: Mapping[str, Any]) -> str:
    """What the user asked for; in constrained modes the harness's words follow it in the same message."""
    return next(str(message["content"]) for message in request["messages"] if message["role"] == "user")


def by_goal(scripts: Mapping[str, Script]) -> Script:
    """The script whose key is a part of the goal: one server for several tasks."""

    def script(request: dict[str, Any]) -> Reply:
        asked = goal(request)
        return next(scripts[part] for part in scripts if part in asked)(request)

    return script


SUMMARY = "Parts 0 and on were written."


def parts_then(last: Reply, parts: int = 6) -> Script:
    """Long files one after the other, by what the transcript shows, then `last`; it sums up when it is told to."""

    def script(request: dict[str, Any]) -> Reply:
        if asks_for_a_summary(request):
            return {"content": SUMMARY, "usage": {"prompt_tokens": 700, "completion_tokens": 11, "total_tokens": 711}}
        written = [int(number) for number in re.findall(r"part(\d+)\.txt", str(request["messages"]))]
        number = max(written, default=-1) + 1
        if number < parts:
            return call("write_file", path=f"part{number}.txt", content=f"{number}: a line of a part\n" * 150)
        return last

    return script


def asks_for_a_summary(request: Mapping[str, Any]) -> bool:
    """Whether the harness asks for a summary of dropped history, and not for a turn."""
    return "Sum up the part of your work" in request["messages"][0]["content"]


def answering_late(script: Script, turn: int, release: threading.Event) -> Script:
    """The same, but the answer of one turn is held back until `release` is set."""

    def late(request: dict[str, Any]) -> Reply:
        reply = script(request)
        assert not isinstance(reply, str)
        return {**reply, "hold": release} if turns(request) == turn else reply

    return late


def constrained(script: Script) -> Script:
    """The same script in the mode `json_schema`: the call is the content, one object `{tool, args}`."""

    def answer(request: dict[str, Any]) -> Reply:
        reply = script(request)
        if isinstance(reply, str) or "tool_calls" not in reply:
            return reply
        (wanted,) = reply["tool_calls"]
        return {**{key: value for key, value in reply.items() if key != "tool_calls"}, **_object(wanted)}

    return answer


def _object(wanted: Mapping[str, Any]) -> dict[str, Any]:
    return {"content": {"tool": wanted["name"], "args": wanted["arguments"]}}

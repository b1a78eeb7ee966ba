"""What the harness makes of one message with calls, as `arreio check calls` answers it. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from arreio_contracts.events import ToolCall

from .call_modes import ToolSpec
from .call_modes.reading import CUT_OFF, read_calls
from .lenient_json import ProblemCode
from .names import candidates, shown
from .openai_message import reply_of


def check(raw: str | Mapping[str, Any], tools: Sequence[ToolSpec]) -> dict[str, Any]:
    """The calls of a message as they would be executed, or the error of the first that would not be."""
    reply = reply_of(raw)
    _, calls = read_calls(reply, tools, "call")
    offered = [tool.name for tool in tools]
    for number, call in enumerate(calls, 1):
        code = _code(call, offered)
        if code is not None:
            where = f"call {number} of {len(calls)}: " if len(calls) > 1 else ""
            return _error(code, where + _message(code, call, offered))
    if not calls and reply.finish_reason in CUT_OFF:
        return _error("truncated", "the reply was cut off before a call was whole")
    found = [{"name": call.name, "arguments": call.arguments, "repaired": call.repaired} for call in calls]
    return {"calls": found}


def _code(call: ToolCall, offered: Sequence[str]) -> ProblemCode | None:
    if call.problem_code is not None:
        return call.problem_code
    return None if call.name in offered else "unknown_tool"


def _message(code: ProblemCode, call: ToolCall, offered: Sequence[str]) -> str:
    if code == "unknown_tool":
        named = f"there is no tool {shown(call.name)!r}" if call.name else "the call names no tool"
        return f"{named}; candidates: {', '.join(candidates(call.name, offered)) or 'none'}"
    name = shown(call.name) or "the call"
    return f"{name} is cut off and is not executed" if code == "truncated" else f"{name}: {call.problem}"


def _error(code: ProblemCode, message: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": message}}

"""From what a model answered to `ToolCall`s: read, named, coerced, checked. Every mode reads by it.

What can be wrong with a call, in the order in which it is looked for: `truncated`, `malformed`, `unknown_tool`,
`bad_arguments` (docs/models.md tells what each means). A call with a problem is never executed.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from arreio_contracts.events import ToolCall

from ..lenient_json import TRUNCATED
from ..names import resolved
from ..repair import read_object
from ..replies import ModelReply, RawCall
from ..schema_coercion import coerce, problem
from ..written_call import WrittenCall, malformed
from ..written_calls import Tail, written_calls
from . import Answer, ToolSpec

__all__ = ["CUT_OFF", "TRUNCATED", "answer_of", "answered", "checked", "read_calls"]

CUT_OFF: Final = frozenset({"length", "max_tokens", "content_filter"})
"""The reasons to end a reply that end it in the middle."""


MOST_CALLS: Final = 100
"""Calls of one reply that are read; a model that makes more of them has lost its way."""

_LARGE: Final = 256 * 1024
"""Characters of a reply that are read beside other work and not before it."""


async def answered(
    reply: ModelReply, tools: Sequence[ToolSpec], prefix: str, *, due: bool = False, constrained: bool = False
) -> Answer:
    """`answer_of`, in a thread where reading takes so long that heartbeats would have to wait."""
    if len(reply.content) + sum(len(call.arguments) for call in reply.calls) > _LARGE:
        return await asyncio.to_thread(answer_of, reply, tools, prefix, due=due, constrained=constrained)
    return answer_of(reply, tools, prefix, due=due, constrained=constrained)


def answer_of(
    reply: ModelReply, tools: Sequence[ToolSpec], prefix: str, *, due: bool = False, constrained: bool = False
) -> Answer:
    """A reply with its calls read.

    `due`: the mode asks for calls in the text, which is then no repair. `constrained`: to nothing but a call as JSON.
    """
    content, calls = read_calls(reply, tools, prefix, due=due, constrained=constrained)
    return Answer(
        content=content,
        calls=calls,
        finish_reason=reply.finish_reason,
        usage=reply.usage,
        cost_usd=reply.cost_usd,
    )


def read_calls(
    reply: ModelReply, tools: Sequence[ToolSpec], prefix: str, *, due: bool = False, constrained: bool = False
) -> tuple[str, tuple[ToolCall, ...]]:
    """The text without calls, and the calls in order: the provider's, else those that are written into the text.

    Providers close the JSON of a call that the limit cut off: only the calls before the last are known to be whole.
    """
    offered = [tool.name for tool in tools]
    tail = _nothing_written(reply) or written_calls(reply.content, offered, constrained=constrained)
    written = [_handed(call) for call in reply.calls] if reply.calls else [(call, not due) for call in tail.calls]
    if written and reply.finish_reason in CUT_OFF:
        last = replace(written[-1][0], arguments=None, code="truncated", problem=TRUNCATED)
        written[-1] = (last, False)
    if (over := len(written) - MOST_CALLS) > 0:
        problem = f"{over} more calls were not executed: make at most {MOST_CALLS} in one reply"
        written[MOST_CALLS:] = [(malformed(problem, written[MOST_CALLS][0].name), False)]
    return tail.content, tuple(
        _call(f"{prefix}-{number}", call, tools, repaired=repaired)
        for number, (call, repaired) in enumerate(written, 1)
    )


def checked(
    call_id: str, name: str, arguments: Mapping[str, Any], tools: Sequence[ToolSpec], *, repaired: bool = False
) -> ToolCall:
    """A call with its arguments fitted to its tool's schema, and the problem if they do not fit."""
    meant = resolved(name, [tool.name for tool in tools])
    tool = next((tool for tool in tools if tool.name == meant), None)
    repaired = repaired or meant != name
    if tool is None:
        return ToolCall(id=call_id, name=name, arguments=dict(arguments), repaired=repaired)
    fitted, changed = coerce(arguments, tool.parameters)
    misfit = problem(fitted, tool.parameters)
    return ToolCall(
        id=call_id,
        name=meant,
        arguments=fitted,
        problem=misfit,
        problem_code="bad_arguments" if misfit else None,
        repaired=repaired or changed,
    )


def _nothing_written(reply: ModelReply) -> Tail | None:
    """The text as it is, where it surely holds no mark: most replies with calls have hardly any text."""
    return Tail(reply.content) if not any(mark in reply.content for mark in "<[{(") else None


def _handed(call: RawCall) -> tuple[WrittenCall, bool]:
    """A call that the provider told from the text, and whether its arguments had to be repaired."""
    if call.problem is not None:
        return malformed(call.problem, call.name), False
    read = read_object(call.arguments)
    return WrittenCall(call.name, read.value, read.code, read.problem), read.repaired


def _call(call_id: str, call: WrittenCall, tools: Sequence[ToolSpec], *, repaired: bool) -> ToolCall:
    if call.code is None and call.arguments is not None:
        return checked(call_id, call.name or "", call.arguments, tools, repaired=repaired)
    name = resolved(call.name or "", [tool.name for tool in tools])
    return ToolCall(id=call_id, name=name, arguments=None, problem=call.problem, problem_code=call.code)

"""From what a model wrote to a `ToolCall`: read, coerced, checked. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from arreio_contracts.events import ToolCall

from ..repair import read_object
from ..schema_coercion import coerce, problem
from . import ToolSpec

TRUNCATED: Final = "truncated"
"""The problem of a call that the reply's limit of tokens cut off."""


def from_text(call_id: str, name: str, arguments: str, tools: Sequence[ToolSpec], *, cut_off: bool = False) -> ToolCall:
    """A call whose arguments are JSON in a text."""
    if cut_off:
        return ToolCall(id=call_id, name=name, arguments=None, problem=TRUNCATED)
    read = read_object(arguments)
    if read.value is None:
        return ToolCall(id=call_id, name=name, arguments=None, problem=read.problem)
    return checked(call_id, name, read.value, tools, repaired=read.repaired)


def checked(
    call_id: str, name: str, arguments: Mapping[str, Any], tools: Sequence[ToolSpec], *, repaired: bool = False
) -> ToolCall:
    """A call with its arguments fitted to its tool's schema, and the problem if they do not fit."""
    tool = next((tool for tool in tools if tool.name == name), None)
    if tool is None:
        return ToolCall(id=call_id, name=name, arguments=dict(arguments), repaired=repaired)
    fitted, changed = coerce(arguments, tool.parameters)
    return ToolCall(
        id=call_id,
        name=name,
        arguments=fitted,
        problem=problem(fitted, tool.parameters),
        repaired=repaired or changed,
    )

"""The ways to get a tool call out of a model: the provider's tools, one constrained object, single slots, or its text.

Every mode passes the conformance suite in tests/unit/test_models_call_modes.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from arreio_contracts.events import ToolCall, Usage

from shared.prompt import Message

from ..capability import ToolCallMode
from ..client import Client, ModelRequest


@dataclass(frozen=True)
class ToolSpec:
    """A tool as a model is told of it; `parameters` is a JSON Schema of an object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True)
class Hints:
    """What the harness knows beside the transcript, for modes that enumerate choices.

    `paths` are files of the workspace, relative to it; `files` the texts that some of them have now, all read by the
    task; `protected` those that judge the task. `unmet` are criteria that do not hold yet, and `claims` says that
    the harness itself claims completion. Without a goal, the first thing that the user said is the goal.
    """

    goal: str = ""
    paths: Sequence[str] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    protected: Sequence[str] = ()
    unmet: Sequence[str] = ()
    claims: bool = False
    language: str = "en"


@dataclass(frozen=True)
class Answer:
    """What a model said, with its calls read: `problem` set where one cannot be executed."""

    content: str
    calls: tuple[ToolCall, ...] = ()
    finish_reason: str = ""
    usage: Usage = field(default_factory=Usage)
    cost_usd: float = 0.0
    requests: int = 1


class CallMode(Protocol):
    """One way to ask.

    Guarantees: the calls come back in the order in which the model made them, with the ids `PREFIX-1`, `PREFIX-2`, …;
    arguments are coerced to the tool's schema and checked against it; a call that is cut off, unreadable or does not
    fit has a `problem` with its code and is still there; a spelling of an offered tool's name is that tool, any other
    name is passed on as it was given; no mark of a call that was read is left in the content. A reply without a
    call is an answer without calls, never an error. Nothing is kept between two calls.
    """

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
        """Ask for the next action. `base` says which model and how; its messages and tools are set here.

        Raises:
            ProviderError: there was no reply.
        """
        ...


def call_mode(name: ToolCallMode) -> CallMode:
    """The mode of a capability profile."""
    from .json_schema import JsonSchemaMode
    from .native import NativeMode
    from .slots import SlotsMode
    from .text import TextMode

    modes: Mapping[ToolCallMode, CallMode] = {
        "native": NativeMode(),
        "json_schema": JsonSchemaMode(),
        "slots": SlotsMode(),
        "text": TextMode(),
    }
    return modes[name]

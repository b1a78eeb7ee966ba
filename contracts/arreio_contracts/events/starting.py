"""What the tool-loop writes as it starts a task, and goes on with one."""

from typing import Any, Literal

from pydantic import Field

from ..task import Budgets, Contract, Criterion, Hook, Reason
from .base import EventData, event

Effect = Literal["read", "file", "command", "signal"]
"""What running a tool can change: nothing, one file, anything in the workspace, or the state of the task."""


Rung = Literal["nudge", "redecompose", "escalate"]
"""The rungs of the ladder, from the lowest: say it, plan anew from what is unmet, ask a stronger model."""


ProbedMode = Literal["native", "json_schema", "text"]
"""A call mode that a model of no known family is tried in."""
ProbeOutcome = Literal["works", "no_call", "refused"]
"""What came of it: a call, replies without one, or the provider's refusal."""


class OfferedTool(Contract):
    """A tool that the model may call."""

    name: str
    effect: Effect


class RemoteTool(Contract):
    """A tool of an MCP server, as the server described it when the task began."""

    name: str = Field(description="As the model calls it.")
    server: str
    remote_name: str = Field(description="As its server calls it.")
    description: str
    parameters: dict[str, Any] = Field(description="JSON Schema of its arguments.")


class LaidFile(Contract):
    """An attachment of a task, as it was laid into the workspace."""

    name: str = Field(description="Its name made harmless.")
    media_type: str = "application/octet-stream"
    size: int = Field(default=0, ge=0, description="Bytes.")
    path: str | None = Field(default=None, description="Relative to the workspace; None: it was not laid there.")
    excerpt: str | None = Field(default=None, description="The beginning of a text; None for what is no text.")
    whole: bool = Field(default=False, description="The excerpt is all of it.")
    problem: str | None = None


@event
class TaskProfiled(EventData):
    """With what a task will run: the contract's wishes, resolved. `problem` tells why it cannot."""

    type = "task.profiled"
    model: str
    api_base: str | None = None
    api_key: str | None = Field(default=None, description="The reference of the model's key; unset: the provider's.")
    capability: dict[str, Any] = Field(description="The model's capability profile, whole.")
    budgets: Budgets = Field(description="Every budget resolved.")
    agent: str
    workspace: str | None
    criteria: tuple[Criterion, ...]
    inferred: bool = Field(default=False, description="The criteria are the harness's own.")
    tools: tuple[OfferedTool, ...] = Field(description="The tools and signals of the task, in order.")
    remote_tools: tuple[RemoteTool, ...] = Field(default=(), description="What the tools of MCP servers are.")
    hooks: tuple[Hook, ...] = Field(default=(), description="The hooks of the task, in the order in which they run.")
    language: Literal["en", "pt"] = "en"
    verifiers: dict[str, str] = Field(
        default_factory=dict, description="SHA-256 of each file that judges, at the start."
    )
    renamed: tuple[tuple[str, str], ...] = Field(
        default=(), description="Names that the goal asks to be changed: the old and the new one."
    )
    opened: tuple[str, ...] = Field(
        default=(),
        description="Files that judge, which the goal asks to change; with `::` and a name that test in it alone, "
        "with `::+` they may only grow.",
    )
    snapshot: str = Field(default="", description="The workspace at the start: a git tree in its shadow repository.")
    inventory: str = Field(
        default="", description="What that tree leaves out, for a `diff` criterion: a blob in the shadow repository."
    )
    attachments: tuple[LaidFile, ...] = Field(default=(), description="The message's files, in their order.")
    probe: tuple[ProbedMode, ...] = Field(
        default=(), description="No family knows the model: the call modes that its first turns try, in this order."
    )
    problem: Reason | None = None


@event
class TaskStarted(EventData):
    """PENDING → IN_PROGRESS."""

    type = "task.started"
    decision = True


@event
class TaskResumed(EventData):
    """A worker took up a task that was under way: handed over in order, or taken over from one that died."""

    type = "task.resumed"
    cause: Literal["handover", "takeover"]

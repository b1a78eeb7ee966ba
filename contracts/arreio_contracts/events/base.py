"""What every event has: its data's base, the register of all kinds, and what is known of one apart from its data."""

from typing import ClassVar, Literal

from pydantic import Field

from ..task import Contract

Service = Literal["gateway", "context_builder", "tool_loop", "gate_runner", "learning", "operator", "console"]


class EventData(Contract):
    """Base of the data of every event: its type, version, writer, and whether it is a decision.

    `wording` are the fields of a decision, as dotted paths, that only say it in words. They may be said better without
    the decision being another, so replay compares them for information only.
    """

    type: ClassVar[str]
    version: ClassVar[int] = 1
    writer: ClassVar[Service] = "tool_loop"
    decision: ClassVar[bool] = False
    wording: ClassVar[tuple[str, ...]] = ()


EVENTS: dict[str, type[EventData]] = {}
"""Every event type and its contract."""


def event(kind: type[EventData]) -> type[EventData]:
    """Register a kind of event."""
    EVENTS[kind.type] = kind
    return kind


class Batch(Contract):
    """The step that wrote an event: facts and the decisions made on them at one moment."""

    id: str
    at_ms: int = Field(description="The writer's clock, milliseconds since the epoch, which the decisions used.")
    machine: int = Field(default=1, ge=1, description="The version of the state machine that decided.")


class Metadata(Contract):
    """What is known of an event apart from its data."""

    service: Service
    code_version: str = ""
    correlation: str = Field(default="", description="The id of the message that it all began with.")
    causation: str = Field(default="", description="The id of the event that led to this one.")
    traceparent: str = ""
    batch: Batch | None = None

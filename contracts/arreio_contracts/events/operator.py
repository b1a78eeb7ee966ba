"""What the operator's commands write."""

from typing import Literal

from pydantic import Field

from .base import EventData, event


@event
class SessionForked(EventData):
    """The events before this one are a copy of another session's, with ids of their own."""

    type = "session.forked"
    writer = "operator"
    source_session: str
    source_seq: int = Field(ge=1, description="The last event that was copied.")
    source_hash: str = Field(description="The hash of that event in the source, hexadecimal.")
    workspace: str | None = Field(default=None, description="Where the copied tasks that were open work from now on.")


@event
class TaskParked(EventData):
    """An open task was copied with its session; it asks a person before it goes on. Its age counts from here."""

    type = "task.parked"
    writer = "operator"
    why: Literal["forked", "imported"]
    at_ms: int

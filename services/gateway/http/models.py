"""What the HTTP API answers with, beside the contracts' own messages."""

from datetime import datetime
from typing import Any, Literal

from arreio_contracts.task import Contract, TaskState
from pydantic import Field

A2aState = Literal[
    "TASK_STATE_SUBMITTED",
    "TASK_STATE_WORKING",
    "TASK_STATE_INPUT_REQUIRED",
    "TASK_STATE_COMPLETED",
    "TASK_STATE_FAILED",
    "TASK_STATE_CANCELED",
    "TASK_STATE_REJECTED",
]
"""The states of tasks as the Agent2Agent protocol (1.0, section 5.5) names them."""


class Refused(Contract):
    """Why a request was not carried out."""

    status: Literal["refused"] = "refused"
    field: str | None = Field(default=None, description="What is wrong, as a dotted path.")
    reason: str


class TaskReason(Contract):
    """Why a task ended without being complete."""

    code: str
    text: str


class TaskView(Contract):
    """A task as its channel sees it."""

    task_id: str
    session_id: str
    state: TaskState
    a2a_state: A2aState = Field(description="The same state in the words of the Agent2Agent protocol.")
    goal: str = Field(description="At most 500 characters of it.")
    question: str | None = Field(default=None, description="Of a task that NEEDS_INPUT: what it asks.")
    reason: TaskReason | None = Field(default=None, description="Of a task that is BLOCKED or FAILED.")
    reply: str | None = Field(default=None, description="Of a task that is COMPLETE.")
    steps: int
    tool_calls: int
    cancel_requested: bool
    last_seq: int = Field(description="The seq of the last event about it.")
    created_at: datetime
    updated_at: datetime


class EventsPage(Contract):
    """Some events of a session, in order, each a CloudEvent in structured mode."""

    events: tuple[dict[str, Any], ...]
    next_after: int | None = Field(
        default=None, description="Ask again with `after` set to it; null: there is no more."
    )


class Uploaded(Contract):
    """A blob that was stored."""

    sha256: str
    size: int = Field(description="Bytes.")


class Health(Contract):
    """That the API answers."""

    status: Literal["ok"] = "ok"

"""What the tool-loop writes of a claim and of the end of a task."""

from typing import Literal

from pydantic import Field

from ..grounding import Package
from ..messages import Verdict
from ..task import Contract, Reason
from .base import EventData, event


@event
class CompletionClaimed(EventData):
    """Somebody says that the task is done. Nothing more."""

    type = "completion.claimed"
    decision = True
    wording = ("reply",)
    claim_id: str
    by: Literal["model", "harness"]
    reply: str
    call_id: str | None = None


@event
class CompletionRefused(EventData):
    """A claim that the gates did not bear out or a hook refused, and what the model is told."""

    type = "completion.refused"
    decision = True
    wording = ("nudge",)
    claim_id: str
    verdict: Verdict
    nudge: str
    by: Literal["gates", "hook", "taste"] = "gates"


@event
class TaskNeedsInput(EventData):
    """IN_PROGRESS → NEEDS_INPUT: a question for a person."""

    type = "task.needs_input"
    decision = True
    wording = ("question",)
    question: str
    call_id: str | None = None
    packages: tuple[Package, ...] = Field(default=(), description="The installs that it asks a yes for.")
    expires_ms: int


class Totals(Contract):
    """What a task used."""

    steps: int
    tool_calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float
    seconds: float = Field(description="Time under a lease.")


@event
class TaskCompleted(EventData):
    """IN_PROGRESS → COMPLETE: every gate passed."""

    type = "task.completed"
    decision = True
    claim_id: str
    reply: str
    totals: Totals


@event
class TaskBlocked(EventData):
    """→ BLOCKED, with a typed reason."""

    type = "task.blocked"
    decision = True
    wording = ("reason.text", "reason.unblock")
    reason: Reason
    totals: Totals


@event
class TaskFailed(EventData):
    """IN_PROGRESS → FAILED: a budget ran out."""

    type = "task.failed"
    decision = True
    wording = ("reason.text", "reason.unblock")
    reason: Reason
    totals: Totals


TERMINAL_TYPES = ("task.completed", "task.blocked", "task.failed")

"""What is said on the channel when a task ends or asks."""

from typing import Literal

from arreio_contracts.events import EventData, TaskBlocked, TaskCompleted, TaskFailed, TaskNeedsInput
from arreio_contracts.task import TaskState

Kind = Literal["reply", "question"]
Outcome = tuple[Kind, str, TaskState]
"""The kind, the text and the state that is reported of a task."""


def reply_to(data: EventData) -> Outcome | None:
    """The kind, text and state to report for an outcome; None for other events."""
    match data:
        case TaskCompleted():
            return "reply", data.reply, TaskState.COMPLETE
        case TaskNeedsInput():
            return "question", data.question, TaskState.NEEDS_INPUT
        case TaskBlocked():
            return "reply", _ended(data), TaskState.BLOCKED
        case TaskFailed():
            return "reply", _ended(data), TaskState.FAILED
        case _:
            return None


def _ended(data: TaskBlocked | TaskFailed) -> str:
    state = "BLOCKED" if isinstance(data, TaskBlocked) else "FAILED"
    lines = [f"{state} ({data.reason.code}): {data.reason.text}"]
    if data.reason.unblock:
        lines.append(f"→ {data.reason.unblock}")
    return "\n".join(lines)

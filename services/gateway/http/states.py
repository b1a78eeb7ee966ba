"""The states of tasks in the words of the Agent2Agent protocol."""

from arreio_contracts.task import TaskState

from .models import A2aState

_REJECTED = frozenset({"unsatisfiable_gate", "hook_unavailable", "unknown_model"})
"""Reasons for which a task was never begun."""

_STATES: dict[TaskState, A2aState] = {
    TaskState.PENDING: "TASK_STATE_SUBMITTED",
    TaskState.IN_PROGRESS: "TASK_STATE_WORKING",
    TaskState.NEEDS_INPUT: "TASK_STATE_INPUT_REQUIRED",
    TaskState.COMPLETE: "TASK_STATE_COMPLETED",
    TaskState.FAILED: "TASK_STATE_FAILED",
}


def a2a_state(state: TaskState, reason_code: str | None) -> A2aState:
    """A2A has no BLOCKED: it is canceled on request, rejected where it was never begun, and else failed."""
    if state is not TaskState.BLOCKED:
        return _STATES[state]
    if reason_code == "cancelled":
        return "TASK_STATE_CANCELED"
    return "TASK_STATE_REJECTED" if reason_code in _REJECTED else "TASK_STATE_FAILED"

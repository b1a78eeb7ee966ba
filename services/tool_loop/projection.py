"""The row of a task in the projection `tasks`, as a function of its state."""

from arreio_contracts.events import TaskCompleted
from arreio_contracts.task import TaskState

from shared.store.tasks import TaskPatch

from .state import LoopState

JUDGEMENT_TIMER = 30.0
"""Seconds after which a task that waits for its gates is looked at again, should nobody wake it."""


def task_patch(state: LoopState, now_ms: int) -> TaskPatch:
    """The columns that the tool-loop keeps; timers are set from `now_ms` on."""
    ending, question, claim, profile = state.ending, state.question, state.claim, state.profile
    reason = ending.reason if ending is not None and not isinstance(ending, TaskCompleted) else None
    patch = TaskPatch(
        task_id=state.task_id,
        state=state.state.value,
        reason_code=reason.code if reason else None,
        reason_text=reason.text if reason else None,
        reply=ending.reply if isinstance(ending, TaskCompleted) else None,
        steps=state.steps,
        tool_calls=state.tool_calls,
        tokens=state.tokens,
        cost=round(state.cost_usd, 9),
    )
    if profile is not None:
        patch |= TaskPatch(task_id=state.task_id, model=profile.model, agent=profile.agent, workspace=profile.workspace)
    if state.state is TaskState.NEEDS_INPUT and question is not None:
        expires = max(0.0, (question.expires_ms - now_ms) / 1000)
        waits = TaskPatch(
            task_id=state.task_id, awaiting="input", awaiting_id=None, question=question.question, wake_in=expires
        )
    elif state.phase == "judging" and state.judged is None and claim is not None:
        waits = TaskPatch(
            task_id=state.task_id, awaiting="gate", awaiting_id=claim.claim_id, question=None, wake_in=JUDGEMENT_TIMER
        )
    else:
        waits = TaskPatch(task_id=state.task_id, awaiting=None, awaiting_id=None, question=None, wake_at=None)
    return patch | waits

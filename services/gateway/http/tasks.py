"""Seeing a task, and ending it."""

from arreio_contracts.envelope import envelope
from arreio_contracts.events import MessageReceived
from arreio_contracts.messages import InboundMessage, Receipt
from arreio_contracts.task import TaskState
from fastapi import APIRouter

from shared.store.tasks import TaskRow

from .api import ApiOf, ChannelOf, OwnTask
from .errors import Refusal, answers
from .models import TaskReason, TaskView
from .states import a2a_state

router = APIRouter(tags=["tasks"])


@router.get("/v1/tasks/{task_id}", operation_id="getTask", responses=answers(401, 404, 422))
async def get_task(task: OwnTask) -> TaskView:
    """A task: its state, its question or reply, and why it ended."""
    return _view(task)


@router.post(
    "/v1/tasks/{task_id}/cancel", operation_id="cancelTask", status_code=202, responses=answers(401, 403, 404, 409, 422)
)
async def cancel_task(api: ApiOf, task: OwnTask, channel: ChannelOf) -> Receipt:
    """Ask for a task to be ended; it ends BLOCKED with the reason `cancelled`. Asking again changes nothing."""
    if TaskState(task.state).terminal:
        raise Refusal(409, f"the task has ended already: {task.state}", "path.task_id")
    began = await api.store.read_task(task.session_id, task.task_id, types=("message.received",))
    data = began[0].contract if began else None
    if not isinstance(data, MessageReceived):
        raise Refusal(409, "the task was begun elsewhere; only the operator can end it", "path.task_id")
    asked = InboundMessage(
        **data.message.model_dump(include={"account", "conversation", "thread", "sender", "direct"}),
        message_id=f"cancel-{task.task_id}",
        text=f"/cancel {task.task_id}",
    )
    cause = envelope("inbound.message", id=f"cancel-{task.task_id}", source=f"http/{channel}")
    async with api.accepting:
        receipt = await api.gateway.accept(channel, asked, cause)
    if receipt.status == "refused":
        raise Refusal(403, receipt.reason or "", receipt.field)
    return receipt


def _view(task: TaskRow) -> TaskView:
    state = TaskState(task.state)
    ended_badly = task.reason_code is not None and state in (TaskState.BLOCKED, TaskState.FAILED)
    return TaskView(
        task_id=task.task_id,
        session_id=task.session_id,
        state=state,
        a2a_state=a2a_state(state, task.reason_code),
        goal=task.goal,
        question=task.question if state is TaskState.NEEDS_INPUT else None,
        reason=TaskReason(code=task.reason_code or "", text=task.reason_text or "") if ended_badly else None,
        reply=task.reply,
        steps=task.steps,
        tool_calls=task.tool_calls,
        cancel_requested=task.cancel_requested,
        last_seq=task.last_seq,
        created_at=task.created_at,
        updated_at=task.updated_at,
    )

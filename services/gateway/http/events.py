"""Events: those of a task as they happen, and pages of a session's log, however old."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Annotated, Any, Final, Literal

from arreio_contracts.envelope import SOURCE_ROOT, Envelope, dataschema, sequence, structured
from arreio_contracts.events import InputReceived, TaskNeedsInput
from fastapi import APIRouter, Header, Query, Response
from fastapi.responses import StreamingResponse

from shared.store.errors import StoreUnavailable
from shared.store.events import RecordedEvent
from shared.store.tasks import TaskRow

from .agui import AguiRun
from .api import Api, ApiOf, OwnSession, OwnTask
from .errors import answers
from .models import EventsPage

PAGE: Final = 200
KEEP_ALIVE: Final = 10.0
"""Seconds of silence after which the stream says that it lives, and looks at the log without having been told."""
_LARGEST_SEQ: Final = (1 << 63) - 1
_ENDINGS: Final = frozenset({"task.completed", "task.blocked", "task.failed"})
_SSE: Final = {
    "type": "object",
    "description": "One server-sent event.",
    "properties": {name: {"type": "string"} for name in ("id", "event", "data")},
    "required": ["data"],
}

router = APIRouter(tags=["events"])
After = Annotated[int, Query(ge=0, le=_LARGEST_SEQ, description="The seq of the last event that is known.")]


@router.get(
    "/v1/tasks/{task_id}/events",
    operation_id="streamTaskEvents",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "Server-sent events: `id` is the event's seq, `event` its type, `data` a CloudEvent.",
            "content": {"text/event-stream": {"schema": _SSE}},
        },
        204: {"description": "The task has ended, and its last event is known: do not come again."},
        **answers(401, 404, 422),
    },
)
async def stream_task_events(
    api: ApiOf,
    task: OwnTask,
    last_event_id: Annotated[
        str, Header(pattern=r"^[0-9]{0,18}$", description="Set by a client that connects again; wins over `after`.")
    ] = "",
    after: After = 0,
    format: Annotated[
        Literal["cloudevents", "agui"], Query(description="agui: AG-UI's events, for its clients.")
    ] = "cloudevents",
) -> Response:
    """The events of a task, the past ones from the log first, then as they happen, to its end."""
    known = int(last_event_id) if last_event_id else after
    if known and await _ended_before(api, task, known):
        return Response(status_code=204)
    return StreamingResponse(
        _lines(api, task, known, format), media_type="text/event-stream", headers={"Cache-Control": "no-store"}
    )


@router.get("/v1/sessions/{session_id}/events", operation_id="listSessionEvents", responses=answers(401, 404, 422))
async def list_session_events(
    api: ApiOf,
    session: OwnSession,
    after: After = 0,
    limit: Annotated[int, Query(ge=1, le=PAGE)] = PAGE,
) -> EventsPage:
    """A page of a session's events from the log, which holds them also when the stream of NATS no longer does."""
    found = await api.store.read(session, after=after, limit=limit)
    return EventsPage(
        events=tuple(_cloud_event(event) for event in found),
        next_after=found[-1].seq if len(found) == limit else None,
    )


async def _ended_before(api: Api, task: TaskRow, known: int) -> bool:
    endings = await api.store.read_task(task.session_id, task.task_id, types=tuple(_ENDINGS))
    return bool(endings) and endings[0].seq <= known


async def _lines(api: Api, task: TaskRow, known: int, format: str) -> AsyncIterator[str]:
    run = AguiRun(task.session_id, task.task_id)
    async with api.told(task.session_id) as more:
        async for event in _events(api, task, known if format == "cloudevents" else 0, more):
            if event is None:
                yield ": still here\n\n"
                continue
            said = run.events(event.event_id, event.contract) if format == "agui" else [_cloud_event(event)]
            if event.seq <= known:
                continue  # AG-UI's run is folded from its beginning, and told from where the client left off
            for index, one in enumerate(said, 1):
                yield _sse(event, one, last=index == len(said), named=format == "cloudevents")
            if format == "agui" and event.type == TaskNeedsInput.type and not await _goes_on(api, task, event.seq):
                return  # a run of AG-UI has ended here; the client comes again with its answer's run


async def _goes_on(api: Api, task: TaskRow, asked: int) -> bool:
    """Whether a task's question is answered, or the task has ended."""
    later = await api.store.read_task(task.session_id, task.task_id, types=(InputReceived.type, *sorted(_ENDINGS)))
    return any(event.seq > asked for event in later)


async def _events(api: Api, task: TaskRow, after: int, more: asyncio.Event) -> AsyncIterator[RecordedEvent | None]:
    """The task's events up to its end; None when nothing was new for a while."""
    seen = max(after, task.created_seq - 1)
    while True:
        more.clear()
        try:
            page = await api.store.read(task.session_id, after=seen, limit=PAGE)
        except StoreUnavailable:
            page = []  # it comes back, and the client need not come again
        for event in page:
            seen = event.seq
            if event.task_id == task.task_id:
                yield event
                if event.type in _ENDINGS:
                    return
        if len(page) < PAGE and not await _woken(more):
            yield None


async def _woken(more: asyncio.Event) -> bool:
    try:
        async with asyncio.timeout(KEEP_ALIVE):
            await more.wait()
    except TimeoutError:
        return False
    return True


def _sse(event: RecordedEvent, data: dict[str, Any], *, last: bool, named: bool) -> str:
    # Of several made from one event only the last names its seq, so that none is missed after a break between them.
    head = f"id: {event.seq}\n" if last else ""
    kind = f"event: {event.type}\n" if named else ""
    # A lone surrogate cannot be sent in UTF-8, so everything beyond ASCII is escaped.
    return f"{head}{kind}data: {json.dumps(data)}\n\n"


def _cloud_event(event: RecordedEvent) -> dict[str, Any]:
    metadata = event.metadata
    attributes = Envelope(
        id=event.event_id,
        source=f"{SOURCE_ROOT}/{metadata.service}",
        type=f"arreio.{event.type}",
        time=event.recorded_at,
        dataschema=dataschema(event.type, event.schema_version),
        subject=event.task_id,
        partitionkey=event.session_id,
        sequence=sequence(event.seq),
        correlationid=metadata.correlation or None,
        causationid=metadata.causation or None,
        traceparent=metadata.traceparent or None,
    )
    return structured(attributes, event.data)

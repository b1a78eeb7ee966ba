"""The list of sessions, and one session's timeline, page by page and as it happens."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Header, Query, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from shared.store.errors import StoreUnavailable
from shared.store.events import RecordedEvent

from ..acts import RECORDS
from ..guard import VisitorOf, find_visitor
from ..queries import EVENTS, ROWS, After, SessionLine, events_window, session_line, sessions_page, tasks_page
from ..rendering import fragment, page
from ..site import LARGEST_SEQ, Id, OptionalSeq, Site, SiteOf
from ..timeline import GROUPS, Line, line_of
from .tasks import Moment, RowId, Text, storable

router = APIRouter()
Show = Literal["", "turns", "tools", "refusals", "gates", "ladder", "states", "messages"]
KEEP_ALIVE: Final = 5.0
"""Seconds of silence after which the stream says that it lives, and looks at the log without having been told."""
TASKS: Final = 10
"""Tasks that are listed above a timeline."""


@dataclass(frozen=True)
class Shown:
    """An event with its line; `gap` is the seconds since the line before it, None where that is not shown."""

    event: RecordedEvent
    line: Line
    service: str
    gap: float | None = None


def shown(event: RecordedEvent, before: RecordedEvent | None = None) -> Shown:
    """The event as the timeline shows it below the one `before`, whatever it holds."""
    try:
        contract, data = event.contract, event.data
    except ValueError:
        contract, data = None, {}
    service: str
    try:
        service = event.metadata.service
    except ValueError:
        service = "nobody that is known"
    gap = (event.recorded_at - before.recorded_at).total_seconds() if before is not None else None
    return Shown(event, line_of(event.type, data, contract), service, gap)


@router.get("/sessions")
async def sessions(
    request: Request,
    site: SiteOf,
    visitor: VisitorOf,
    text: Text = "",
    open: bool = False,
    at: Moment = None,
    id: RowId = "",
) -> Response:
    """Sessions, those written to last first."""
    rows = await sessions_page(site, text=storable(text), open=open, after=After(at, id))
    more, asked = None, {"text": text, "open": str(open).lower()}
    if len(rows) == ROWS:
        more = urlencode({**asked, "at": rows[-1].updated_at.isoformat(), "id": rows[-1].session_id})
    return page(
        request,
        "sessions.html",
        visitor,
        rows=rows,
        more=more,
        text=text,
        only_open=open,
        newest=None if at is None else urlencode(asked),
    )


@router.get("/sessions/{session_id}")
async def session(
    request: Request,
    site: SiteOf,
    visitor: VisitorOf,
    session_id: Id,
    before: OptionalSeq = None,
    after: OptionalSeq = None,
    show: Show = "",
    task: RowId = "",
) -> Response:
    """A page of a session's events, or of one task's in it; the last one goes on by itself."""
    about = await session_line(site, session_id)
    if about is None and session_id in RECORDS:  # the navigation leads there before there is anything
        about = SessionLine(session_id, 0, 0, datetime.now(UTC), datetime.now(UTC), 0, 0)
    if about is None:
        raise HTTPException(404, f"there is no session {session_id}")
    types = GROUPS[show] if show else None
    events = await events_window(site, session_id, before=before, after=after, types=types, task=task or None)
    last = events[-1].seq if events else about.pruned_seq
    live = (before is None and after is None) or last >= about.seq or (after is not None and len(events) < EVENTS)
    tasks = await tasks_page(
        site, states=(), text="", session=session_id, after=After(), limit=TASKS, task=task or None
    )
    kept = {name: value for name, value in (("show", show), ("task", task)) if value}
    return page(
        request,
        "session.html",
        visitor,
        about=about,
        records=RECORDS,
        shown=[shown(event, before) for before, event in zip([None, *events], events, strict=False)],
        tasks=tasks,
        kept=kept,
        address=_address_of(f"/sessions/{session_id}", kept),
        groups=list(GROUPS),
        live=live,
        last=max(last, about.seq) if live else last,
        earlier=events[0].seq if events and (len(events) == EVENTS or after is not None) else None,
        later=None if live else last,
    )


def _address_of(path: str, kept: dict[str, str]) -> Callable[..., str]:
    """Addresses of this page that keep what it is filtered by, but for what is said anew; None leaves a part out."""

    def address(part: str = "", **more: str | int | None) -> str:
        asked = {name: value for name, value in {**kept, **more}.items() if value is not None}
        return f"{path}{part}?{urlencode(asked)}" if asked else f"{path}{part}"

    return address


@router.get("/sessions/{session_id}/live")
async def live(
    request: Request,
    site: SiteOf,
    visitor: VisitorOf,
    session_id: Id,
    after: Annotated[int, Query(ge=0, le=LARGEST_SEQ)],
    show: Show = "",
    task: RowId = "",
    last_event_id: Annotated[str, Header(pattern=r"^[0-9]{0,18}$")] = "",
) -> Response:
    """What comes behind an event: server-sent events, each a line of the timeline as markup."""
    known = int(last_event_id) if last_event_id else after
    lines = _lines(request, site, session_id, known, GROUPS[show] if show else None, task)
    return _Followed(lines, site, visitor.user.name)


class _Followed(StreamingResponse):
    """A stream of events that has its place from before its first byte until it has ended, however it ends."""

    media_type = "text/event-stream"

    def __init__(self, lines: AsyncIterator[str], site: Site, person: str) -> None:
        super().__init__(lines, headers={"Cache-Control": "no-store"})
        self._site = site
        self._person = person

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._site.followers.place(self._person):
            await super().__call__(scope, receive, send)


async def _lines(
    request: Request, site: Site, session_id: str, seen: int, types: tuple[str, ...] | None, task: str
) -> AsyncIterator[str]:
    async with site.told(session_id) as more:
        yield ": the stream is open\n\n"
        before: RecordedEvent | None = None
        while True:
            more.clear()
            try:
                page = await site.store.read(session_id, after=seen, limit=EVENTS)
                if not page and await find_visitor(request, site) is None:
                    yield _sse("out", None, {})
                    return
            except StoreUnavailable:
                page = []  # it comes back, and the page need not be loaded again
            for event in page:
                seen = event.seq
                if (types is None or event.type in types) and task in ("", event.task_id):
                    markup = fragment("_event.html", one=shown(event, before), session_id=session_id)
                    before = event
                    yield _sse(
                        "line",
                        event.seq,
                        {"markup": markup, "seq": event.seq, "type": event.type, "task": event.task_id},
                    )
            if len(page) < EVENTS and not await _woken(more):
                yield ": still here\n\n"


async def _woken(more: asyncio.Event) -> bool:
    try:
        async with asyncio.timeout(KEEP_ALIVE):
            await more.wait()
        return True
    except TimeoutError:
        return False


def _sse(kind: str, seq: int | None, data: dict[str, Any]) -> str:
    number = "" if seq is None else f"id: {seq}\n"
    return f"event: {kind}\n{number}data: {json.dumps(data)}\n\n"

"""The list of tasks, and what a task changed in its workspace."""

from datetime import datetime
from typing import Annotated, Final
from urllib.parse import urlencode

from arreio_contracts import subjects
from arreio_contracts.task import TaskState
from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from ..guard import VisitorOf, asker_of
from ..presence import while_there
from ..queries import ROWS, After, task_counts, tasks_page
from ..rendering import page
from ..site import Id, OptionalSeq, SiteOf

router = APIRouter()
Text = Annotated[str, Query(max_length=200)]
Moment = Annotated[datetime | None, Query()]
RowId = Annotated[str, Query(pattern=rf"^$|{subjects.TOKEN_PATTERN}")]
LONGEST_PATCH: Final = 400_000
"""Characters of a diff that a page shows."""


@router.get("/")
async def home() -> Response:
    """The first page is the list of tasks."""
    return RedirectResponse("/tasks", 303)


@router.get("/tasks")
async def tasks(
    request: Request,
    site: SiteOf,
    visitor: VisitorOf,
    state: Annotated[list[TaskState] | None, Query()] = None,
    text: Text = "",
    session: Annotated[str, Query(pattern=rf"^$|{subjects.TOKEN_PATTERN}", max_length=128)] = "",
    at: Moment = None,
    id: RowId = "",
) -> Response:
    """Tasks, the newest first, by state, session and text."""
    states = [one.value for one in state or ()]
    rows = await tasks_page(site, states=states, text=storable(text), session=session or None, after=After(at, id))
    asked = [*(("state", one) for one in states), ("text", text), ("session", session)]
    more = None
    if len(rows) == ROWS:
        more = urlencode([*asked, ("at", rows[-1].created_at.isoformat()), ("id", rows[-1].task_id)])
    return page(
        request,
        "tasks.html",
        visitor,
        rows=rows,
        more=more,
        states=states,
        every=[one.value for one in TaskState],
        counts=await task_counts(site),
        text=text,
        session=session,
        newest=None if at is None else urlencode(asked),
    )


@router.get("/tasks/{task_id}/diff")
async def diff(
    request: Request, site: SiteOf, visitor: VisitorOf, task_id: Id, begin: OptionalSeq = None, end: OptionalSeq = None
) -> Response:
    """What a task changed in its workspace between two events."""
    found = await while_there(request, site.workings.diff(task_id, begin, end, asker_of(visitor)))
    lines = found.patch[:LONGEST_PATCH].splitlines()
    over = len(found.patch) - LONGEST_PATCH
    return page(request, "diff.html", visitor, task_id=task_id, found=found, lines=lines, over=max(0, over))


def storable(text: str) -> str:
    """What a person looks for, without what PostgreSQL's text cannot hold."""
    return text.replace("\0", "").encode("utf-8", "replace").decode().strip()

"""A session at one moment: the prompt of a turn, and the state after any event."""

from typing import Annotated, Final

from arreio_contracts.task import TaskState
from fastapi import APIRouter, Query, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from ..guard import VisitorOf, asker_of
from ..presence import while_there
from ..queries import one_event, prompts_beside, session_line
from ..rendering import page
from ..site import Id, OptionalSeq, Seq, SiteOf
from .sessions import shown

router = APIRouter()
Slider = Annotated[str, Query(pattern="^[0-9a-z]{0,20}$")]
MOST_TASKS: Final = 20
"""Tasks whose state is shown: the event's own and those that are open."""


@router.get("/sessions/{session_id}/prompt")
async def prompt(request: Request, site: SiteOf, visitor: VisitorOf, session_id: Id, at: Seq) -> Response:
    """The last prompt up to an event: a bar for each layer, what was dropped, and the messages."""
    found = await while_there(request, site.workings.prompt(session_id, at, asker_of(visitor)))
    before, behind = await prompts_beside(site, session_id, found["seq"])
    return page(request, "prompt.html", visitor, session_id=session_id, found=found, before=before, behind=behind)


@router.get("/sessions/{session_id}/state")
async def state(
    request: Request, site: SiteOf, visitor: VisitorOf, session_id: Id, at: OptionalSeq = None, slider: Slider = ""
) -> Response:
    """The state of the session's tasks after an event (the last one, if none is named).

    `slider` names a slider that was moved: of what one slider asks for only the newest is looked for.
    """
    about = await session_line(site, session_id)
    if about is None or about.pruned_seq >= about.seq:
        raise HTTPException(404, f"there is nothing of session {session_id} here")
    moment = max(about.pruned_seq + 1, min(at or about.seq, about.seq))
    event = await one_event(site, session_id, moment)
    asker = asker_of(visitor, slider and f"{session_id} {slider}")
    states = await while_there(request, site.workings.states(session_id, moment, asker))
    its = event and event.task_id
    shown_states = [one for one in states if one["task_id"] == its or not TaskState(one["state"]).terminal]
    return page(
        request,
        "state.html",
        visitor,
        about=about,
        at=moment,
        first=about.pruned_seq + 1,
        one=shown(event) if event else None,
        states=shown_states[:MOST_TASKS],
        others=len(states) - len(shown_states[:MOST_TASKS]),
    )

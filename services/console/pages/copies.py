"""Verifying a session, and forking it."""

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from ..acts import RECORDS, act
from ..guard import ActingOf, VisitorOf
from ..presence import while_there
from ..rendering import page
from ..site import LARGEST_SEQ, Id, SiteOf
from ..workings import Asker, Forked, Verified

router = APIRouter()


@router.post("/sessions/{session_id}/verify")
async def verify(request: Request, site: SiteOf, visitor: VisitorOf, acting: ActingOf, session_id: Id) -> Response:
    """Replay a session: its hash chain, contracts, decisions and prompts."""
    came: list[Verified] = []

    async def work() -> str:
        found = await while_there(request, site.workings.verify(session_id, Asker(acting.by)))
        came.append(found)
        return "it verifies" if found.problem is None else f"it diverges at event {found.problem['seq']}"

    await act(site, acting, "session.verify", session_id, work)
    return page(request, "verified.html", visitor, session_id=session_id, found=came[0])


@router.post("/sessions/{session_id}/fork")
async def fork(site: SiteOf, acting: ActingOf, session_id: Id) -> Response:
    """Copy a session up to an event; the copy is shown. It is made also when the browser does not wait for it."""
    text = acting.form.get("at", "")
    # The length comes first: Python reads no number of thousands of digits.
    if not (text.isascii() and text.isdigit() and len(text) <= 19 and 1 <= int(text) <= LARGEST_SEQ):
        raise HTTPException(422, "name the last event to copy: a number from 1 on")
    if session_id in RECORDS:
        raise HTTPException(409, f"{session_id} is a record of what was done, not a session of people; none is forked")
    came: list[Forked] = []

    async def work() -> str:
        came.append(await site.workings.fork(session_id, int(text), Asker(acting.by)))
        return f"session {came[0].session_id}"

    await act(site, acting, "session.fork", session_id, work, at=text)
    return RedirectResponse(f"/sessions/{came[0].session_id}", 303)

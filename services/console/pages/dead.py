"""Dead letters: what the relay parked and what consumers gave up; sent again or given up for good."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Request
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from shared.outbox import dead_letters

from ..acts import act
from ..guard import ActingOf, VisitorOf
from ..rendering import cut, page
from ..site import LARGEST_SEQ, SiteOf

router = APIRouter()
Number = Annotated[int, Path(ge=1, le=LARGEST_SEQ)]
MOST = 200


@router.get("/dead")
async def letters(request: Request, site: SiteOf, visitor: VisitorOf, all: bool = False) -> Response:
    """The open ones, the newest first; or all."""
    rows = await dead_letters.list_dead(site.pool, all=all, limit=MOST)
    return page(request, "dead.html", visitor, rows=rows, all=all, most=MOST)


@router.get("/dead/{number}")
async def letter(request: Request, site: SiteOf, visitor: VisitorOf, number: Number) -> Response:
    """One, with its headers and its body."""
    row = await dead_letters.show_dead(site.pool, number)
    if row is None:
        raise HTTPException(404, f"there is no dead letter {number}")
    return page(request, "dead_letter.html", visitor, row=row, body=cut(row.body.decode("utf-8", "backslashreplace")))


@router.post("/dead/{number}/{decision}")
async def decide(site: SiteOf, acting: ActingOf, number: Number, decision: Literal["resend", "skip"]) -> Response:
    """Have it sent again, or give it up for good."""

    async def work() -> str:
        await (dead_letters.resend if decision == "resend" else dead_letters.skip)(site.pool, number)
        return "it is sent again" if decision == "resend" else "it is given up"

    await act(site, acting, "dead.resend" if decision == "resend" else "dead.skip", str(number), work)
    return RedirectResponse(f"/dead/{number}", 303)

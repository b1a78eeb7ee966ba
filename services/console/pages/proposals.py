"""What learning proposes, and a person's word on it."""

from typing import Annotated, Final

from arreio_contracts.events import OperatorAct
from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from ..acts import act
from ..guard import ActingOf, VisitorOf
from ..rendering import page
from ..site import Id, SiteOf
from ..workings import Decision, Told
from .tasks import storable

router = APIRouter()
_ACTS: Final[dict[Decision, OperatorAct]] = {
    "approve": "proposal.approve",
    "reject": "proposal.reject",
    "rollback": "proposal.rollback",
}
MOST: Final = 200


@router.get("/proposals")
async def proposals(
    request: Request, site: SiteOf, visitor: VisitorOf, state: Annotated[str, Query(max_length=20)] = ""
) -> Response:
    """Proposals, the newest first."""
    every = await site.workings.proposals()
    rows = [row for row in every if state in ("", row["state"])]
    states = sorted({row["state"] for row in every})
    return page(
        request, "proposals.html", visitor, rows=rows[:MOST], over=max(0, len(rows) - MOST), state=state, states=states
    )


@router.get("/proposals/{proposal_id}")
async def proposal(request: Request, site: SiteOf, visitor: VisitorOf, proposal_id: Id) -> Response:
    """One: its text or diff, what it rests on, how it did."""
    return page(request, "proposal.html", visitor, row=await site.workings.proposal(proposal_id))


@router.post("/proposals/{proposal_id}/{decision}")
async def decide(site: SiteOf, acting: ActingOf, proposal_id: Id, decision: Decision) -> Response:
    """Approve it, reject it, or take it out of force."""
    form = acting.form
    told = Told(
        acting.by,
        why=storable(form.get("why", ""))[:2000],
        tainted=form.get("tainted") == "yes",
        here_only=form.get("here_only") == "yes",
        seen=form.get("seen", "")[:64],
    )
    said = {"why": told.why, "tainted": "yes" if told.tainted else "", "here_only": "yes" if told.here_only else ""}
    await act(
        site,
        acting,
        _ACTS[decision],
        proposal_id,
        lambda: site.workings.decide(proposal_id, decision, told),
        **said,
    )
    return RedirectResponse(f"/proposals/{proposal_id}", 303)

"""One goes to whatever an id names: people have it from a log, a message or an alert."""

from typing import Annotated
from urllib.parse import urlencode

from arreio_contracts import subjects
from fastapi import APIRouter, Query
from starlette.responses import RedirectResponse, Response

from ..guard import VisitorOf
from ..queries import place_of
from ..site import SiteOf
from .tasks import storable

router = APIRouter()


@router.get("/find")
async def find(site: SiteOf, visitor: VisitorOf, id: Annotated[str, Query(max_length=200)] = "") -> Response:
    """The page of a session, a task, an event or a proposal; for any other text, tasks that speak of it."""
    wanted = storable(id)
    found = await place_of(site, wanted) if subjects.is_token(wanted) else None
    return RedirectResponse(found or f"/tasks?{urlencode({'text': wanted})}", 303)

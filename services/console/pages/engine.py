"""How the engine does: consumers' lag, the relay's backlog, who works on what."""

from datetime import UTC, datetime

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, Response

from ..engine_queries import backlog, leases
from ..guard import VisitorOf
from ..rendering import page
from ..site import SiteOf

router = APIRouter()


@router.get("/engine")
async def engine(request: Request, site: SiteOf, visitor: VisitorOf) -> Response:
    """All of it as it is now."""
    return page(
        request,
        "engine.html",
        visitor,
        backlog=await backlog(site),
        lags=await site.lags(),
        leases=await leases(site),
        now=datetime.now(UTC),
    )


@router.get("/healthz")
async def health() -> Response:
    """That the console answers; no login is needed."""
    return PlainTextResponse("ok\n")

"""One event whole, with what it names: other events, blobs, its prompt."""

from typing import Any, Final

from fastapi import APIRouter, Path, Request
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from shared.canonical import parse_json
from shared.store.errors import MissingBlob
from shared.store.events import RecordedEvent

from ..acts import RECORDS
from ..guard import VisitorOf
from ..queries import one_event, prompts_beside, session_line
from ..rendering import page
from ..site import Id, SeqInPath, Site, SiteOf
from .sessions import shown
from .tasks import storable

router = APIRouter()
_PNG: Final = b"\x89PNG\r\n\x1a\n"


@router.get("/sessions/{session_id}/events/{seq}")
async def event(request: Request, site: SiteOf, visitor: VisitorOf, session_id: Id, seq: SeqInPath) -> Response:
    """An event with its data, its metadata and the evidence behind it."""
    found = await _found(site, session_id, seq)
    about = await session_line(site, session_id)
    prompt, _ = await prompts_beside(site, session_id, seq + 1)
    return page(
        request,
        "event.html",
        visitor,
        head=about.seq if about else seq,
        first=about.pruned_seq + 1 if about else seq,
        prompt=prompt,
        cause=await _cause(site, found),
        **whole(found),
    )


@router.get("/sessions/{session_id}/events/{seq}/data")
async def data(request: Request, site: SiteOf, visitor: VisitorOf, session_id: Id, seq: SeqInPath) -> Response:
    """The data alone, for the timeline."""
    return page(request, "_data.html", visitor, data=readable((await _found(site, session_id, seq)).data_text))


@router.get("/events/{event_id}")
async def by_id(site: SiteOf, visitor: VisitorOf, event_id: Id) -> Response:
    """The event of an id, wherever it lies."""
    found = await site.store.find(event_id)
    if found is None:
        raise HTTPException(404, f"there is no event {event_id} here any more")
    return RedirectResponse(f"/sessions/{found.session_id}/events/{found.seq}", 303)


@router.get("/blobs/{sha256}")
async def blob(site: SiteOf, visitor: VisitorOf, sha256: str = Path(pattern="^[0-9a-f]{64}$")) -> Response:
    """A large value as it is: a picture that we took, else text, which no browser runs."""
    try:
        content = (await site.blobs.get_many([sha256]))[sha256]
    except MissingBlob as error:
        raise HTTPException(404, f"there is no blob {sha256} here") from error
    kind = "image/png" if content.startswith(_PNG) else "text/plain; charset=utf-8"
    return Response(content, media_type=kind, headers={"Cache-Control": "private, max-age=3600"})


def whole(event: RecordedEvent) -> dict[str, Any]:
    """What the page of an event shows of it, whatever it holds and whatever it lacks."""
    metadata = readable(event.metadata_text)
    causation = metadata.get("causation") if isinstance(metadata, dict) else None
    return {
        "one": shown(event),
        "records": RECORDS,
        "session_id": event.session_id,
        "causation": causation if isinstance(causation, str) else "",
        "data": readable(event.data_text),
        "metadata": metadata,
        "hash": event.hash.hex(),
        "prev": event.prev.hex(),
    }


async def _cause(site: Site, event: RecordedEvent) -> RecordedEvent | None:
    """The event that it was because of; what wakes a service may also be a message, which is none."""
    metadata = readable(event.metadata_text)
    named = metadata.get("causation") if isinstance(metadata, dict) else None
    return await site.store.find(storable(named)) if isinstance(named, str) and named else None


async def _found(site: Site, session_id: str, seq: int) -> RecordedEvent:
    found = await one_event(site, session_id, seq)
    if found is None:
        raise HTTPException(404, f"session {session_id} has no event {seq} here")
    return found


def readable(text: str) -> Any:
    """A recorded value; what is no JSON is shown as the text that it is."""
    try:
        return parse_json(text)
    except ValueError:
        return text

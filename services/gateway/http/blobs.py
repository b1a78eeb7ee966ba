"""Blobs: what an adapter uploads to attach it, and what the events of its sessions name."""

import json
from typing import Annotated, Final

from fastapi import APIRouter, Path, Request, Response

from shared.store.blob_names import blobs_in
from shared.store.connection import connected
from shared.store.errors import MissingBlob

from ..attachments import MAX_BYTES, upload
from .api import ApiOf, OwnChannel, OwnSession
from .bodies import limited
from .errors import Refusal, answers
from .models import Uploaded

router = APIRouter(tags=["blobs"])
Sha256 = Annotated[str, Path(pattern=r"^[0-9a-f]{64}$")]
_BYTES: Final = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}


@router.post(
    "/v1/channels/{channel}/blobs",
    operation_id="uploadBlob",
    status_code=201,
    responses=answers(401, 403, 413, 422),
    openapi_extra={"requestBody": {"required": True, "content": _BYTES}},
)
async def upload_blob(request: Request, api: ApiOf, channel: OwnChannel) -> Uploaded:
    """Store the body, to be attached to a message by its `sha256`. The same bytes are stored once."""
    content = await limited(request, MAX_BYTES)
    if not content:
        raise Refusal(422, "the body is empty", "body")
    return Uploaded(sha256=await upload(api.pool, api.blobs, channel, content), size=len(content))


@router.get(
    "/v1/sessions/{session_id}/blobs/{sha256}",
    operation_id="getBlob",
    response_class=Response,
    responses={200: {"description": "The bytes.", "content": _BYTES}, **answers(401, 404, 422)},
)
async def get_blob(api: ApiOf, session: OwnSession, sha256: Sha256) -> Response:
    """A blob that an event of the session names: an attachment, a long result of a tool, a part of a prompt."""
    async with connected(api.pool) as connection:
        rows = await connection.execute(
            "SELECT type, data FROM arreio.session_events WHERE session_id = %s AND strpos(data, %s) > 0",
            (session, f'"{sha256}"'),
        )
        # The hash alone says nothing: anybody may write another channel's into a text or a call.
        named = any([sha256 in blobs_in(kind, json.loads(data)) async for kind, data in rows])
    try:
        content = await api.blobs.get(sha256) if named else None
    except MissingBlob:
        content = None
    if content is None:
        raise Refusal(404, "no event of this session names such a blob", "path.sha256")
    # Nothing that a person or a tool wrote is ever shown as a page of this origin.
    headers = {"X-Content-Type-Options": "nosniff", "Content-Disposition": "attachment"}
    return Response(content, media_type="application/octet-stream", headers=headers)

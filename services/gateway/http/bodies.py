"""Reading a request's body, which stops as soon as it is too large."""

from typing import Any, Final

from fastapi import Request

from ..attachments import MAX_BYTES
from .errors import Refusal

MAX_BODY: Final = 2 * MAX_BYTES
"""Bytes of a message: its attachments in base64 are a third larger than they are."""

_MOST_DIGITS: Final = 18


async def limited(request: Request, limit: int) -> bytes:
    """The body. Raises Refusal (413) when it has more than `limit` bytes, at once where its header says so."""
    said = request.headers.get("content-length", "")
    if said.isdecimal() and (len(said) > _MOST_DIGITS or int(said) > limit):
        raise Refusal(413, f"the body is longer than {limit} bytes", "body")
    found = bytearray()
    async for chunk in request.stream():
        found += chunk
        if len(found) > limit:
            raise Refusal(413, f"the body is longer than {limit} bytes", "body")
    return bytes(found)


def json_body(schema: dict[str, Any]) -> dict[str, Any]:
    """How OpenAPI tells of a JSON body that is read here and not by FastAPI."""
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}

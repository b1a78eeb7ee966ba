"""A message made to fit into NATS: large attachments are uploaded, and what finds no way in is told in the text."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable
from typing import Final

from arreio_contracts.messages import Attachment, InboundMessage

from shared.telemetry import get_logger

log = get_logger(__name__)

MAX_BYTES: Final = 10 << 20
"""The largest attachment that the gateway takes."""

Upload = Callable[[bytes], Awaitable[str | None]]
"""Stores bytes as a blob of the channel and returns its SHA-256; None: it was not taken."""


def attachment(name: str | None, media_type: str | None, content: bytes) -> Attachment:
    """A file as a message carries it."""
    return Attachment(
        name=name or "file",
        media_type=media_type or "application/octet-stream",
        content=base64.b64encode(content).decode(),
    )


def with_left_out(text: str, *names: str) -> str:
    """A text that tells of files that could not be handed in, so that nobody waits for their content."""
    notes = [f"[The attachment {name} was left out.]" for name in names]
    return "\n".join([*([text] if text else []), *notes])


async def fitted(message: InboundMessage, room: int, upload: Upload | None) -> InboundMessage:
    """The message in at most `room` bytes of JSON: its largest attachments are uploaded first, or else left out.

    Halves of surrogate pairs, which JSON can bring and UTF-8 cannot hold, become question marks.
    """
    message = message.model_copy(update={"text": message.text.encode("utf-8", "replace").decode()})
    while len(message.model_dump_json(exclude_none=True).encode()) > room:
        inline = [one for one in message.attachments if one.content]
        if not inline:
            return message
        largest = max(inline, key=lambda one: len(one.content or ""))
        message = await _without_content(message, largest, upload)
    return message


async def _without_content(message: InboundMessage, large: Attachment, upload: Upload | None) -> InboundMessage:
    sha256 = None if upload is None else await upload(base64.b64decode(large.content or ""))
    if sha256 is not None:
        stored = large.model_copy(update={"content": None, "sha256": sha256})
        attachments = tuple(stored if one is large else one for one in message.attachments)
        return message.model_copy(update={"attachments": attachments})
    log.warning("an attachment is too large for NATS and was left out", name=large.name)
    attachments = tuple(one for one in message.attachments if one is not large)
    text = with_left_out(message.text, large.name)
    return message.model_copy(update={"attachments": attachments, "text": text})

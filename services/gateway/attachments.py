"""Attachments become blobs before their message is accepted, so that an event holds a hash and never the bytes."""

import base64
import binascii
import re
from typing import Final

from arreio_contracts.messages import Attachment, InboundMessage

from shared.store.blobs import BlobStore
from shared.store.connection import Pool, connected

MAX_BYTES: Final = 10 << 20
"""The largest attachment."""
MAX_COUNT: Final = 16
"""The most attachments of one message."""

_MEDIA_TYPE: Final = re.compile(
    r"[\w!#$&^.+-]{1,127}/[\w!#$&^.+-]{1,127}(?:[ \t]*;[ \t]*[\w!#$&^.+-]{1,64}=(?:[\w!#$%&'*^.+|~-]{1,127}"
    r"|\"[\x20\x21\x23-\x5b\x5d-\x7e]{0,127}\")){0,8}",
    re.ASCII,
)
"""RFC 9110, 8.3.1, with bounds."""

Refusal = tuple[str, str]
"""The field that is wrong, and why."""

_UPLOADED: Final = """
SELECT encode(b.sha256, 'hex') FROM arreio.blobs b WHERE b.sha256 = ANY (%(hashes)s) AND (
    EXISTS (SELECT FROM gateway.channel_blobs u WHERE u.channel = %(channel)s AND u.sha256 = b.sha256)
    OR NOT EXISTS (SELECT FROM gateway.channels c WHERE c.name = %(channel)s))
"""


def decoded(attachments: tuple[Attachment, ...]) -> list[bytes | None] | Refusal:
    """The bytes of each attachment; None where it names a blob that is stored."""
    if len(attachments) > MAX_COUNT:
        return "data.attachments", f"more than {MAX_COUNT} attachments"
    found: list[bytes | None] = []
    for index, one in enumerate(attachments):
        field = f"data.attachments.{index}"
        if not _MEDIA_TYPE.fullmatch(one.media_type):
            return f"{field}.media_type", "is no media type, as text/plain is one"
        if (one.content is None) == (one.sha256 is None):
            return field, "give either its content or the sha256 of a blob that was uploaded"
        try:
            content = None if one.content is None else base64.b64decode(one.content, validate=True)
        except (binascii.Error, ValueError):
            return f"{field}.content", "is not base64"
        if content is not None and len(content) > MAX_BYTES:
            return f"{field}.content", f"longer than {MAX_BYTES} bytes"
        found.append(content)
    return found


async def kept(pool: Pool, blobs: BlobStore, channel: str, message: InboundMessage) -> InboundMessage | Refusal:
    """The message with its attachments stored, or what is wrong with them.

    Raises:
        StoreUnavailable: PostgreSQL cannot be reached.
    """
    if not message.attachments:
        return message
    contents = decoded(message.attachments)
    if isinstance(contents, tuple):
        return contents
    named = [one.sha256 for one in message.attachments if one.sha256 is not None]
    known = await _uploaded(pool, channel, named)
    for index, one in enumerate(message.attachments):
        if one.sha256 is not None and one.sha256 not in known:
            return f"data.attachments.{index}.sha256", "no such blob was uploaded on this channel"
    hashes = iter(await blobs.put_many([content for content in contents if content is not None]))
    stored = tuple(
        one if one.content is None else one.model_copy(update={"content": None, "sha256": next(hashes)})
        for one in message.attachments
    )
    return message.model_copy(update={"attachments": stored})


async def upload(pool: Pool, blobs: BlobStore, channel: str, content: bytes) -> str:
    """Store what an adapter will attach, and return its SHA-256."""
    sha256 = await blobs.put(content)
    async with connected(pool) as connection:
        await connection.execute(
            "INSERT INTO gateway.channel_blobs (channel, sha256) VALUES (%s, %s) ON CONFLICT DO NOTHING",
            (channel, bytes.fromhex(sha256)),
        )
    return sha256


async def _uploaded(pool: Pool, channel: str, hashes: list[str]) -> set[str]:
    if not hashes:
        return set()
    async with connected(pool) as connection:
        values = {"channel": channel, "hashes": [bytes.fromhex(name) for name in hashes]}
        return {row[0] for row in await (await connection.execute(_UPLOADED, values)).fetchall()}

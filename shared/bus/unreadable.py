"""Messages that the client chokes on, and such as the server hangs up at: neither looks at all that the other does.

A server takes any bytes as subject and headers, and stores its own answers too.

Whoever may have the server answer where he likes can put such a one into a stream, from which it would come again for
ever: at a subject that is no UTF-8 the client stops reading for good, and what has a status it takes for the server's.
"""

from __future__ import annotations

import logging
import re
from typing import Any, Final

from nats.aio.client import Client
from nats.errors import BadSubjectError, MaxPayloadError
from nats.protocol import parser

log = logging.getLogger(__name__)

_STORED: Final = b"$JS.ACK."
"""The beginning of the reply subject of a message that a stream hands out."""
_VERSION: Final = b"NATS/1.0"
_REST_OF_HEADERS: Final = 12  # the version and the line ends around it
_REST_OF_LINE: Final = 32  # the verb, two sizes and what parts them
_BETWEEN, _WORD = rb"[ \t]+", rb"([^ \t\r\n]+)"
_START: Final = _BETWEEN + _WORD + _BETWEEN + _WORD + _BETWEEN + rb"(" + _WORD + _BETWEEN + rb")?"


_LONGEST_LINE: Final = 4096
"""Bytes of a control line that a server takes unless it is told otherwise."""


def measured(client: Client) -> Client:
    """Have a client refuse what the server would end the connection at: its own check leaves the headers out.

    `publish` and `request` then raise `MaxPayloadError` or, where subject and reply are too long, `BadSubjectError`.
    """
    send: Any = client._send_publish

    async def send_measured(
        subject: str, reply: str, payload: bytes, size: int, headers: dict[str, str] | None
    ) -> None:
        if headers:
            head = sum(len(f"{name}{value}".encode("utf-8", "replace")) + 4 for name, value in headers.items())
            if size + head + _REST_OF_HEADERS > client.max_payload:
                raise MaxPayloadError
        if len(f"{subject}{reply}".encode("utf-8", "replace")) + _REST_OF_LINE > _LONGEST_LINE:
            raise BadSubjectError
        await send(subject, reply, payload, size, headers)

    patched: Any = client
    patched._send_publish = send_measured
    return client


def read_on(client: Client) -> Client:
    """Have a client hand over whatever comes, so that a consumer can give it up: what is no text stands as escapes."""
    process, process_headers = client._process_msg, client._process_headers

    async def process_any(sid: int, subject: bytes, reply: bytes, data: bytes, headers: bytes) -> None:
        if headers and reply.startswith(_STORED):
            headers = _without_status(bytes(headers))
        await process(sid, _text(subject), _text(reply), data, headers)

    async def process_any_headers(headers: bytes) -> dict[str, str] | None:
        try:
            found: dict[str, str] | None = await process_headers(headers and _text(headers))
        except Exception as error:  # noqa: BLE001 - it would end the client's reading
            log.warning("the headers of a message cannot be read: %r", error)
            return None
        return found

    patched: Any = client
    patched._process_msg, patched._process_headers = process_any, process_any_headers
    return client


def _text(raw: bytes) -> bytes:
    return raw if raw.isascii() else raw.decode("utf-8", "backslashreplace").encode()


def _without_status(headers: bytes) -> bytes:
    """The headers of a stored message, which speaks of no request: a status in them is what somebody stored."""
    line, end, rest = headers.partition(b"\r\n")
    return headers if line == _VERSION else _VERSION + end + rest


# The client's own patterns also part words at a form feed and a vertical tab, which a subject may hold.
parser.MSG_RE = re.compile(rb"\AMSG" + _START + rb"(\d+)\r\n")
parser.HMSG_RE = re.compile(rb"\AHMSG" + _START + rb"(\d+)" + _BETWEEN + rb"(\d+)\r\n")

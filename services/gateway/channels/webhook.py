"""The webhook adapter: messages signed as Standard Webhooks says (standardwebhooks.com, version 1), with HMAC-SHA256.

The signature is over `id.timestamp.body`. So nothing of it can be changed, an old request cannot be played again once
its timestamp is out of the window, and within the window the same message is a duplicate.
"""

import base64
import binascii
import hashlib
import hmac
from typing import Final

from .tokens import SIGNING_PREFIX

WINDOW: Final = 300
"""Seconds that a request's timestamp may differ from this clock."""


class BadSignature(Exception):
    """A request that was not signed with the channel's secret, or not now."""


def signature(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """The value of the header `webhook-signature`: `v1,` and the MAC in base64.

    Raises:
        ValueError: the secret is not `whsec_` and base64.
    """
    try:
        key = base64.b64decode(secret.removeprefix(SIGNING_PREFIX), validate=True)
    except binascii.Error as error:
        raise ValueError("the signing secret is not base64") from error
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def check(secret: str, message_id: str, timestamp: str, signatures: str, body: bytes, *, now: float) -> None:
    """Check a request's headers `webhook-id`, `webhook-timestamp` and `webhook-signature` (several, with spaces).

    Raises:
        BadSignature: it must not be believed.
    """
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        raise BadSignature("webhook-timestamp is not a number of seconds")
    if abs(now - int(timestamp)) > WINDOW:
        raise BadSignature(f"webhook-timestamp is more than {WINDOW} seconds from now")
    expected = signature(secret, message_id, int(timestamp), body).encode()
    if not any(hmac.compare_digest(expected, one.encode("utf-8", "replace")) for one in signatures.split(" ")):
        raise BadSignature("webhook-signature does not fit")

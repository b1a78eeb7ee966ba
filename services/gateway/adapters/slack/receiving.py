"""What is wrong with a request that comes to the address for events: told before anything is made of it. Pure."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from .events import inbound

MOST_APART: Final = 300.0
"""Seconds between a signature's time and now; what is older may be somebody's repetition."""
_JSON: Final = "application/json"


@dataclass(frozen=True)
class Wrong:
    """An HTTP status from 400 to 499, and why."""

    status: int
    why: str


UNREADABLE: Final = Wrong(400, "the event cannot be read")


def wrong_with(raw: bytes, headers: Mapping[str, str], secret: str, now: float) -> Wrong | None:
    """What is wrong with a request of this body; `headers` are found whatever their case, `now` is in Unix seconds.

    None: it is signed by Slack, and if it is an event it can be read.
    """
    if not _signed(raw, headers, secret, now):
        return Wrong(401, "the signature is missing, wrong or too old")
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return Wrong(400, "the body is not UTF-8")
    if headers.get("Content-Type", _JSON).partition(";")[0].strip().lower() != _JSON:
        return None
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return Wrong(400, "the body is not JSON")
    if not isinstance(body, dict):
        return Wrong(400, "the body is no JSON object")
    try:
        inbound(body, "")
    except (AttributeError, LookupError, TypeError, ValueError):
        return UNREADABLE
    return None


def _signed(raw: bytes, headers: Mapping[str, str], secret: str, now: float) -> bool:
    """By Slack's "Verifying requests": HMAC-SHA256 over `v0:time:body`."""
    said, signature = headers.get("X-Slack-Request-Timestamp", ""), headers.get("X-Slack-Signature", "")
    if not (said.isascii() and said.isdigit() and len(said) < 20) or abs(now - int(said)) > MOST_APART:
        return False
    mac = hmac.new(secret.encode(), b"v0:" + said.encode() + b":" + raw, hashlib.sha256).hexdigest()
    return hmac.compare_digest(f"v0={mac}".encode(), signature.encode("utf-8", "replace"))

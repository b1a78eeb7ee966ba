"""W3C Trace Context: the `traceparent` that events and messages carry. Pure but for the random ids of a new trace."""

from __future__ import annotations

import re
import secrets
from typing import Final

_FORM: Final = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")


def valid(traceparent: str | None) -> str:
    """The trace context, or nothing where it is missing or malformed: its sender may be anybody."""
    return traceparent if traceparent and _FORM.fullmatch(traceparent) else ""


def new_traceparent() -> str:
    """A trace context that begins a new trace."""
    return f"00-{_id(16)}-{_id(8)}-01"


def _id(size: int) -> str:
    # An id of nothing but zeros says that there is none.
    return (secrets.randbits(size * 8) or 1).to_bytes(size).hex()

"""Which blobs an event names: in the fields that its contract has for them, not in what a person or a model writes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, TypeGuard

_SHA256: Final = re.compile(r"[0-9a-f]{64}")
ALWAYS: Final = frozenset({"sha256", "blob", "content_blob", "arguments_blob"})
"""The fields of which an export without the blob was never made."""
_KEYS: Final = ALWAYS | {"screenshot", "measures", "request_blob", "reply_blob", "missing_blob"}
_OTHERS: Final = frozenset(
    {"verifiers", "seen", "changed", "arguments", "parameters", "gave", "capability", "contract", "response_format"}
)
"""Parts of events that hold hashes of files, or whatever somebody wrote."""


def blobs_in(kind: str, data: dict[str, Any], keys: frozenset[str] = _KEYS) -> Iterator[str]:
    """The hashes of the blobs that an event of a type names, in the order in which it does."""
    if kind == "instructions.changed":
        for name in (data.get("old"), data.get("new")):
            if _is_name(name):
                yield name
    yield from _named(data, keys)


def _named(value: Any, keys: frozenset[str]) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            if key in keys and _is_name(item):
                yield item
            elif key not in _OTHERS:
                yield from _named(item, keys)
    elif isinstance(value, list):
        for item in value:
            yield from _named(item, keys)


def _is_name(value: Any) -> TypeGuard[str]:
    return isinstance(value, str) and _SHA256.fullmatch(value) is not None

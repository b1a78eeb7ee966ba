"""Which code a provisioned database serves: the one that provisioned it, and older ones that it still suits. Pure.

`arreio.provisioned` holds digests of what was last provisioned, and a row for each older code whose place it took
without breaking it. So a rolling upgrade may restart an old replica, and the way back is to start the version before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

PARTS: Final = ("schema", "streams", "writers")
SERVES: Final = "serves "
BREAKS_OLDER: Final = "breaks_older"
"""A migration that has this true cannot be worked with by code that does not know it; all others only add."""


def served(found: Mapping[str, str], mine: Mapping[str, str]) -> bool:
    """Whether newer code provisioned a database, and said that it serves the code whose digests are `mine`."""
    return f"{SERVES}{_code(mine)}" in found


def provisioned_for(found: Mapping[str, str], mine: Mapping[str, str]) -> bool:
    """Whether the rows of `arreio.provisioned` are of the code whose digests are `mine`, or of code that serves it."""
    return mine.items() <= found.items() or served(found, mine)


def now_served(before: Mapping[str, str], mine: Mapping[str, str], *, broken: bool) -> list[str]:
    """The names of the rows for older code, once `mine` took the place of `before`; `broken`: it serves none."""
    older = {name for name in before if name.startswith(SERVES)}
    if before.keys() >= set(PARTS):
        older.add(f"{SERVES}{_code(before)}")
    return [] if broken else sorted(older - {f"{SERVES}{_code(mine)}"})


def takes_away(before: Sequence[Sequence[Any]], after: Sequence[Sequence[Any]]) -> bool:
    """Whether a right of `arreio.writers` (a role, then lists) is gone."""
    new = {row[0]: row[1:] for row in after}
    return any(
        not set(old) <= set(kept)
        for row in before
        for old, kept in zip(row[1:], new.get(row[0], [()] * len(row)), strict=False)
    )


def _code(digests: Mapping[str, str]) -> str:
    return hashlib.sha256("\0".join(digests[part] for part in PARTS).encode()).hexdigest()

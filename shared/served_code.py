"""Which code a provisioned database serves: the one that provisioned it, and older ones that it still suits. Pure.

`arreio.provisioned` holds digests of what was last provisioned, and a row for each older code whose place it took
without breaking it. So a rolling upgrade may restart an old replica, and the way back is to start the version before.
Whom it serves is written in the transaction of the migrations, the digests when all is there: a provisioning that
failed in between has forgotten nothing when it is tried again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

NatsRight = tuple[str, str, str, str]
"""A NATS user, `publish` or `subscribe`, `allow` or `deny`, a subject with wildcards."""
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


def takes_nats(before: Collection[NatsRight], after: Collection[NatsRight]) -> bool:
    """Whether a NATS user that is known from before may do less: a subject it was allowed is covered by none any more,
    or a new one is denied."""
    return any(_uncovered(right, after) for right in before if right[2] == "allow") or any(
        _uncovered(right, before)
        for right in after
        if right[2] == "deny" and any(known[0] == right[0] for known in before)
    )


def _uncovered(right: NatsRight, others: Collection[NatsRight]) -> bool:
    *kind, subject = right
    return not any([*other[:3]] == kind and _covers(other[3], subject) for other in others)


def _covers(pattern: str, subject: str) -> bool:
    """Whether a NATS pattern takes every subject that another one (or a subject) does."""
    wide, narrow = pattern.split("."), subject.split(".")
    for place, token in enumerate(wide):
        if token == ">":
            return len(narrow) > place
        if place >= len(narrow) or narrow[place] == ">" or token not in ("*", narrow[place]):
            return False
    return len(wide) == len(narrow)


def _code(digests: Mapping[str, str]) -> str:
    return hashlib.sha256("\0".join(digests[part] for part in PARTS).encode()).hexdigest()

"""What the page of the engine asks of the database: the relay's backlog and the leases."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from psycopg.rows import class_row

from shared.store.connection import connected

from .site import Site

LEASES: Final = 200
_BACKLOG: Final = """
SELECT count(*) AS waiting, count(DISTINCT o.session_id) AS sessions,
    extract(epoch FROM clock_timestamp() - min(e.recorded_at))::float8 AS oldest,
    (SELECT count(*) FROM arreio.dead_letters WHERE resolved_at IS NULL) AS dead,
    (SELECT count(*) FROM arreio.dead_letters WHERE resolved_at IS NULL AND source = 'outbox') AS parked
FROM arreio.outbox o LEFT JOIN arreio.session_events e ON e.session_id = o.session_id AND e.seq = o.seq
WHERE o.published_at IS NULL
"""
_LEASES: Final = """
SELECT l.kind, l.id, l.owner, l.epoch, l.claimed_at,
    extract(epoch FROM l.expires_at - clock_timestamp())::float8 AS remaining, t.session_id, t.task_id
FROM arreio.leases l
LEFT JOIN arreio.tasks t ON (l.kind = 'task' AND t.task_id = l.id) OR (l.kind = 'gate' AND t.awaiting_id = l.id)
WHERE l.owner IS NOT NULL ORDER BY l.claimed_at DESC LIMIT %s
"""


@dataclass(frozen=True)
class Backlog:
    """What the relay has not published yet; `oldest` is its age in seconds. `parked` sessions wait for a person."""

    waiting: int
    sessions: int
    oldest: float | None
    dead: int
    parked: int


@dataclass(frozen=True)
class LeaseLine:
    """Who works on what; `remaining` seconds until the lease ends unless its owner says that it lives."""

    kind: str
    id: str
    owner: str
    epoch: int
    claimed_at: datetime
    remaining: float
    session_id: str | None
    task_id: str | None


async def backlog(site: Site) -> Backlog:
    """What the relay has before it."""
    async with connected(site.pool) as connection, connection.cursor(row_factory=class_row(Backlog)) as cursor:
        found = await (await cursor.execute(_BACKLOG)).fetchone()
    assert found is not None  # counts always answer
    return found


async def leases(site: Site) -> list[LeaseLine]:
    """The leases that somebody holds, the newest first."""
    async with connected(site.pool) as connection, connection.cursor(row_factory=class_row(LeaseLine)) as cursor:
        await cursor.execute(_LEASES, (LEASES,))
        return await cursor.fetchall()

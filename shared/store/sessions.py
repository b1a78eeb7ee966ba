"""Whole sessions: which there are, adding one at once (a fork, an import), and dropping one that was exported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import psycopg
from arreio_contracts import subjects

from shared.store.connection import Pool, connected
from shared.store.errors import SessionExists, Tampered
from shared.store.hashing import Anchor
from shared.store.tasks import TaskPatch, patch_json

_ADD: Final = (
    "SELECT last_seq, head_hash FROM arreio.add_session("
    "%s, %s, %b, %b::text[], %b::text[], %b::integer[], %b::text[], %b::text[], %b::text[], "
    "%b::timestamptz[], %b::bytea[], %b::integer[], %b::smallint[], %b::text[], %s::jsonb)"
)
_HASHES: Final = (
    "SELECT e.session_id, e.hash FROM unnest(%s::text[], %s::bigint[]) AS anchor (session_id, seq) "
    "JOIN arreio.session_events e USING (session_id, seq)"
)


_STRAY: Final = (
    # From one session's first event to the next one's, by the index: a log is not read to list what is in it.
    "WITH RECURSIVE named (session_id) AS ((SELECT session_id FROM arreio.session_events ORDER BY session_id LIMIT 1) "
    "UNION ALL SELECT (SELECT e.session_id FROM arreio.session_events e WHERE e.session_id > n.session_id "
    "ORDER BY e.session_id LIMIT 1) FROM named n WHERE n.session_id IS NOT NULL) "
    "SELECT session_id FROM (SELECT session_id FROM named WHERE session_id IS NOT NULL "
    "UNION SELECT session_id FROM arreio.tasks) found "
    "WHERE NOT EXISTS (SELECT FROM arreio.session_heads h "
    "WHERE h.session_id = found.session_id AND h.pruned_seq < h.seq) ORDER BY session_id"
)


@dataclass(frozen=True)
class AddedEvent:
    """An event of a session that is added whole.

    A copy keeps the time at which it was recorded; `recorded_at` None is now. `hash` is checked where it is given.
    `published` events are put into the outbox, and wake whoever reads `routes`.
    """

    event_id: str
    type: str
    schema_version: int
    task_id: str | None
    data_text: str
    metadata_text: str
    recorded_at: datetime | None = None
    hash: bytes | None = None
    published: bool = False
    routes: tuple[str, ...] = ()


async def here_already(pool: Pool, anchors: Mapping[str, Anchor]) -> set[str]:
    """Which of the sessions are here with the same events, up to their anchor at least.

    Raises:
        SessionExists: one is here with others.
    """
    arguments = (list(anchors), [anchor.seq for anchor in anchors.values()])
    async with connected(pool) as connection:
        rows = await (await connection.execute(_HASHES, arguments)).fetchall()
    for session_id, found in rows:
        if bytes(found) != anchors[session_id].hash:
            raise SessionExists(f"session {session_id} exists with other events; nothing was imported")
    return {session_id for session_id, _ in rows}


async def add_session(
    pool: Pool, session_id: str, base: Anchor, events: Sequence[AddedEvent], tasks: Sequence[TaskPatch]
) -> Anchor:
    """Add a whole session whose events come after `base`, with the rows of its tasks; its head.

    Raises:
        SessionExists: the session, one of its events or one of its tasks is here already.
        Tampered: an event does not fit its hash, or what comes back is not what was pruned.
    """
    routes = [
        (place, n, subject)
        for place, event in enumerate(events, 1)
        if event.published
        for n, subject in enumerate((subjects.event(session_id, event.type), *event.routes))
    ]
    arguments = (
        session_id,
        base.seq + 1,
        base.hash,
        [event.event_id for event in events],
        [event.type for event in events],
        [event.schema_version for event in events],
        [event.task_id for event in events],
        [event.data_text for event in events],
        [event.metadata_text for event in events],
        [event.recorded_at for event in events],
        [event.hash for event in events],
        [place for place, _, _ in routes],
        [n for _, n, _ in routes],
        [subject for _, _, subject in routes],
        f"[{','.join(map(patch_json, tasks))}]",
    )
    async with connected(pool) as connection:
        try:
            row = await (await connection.execute(_ADD, arguments)).fetchone()
        except psycopg.Error as error:
            said = str(error.diag.message_primary)
            match error.sqlstate:
                case "AR005":
                    raise SessionExists(said) from None
                case "23505" | "AR004":
                    raise SessionExists(f"session {session_id}: an event or task of it is here already") from None
                case "AR006":
                    raise Tampered(f"session {session_id}: {said}") from None
                case _:
                    raise
    assert row is not None
    return Anchor(*row)


@dataclass(frozen=True)
class SessionHead:
    """A session as the list of sessions shows it. `pruned_seq` equal to `seq`: nothing of it is left here."""

    session_id: str
    seq: int
    pruned_seq: int


async def list_sessions(pool: Pool, *, since: datetime | None = None) -> list[SessionHead]:
    """The sessions that were written to since a moment (None: all), the oldest first."""
    async with connected(pool) as connection:
        cursor = await connection.execute(
            "SELECT session_id, seq, pruned_seq FROM arreio.session_heads "
            "WHERE %s::timestamptz IS NULL OR updated_at >= %s ORDER BY created_at, session_id",
            (since, since),
        )
        return [SessionHead(*row) for row in await cursor.fetchall()]


async def stray_sessions(pool: Pool) -> list[str]:
    """The sessions that events or tasks name, and of which no head says that anything is here: rows changed by hand."""
    async with connected(pool) as connection:
        return [row[0] for row in await (await connection.execute(_STRAY)).fetchall()]


async def finished_sessions(pool: Pool, *, before: datetime) -> list[str]:
    """The sessions that may be pruned: last written to before a moment, with tasks that have all ended."""
    async with connected(pool) as connection:
        cursor = await connection.execute(
            "SELECT h.session_id FROM arreio.session_heads h WHERE h.updated_at < %s AND h.pruned_seq < h.seq "
            "AND EXISTS (SELECT FROM arreio.tasks t WHERE t.session_id = h.session_id) "
            "AND NOT EXISTS (SELECT FROM arreio.tasks t WHERE t.session_id = h.session_id "
            "AND t.state IN ('PENDING', 'IN_PROGRESS', 'NEEDS_INPUT')) ORDER BY h.updated_at, h.session_id",
            (before,),
        )
        return [row[0] for row in await cursor.fetchall()]


async def prune_session(pool: Pool, session_id: str, head: Anchor) -> bool:
    """Drop a finished session as maintenance; False when it went on meanwhile, or something of it is unpublished.

    The head stays: its chain goes on from there, and only what was dropped can be imported again.
    """
    async with connected(pool) as connection:
        cursor = await connection.execute("SELECT arreio.prune_session(%s, %s, %b)", (session_id, head.seq, head.hash))
        row = await cursor.fetchone()
    return bool(row and row[0])

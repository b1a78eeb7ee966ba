"""More than anybody reads: ten thousand tasks, and a session of twenty thousand events."""

from __future__ import annotations

from collections.abc import Sequence

import psycopg

from shared.settings import Settings
from shared.store.blobs import BlobStore
from shared.store.connection import open_pool
from shared.store.events import RecordedEvent, new_event_id
from shared.store.hashing import START
from shared.store.sessions import AddedEvent, add_session
from tests.support.histories import history

_SESSIONS = """
INSERT INTO arreio.session_heads (session_id, seq, hash, pruned_seq, pruned_hash, created_at, updated_at)
SELECT 'much_' || n, 1, h, 1, h, at, at
FROM (SELECT n, decode(repeat('ab', 32), 'hex') AS h, clock_timestamp() - make_interval(mins => n + 60) AS at
      FROM generate_series(1, 1000) AS n) AS made
"""
_TASKS = """
INSERT INTO arreio.tasks (task_id, session_id, state, goal, steps, tool_calls, tokens, cost, cancel_requested,
    created_seq, last_seq, created_at, updated_at)
SELECT 'much_' || n, 'much_' || 1 + mod(n, 1000), (ARRAY['COMPLETE', 'BLOCKED', 'FAILED'])[1 + mod(n, 3)],
    repeat('one of many goals ', 25) || n, mod(n, 50), mod(n, 90), n * 7, 0, false, 1, 1, at, at
FROM (SELECT n, clock_timestamp() - make_interval(mins => 60 + n / 20) AS at FROM generate_series(1, %s) AS n) AS made
"""


def many_tasks(settings: Settings, count: int) -> None:
    """Rows of ended tasks of a thousand pruned sessions; twenty each were made at the same moment."""
    with psycopg.connect(settings.database_dsn("owner"), autocommit=True) as connection:
        connection.execute(_SESSIONS)
        connection.execute(_TASKS, (count,))


async def long_session(settings: Settings, session_id: str, least: int) -> int:
    """A session of a recorded task over and over, which verifies; how many events it has."""
    export = history("completed")
    events: list[AddedEvent] = []
    source = export.session.events
    while len(events) < least:
        events += _again(source, session_id, len(events) // len(source))
    async with open_pool(settings.database_dsn("operator"), name="much", size=1) as pool:
        await BlobStore(pool).put_many(list(export.blobs.values()))
        await add_session(pool, session_id, START, events, [])
    return len(events)


def _again(source: Sequence[RecordedEvent], session_id: str, number: int) -> list[AddedEvent]:
    named = [one for one in source if number == 0 or one.task_id is not None or one.type == "message.received"]
    others = {one.event_id: new_event_id() for one in named}
    tasks = {one.task_id for one in named if one.task_id is not None}
    others |= {name: f"t_{new_event_id().replace('-', '')}" for name in tasks}
    others |= {source[0].session_id: session_id}

    def mapped(text: str) -> str:
        for old, new in others.items():
            text = text.replace(old, new)
        return text

    return [
        AddedEvent(
            others[one.event_id],
            one.type,
            one.schema_version,
            None if one.task_id is None else others[one.task_id],
            mapped(one.data_text),
            mapped(one.metadata_text),
        )
        for one in named
    ]

"""What stands in the store without a head or without events is named by replay, however the sessions are chosen."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from arreio.commands import replay as command
from arreio.replaying import Problem, replay_stored
from services.tool_loop.copying import fork, fork_names
from shared.settings import Settings
from shared.store.blobs import BlobStore
from shared.store.connection import Pool
from shared.store.hashing import START
from shared.store.sessions import add_session, list_sessions, stray_sessions
from tests.support.histories import history
from tests.support.store import connect, fresh, store_of

NOW = 1_700_000_000_000
GHOST = "t_ghost"


@pytest.fixture
async def pool(engine: Settings, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Pool]:
    async with store_of(engine, "operator", 4) as (_, pool):

        @asynccontextmanager
        async def reading(_: Settings) -> AsyncIterator[Pool]:
            yield pool

        monkeypatch.setattr(command, "reading", reading)
        yield pool


async def sound(pool: Pool) -> str:
    """A session that verifies: a fork of a recorded history."""
    source = history("completed")
    await BlobStore(pool).put_many(list(source.blobs.values()))
    copy = fork(source.session, len(source.session.events), fork_names(), "/fork", now_ms=NOW)
    await add_session(pool, copy.session_id, START, copy.events, copy.tasks)
    return copy.session_id


@contextmanager
def changed(settings: Settings, do: str, undo: str, *arguments: Any) -> Iterator[None]:
    """The store with rows that somebody changed by hand, for a while."""
    with connect(settings, "owner") as connection:
        connection.execute("CREATE TEMPORARY TABLE kept AS SELECT * FROM arreio.session_heads")
        connection.execute(do, arguments)
        try:
            yield
        finally:
            connection.execute(undo, arguments)


def ghost(settings: Settings, session_id: str) -> Any:
    """A row of a task that no event began."""
    task_id = fresh(GHOST)
    return changed(
        settings,
        "INSERT INTO arreio.tasks (task_id, session_id, state, goal, steps, tool_calls, tokens, cost, "
        "cancel_requested, created_seq, last_seq, created_at, updated_at) "
        "VALUES (%s, %s, 'BLOCKED', '', 0, 0, 0, 0, false, 1, 1, now(), now())",
        "DELETE FROM arreio.tasks WHERE (task_id, session_id) = (%s, %s)",
        *(task_id, session_id),
    )


async def problem(pool: Pool, session_id: str) -> Problem | None:
    return (await replay_stored(pool, session_id))[1].problem


async def all_named(settings: Settings, capsys: pytest.CaptureFixture[str]) -> dict[str, bool]:
    """The sessions that `--since` names at a time when nothing has been written yet, and whether they verify."""
    later = datetime.now(UTC) + timedelta(days=1)
    await command._replay(settings, [], False, later, False, True, True)
    found = map(json.loads, capsys.readouterr().out.splitlines())
    return {one["session_id"]: one["verified"] for one in found}


HEAD = "FROM arreio.session_heads WHERE session_id = %s"
BACK = "INSERT INTO arreio.session_heads SELECT * FROM kept WHERE session_id = %s"


@pytest.mark.parametrize(
    ("do", "undo"),
    [
        pytest.param(f"DELETE {HEAD}", BACK, id="removed"),
        pytest.param(
            "UPDATE arreio.session_heads SET pruned_seq = seq, pruned_hash = hash WHERE session_id = %s",
            "UPDATE arreio.session_heads h SET (pruned_seq, pruned_hash) = (k.pruned_seq, k.pruned_hash) "
            "FROM kept k WHERE k.session_id = h.session_id AND h.session_id = %s",
            id="said to be pruned",
        ),
    ],
)
async def test_a_session_whose_head_hides_it_is_named_and_does_not_verify(
    engine: Settings, pool: Pool, capsys: pytest.CaptureFixture[str], do: str, undo: str
) -> None:
    session, other = await sound(pool), await sound(pool)
    with changed(engine, do, undo, session):
        found = await all_named(engine, capsys)
        assert found[session] is False and other not in found
    assert session not in await stray_sessions(pool)
    assert await problem(pool, session) is None


async def test_a_row_of_a_task_that_no_event_began_diverges(engine: Settings, pool: Pool) -> None:
    session = await sound(pool)
    assert await problem(pool, session) is None
    with ghost(engine, session):
        found = await problem(pool, session)
    assert found is not None and (found.kind, found.seq, found.recomputed) == ("task", 1, None)
    assert found.recorded["task_id"].startswith(GHOST)
    assert await problem(pool, session) is None


async def test_a_row_of_a_task_whose_session_has_no_event_is_named_too(
    engine: Settings, pool: Pool, capsys: pytest.CaptureFixture[str]
) -> None:
    session = fresh()
    with ghost(engine, session):
        assert (await all_named(engine, capsys))[session] is False
    assert session not in {head.session_id for head in await list_sessions(pool)}
    assert session not in await stray_sessions(pool)

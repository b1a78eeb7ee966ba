"""The log in a real PostgreSQL: appending, refusing, chaining."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import psycopg
import pytest

from shared.provision import LOGINS
from shared.settings import Settings
from shared.store import leases
from shared.store.connection import Pool
from shared.store.errors import Conflict, Fenced, WrongTask
from shared.store.events import EventStore, InboxKey
from shared.store.hashing import event_hash
from shared.store.tasks import list_tasks, open_task, show_task, unfinished
from tests.support.store import OWNER, connect, event, fresh, store_of


@pytest.fixture
async def opened(engine: Settings) -> AsyncIterator[tuple[EventStore, Pool]]:
    async with store_of(engine) as found:
        yield found


@pytest.fixture
def store(opened: tuple[EventStore, Pool]) -> EventStore:
    return opened[0]


@pytest.fixture
def pool(opened: tuple[EventStore, Pool]) -> Pool:
    return opened[1]


async def test_what_was_appended_is_read_back(store: EventStore) -> None:
    session = fresh()
    done = await store.append_fact(session, [event(n=1, text="é\x00\ud800"), event("tool.finished", n=2)])
    assert done is not None
    assert (done.first_seq, done.seq) == (1, 2)
    found = await store.read(session)
    assert [(one.seq, one.type) for one in found] == [(1, "tool.started"), (2, "tool.finished")]
    assert found[0].data == {"n": 1, "text": "é\x00\ud800"}
    assert found[0].metadata.correlation == "m1"
    assert found[-1].hash == done.hash
    assert (await store.head(session)).seq == 2
    assert await store.find(found[1].event_id) == found[1]


async def test_reading_is_bounded_by_seq_type_and_number(store: EventStore) -> None:
    session = fresh()
    await store.append_fact(session, [event("tool.finished" if n % 2 else "tool.started", n=n) for n in range(1, 9)])
    assert [one.seq for one in await store.read(session, after=2, upto=6)] == [3, 4, 5, 6]
    assert [one.seq for one in await store.read(session, types=["tool.started"])] == [2, 4, 6, 8]
    assert [one.seq for one in await store.read(session, after=3, limit=2)] == [4, 5]
    assert await store.read(fresh()) == []


async def test_of_two_writers_with_one_expectation_one_wins(store: EventStore) -> None:
    session = fresh()
    await store.append_fact(session, [event()])
    attempts = [store.append_decision(session, expected_seq=1, events=[event(n=n)], lease=None) for n in range(8)]
    outcomes = await asyncio.gather(*attempts, return_exceptions=True)
    assert sum(isinstance(one, Conflict) for one in outcomes) == 7
    assert (await store.head(session)).seq == 2
    assert await store.verify_chain(session) is None


async def test_concurrent_facts_are_all_kept_and_chained(store: EventStore) -> None:
    session = fresh()
    await asyncio.gather(*(store.append_fact(session, [event(n=n), event(n=n)]) for n in range(20)))
    assert [one.seq for one in await store.read(session)] == list(range(1, 41))
    assert await store.verify_chain(session) is None


async def _transactions(pool: Pool, sessions: list[str]) -> int:
    """How many transactions wrote these sessions."""
    async with pool.connection() as connection:
        asked = "SELECT count(DISTINCT xmin::text) FROM arreio.session_events WHERE session_id = ANY (%s)"
        row = await (await connection.execute(asked, (sessions,))).fetchone()
    assert row is not None
    return int(row[0])


async def test_appends_at_the_same_time_share_a_commit(store: EventStore, pool: Pool) -> None:
    sessions = [fresh() for _ in range(40)]
    done = await asyncio.gather(*(store.append_fact(one, [event(session=one)]) for one in sessions))
    for session, appended in zip(sessions, done, strict=True):
        found = await store.read(session)
        assert [one.data for one in found] == [{"session": session}]
        assert appended is not None and appended.hash == found[0].hash and await store.verify_chain(session) is None
    # The first ones go alone, and what has come meanwhile goes together.
    assert await _transactions(pool, sessions) <= 6


async def test_one_that_is_refused_takes_none_of_the_others_with_it(store: EventStore) -> None:
    sessions = [fresh() for _ in range(24)]
    fenced = leases.Lease("task", fresh("t"), OWNER, 1)

    async def one(number: int, session: str) -> object:
        if number % 6 == 3:
            return await store.append_decision(session, expected_seq=7, events=[event()], lease=None)
        if number % 6 == 5:
            return await store.append_fact(session, [event()], lease=fenced)
        return await store.append_fact(session, [event()])

    outcomes = await asyncio.gather(*map(one, range(24), sessions), return_exceptions=True)
    for number, (session, outcome) in enumerate(zip(sessions, outcomes, strict=True)):
        wanted = {3: Conflict, 5: Fenced}.get(number % 6)
        assert (await store.head(session)).seq == (0 if wanted else 1)
        assert isinstance(outcome, wanted or tuple)


async def test_an_append_that_nobody_waits_for_any_more_is_not_begun(store: EventStore) -> None:
    sessions = [fresh() for _ in range(12)]
    appends = [asyncio.ensure_future(store.append_fact(one, [event()])) for one in sessions]
    await asyncio.sleep(0)  # All have come; those behind the first ones wait.
    appends[-1].cancel()
    await asyncio.gather(*appends[:-1])
    assert [(await store.head(one)).seq for one in sessions] == [1] * 11 + [0]


async def test_the_database_and_python_compute_the_same_hash(store: EventStore) -> None:
    session = fresh()
    await store.append_fact(session, [event(task_id="t_1", text="ç😀\n"), event(task_id=None)])
    for one in await store.read(session):
        assert event_hash(one.prev, one) == one.hash


async def test_appending_the_same_events_again_is_recognised(store: EventStore) -> None:
    session = fresh()
    events = [event(n=1), event(n=2)]
    first = await store.append_fact(session, events)
    await store.append_fact(session, [event(n=3)])
    assert await store.append_fact(session, events) == first
    decided = [event(n=4)]
    done = await store.append_decision(session, expected_seq=3, events=decided, lease=None)
    assert await store.append_decision(session, expected_seq=3, events=decided, lease=None) == done
    assert (await store.head(session)).seq == 4


async def test_a_message_is_accepted_once(store: EventStore) -> None:
    session, key = fresh(), InboxKey("tool_loop_run", fresh("m"))
    attempts = [store.append_fact(session, [event(task_id="t_1", n=n)], inbox=key) for n in range(6)]
    outcomes = await asyncio.gather(*attempts)
    assert sum(one is not None for one in outcomes) == 1
    accepted = await store.accepted(key)
    assert accepted is not None
    assert (accepted.session_id, accepted.task_id) == (session, "t_1")
    assert (await store.head(session)).seq == 1
    assert await store.accepted(InboxKey("tool_loop_run", "never")) is None


async def test_a_failed_append_leaves_the_message_to_be_accepted_again(store: EventStore) -> None:
    session, key = fresh(), InboxKey("tool_loop_run", fresh("m"))
    with pytest.raises(psycopg.errors.CheckViolation):
        await store.append_fact(session, [event(task_id="no id at all")], inbox=key)
    assert await store.accepted(key) is None
    assert await store.append_fact(session, [event()], inbox=key) is not None


async def test_an_append_under_a_lost_lease_is_fenced(store: EventStore, pool: Pool) -> None:
    session, task = fresh(), fresh("t")
    await store.append_fact(session, [event(task_id=task)], task={"task_id": task, "goal": "g"})
    old = await leases.claim(pool, "task", task, OWNER, 60)
    assert old is not None
    await store.append_decision(session, expected_seq=1, events=[event(task_id=task)], lease=old)
    await leases.release(pool, old)
    with pytest.raises(Fenced):
        await store.append_decision(session, expected_seq=2, events=[event(task_id=task)], lease=old)
    new = await leases.claim(pool, "task", task, "host/boot/2/2", 60)
    assert new is not None
    assert new.epoch == old.epoch + 1
    with pytest.raises(Fenced):
        await store.append_fact(session, [event(task_id=task)], lease=old)
    assert await store.append_fact(session, [event(task_id=task)], lease=new) is not None


async def test_a_takeover_waits_for_an_append_under_the_old_lease(
    engine: Settings, store: EventStore, pool: Pool
) -> None:
    session, task = fresh(), fresh("t")
    await store.append_fact(session, [event(task_id=task)], task={"task_id": task, "goal": "g"})
    old = await leases.claim(pool, "task", task, OWNER, 60)
    assert old is not None
    await leases.expire_dead(pool, lambda owner: owner == OWNER)
    async with pool.connection() as writing, writing.transaction():
        await writing.execute(
            "SELECT arreio.append(%s, NULL, ARRAY[%s], ARRAY['tool.started'], ARRAY[1], ARRAY[%s], ARRAY['{}'], "
            "ARRAY['{}'], '{}', '{}', '{}', 'task', %s, %s, %s, NULL, NULL, NULL)",
            (session, fresh("e"), task, task, OWNER, old.epoch),
        )
        takeover = asyncio.create_task(leases.claim(pool, "task", task, "host/boot/2/2", 60))
        done, _ = await asyncio.wait([takeover], timeout=0.3)
        assert not done
    new = await takeover
    assert new is not None
    assert new.previous_owner == OWNER
    assert (await store.head(session)).seq == 2


EVERYBODY = (*LOGINS, "owner", "admin")
REFUSED = [
    *((role, "UPDATE arreio.session_events SET data = '{}' WHERE false") for role in EVERYBODY),
    *((role, "TRUNCATE arreio.session_events") for role in EVERYBODY),
    *((role, "DELETE FROM arreio.session_events WHERE false") for role in EVERYBODY),
    # The functions insert in the owner's name; what somebody else slips in so does not fit the chain.
    *((role, "INSERT INTO arreio.session_events DEFAULT VALUES") for role in LOGINS),
]


@pytest.mark.parametrize(("role", "statement"), REFUSED)
def test_no_role_changes_the_log_by_hand(engine: Settings, role: str, statement: str) -> None:
    with connect(engine, role) as connection, pytest.raises(psycopg.Error) as refused:
        connection.execute(statement)
    assert refused.value.sqlstate in ("AR003", "42501")


def test_the_refusal_holds_for_replication_too(engine: Settings) -> None:
    with connect(engine, "admin") as connection:
        connection.execute("SET session_replication_role = replica")
        with pytest.raises(psycopg.Error, match="append-only"):
            connection.execute("UPDATE arreio.session_events SET data = '{}'")


@pytest.mark.parametrize("table", ["session_heads", "outbox", "tasks", "leases", "inbox", "blobs", "dead_letters"])
@pytest.mark.parametrize("role", LOGINS)
def test_services_write_no_table_of_the_store_by_hand(engine: Settings, role: str, table: str) -> None:
    with connect(engine, role) as connection:
        for statement in (f"DELETE FROM arreio.{table}", f"INSERT INTO arreio.{table} DEFAULT VALUES"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)


async def test_maintenance_drops_only_whole_sessions_that_have_ended(engine: Settings, store: EventStore) -> None:
    session, task = fresh(), fresh("t")
    await store.append_fact(session, [event(), event()], task={"task_id": task, "goal": "g"})
    with connect(engine, "maintenance") as connection:
        assert not await _pruned(connection, store, session)
        await store.append_fact(session, [event()], task={"task_id": task, "state": "COMPLETE"})
        _by_force(engine, "UPDATE arreio.outbox SET published_at = now() WHERE session_id = %s", session)
        assert await _pruned(connection, store, session)
    assert await store.read(session) == []
    assert await store.verify_chain(session) is None


async def test_maintenance_cannot_make_an_open_session_look_finished(engine: Settings, store: EventStore) -> None:
    session, task = fresh(), fresh("t")
    await store.append_fact(session, [event()], task={"task_id": task, "goal": "g"})
    with connect(engine, "maintenance") as connection:
        for statement in (
            "DELETE FROM arreio.tasks WHERE session_id = %s",
            "DELETE FROM arreio.outbox WHERE session_id = %s",
            "DELETE FROM arreio.inbox WHERE session_id = %s",
            "DELETE FROM arreio.session_events WHERE session_id = %s",
            "UPDATE arreio.session_heads SET pruned_seq = seq, pruned_hash = hash WHERE session_id = %s",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement, (session,))
    assert len(await store.read(session)) == 1


async def _pruned(connection: psycopg.Connection[Any], store: EventStore, session: str) -> bool:
    found = await store.session(session)
    assert found is not None and found.anchor is not None
    head = (session, found.anchor.seq, found.anchor.hash)
    return connection.execute("SELECT arreio.prune_session(%s, %s, %s)", head).fetchone() == (True,)


@pytest.mark.parametrize("at", ["infinity", "-infinity", "20000-01-01"])
def test_a_time_that_no_client_can_read_is_refused_whoever_writes_it(engine: Settings, at: str) -> None:
    with connect(engine, "operator") as connection, pytest.raises(psycopg.Error, match=r"recorded_at|infin"):
        connection.execute(
            "SELECT arreio.add_session(%s, 1, decode(repeat('00', 32), 'hex'), ARRAY[%s], ARRAY['session.created'], "
            "ARRAY[1], ARRAY[NULL]::text[], ARRAY['{}'], ARRAY['{}'], ARRAY[%s]::timestamptz[], ARRAY[NULL]::bytea[], "
            "ARRAY[]::integer[], ARRAY[]::smallint[], ARRAY[]::text[], '[]')",
            (fresh(), fresh("e"), at),
        )


def _by_force(engine: Settings, statement: str, *arguments: Any) -> None:
    """What only somebody who owns the server can do: take the trigger away."""
    with connect(engine, "admin") as connection, connection.transaction():
        connection.execute("ALTER TABLE arreio.session_events DISABLE TRIGGER ALL")
        connection.execute(statement, arguments)
        connection.execute("ALTER TABLE arreio.session_events ENABLE ALWAYS TRIGGER session_events_append_only")
        connection.execute("ALTER TABLE arreio.session_events ENABLE ALWAYS TRIGGER session_events_whole")


async def test_a_row_changed_by_force_is_found_by_the_chain(engine: Settings, store: EventStore) -> None:
    session = fresh()
    await store.append_fact(session, [event(n=n) for n in range(5)])
    assert await store.verify_chain(session) is None
    _by_force(engine, "UPDATE arreio.session_events SET data = '{\"n\":7}' WHERE session_id = %s AND seq = 3", session)
    assert await store.verify_chain(session) == 3


async def test_a_tail_cut_by_force_is_found_by_the_anchor(engine: Settings, store: EventStore) -> None:
    session = fresh()
    await store.append_fact(session, [event(n=n) for n in range(5)])
    _by_force(engine, "DELETE FROM arreio.session_events WHERE session_id = %s AND seq > 3", session)
    assert await store.verify_chain(session) == 4


async def test_the_projection_of_a_task_changes_with_its_events(store: EventStore, pool: Pool) -> None:
    session, task = fresh(), fresh("t")
    await store.append_fact(session, [event()])
    await store.append_fact(session, [event(task_id=task)], task={"task_id": task, "goal": "do it\x00", "agent": "dev"})
    row = await show_task(pool, task)
    assert row is not None
    assert (row.state, row.goal, row.agent, row.steps, row.created_seq, row.last_seq) == (
        "PENDING", "do it\x00", "dev", 0, 2, 2,
    )  # fmt: skip
    await store.append_fact(
        session,
        [event(task_id=task), event(task_id=task)],
        task={"task_id": task, "state": "NEEDS_INPUT", "steps": 3, "awaiting": "input", "question": "?", "wake_in": 5},
    )
    row = await show_task(pool, task)
    assert row is not None
    assert row.wake_at is not None
    assert (row.state, row.steps, row.awaiting, row.question, row.last_seq) == ("NEEDS_INPUT", 3, "input", "?", 4)
    assert (row.goal, row.agent) == ("do it\x00", "dev")
    await store.append_fact(session, [event()], task={"task_id": task, "awaiting": None, "wake_at": None})
    row = await show_task(pool, task)
    assert row is not None
    assert (row.awaiting, row.wake_at, row.question) == (None, None, "?")
    assert row in await list_tasks(pool, states=["NEEDS_INPUT"], session_id=session)
    assert await open_task(pool, session) == row
    assert await unfinished(pool) >= 0


async def test_a_task_belongs_to_one_session(store: EventStore) -> None:
    task = fresh("t")
    await store.append_fact(fresh(), [event()], task={"task_id": task, "goal": "g"})
    other = fresh()
    with pytest.raises(WrongTask):
        await store.append_fact(other, [event()], task={"task_id": task, "state": "COMPLETE"})
    assert (await store.head(other)).seq == 0


@pytest.mark.parametrize("role", ["context_builder", "operator", "maintenance"])
async def test_roles_that_write_no_events_cannot_append(engine: Settings, role: str) -> None:
    async with store_of(engine, role) as (store, _):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await store.append_fact(fresh(), [event()])

"""Each service's role writes what it answers for, and nothing else; the database itself says no."""

from __future__ import annotations

import asyncio
from typing import Any

import psycopg
import pytest
from arreio_contracts.events import EVENTS
from arreio_contracts.task import TaskState

from shared.outbox.relay import LOCK
from shared.provision import LOGINS
from shared.settings import Settings
from shared.store import leases
from shared.store.events import EventStore, InboxKey
from shared.store.tasks import TASK_COLUMNS, TaskPatch
from shared.store.writers import WRITERS, Writer
from tests.support.programs import until
from tests.support.store import OWNER, connect, event, fresh, store_of

BY_ROLE = pytest.mark.parametrize("writer", WRITERS, ids=lambda writer: writer.role)
SERVICES = tuple(role for role in LOGINS if role not in ("arreio_operator", "arreio_maintenance"))
APPENDING = tuple(writer.role for writer in WRITERS)

FUNCTIONS = {
    "append": APPENDING,
    "put_blobs": (*(role for role in SERVICES if role != "arreio_console"), "arreio_operator"),
    "claim_lease": ("arreio_tool_loop", "arreio_gate_runner"),
    "heartbeat_leases": ("arreio_tool_loop", "arreio_gate_runner"),
    "release_lease": ("arreio_tool_loop", "arreio_gate_runner"),
    "expire_owners": ("arreio_tool_loop", "arreio_gate_runner"),
    "workspace_turn": ("arreio_tool_loop",),
    "take_relay": ("arreio_gateway", "arreio_learning"),
    "outbox_waiting": ("arreio_gateway", "arreio_learning"),
    "outbox_published": ("arreio_gateway", "arreio_learning"),
    "outbox_park": ("arreio_gateway", "arreio_learning"),
    "purge_published": ("arreio_gateway", "arreio_learning"),
    "dead_letter": tuple(writer.role for writer in WRITERS if writer.consumers),
    "resolve_dead_letter": ("arreio_console", "arreio_operator"),
    "add_session": ("arreio_console", "arreio_operator"),
    "advance_cursor": ("arreio_operator",),
    "forget_cursor": ("arreio_operator",),
    "prune_session": ("arreio_maintenance",),
}
"""Who may call which function of the store; the others are called by these alone."""


def service_of(role: str) -> str:
    return role.removeprefix("arreio_")


def session_for(settings: Settings, writer: Writer) -> str:
    """A new session that the role may append to: where it has streams of its own, it is made one of them."""
    session = fresh()
    if writer.sessions:
        with connect(settings, "owner") as connection:
            connection.execute(
                "UPDATE arreio.writers SET sessions = sessions || %s::text WHERE role = %s", (session, writer.role)
            )
    return session


async def refused(store: EventStore, *types: str, session: str = "", **options: object) -> str:
    """Why an append is refused."""
    with pytest.raises(psycopg.errors.InsufficientPrivilege) as error:
        await store.append_fact(session or fresh(), [event(type) for type in types], **options)  # type: ignore[arg-type]
    return str(error.value.diag.message_primary)


@BY_ROLE
async def test_a_role_appends_the_types_of_its_service_and_no_other(engine: Settings, writer: Writer) -> None:
    own = sorted(kind for kind, contract in EVENTS.items() if contract.writer == service_of(writer.role))
    assert own
    async with store_of(engine, writer.role) as (store, _):
        session = session_for(engine, writer)
        await store.append_fact(session, [event(kind) for kind in own])
        assert [one.type for one in await store.read(session)] == own
        for kind in sorted(set(EVENTS) - set(own)):
            assert await refused(store, kind) == f"{writer.role} may not append {kind}"
            assert await refused(store, own[0], kind) == f"{writer.role} may not append {kind}"
        assert await refused(store, "no.such") == f"{writer.role} may not append no.such"


@BY_ROLE
async def test_a_role_accepts_messages_as_its_own_consumers_alone(engine: Settings, writer: Writer) -> None:
    async with store_of(engine, writer.role) as (store, _):
        kind = writer.types[0]
        for consumer in {name for other in WRITERS for name in other.consumers}:
            key = InboxKey(consumer, fresh("m"))
            if consumer in writer.consumers:
                assert await store.append_fact(session_for(engine, writer), [event(kind)], inbox=key) is not None
            else:
                assert "accept messages as" in await refused(store, kind, inbox=key)
                assert await store.accepted(key) is None


@BY_ROLE
async def test_a_role_changes_its_own_columns_of_a_task_alone(engine: Settings, writer: Writer) -> None:
    task = fresh("t")
    async with store_of(engine, "tool_loop") as (store, _):
        await store.append_fact(fresh(), [event(task_id=task)], task=TaskPatch(task_id=task, goal="g"))
    session = session_for(engine, writer)
    async with store_of(engine, writer.role) as (store, _):
        kind = writer.types[0]
        for column in sorted(TASK_COLUMNS - set(writer.task_columns) - {"task_id"}):
            assert "to a task" in await refused(store, kind, session=session, task={"task_id": task, column: None})
        for state in sorted(set(TaskState) - set(writer.task_states)):
            change = {"task_id": task, "state": state.value}
            assert "to a task" in await refused(store, kind, session=session, task=change)
        if not writer.task_columns:
            assert "to a task" in await refused(store, kind, session=session, task={"task_id": task})


@pytest.mark.parametrize("role", ["learning", "console"])
async def test_who_records_for_himself_appends_to_no_other_session(engine: Settings, role: str) -> None:
    writer = next(one for one in WRITERS if one.role == f"arreio_{role}")
    async with store_of(engine, "owner") as (owner, _), store_of(engine, role) as (store, _):
        await owner.append_fact(task := fresh(), [event()])
        found = await refused(store, writer.types[0], session=task)
        assert found == f"{writer.role} may not append to session {task}"
        assert found.replace(task, other := fresh()) == await refused(store, writer.types[0], session=other)
        assert (await owner.head(task)).seq == 1


@pytest.mark.parametrize("role", ["gateway", "gate_runner", "learning"])
async def test_only_the_tool_loop_says_that_a_task_has_ended(engine: Settings, role: str) -> None:
    writer = next(one for one in WRITERS if one.role == f"arreio_{role}")
    async with store_of(engine, role) as (store, _):
        for state in ("COMPLETE", "BLOCKED", "FAILED"):
            change = {"task_id": fresh("t"), "state": state}
            session = session_for(engine, writer)
            assert "to a task" in await refused(store, writer.types[0], session=session, task=change)


@pytest.mark.parametrize(("role", "kind"), [("tool_loop", "gate"), ("gate_runner", "task")])
async def test_a_lease_of_another_kind_is_neither_claimed_nor_used(engine: Settings, role: str, kind: str) -> None:
    lease = leases.Lease(kind, fresh("c"), OWNER, 1)  # type: ignore[arg-type]
    own = next(one for one in WRITERS if one.role == f"arreio_{role}").types[0]
    async with store_of(engine, role) as (store, pool):
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match=f"lease of kind {kind}|workspace_turn"):
            await leases.claim(pool, lease.kind, lease.id, OWNER, 60)
        assert f"lease of kind {kind}" in await refused(store, own, lease=lease)


def _lease(settings: Settings, kind: str) -> leases.Lease:
    """A lease that is there, whoever holds it, for an hour."""
    lease = leases.Lease(kind, fresh("c"), f"host/boot/{fresh()}/1", 5)  # type: ignore[arg-type]
    with connect(settings, "owner") as connection:
        connection.execute(
            "INSERT INTO arreio.leases (kind, id, owner, epoch, claimed_at, expires_at) "
            "VALUES (%s, %s, %s, %s, now(), now() + interval '1 hour')",
            (lease.kind, lease.id, lease.owner, lease.epoch),
        )
    return lease


@pytest.mark.parametrize(("role", "kind"), [("tool_loop", "gate"), ("gate_runner", "task")])
async def test_a_lease_of_another_kind_is_neither_prolonged_nor_ended(engine: Settings, role: str, kind: str) -> None:
    lease = _lease(engine, kind)
    async with store_of(engine, role) as (_, pool):
        for call in (leases.heartbeat(pool, [lease], 3600), leases.release(pool, lease)):
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match=f"lease of kind {kind}"):
                await call
        assert await leases.expire_dead(pool, lambda owner: owner == lease.owner) == 0
    with connect(engine, "owner") as connection:
        found = connection.execute(
            "SELECT owner, expires_at BETWEEN now() + interval '50 minutes' AND now() + interval '1 hour' "
            "FROM arreio.leases WHERE kind = %s AND id = %s",
            (lease.kind, lease.id),
        ).fetchone()
    assert found == (lease.owner, True)


@pytest.mark.parametrize(("role", "kind"), [("tool_loop", "task"), ("gate_runner", "gate")])
async def test_a_role_prolongs_expires_and_gives_back_what_it_holds(engine: Settings, role: str, kind: str) -> None:
    lease, other = _lease(engine, kind), _lease(engine, kind)
    async with store_of(engine, role) as (_, pool):
        assert await leases.heartbeat(pool, [lease, other], 3600) == [other]  # it is another owner's
        assert await leases.expire_dead(pool, lambda owner: owner == lease.owner) == 1
        assert await leases.release(pool, lease)
        assert await leases.release(pool, other)


def test_each_role_may_call_its_own_functions_and_no_other(engine: Settings) -> None:
    with connect(engine, "admin") as connection:
        rows = connection.execute(
            "SELECT p.proname, r.rolname FROM pg_proc p CROSS JOIN pg_roles r "
            "WHERE p.pronamespace = 'arreio'::regnamespace AND r.rolname = ANY (%s) "
            "AND has_function_privilege(r.oid, p.oid, 'EXECUTE')",
            (list(LOGINS),),
        ).fetchall()
    found: dict[str, set[str]] = {}
    for name, role in rows:
        found.setdefault(name, set()).add(role)
    assert found == {name: set(roles) for name, roles in FUNCTIONS.items()}


def test_nobody_writes_a_table_of_the_store_by_hand(engine: Settings) -> None:
    with connect(engine, "admin") as connection:
        rows = connection.execute(
            "SELECT r.rolname, c.relname, a.privilege FROM pg_roles r CROSS JOIN pg_class c "
            "CROSS JOIN unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) AS a (privilege) "
            "WHERE c.relnamespace = 'arreio'::regnamespace AND c.relkind = 'r' AND r.rolname = ANY (%s) "
            "AND has_table_privilege(r.oid, c.oid, a.privilege)",
            (list(LOGINS),),
        ).fetchall()
        columns = connection.execute(
            "SELECT r.rolname, a.attname FROM pg_roles r "
            "CROSS JOIN pg_attribute a JOIN pg_class c ON c.oid = a.attrelid AND c.relkind = 'r' "
            "WHERE c.relnamespace = 'arreio'::regnamespace AND a.attnum > 0 AND r.rolname = ANY (%s) "
            "AND has_column_privilege(r.oid, c.oid, a.attnum, 'UPDATE')",
            (list(LOGINS),),
        ).fetchall()
    assert rows == []
    assert columns == []


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM gateway.channels",
        "UPDATE gateway.agent_instructions SET text = ''",
        "UPDATE learning.proposals SET state = 'approved'",
        "INSERT INTO console.users (name, role, password_hash) VALUES ('x', 'operator', 'x')",
        "UPDATE console.users SET role = 'operator'",
        "UPDATE console.users SET password_hash = ''",
        "UPDATE console.signing SET key = ''",
    ],
)
def test_the_console_makes_no_user_and_reads_no_channels_token(engine: Settings, statement: str) -> None:
    with connect(engine, "console") as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute(statement)


@pytest.mark.parametrize("role", [role for role in SERVICES if role != "arreio_console"])
def test_no_other_service_reads_who_may_use_the_console(engine: Settings, role: str) -> None:
    with connect(engine, service_of(role)) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("SELECT * FROM console.users")


def test_a_role_cannot_pass_for_another(engine: Settings) -> None:
    with connect(engine, "gate_runner") as connection:
        for statement in (
            "SET ROLE arreio_tool_loop",
            "SET SESSION AUTHORIZATION arreio_tool_loop",
            "SELECT set_config('role', 'arreio_tool_loop', false)",
        ):
            with pytest.raises(psycopg.Error):
                connection.execute(statement)


def takes_relay(connection: psycopg.Connection[Any]) -> bool:
    row = connection.execute("SELECT arreio.take_relay()").fetchone()
    return row == (True,)


def test_one_session_at_a_time_is_the_relay_until_it_ends(engine: Settings) -> None:
    with connect(engine, "learning") as second:
        with connect(engine, "gateway") as first:
            assert takes_relay(first)
            assert not takes_relay(second)
        until(lambda: takes_relay(second))


@pytest.mark.parametrize("role", ["tool_loop", "console", "operator", "maintenance"])
def test_a_role_that_may_not_relay_holds_no_relay_up_with_its_lock(engine: Settings, role: str) -> None:
    with connect(engine, role) as other, connect(engine, "gateway") as first, connect(engine, "learning") as second:
        assert other.execute("SELECT pg_try_advisory_lock(%s)", (LOCK,)).fetchone() == (True,)
        assert takes_relay(first)
        assert not takes_relay(second)
        first.close()
        until(lambda: takes_relay(second))


@pytest.mark.parametrize("role", ["gateway", "learning", "operator"])
async def test_a_role_that_takes_no_tasks_holds_no_workspace_up_with_a_lock(engine: Settings, role: str) -> None:
    task, workspace = fresh("t"), f"/{fresh('w')}"
    patch = TaskPatch(task_id=task, goal="g", workspace=workspace, state="PENDING")
    async with store_of(engine) as (store, pool):
        await store.append_fact(fresh(), [event(task_id=task)], task=patch)
        with connect(engine, role) as other:
            other.execute("SELECT pg_advisory_lock(hashtextextended('workspace:' || %s, 0))", (workspace,))
            async with asyncio.timeout(30):
                lease = await leases.claim(pool, "task", task, OWNER, 60)
    assert lease is not None


async def test_a_worker_of_older_code_that_looks_at_a_workspace_is_waited_for(engine: Settings) -> None:
    task, workspace = fresh("t"), f"/{fresh('w')}"
    patch = TaskPatch(task_id=task, goal="g", workspace=workspace, state="PENDING")
    async with store_of(engine) as (store, pool):
        await store.append_fact(fresh(), [event(task_id=task)], task=patch)
        with connect(engine, "tool_loop") as older:
            older.execute("SELECT pg_advisory_lock(hashtextextended('workspace:' || %s, 0))", (workspace,))
            claiming = asyncio.create_task(leases.claim(pool, "task", task, OWNER, 60))
            done, _ = await asyncio.wait({claiming}, timeout=0.3)
            assert not done
        assert await asyncio.wait_for(claiming, 30) is not None


def test_a_relay_of_older_code_which_takes_the_lock_itself_counts(engine: Settings) -> None:
    with connect(engine, "gateway") as older, connect(engine, "learning") as newer:
        assert older.execute("SELECT pg_try_advisory_lock(%s)", (LOCK,)).fetchone() == (True,)
        assert not takes_relay(newer)
        older.close()
        until(lambda: takes_relay(newer))
        with connect(engine, "gateway") as again:
            assert again.execute("SELECT pg_try_advisory_lock(%s)", (LOCK,)).fetchone() == (False,)

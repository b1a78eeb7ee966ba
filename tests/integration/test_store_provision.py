"""Provisioning on a real engine: once, again, twice at once."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import nats
import psycopg
import pytest
from arreio_contracts import subjects
from psycopg import sql

from shared import provision
from shared.bus.streams import CONSUMERS, STREAMS
from shared.settings import Settings
from tests.support.store import connect


def test_a_provisioned_engine_is_current_and_provisioning_again_changes_nothing(engine: Settings) -> None:
    assert provision.is_current(engine)
    with connect(engine, "admin") as connection:
        before = connection.execute("SELECT oid, relname FROM pg_class ORDER BY oid").fetchall()
        provision.provision(engine)
        assert connection.execute("SELECT oid, relname FROM pg_class ORDER BY oid").fetchall() == before
    assert provision.is_current(engine)


def test_two_provisionings_at_once_take_turns(engine: Settings) -> None:
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(provision.provision, [engine, engine]))
    assert provision.is_current(engine)


@pytest.mark.parametrize("what", ["schema", "streams"])
def test_a_definition_that_changed_is_noticed(engine: Settings, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    changed = {**provision.digests(), what: "other"}
    monkeypatch.setattr(provision, "digests", lambda *_: changed)
    assert not provision.is_current(engine)


def test_every_branch_is_at_its_head(engine: Settings) -> None:
    with connect(engine, "admin") as connection:
        heads = {head for (head,) in connection.execute("SELECT version_num FROM arreio.alembic_version")}
    # A head that another depends on is implied by it, so the store's own does not show until it has a second revision.
    assert {head.rpartition("_")[0] for head in heads} >= {"gateway", "learning"}


async def test_a_stream_that_is_gone_is_noticed_and_made_again(engine: Settings) -> None:
    assert await asyncio.to_thread(provision.has_streams, engine)
    client = await nats.connect(**engine.nats_options("services"))
    try:
        await client.jetstream().delete_stream(subjects.STREAM_DEAD)
        assert not await asyncio.to_thread(provision.has_streams, engine)
        await asyncio.to_thread(provision.provision, engine)
        assert await asyncio.to_thread(provision.has_streams, engine)
    finally:
        await client.close()


async def test_every_stream_and_consumer_is_there(engine: Settings) -> None:
    client = await nats.connect(**engine.nats_options("services"))
    try:
        stream = client.jetstream()
        for declared in STREAMS:
            info = await stream.stream_info(declared.name)
            assert (info.config.subjects, info.config.max_bytes) == ([declared.subject], declared.max_bytes)
        for consumer in CONSUMERS.values():
            config = (await stream.consumer_info(consumer.stream, consumer.name)).config
            assert config.ack_wait == consumer.ack_wait
            assert set(config.filter_subjects or [config.filter_subject or ""]) == set(consumer.filters)
    finally:
        await client.close()


@pytest.mark.parametrize(
    ("role", "statement"),
    [
        ("tool_loop", "SELECT * FROM gateway.profiles"),
        ("gateway", "SELECT * FROM learning.rules"),
        ("context_builder", "INSERT INTO gateway.projects VALUES ('x')"),
        ("gate_runner", "SELECT arreio.outbox_published('{}')"),
        ("gateway", "SELECT arreio.resolve_dead_letter(1, 'skipped')"),
        ("learning", "CREATE TABLE arreio.mine ()"),
        ("operator", "SELECT * FROM pg_authid"),
        ("gateway", "SELECT lo_create(0)"),
        ("learning", "SELECT lo_from_bytea(0, 'x')"),
        ("tool_loop", "ALTER ROLE CURRENT_USER CONNECTION LIMIT -1"),
    ],
)
def test_a_role_has_no_more_than_it_needs(engine: Settings, role: str, statement: str) -> None:
    with connect(engine, role) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute(statement)


def test_a_role_keeps_no_settings_of_its_own_and_may_not_take_all_connections(
    engine: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    with connect(engine, "learning") as connection:
        connection.execute("ALTER ROLE CURRENT_USER SET statement_timeout = 1234567")
        connection.execute(
            sql.SQL("ALTER ROLE CURRENT_USER IN DATABASE {} SET work_mem = '1MB'").format(
                sql.Identifier(connection.info.dbname)
            )
        )
    assert not provision.roles_are_clean(engine)
    provision.provision(engine)
    assert provision.roles_are_clean(engine)
    assert "statement_timeout=1234567 of the role arreio_learning" in caplog.text and "work_mem" in caplog.text
    with connect(engine, "operator") as connection:
        limits = connection.execute(
            "SELECT rolname, rolconnlimit FROM pg_roles WHERE rolname = ANY (%s)", (list(provision.LOGINS),)
        ).fetchall()
    assert dict(limits) == {role: 50 if role in provision.BOUND else -1 for role in provision.LOGINS}


def test_a_service_that_holds_the_lock_of_provisioning_is_cut_off(engine: Settings) -> None:
    with connect(engine, "learning") as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", (provision._LOCK,))
        provision.provision(engine)
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")


def test_asking_whether_all_is_current_imports_no_heavy_library() -> None:
    heavy = "alembic, sqlalchemy, nats, faststream"
    code = f"import sys, shared.provision; print([name for name in '{heavy}'.split(', ') if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_the_commands_stream_forgets_old_wake_ups() -> None:
    commands = next(stream for stream in STREAMS if stream.name == subjects.STREAM_COMMANDS)
    assert (commands.retention, commands.discard) == ("workqueue", "old")

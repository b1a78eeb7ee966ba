"""Whole sessions in a real PostgreSQL: added as they were or not at all, and dropped without breaking a chain."""

from __future__ import annotations

import asyncio
import json
import os
import random
import tracemalloc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from arreio_contracts import subjects

from arreio.commands import sessions as sessions_command
from arreio.replaying import replay
from services.tool_loop.copying import fork, fork_names, imported
from shared.canonical import canonical_json, sha256_hex
from shared.settings import Settings
from shared.store import leases, tasks
from shared.store.blobs import BlobStore
from shared.store.connection import Pool
from shared.store.errors import SessionExists, Tampered
from shared.store.events import EventStore, InboxKey, RecordedEvent, StoredSession
from shared.store.exports import BadExport, Export, read_exports, write_export
from shared.store.hashing import GENESIS, START, Anchor, event_hash
from shared.store.sessions import AddedEvent, add_session, finished_sessions, list_sessions, prune_session
from tests.support.histories import BlobsInMemory, first_seq, history
from tests.support.store import OWNER, connect, event, fresh, store_of

NOW = 1_900_000_000_000


@dataclass
class Opened:
    """The store as the operator, as maintenance and as a service see it."""

    settings: Settings
    operator: Pool
    maintenance: Pool
    store: EventStore

    async def session(self, session_id: str) -> StoredSession:
        found = await EventStore(self.operator).session(session_id)
        assert found is not None
        return found

    async def finished(self, name: str = "completed", upto: int | None = None) -> StoredSession:
        """A session of this test's own: a fork of a recorded history, with everything published."""
        source = history(name).session
        copy = fork(source, upto or len(source.events), fork_names(), "/fork", now_ms=NOW)
        await add_session(self.operator, copy.session_id, START, copy.events, copy.tasks)
        self.published(copy.session_id)
        return await self.session(copy.session_id)

    async def prune(self, session: StoredSession) -> bool:
        assert session.anchor is not None
        return await prune_session(self.maintenance, session.session_id, session.anchor)

    def published(self, session_id: str) -> None:
        with connect(self.settings, "owner") as connection:
            connection.execute(
                "UPDATE arreio.outbox SET published_at = clock_timestamp() WHERE session_id = %s", (session_id,)
            )


@pytest.fixture
async def opened(engine: Settings) -> AsyncIterator[Opened]:
    async with (
        store_of(engine, "operator", 4) as (_, operator),
        store_of(engine, "maintenance", 2) as (_, maintenance),
        store_of(engine, "owner", 4) as (store, _),
    ):
        yield Opened(engine, operator, maintenance, store)


async def add(opened: Opened, session: StoredSession) -> Anchor:
    copy = imported(session, now_ms=NOW)
    return await add_session(opened.operator, copy.session_id, session.base, copy.events, copy.tasks)


async def test_a_fork_stands_in_the_log_with_its_chain_and_its_tasks(opened: Opened) -> None:
    upto = first_seq("completed", "tool.finished")
    session = await opened.finished(upto=upto)
    assert session.first_bad_seq is None
    assert [one.type for one in session.events[upto:]] == ["session.forked", "task.parked"]
    source = history("completed").session
    assert [one.recorded_at for one in session.events[:upto]] == [one.recorded_at for one in source.events[:upto]]
    (row,) = await tasks.list_tasks(opened.operator, session_id=session.session_id)
    assert (row.state, row.created_seq, row.last_seq, row.workspace) == ("IN_PROGRESS", 2, upto + 2, "/fork")
    runnable = await leases.runnable(opened.operator, "task", 1000)
    assert row.task_id in [one.id for one in runnable]
    subjects_of = [
        one for (one,) in _rows(opened, session, "SELECT subject FROM arreio.outbox WHERE session_id = %s ORDER BY id")
    ]
    assert subjects_of == [
        subjects.event(session.session_id, "session.forked"),
        subjects.event(session.session_id, "task.parked"),
        subjects.COMMAND_RUN_TASK,
    ]


async def test_an_export_comes_back_byte_for_byte_after_it_was_pruned(opened: Opened) -> None:
    session = await opened.finished()
    await BlobStore(opened.operator).put_many(list(history("completed").blobs.values()))
    lines = list(write_export(session, history("completed").blobs))
    assert await opened.prune(session)
    gone = await opened.session(session.session_id)
    assert (gone.events, gone.first_bad_seq, gone.base) == ([], None, session.anchor)
    assert await tasks.list_tasks(opened.operator, session_id=session.session_id) == []
    (export,) = read_exports(lines)
    assert await add(opened, export.session) == session.anchor
    assert await opened.session(session.session_id) == session
    assert list(write_export(await opened.session(session.session_id), export.blobs)) == lines
    (row,) = await tasks.list_tasks(opened.operator, session_id=session.session_id)
    assert (row.state, row.steps, row.reply) == ("COMPLETE", 6, "It is done.")
    assert (await replay(session, BlobsInMemory(export.blobs))).problem is None


async def test_what_is_here_already_is_refused(opened: Opened) -> None:
    session = await opened.finished()
    with pytest.raises(SessionExists):
        await add(opened, session)
    copy = imported(session, now_ms=NOW)
    with pytest.raises(SessionExists, match="here already"):
        events = [replace(one, hash=None) for one in copy.events]
        await add_session(opened.operator, fresh(), START, events, [])
    other = fork(session, len(session.events), fork_names(), "/fork", now_ms=NOW)
    theirs = [{**row, "task_id": session.events[5].task_id} for row in other.tasks]
    with pytest.raises(SessionExists, match="here already"):
        await add_session(opened.operator, other.session_id, START, other.events, theirs)  # type: ignore[arg-type]
    assert await EventStore(opened.operator).session(other.session_id) is None


def _forged(session: StoredSession, place: int) -> StoredSession:
    """The session with one event changed and the chain made anew."""
    events, prev = list(session.events), session.base.hash
    for at, one in enumerate(events):
        text = one.data_text.replace("list_files", "read_file") if at == place else one.data_text
        changed = replace(one, data_text=text, prev=prev)
        prev = event_hash(prev, changed)
        events[at] = replace(changed, hash=prev)
    return replace(session, events=events, anchor=Anchor(events[-1].seq, prev))


async def test_the_database_itself_refuses_what_does_not_fit_its_hash(opened: Opened) -> None:
    copy = fork(history("asked").session, 9, fork_names(), "/fork", now_ms=NOW)
    for wrong in (2, 8):
        events = [replace(one, hash=bytes(32)) if at == wrong else one for at, one in enumerate(copy.events)]
        with pytest.raises(Tampered, match=f"event {wrong + 1} "):
            await add_session(opened.operator, copy.session_id, START, events, copy.tasks)
    with pytest.raises(psycopg.errors.InvalidParameterValue):
        await add_session(opened.operator, copy.session_id, Anchor(0, b"x" * 32), copy.events, copy.tasks)
    assert await EventStore(opened.operator).session(copy.session_id) is None


async def test_what_comes_back_must_be_what_was_pruned(opened: Opened) -> None:
    session = await opened.finished()
    assert await opened.prune(session)
    with pytest.raises(Tampered, match="another hash than the one that was pruned"):
        await add(opened, _forged(session, 7))
    shorter = replace(
        session, events=session.events[:-1], anchor=Anchor(len(session.events) - 1, session.events[-2].hash)
    )
    with pytest.raises(SessionExists):
        await add(opened, shorter)
    assert await add(opened, session) == session.anchor


async def test_a_pruned_session_goes_on_where_it_was(opened: Opened) -> None:
    session, other = await opened.finished(), await opened.finished()
    assert session.anchor is not None
    assert await opened.prune(session)
    await opened.store.append_decision(
        session.session_id, expected_seq=session.anchor.seq, events=[event("session.created"), event()], lease=None
    )
    later = await opened.session(session.session_id)
    assert [one.seq for one in later.events] == [session.anchor.seq + 1, session.anchor.seq + 2]
    assert later.events[0].prev == session.anchor.hash
    assert later.first_bad_seq is None
    assert (await opened.session(other.session_id)).first_bad_seq is None
    # What was pruned comes back before what was written since.
    assert await add(opened, session) == session.anchor
    whole = await opened.session(session.session_id)
    assert whole.first_bad_seq is None
    assert [one.seq for one in whole.events] == list(range(1, session.anchor.seq + 3))


async def test_a_session_that_was_pruned_twice_comes_back_in_two_steps(opened: Opened) -> None:
    session, task = fresh(), fresh("t")

    async def work(n: int) -> StoredSession:
        await opened.store.append_fact(
            session, [event(task_id=task, n=n)], task={"task_id": task, "goal": "g", "state": "COMPLETE"}
        )
        opened.published(session)
        return await opened.session(session)

    first = await work(1)
    assert await opened.prune(first)
    second = await work(2)
    assert await opened.prune(second)
    with pytest.raises(SessionExists):
        await _add_plain(opened, first)
    await _add_plain(opened, second)
    await _add_plain(opened, first)
    whole = await opened.session(session)
    assert (len(whole.events), whole.first_bad_seq, whole.base) == (2, None, START)


async def _add_plain(opened: Opened, session: StoredSession) -> None:
    events = [
        AddedEvent(
            one.event_id,
            one.type,
            one.schema_version,
            one.task_id,
            one.data_text,
            one.metadata_text,
            one.recorded_at,
            one.hash,
        )
        for one in session.events
    ]
    await add_session(opened.operator, session.session_id, session.base, events, [])


async def test_only_a_finished_session_that_is_published_and_unmoved_is_pruned(opened: Opened) -> None:
    session = await opened.finished()
    assert session.anchor is not None
    await opened.store.append_fact(session.session_id, [event()])
    assert not await opened.prune(session)  # it moved
    moved = await opened.session(session.session_id)
    assert not await opened.prune(moved)  # the new event is not published
    opened.published(session.session_id)
    task = fresh("t")
    await opened.store.append_fact(session.session_id, [event(task_id=task)], task={"task_id": task, "goal": "g"})
    opened.published(session.session_id)
    assert not await opened.prune(await opened.session(session.session_id))  # a task is open
    await opened.store.append_fact(session.session_id, [event()], task={"task_id": task, "state": "BLOCKED"})
    opened.published(session.session_id)
    done = await opened.session(session.session_id)
    assert await opened.prune(done)
    assert not await opened.prune(done)  # once
    without_tasks = fresh()
    await opened.store.append_fact(without_tasks, [event("proposal.created")])
    opened.published(without_tasks)
    assert not await opened.prune(await opened.session(without_tasks))


async def test_what_may_be_pruned_is_old_and_finished(opened: Opened) -> None:
    finished = await opened.finished()
    going_on = await opened.finished(upto=first_seq("completed", "tool.finished"))
    later = datetime.now(UTC) + timedelta(hours=1)
    found = await finished_sessions(opened.operator, before=later)
    assert finished.session_id in found and going_on.session_id not in found
    assert finished.session_id not in await finished_sessions(
        opened.operator, before=datetime.now(UTC) - timedelta(hours=1)
    )
    heads = {head.session_id: head for head in await list_sessions(opened.operator)}
    assert heads[finished.session_id].seq == len(finished.events)


async def test_an_append_and_a_prune_at_once_leave_one_of_two_sound_sessions(opened: Opened) -> None:
    for _ in range(10):
        session = await opened.finished()
        assert session.anchor is not None
        append = opened.store.append_fact(session.session_id, [event()])
        pruned, _ = await asyncio.gather(opened.prune(session), append)
        found = await opened.session(session.session_id)
        assert found.first_bad_seq is None
        assert len(found.events) == (1 if pruned else len(session.events) + 1)


async def test_a_message_or_task_that_comes_back_after_pruning_is_new_and_sees_nothing_of_the_old(
    opened: Opened,
) -> None:
    """dbos-inc/dbos-transact-py#769: an id that was used again got the old run's outputs.

    It gets a new run: what was recorded of the old one is gone in one transaction.
    """
    session, task, key = fresh(), fresh("t"), InboxKey("gateway_inbound", fresh("m"))
    await opened.store.append_fact(
        session, [event("task.created", task_id=task, run="old")], inbox=key, task={"task_id": task, "goal": "g"}
    )
    old = await leases.claim(opened.store._pool, "task", task, OWNER, 60)
    assert old is not None
    await opened.store.append_fact(
        session, [event(task_id=task)], task={"task_id": task, "state": "COMPLETE", "reply": "old"}
    )
    await leases.release(opened.store._pool, old)
    opened.published(session)
    assert await opened.prune(await opened.session(session))
    assert await opened.store.accepted(key) is None
    again = await opened.store.append_fact(
        session, [event("task.created", task_id=task, run="new")], inbox=key, task={"task_id": task, "goal": "g"}
    )
    assert again is not None and again.seq == 3
    row = await tasks.show_task(opened.operator, task)
    assert row is not None and (row.state, row.reply, row.created_seq) == ("PENDING", None, 3)
    assert [one.data["run"] for one in await opened.store.read_task(session, task, ["task.created"])] == ["new"]
    new = await leases.claim(opened.store._pool, "task", task, OWNER, 60)
    assert new is not None and new.epoch == old.epoch + 1
    # Whoever still holds the old run is fenced.
    with pytest.raises(Exception, match="no longer held"):
        await opened.store.append_fact(session, [event(task_id=task)], lease=old)


async def test_a_prune_that_dies_half_way_drops_nothing(opened: Opened) -> None:
    session = await opened.finished()
    assert session.anchor is not None
    with connect(opened.settings, "maintenance") as connection:
        connection.autocommit = False
        connection.execute(
            "SELECT arreio.prune_session(%s, %s, %s)", (session.session_id, session.anchor.seq, session.anchor.hash)
        )
        with connect(opened.settings, "admin") as admin:
            admin.execute("SELECT pg_terminate_backend(%s)", (connection.info.backend_pid,))
        with pytest.raises(psycopg.OperationalError):
            connection.commit()
    assert await opened.session(session.session_id) == session
    assert await opened.prune(session)


def _rows(opened: Opened, session: StoredSession, query: str) -> list[tuple[str]]:
    with connect(opened.settings, "operator") as connection:
        return connection.execute(query.encode(), (session.session_id,)).fetchall()


def of_its_own(export: Export) -> StoredSession:
    """A session of an export under ids that no other test uses, chained anew."""
    ids = {one: fresh("x") for event in export.session.events for one in (event.task_id, event.event_id) if one}
    session_id, prev, events = fresh(), GENESIS, list[RecordedEvent]()
    for one in export.session.events:
        data, metadata = one.data_text, one.metadata_text
        for old, new in ids.items():
            data, metadata = data.replace(old, new), metadata.replace(old, new)
        task = one.task_id and ids[one.task_id]
        own = replace(one, session_id=session_id, event_id=ids[one.event_id], task_id=task)
        own = replace(own, data_text=canonical_json(json.loads(data)), metadata_text=metadata, prev=prev)
        events.append(replace(own, hash=(prev := event_hash(prev, own))))
    return StoredSession(session_id, events, Anchor(len(events), prev), START)


@pytest.fixture
def importing(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> Opened:
    """The store that the command imports into, whatever process it runs in."""

    @asynccontextmanager
    async def reading(_: Settings) -> AsyncIterator[Pool]:
        yield opened.operator

    monkeypatch.setattr(sessions_command, "reading", reading)
    return opened


async def test_an_import_keeps_one_session_in_memory_and_no_more_of_its_blobs_than_go_at_once(
    importing: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    history_ = history("completed")
    blobs = {sha256_hex(one): one for one in (random.Random(n).randbytes(1 << 17).hex().encode() for n in range(40))}
    sessions = [of_its_own(history_) for _ in range(2)]
    file = tmp_path / "large.ndjson"
    with file.open("w", encoding="utf-8") as out:
        for session, more in zip(sessions, (blobs, {}), strict=True):
            out.writelines(write_export(session, {**history_.blobs, **more}))
    size = file.stat().st_size
    assert size > 10 << 20
    monkeypatch.setattr(sessions_command, "BATCH_BYTES", 1 << 18)
    tracemalloc.start()
    try:
        await sessions_command._import(importing.settings, file, as_json=False)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 0.6 * size
    for session in sessions:
        found = await importing.session(session.session_id)
        assert list(write_export(found, {}))[1:] == list(write_export(session, {}))[1:]
    assert await BlobStore(importing.operator).get_many(list(blobs)) == blobs


async def test_a_file_that_is_wrong_at_its_end_is_refused_before_anything_of_it_is_imported(
    importing: Opened, tmp_path: Path
) -> None:
    first, second = (of_its_own(history("completed")) for _ in range(2))
    lines = [*write_export(first, history("completed").blobs), *write_export(second, history("completed").blobs)]
    (tmp_path / "cut.ndjson").write_text("".join(lines[:-1]), encoding="utf-8")
    with pytest.raises(BadExport, match="nothing was imported"):
        await sessions_command._import(importing.settings, tmp_path / "cut.ndjson", as_json=False)
    assert await EventStore(importing.operator).session(first.session_id) is None


async def test_what_can_be_read_once_is_imported_too(importing: Opened, tmp_path: Path) -> None:
    session = of_its_own(history("completed"))
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    text = "".join(write_export(session, history("completed").blobs))
    writing = asyncio.get_running_loop().run_in_executor(None, pipe.write_text, text)
    await sessions_command._import(importing.settings, pipe, as_json=False)
    await writing
    assert (await importing.session(session.session_id)).anchor == session.anchor

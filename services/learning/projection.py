"""The tables of learning, folded from its stream: an event more, and each table says what follows from it."""

import json
from typing import Final, LiteralString

from arreio_contracts.events import (
    EventData,
    Learnt,
    LearntDemoted,
    LearntExpired,
    LearntPromoted,
    LearntRolledBack,
    LearntScored,
    ProposalApproved,
    ProposalCreated,
    ProposalRejected,
    ProposalSupported,
)

from shared.store.connection import Connection, Pool, connected
from shared.store.events import EventStore, RecordedEvent

from .stream import STREAM

_TABLES: Final = {"rule": "learning.rules", "skill": "learning.skills"}
_BATCH: Final = 500


async def catch_up(pool: Pool, store: EventStore) -> int:
    """Fold what is new into the tables; the seq of the last event that they hold.

    Raises:
        StoreUnavailable: PostgreSQL cannot be reached; nothing is half folded.
    """
    while True:
        async with connected(pool) as connection:
            seq = await _progress(connection, "SELECT seq FROM learning.progress")
        # Read before the lock is taken: whoever holds it needs no second connection, which may not be free.
        events = await store.read(STREAM, after=seq, limit=_BATCH)
        if not events:
            return seq
        async with connected(pool) as connection, connection.transaction():
            if await _progress(connection, "SELECT seq FROM learning.progress FOR UPDATE") == seq:
                for event in events:
                    await _fold(connection, event)
                await connection.execute("UPDATE learning.progress SET seq = %s", (events[-1].seq,))


async def _progress(connection: Connection, query: LiteralString) -> int:
    row = await (await connection.execute(query)).fetchone()
    assert row is not None  # the migration wrote it
    return int(row[0])


async def _fold(connection: Connection, event: RecordedEvent) -> None:
    data: EventData = event.contract
    match data:
        case ProposalCreated():
            await _created(connection, event, data)
        case ProposalSupported():
            await _supported(connection, data)
        case ProposalApproved():
            await _approved(connection, event, data)
        case ProposalRejected():
            await _decided(connection, event, data.proposal_id, "rejected", data.by, data.why)
        case LearntRolledBack():
            await _decided(connection, event, data.proposal_id, "rolled_back", data.by, data.why)
            await _give_way(connection, data.learnt, "rolled_back", data.to_version)
        case LearntScored():
            await _scored(connection, event, data)
        case LearntPromoted():
            await _on_version(
                connection,
                data.learnt,
                "standing = 'established', expires_at = to_timestamp(%s / 1000.0)",
                data.expires_ms,
            )
        case LearntDemoted():
            await _of_version(connection, data.learnt, "demoted")
            await _give_way(connection, data.learnt, "demoted", data.to_version)
        case LearntExpired():
            await _of_version(connection, data.learnt, "expired")
            await _give_way(connection, data.learnt, "expired", None)


async def _created(connection: Connection, event: RecordedEvent, data: ProposalCreated) -> None:
    await connection.execute(
        "INSERT INTO learning.proposals (proposal_id, kind, title, body, session_id, task_id, created_at, name, tasks) "
        "VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
        (
            *(data.proposal_id, data.kind, data.title, data.model_dump_json(), data.source_session, data.source_task),
            *(event.recorded_at, data.name or data.proposal_id, [data.source_task]),
        ),
    )


async def _supported(connection: Connection, data: ProposalSupported) -> None:
    """Another task's evidence comes to what there is, which stays as it was shown, whatever an old event says."""
    await connection.execute(
        "UPDATE learning.proposals SET tasks = tasks || %s::text, body = body || jsonb_build_object("
        "'evidence', coalesce(body->'evidence', '[]') || %s::jsonb) "
        "WHERE proposal_id = %s AND NOT %s = ANY (tasks)",
        (
            *(data.source_task, json.dumps(data.model_dump(mode="json")["evidence"])),
            *(data.proposal_id, data.source_task),
        ),
    )


async def _approved(connection: Connection, event: RecordedEvent, data: ProposalApproved) -> None:
    await _decided(connection, event, data.proposal_id, "approved", data.by, "")
    await connection.execute(
        "UPDATE learning.proposals SET version = %s, body = body || %s::jsonb WHERE proposal_id = %s",
        (
            data.learnt.version,
            json.dumps({"diff": data.diff, "preconditions": data.preconditions.model_dump(mode="json")}),
            data.proposal_id,
        ),
    )
    table = _TABLES.get(data.learnt.kind)
    if table is None:
        return
    await connection.execute(
        "UPDATE learning.proposals SET state = 'superseded' WHERE kind = %s AND name = %s AND state = 'approved' "
        "AND proposal_id <> %s",
        (data.learnt.kind, data.learnt.name, data.proposal_id),
    )
    await connection.execute(
        f"UPDATE {table} SET active = false, standing = 'superseded' WHERE name = %s AND active", (data.learnt.name,)
    )
    await connection.execute(
        f"INSERT INTO {table} (name, version, proposal_id, body, active, created_at, preconditions, expires_at, "
        "approved_by) VALUES (%s, %s, %s, %s, true, %s, %s, to_timestamp(%s / 1000.0), %s)",
        (
            *(data.learnt.name, data.learnt.version, data.proposal_id, data.text, event.recorded_at),
            *(data.preconditions.model_dump_json(), data.expires_ms, data.by),
        ),
    )


async def _decided(
    connection: Connection, event: RecordedEvent, proposal_id: str, state: str, by: str, why: str
) -> None:
    await connection.execute(
        "UPDATE learning.proposals SET state = %s, decided_at = %s, decided_by = %s, why = %s WHERE proposal_id = %s",
        (state, event.recorded_at, by, why, proposal_id),
    )


async def _of_version(connection: Connection, learnt: Learnt, state: str) -> None:
    """What becomes of the proposal that made a version."""
    await connection.execute(
        "UPDATE learning.proposals SET state = %s WHERE kind = %s AND name = %s AND version = %s",
        (state, learnt.kind, learnt.name, learnt.version),
    )


async def _give_way(connection: Connection, learnt: Learnt, standing: str, to_version: int | None) -> None:
    """A version is out of force; the one before it, if there is one, is in force again, on trial."""
    if learnt.kind not in _TABLES:
        return
    await _on_version(connection, learnt, "active = false, standing = %s", standing)
    if to_version is not None:
        before = learnt.model_copy(update={"version": to_version})
        await _on_version(connection, before, "active = true, standing = 'trial'")
        await _of_version(connection, before, "approved")


async def _on_version(connection: Connection, learnt: Learnt, change: str, *values: object) -> None:
    statement = f"UPDATE {_TABLES[learnt.kind]} SET {change} WHERE name = %s AND version = %s"
    await connection.execute(statement.encode(), (*values, learnt.name, learnt.version))


async def _scored(connection: Connection, event: RecordedEvent, data: LearntScored) -> None:
    await connection.execute(
        "INSERT INTO learning.outcomes VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
        (
            *(data.source_task, data.source_session, data.outcome, data.code, data.agent, data.workspace),
            *(list(data.criteria), event.recorded_at),
        ),
    )
    for one in data.used:
        await connection.execute(
            "INSERT INTO learning.uses VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING",
            (one.kind, one.name, one.version, data.source_task),
        )

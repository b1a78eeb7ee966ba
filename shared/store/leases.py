"""Leases: who works on a task or judges a claim, fenced by an epoch, all by the database's clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from shared.store.connection import Connection, Pool, connected

Kind = Literal["task", "gate"]

_OPEN: Final = "('PENDING', 'IN_PROGRESS', 'NEEDS_INPUT')"
_BEFORE: Final = (
    "SELECT FROM arreio.tasks o LEFT JOIN arreio.leases h ON h.kind = 'task' AND h.id = o.task_id "
    f"WHERE o.state IN {_OPEN} AND o.workspace = t.workspace AND o.session_id <> t.session_id "
    "AND (h.owner IS NOT NULL AND h.expires_at > clock_timestamp() "
    # One order for all, so that two never wait for each other: who was cut off at work, then who has waited longest.
    "  OR o.state <> 'NEEDS_INPUT' AND (o.state = 'PENDING', o.created_at, o.task_id) "
    "  < (t.state = 'PENDING', t.created_at, t.task_id) "
    "  AND NOT EXISTS (SELECT FROM arreio.tasks e WHERE e.session_id = o.session_id "
    f"    AND e.created_seq < o.created_seq AND e.state IN {_OPEN}))"
)
"""Other sessions' tasks (o) that keep a task (t) out of its workspace: at work there, or waiting for longer."""
_RUNNABLE: Final = {
    # One look at every open task; `first` is who has each workspace, or gets it next, by the order of `_BEFORE`.
    "task": (
        "WITH o AS MATERIALIZED (SELECT t.task_id, t.session_id, t.workspace, t.state, t.awaiting, t.wake_at, "
        "  t.cancel_requested, t.updated_at, t.created_at, t.state = 'PENDING' AS pending, "
        "  (l.owner IS NOT NULL AND l.expires_at > clock_timestamp()) IS TRUE AS held, "
        "  t.created_seq = min(t.created_seq) OVER (PARTITION BY t.session_id) AS head FROM arreio.tasks t "
        f"  LEFT JOIN arreio.leases l ON l.kind = 'task' AND l.id = t.task_id WHERE t.state IN {_OPEN}), "
        "first AS (SELECT DISTINCT ON (workspace) * FROM o WHERE workspace IS NOT NULL AND head "
        "  AND (held OR state <> 'NEEDS_INPUT') ORDER BY workspace, held DESC, pending, created_at, task_id) "
        "SELECT t.task_id, t.session_id, t.task_id FROM o t LEFT JOIN first f ON f.workspace = t.workspace "
        "WHERE (t.head OR t.state = 'PENDING' AND t.cancel_requested) AND NOT t.held "
        "AND (t.awaiting IS NULL OR t.wake_at <= clock_timestamp() OR t.cancel_requested) "
        "AND (t.cancel_requested OR f.task_id IS NULL OR NOT f.held "
        "  AND (t.pending, t.created_at, t.task_id) <= (f.pending, f.created_at, f.task_id)) "
        "ORDER BY t.updated_at LIMIT %s"
    ),
    "gate": (
        "SELECT t.awaiting_id, t.session_id, t.task_id FROM arreio.tasks t "
        "LEFT JOIN arreio.leases l ON l.kind = 'gate' AND l.id = t.awaiting_id "
        f"WHERE t.state IN {_OPEN} AND t.awaiting = 'gate' AND t.awaiting_id IS NOT NULL "
        "AND (l.owner IS NULL OR l.expires_at <= clock_timestamp()) "
        "ORDER BY t.updated_at LIMIT %s"
    ),
}


@dataclass(frozen=True)
class Lease:
    """A lease that was claimed, at `claimed_ms` by the database's clock (milliseconds since the epoch).

    `previous_owner` is set when it was taken from one that let it expire (a takeover).
    """

    kind: Kind
    id: str
    owner: str
    epoch: int
    previous_owner: str | None = None
    claimed_ms: int = 0


class Runnable(NamedTuple):
    """Something that nobody works on: the lease's id, and the session and task it is about."""

    id: str
    session_id: str
    task_id: str


async def claim(pool: Pool, kind: Kind, id: str, owner: str, ttl: float) -> Lease | None:
    """Take the lease for `ttl` seconds; None while anyone (the same owner too) holds it, or there is nothing to do.

    A task must not have ended, no earlier task of its session may be open, and no other session's task may be at work
    in its workspace or wait for it longer, unless it is cancelled; a gate's claim must still wait.
    """
    async with connected(pool) as connection, connection.transaction():
        if kind == "task" and await _kept_out(connection, id):
            return None
        cursor = await connection.execute(
            "SELECT epoch, previous_owner, (extract(epoch FROM clock_timestamp()) * 1000)::bigint "
            "FROM arreio.claim_lease(%s, %s, %s, %s)",
            (kind, id, owner, ttl),
        )
        row = await cursor.fetchone()
    return None if row is None else Lease(kind, id, owner, *row)


async def _kept_out(connection: Connection, task_id: str) -> bool:
    """Whether another session has the task's workspace. Until the transaction's end nobody else can take it."""
    # Two statements: the second one sees what was committed while the first one waited.
    await connection.execute("SELECT arreio.workspace_turn(%s)", (task_id,))
    found = await connection.execute(
        f"SELECT FROM arreio.tasks t WHERE t.task_id = %s AND NOT t.cancel_requested AND EXISTS ({_BEFORE})", (task_id,)
    )
    return bool(found.rowcount)


async def kept_out_by(pool: Pool, task_id: str) -> list[str]:
    """The tasks of other sessions that a task waits for, since they have its workspace or wait for it longer."""
    async with connected(pool) as connection:
        found = await connection.execute(
            f"SELECT o.task_id FROM arreio.tasks t, LATERAL ({_BEFORE.replace('SELECT', 'SELECT o.task_id', 1)}) o "
            "WHERE t.task_id = %s AND t.state IN ('PENDING', 'IN_PROGRESS') ORDER BY 1",
            (task_id,),
        )
        return [row[0] for row in await found.fetchall()]


async def heartbeat(pool: Pool, leases: Sequence[Lease], ttl: float) -> list[Lease]:
    """Prolong leases of one owner to `ttl` seconds from now; the ones returned are lost."""
    if not leases:
        return []
    async with connected(pool) as connection:
        cursor = await connection.execute(
            "SELECT kind, id, epoch FROM arreio.heartbeat_leases(%s, %s::text[], %s::text[], %s::bigint[], %s)",
            (
                leases[0].owner,
                [lease.kind for lease in leases],
                [lease.id for lease in leases],
                [lease.epoch for lease in leases],
                ttl,
            ),
        )
        held = set(await cursor.fetchall())
    return [lease for lease in leases if (lease.kind, lease.id, lease.epoch) not in held]


async def release(pool: Pool, lease: Lease) -> bool:
    """Give the lease back; False when it was no longer held."""
    async with connected(pool) as connection:
        cursor = await connection.execute(
            "SELECT arreio.release_lease(%s, %s, %s, %s)", (lease.kind, lease.id, lease.owner, lease.epoch)
        )
        row = await cursor.fetchone()
    return bool(row and row[0])


async def expire_dead(pool: Pool, is_dead: Callable[[str], bool]) -> int:
    """Expire at once the leases, of the kinds that are the caller's, of owners that certainly have ended; how many.

    An owner names one process once and for all (`shared.processes.owner_id`), so a verdict cannot become wrong later.
    """
    async with connected(pool) as connection:
        cursor = await connection.execute(
            "SELECT DISTINCT owner FROM arreio.leases WHERE owner IS NOT NULL AND expires_at > clock_timestamp()"
        )
        dead = [owner for (owner,) in await cursor.fetchall() if is_dead(owner)]
        if not dead:
            return 0
        row = await (await connection.execute("SELECT arreio.expire_owners(%s::text[])", (dead,))).fetchone()
    return int(row[0]) if row else 0


async def runnable(pool: Pool, kind: Kind = "task", limit: int = 16) -> list[Runnable]:
    """What may be worked on and is not, the longest waiting first."""
    async with connected(pool) as connection:
        cursor = await connection.execute(_RUNNABLE[kind], (limit,))
        return [Runnable(*row) for row in await cursor.fetchall()]

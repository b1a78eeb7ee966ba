"""The event store: appending decisions and facts, and reading sessions back."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, Final, NamedTuple

import psycopg
from arreio_contracts import subjects
from arreio_contracts.errors import InvalidBody
from arreio_contracts.events import EVENTS, EventData, Metadata
from arreio_contracts.upcasting import read_event, upcast
from pydantic import BaseModel, ValidationError

from shared.canonical import ESCAPE, canonical_json, parse_json
from shared.observing.recorded import appended
from shared.store import arrays
from shared.store.committing import Committer
from shared.store.connection import Pool, connected
from shared.store.errors import Conflict, Fenced, WrongTask
from shared.store.hashing import START, Anchor, ChainBreak, chain_break
from shared.store.leases import Lease
from shared.store.tasks import TaskPatch, patch_json
from shared.store.waking import Waker

_LAST_STEPS: Final = 64
"""Events among the last of a task in which that lies by which it ended or waits."""
COLUMNS: Final = "session_id, seq, event_id, type, schema_version, task_id, data, metadata, recorded_at, prev, hash"


def new_event_id() -> str:
    """A UUID of version 7: it sorts by the millisecond in which it was made."""
    random = int.from_bytes(os.urandom(10))
    value = (time.time_ns() // 1_000_000 & (1 << 48) - 1) << 80 | random
    value = value & ~(0xF << 76) | 7 << 76
    value = value & ~(3 << 62) | 2 << 62
    text = f"{value:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


@dataclass(frozen=True, kw_only=True)
class NewEvent:
    """An event to append. `routes` are subjects it is published on besides `events.<session>.<type>`.

    Its id is made once, so that appending the same object again after an unknown outcome is recognised.
    """

    type: str
    data: BaseModel | Mapping[str, Any]
    metadata: Metadata
    task_id: str | None = None
    schema_version: int = 1
    routes: tuple[str, ...] = ()
    event_id: str = field(default_factory=new_event_id)


def event_of(
    data: EventData, metadata: Metadata, *, task_id: str | None = None, routes: tuple[str, ...] = ()
) -> NewEvent:
    """The event of a contract, whose class knows type and version."""
    return NewEvent(
        type=data.type, data=data, metadata=metadata, task_id=task_id, schema_version=data.version, routes=routes
    )


class Head(NamedTuple):
    """The seq of a session's last event, 0 when there is no such session, and the database's clock in milliseconds."""

    seq: int
    now_ms: int


class Appended(NamedTuple):
    """Where an append ended: the seqs of its first and last event, the session's hash, the database's clock."""

    first_seq: int
    seq: int
    hash: bytes
    at: datetime


class InboxKey(NamedTuple):
    """The message that an append accepts; `consumer` accepts each `message_id` once."""

    consumer: str
    message_id: str


class Accepted(NamedTuple):
    """What became of a message that was accepted before."""

    session_id: str
    event_id: str
    task_id: str | None


@dataclass(frozen=True)
class RecordedEvent:
    """An event as it stands in the log, its texts not parsed."""

    session_id: str
    seq: int
    event_id: str
    type: str
    schema_version: int
    task_id: str | None
    data_text: str = field(repr=False)
    metadata_text: str = field(repr=False)
    recorded_at: datetime
    prev: bytes = field(repr=False)
    hash: bytes = field(repr=False)

    @cached_property
    def data(self) -> dict[str, Any]:
        """The event's data, as the current version of its contract has it.

        Raises:
            UnknownVersion: it was written by newer code.
        """
        return dict(upcast(self.type, self.schema_version, parse_json(self.data_text)))

    @property
    def contract(self) -> EventData:
        """The event's data as its contract, read anew each time. Fields that only newer code knows are passed over.

        Raises:
            ContractError: no contract describes it, its version is newer, or it does not fit.
        """
        return self.read_contract()

    def read_contract(self, *, exact: bool = False) -> EventData:
        """The same; with `exact` a field that is not known is an `InvalidBody` that names it."""
        kind = EVENTS.get(self.type)
        if kind is None or kind.version != self.schema_version or ESCAPE in self.data_text:
            return read_event(self.type, self.schema_version, parse_json(self.data_text), exact=exact)
        try:
            return kind.model_validate_json(self.data_text, extra="forbid" if exact else "ignore")
        except ValidationError as error:
            raise _invalid("data", error) from error

    @property
    def metadata(self) -> Metadata:
        """What is known of the event apart from its data, read anew each time.

        Raises:
            InvalidBody: it does not fit.
        """
        try:
            if ESCAPE in self.metadata_text:
                return Metadata.known_of(parse_json(self.metadata_text))
            return Metadata.known_of_json(self.metadata_text)
        except ValidationError as error:
            raise _invalid("metadata", error) from error


def _invalid(part: str, error: ValidationError) -> InvalidBody:
    first = error.errors(include_url=False)[0]
    return InvalidBody(".".join((part, *map(str, first["loc"]))), first["msg"])


@dataclass(frozen=True)
class StoredSession:
    """A session as one moment saw it: its events, its anchored head, and what was pruned before them."""

    session_id: str
    events: list[RecordedEvent]
    anchor: Anchor | None
    base: Anchor

    @property
    def chain_break(self) -> ChainBreak | None:
        """Where it differs from its hash chain or its anchor, and how; None when it is sound."""
        return chain_break(self.events, self.anchor, self.base)

    @property
    def first_bad_seq(self) -> int | None:
        """Where it differs from its hash chain or its anchor; None when it is sound."""
        found = self.chain_break
        return None if found is None else found.seq


class EventStore:
    """The log, as one service's role may use it."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._waker = Waker(pool)
        self._committer = Committer(pool)

    async def append_decision(
        self,
        session_id: str,
        *,
        expected_seq: int,
        events: Sequence[NewEvent],
        lease: Lease | None,
        task: TaskPatch | None = None,
    ) -> Appended:
        """Append what was decided on the session as it stood at `expected_seq`.

        Raises:
            Conflict: the session has moved on; fold what is new and decide again.
            Fenced: the lease is no longer held.
            StoreUnavailable: the outcome is unknown; call again with the same events.
        """
        done = await self._append(session_id, expected_seq, events, lease, None, task)
        assert done is not None  # only an inbox key makes an append come back empty
        return done

    async def append_fact(
        self,
        session_id: str,
        events: Sequence[NewEvent],
        *,
        inbox: InboxKey | None = None,
        task: TaskPatch | None = None,
        lease: Lease | None = None,
    ) -> Appended | None:
        """Append what has happened, whatever the session's head is now; None when `inbox` was accepted before.

        Raises:
            Fenced: a lease was given and is no longer held.
            StoreUnavailable: the outcome is unknown; call again with the same events.
        """
        return await self._append(session_id, None, events, lease, inbox, task)

    async def append_acceptance(
        self,
        session_id: str,
        *,
        expected_seq: int,
        events: Sequence[NewEvent],
        inbox: InboxKey,
        task: TaskPatch | None = None,
    ) -> Appended | None:
        """Append what was decided on a message, which is accepted once; None when `inbox` was accepted before.

        Raises:
            Conflict: the session has moved on; decide again.
            StoreUnavailable: the outcome is unknown; call again with the same events.
        """
        return await self._append(session_id, expected_seq, events, None, inbox, task)

    async def _append(
        self,
        session_id: str,
        expected_seq: int | None,
        events: Sequence[NewEvent],
        lease: Lease | None,
        inbox: InboxKey | None,
        task: TaskPatch | None,
    ) -> Appended | None:
        began = time.perf_counter()
        done = await self._appended(session_id, expected_seq, events, lease, inbox, task)
        if done is not None:
            self._waker.tell()
            appended(events, time.perf_counter() - began)
        return done

    async def _appended(
        self,
        session_id: str,
        expected_seq: int | None,
        events: Sequence[NewEvent],
        lease: Lease | None,
        inbox: InboxKey | None,
        task: TaskPatch | None,
    ) -> Appended | None:
        arguments = _arguments(session_id, expected_seq, events, lease, inbox, task)
        error: psycopg.Error | None = None
        try:
            row = await self._committer.append(arguments)
            if row is not None:
                return Appended(*row)
        except psycopg.Error as failure:
            error = failure
            match failure.sqlstate:
                case "AR001" | "23505":
                    pass
                case "AR002" if lease is not None:
                    raise Fenced(lease.kind, lease.id, lease.epoch) from None
                case "AR004":
                    raise WrongTask(str(failure.diag.message_primary)) from None
                case _:
                    raise
        # Somebody was first. If it was this very append, whose answer was lost, it is done.
        before = await self._appended_before(session_id, events)
        if before is not None or error is None:
            return before
        if error.sqlstate == "AR001" and expected_seq is not None:
            raise Conflict(session_id, expected_seq, f"({error.diag.message_primary})") from None
        raise error

    async def _appended_before(self, session_id: str, events: Sequence[NewEvent]) -> Appended | None:
        last = events[-1].event_id
        async with connected(self._pool) as connection:
            cursor = await connection.execute(
                "SELECT seq, hash, recorded_at FROM arreio.session_events WHERE session_id = %s AND event_id = %s",
                (session_id, last),
            )
            row = await cursor.fetchone()
        return None if row is None else Appended(row[0] - len(events) + 1, *row)

    async def accepted(self, inbox: InboxKey) -> Accepted | None:
        """What became of a message that was accepted before; None when it was not."""
        async with connected(self._pool) as connection:
            cursor = await connection.execute(
                "SELECT session_id, event_id, task_id FROM arreio.inbox WHERE consumer = %s AND message_id = %s", inbox
            )
            row = await cursor.fetchone()
        return None if row is None else Accepted(*row)

    async def read(
        self,
        session_id: str,
        *,
        after: int = 0,
        upto: int | None = None,
        types: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> list[RecordedEvent]:
        """The events of a session with `after < seq <= upto`, in order, at most `limit`, of these `types` only."""
        async with connected(self._pool) as connection:
            cursor = await connection.execute(
                f"SELECT {COLUMNS} FROM arreio.session_events WHERE session_id = %s AND seq > %s "
                "AND (%s::bigint IS NULL OR seq <= %s) AND (%s::text[] IS NULL OR type = ANY (%s)) "
                "ORDER BY seq LIMIT %s",
                (session_id, after, upto, upto, types and list(types), types and list(types), limit),
                binary=True,
            )
            return [RecordedEvent(*row) for row in await cursor.fetchall()]

    async def last(
        self, session_id: str, types: Sequence[str], *, upto: int | None = None, task_id: str | None = None
    ) -> RecordedEvent | None:
        """The last event of these `types` in a session, with `seq <= upto`, of one task."""
        async with connected(self._pool) as connection:
            cursor = await connection.execute(
                f"SELECT {COLUMNS} FROM arreio.session_events WHERE session_id = %s AND type = ANY (%s) "
                "AND (%s::bigint IS NULL OR seq <= %s) AND (%s::text IS NULL OR task_id = %s) "
                "ORDER BY seq DESC LIMIT 1",
                (session_id, list(types), upto, upto, task_id, task_id),
                binary=True,
            )
            row = await cursor.fetchone()
        return None if row is None else RecordedEvent(*row)

    async def read_task(self, session_id: str, task_id: str, types: Sequence[str] | None = None) -> list[RecordedEvent]:
        """The events of one task, in order, of these `types` only; those before it are not even looked at."""
        async with connected(self._pool) as connection:
            cursor = await connection.execute(
                f"SELECT {COLUMNS} FROM arreio.session_events WHERE session_id = %s AND task_id = %s "
                "AND seq >= coalesce((SELECT created_seq FROM arreio.tasks WHERE task_id = %s), 1) "
                "AND (%s::text[] IS NULL OR type = ANY (%s)) ORDER BY seq",
                (session_id, task_id, task_id, types and list(types), types and list(types)),
                binary=True,
            )
            return [RecordedEvent(*row) for row in await cursor.fetchall()]

    async def unanswered(
        self, types: Sequence[str], answer: str, *, after: float, within: float, limit: int = 64
    ) -> list[RecordedEvent]:
        """What tasks came to last, by events of these `types`, and no event of the type `answer` has followed.

        Looked at are tasks that wait or have ended, and were last written to more than `after` and less than `within`
        seconds ago. What was imported is left alone: whoever sent it has answered.
        """
        async with connected(self._pool) as connection:
            cursor = await connection.execute(
                "SELECT e.* FROM arreio.tasks t JOIN arreio.session_heads h ON h.session_id = t.session_id "
                f"JOIN LATERAL (SELECT {COLUMNS} FROM arreio.session_events o WHERE o.session_id = t.session_id "
                f"AND o.seq BETWEEN t.last_seq - {_LAST_STEPS} AND t.last_seq AND o.task_id = t.task_id "
                "AND o.type = ANY (%s) ORDER BY o.seq DESC LIMIT 1) e ON e.recorded_at >= h.created_at "
                "WHERE t.state IN ('COMPLETE', 'BLOCKED', 'FAILED', 'NEEDS_INPUT') AND t.updated_at BETWEEN "
                "clock_timestamp() - make_interval(secs => %s) AND clock_timestamp() - make_interval(secs => %s) "
                "AND NOT EXISTS (SELECT FROM arreio.session_events a WHERE a.session_id = e.session_id "
                "AND a.seq > e.seq AND a.task_id = e.task_id AND a.type = %s) ORDER BY t.updated_at LIMIT %s",
                (list(types), within, after, answer, limit),
                binary=True,
            )
            return [RecordedEvent(*row) for row in await cursor.fetchall()]

    async def find(self, event_id: str) -> RecordedEvent | None:
        """The event with this id."""
        async with connected(self._pool) as connection:
            cursor = await connection.execute(
                f"SELECT {COLUMNS} FROM arreio.session_events WHERE event_id = %s", (event_id,), binary=True
            )
            row = await cursor.fetchone()
        return None if row is None else RecordedEvent(*row)

    async def head(self, session_id: str) -> Head:
        """Where the session's log ends now."""
        async with connected(self._pool) as connection:
            cursor = await connection.execute(
                "SELECT coalesce((SELECT seq FROM arreio.session_heads WHERE session_id = %s), 0), "
                "(extract(epoch FROM clock_timestamp()) * 1000)::bigint",
                (session_id,),
            )
            row = await cursor.fetchone()
        assert row is not None
        return Head(*row)

    async def before_task(self, task_id: str) -> int:
        """The seq after which a task's events begin; 0 when there is no such task."""
        async with connected(self._pool) as connection:
            cursor = await connection.execute("SELECT created_seq FROM arreio.tasks WHERE task_id = %s", (task_id,))
            row = await cursor.fetchone()
        return 0 if row is None else int(row[0]) - 1

    async def session(self, session_id: str) -> StoredSession | None:
        """A whole session; None when there never was one."""
        async with connected(self._pool) as connection, connection.transaction():
            # One snapshot, so that an append between the two reads is not taken for a cut tail.
            await connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            cursor = await connection.execute(
                "SELECT seq, hash, pruned_seq, pruned_hash FROM arreio.session_heads WHERE session_id = %s",
                (session_id,),
            )
            head = await cursor.fetchone()
            cursor = await connection.execute(
                f"SELECT {COLUMNS} FROM arreio.session_events WHERE session_id = %s ORDER BY seq",
                (session_id,),
                binary=True,
            )
            events = [RecordedEvent(*found) for found in await cursor.fetchall()]
        if head is None:
            return StoredSession(session_id, events, None, START) if events else None
        return StoredSession(session_id, events, Anchor(*head[:2]), Anchor(*head[2:]))

    async def first_unreadable(self, session_id: str) -> int | None:
        """The seq of the first event that no client can read, as one with a time without an end; None: none."""
        after = 0
        try:
            while found := await self.read(session_id, after=after, limit=1):
                after = found[0].seq
        except psycopg.DataError:
            return after + 1
        return None

    async def verify_chain(self, session_id: str) -> int | None:
        """The first seq at which the session differs from its hash chain or its anchor; None when it is sound."""
        found = await self.session(session_id)
        return None if found is None else found.first_bad_seq


def _arguments(
    session_id: str,
    expected_seq: int | None,
    events: Sequence[NewEvent],
    lease: Lease | None,
    inbox: InboxKey | None,
    task: TaskPatch | None,
) -> tuple[object, ...]:
    if not events:
        raise ValueError("an append needs at least one event")
    routes = [
        (index, n, subject)
        for index, event in enumerate(events, 1)
        for n, subject in enumerate((subjects.event(session_id, event.type), *event.routes))
    ]
    return (
        session_id,
        None if expected_seq is None else str(expected_seq),
        arrays.texts([event.event_id for event in events]),
        arrays.texts([event.type for event in events]),
        arrays.integers([event.schema_version for event in events]),
        arrays.texts([event.task_id for event in events]),
        arrays.texts([_text(event.data) for event in events]),
        arrays.texts([_text(event.metadata) for event in events]),
        arrays.integers([index for index, _, _ in routes]),
        arrays.smallints([n for _, n, _ in routes]),
        arrays.texts([subject for _, _, subject in routes]),
        *((lease.kind, lease.id, lease.owner, str(lease.epoch)) if lease else (None, None, None, None)),
        *(inbox or (None, None)),
        None if task is None else patch_json(task),
    )


def _text(value: BaseModel | Mapping[str, Any]) -> str:
    return canonical_json(value.model_dump(mode="json") if isinstance(value, BaseModel) else value)

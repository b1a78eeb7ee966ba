"""The relay: publishes the rows of the outbox after their commit, in order within a session, many sessions at once.

One relay is active, the one that holds an advisory lock, which counts in no other role's hands; others stand by. A
NOTIFY wakes it and a slow poll makes it live without. A relay that was stopped for so long that another may have taken
over publishes nothing before it has proven that the lock is still its own. A row is marked only after the broker's
acknowledgement; a mark that is lost means a second publish under the same message id. A message that is itself refused
becomes a dead letter and parks its session, so that order holds; everything else that fails is tried again for ever.
A relay whose connection the broker closes for good gives the lock away and begins anew.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Final, LiteralString

import nats
import nats.errors
import psycopg
from psycopg.rows import TupleRow

from shared.observing import metrics
from shared.outbox.batches import leading_batch
from shared.outbox.bodies import OutboxRow, Unpublishable
from shared.outbox.publisher import BrokerClosed, Publisher
from shared.store.connection import FIRST_WAIT, LONGEST_WAIT, Connection, connection_arguments

if TYPE_CHECKING:
    from nats.aio.client import Client

    from shared.settings import Settings

log = logging.getLogger(__name__)

CHANNEL: Final = "arreio_outbox"
LOCK: Final = 0x4F555442  # "OUTB"; arreio.take_relay takes it
WINDOW: Final = 512
IN_FLIGHT: Final = 64
POLL: Final = 10.0
STANDBY: Final = 5.0
FETCH_PAUSE: Final = 1, 0.005
"""By how many times as long as a fetch took the next one is put off, and by how many seconds at most: a busy server is
asked less often, for more."""
BACKLOG_PAUSE: Final = 4, 0.02
"""The same where more waits than was taken: many rows of a session make one batch, few do not."""
MARK_DELAY: Final = 0.05
"""Seconds after the last acknowledgement."""
MARK_LATEST: Final = 0.25
"""Seconds after the first one: on a disk that is busy each mark costs those a wait that are to be acknowledged."""
MARK_BATCH: Final = 128
OWNER_IDLE: Final = 15.0
PROOF: Final = 10.0
"""Seconds for which a query on the lock's connection proves that the lock was held; less than OWNER_IDLE."""
KEEP_PUBLISHED: Final = "7 days"
PURGE_EVERY: Final = 3600.0


async def run_relay(
    settings: Settings,
    *,
    service: str,
    poll: float = POLL,
    standby: float = STANDBY,
    owner_idle: float = OWNER_IDLE,
    active: Callable[[], None] | None = None,
) -> None:
    """Relay until cancelled, as the role of `service`; `active` is called each time this relay becomes the active one.

    An active relay looks for rows every `poll` seconds when nothing wakes it, and so also proves itself to the server,
    which takes the lock from one that is silent for `owner_idle` seconds. A relay standing by tries for the lock every
    `standby` seconds.
    """
    dsn = settings.database_dsn(service)
    client, closed = await _connect(settings, service)
    metrics.RELAY_ACTIVE.set(0)
    pause = FIRST_WAIT
    try:
        while True:
            try:
                if client.is_closed:
                    client, closed = await _connect(settings, service)
                connection = await _open(dsn, f"arreio_{service}_relay")
                try:
                    pause = FIRST_WAIT
                    await _take_lock(connection, standby, owner_idle)
                    if active is not None:
                        active()
                    metrics.RELAY_ACTIVE.set(1)
                    owner = _Owner(dsn, service, connection, client, poll, PROOF * owner_idle / OWNER_IDLE)
                    await owner.run(closed)
                finally:
                    metrics.RELAY_ACTIVE.set(0)
                    await connection.close()
            except psycopg.Error as error:
                log.warning("the relay lost PostgreSQL, waiting: %s", error)
            except BrokerClosed as error:
                log.error("the relay ends and begins anew: %s", error)
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_WAIT)
    finally:
        await client.close()


async def _connect(settings: Settings, service: str) -> tuple[Client, asyncio.Event]:
    """A client, and what is set when it is closed for good."""
    closed = asyncio.Event()

    async def say_closed() -> None:
        closed.set()

    options = settings.nats_options(service)
    client = await nats.connect(
        **options,
        name="arreio-relay",
        max_reconnect_attempts=-1,
        reconnect_time_wait=0.25,
        error_cb=_log_error,
        closed_cb=say_closed,
    )
    return client, closed


async def _log_error(error: Exception) -> None:
    log.debug("NATS: %s", error)


async def _open(dsn: str, name: str) -> Connection:
    return await psycopg.AsyncConnection.connect(
        dsn,
        autocommit=True,
        prepare_threshold=0,
        **connection_arguments(name),  # type: ignore[arg-type]
    )


async def _take_lock(connection: Connection, standby: float, owner_idle: float) -> None:
    # Not pg_advisory_lock: a statement that waits holds a snapshot, and with it back the server's vacuum.
    while True:
        row = await (await connection.execute("SELECT arreio.take_relay()")).fetchone()
        if row and row[0]:
            break
        await asyncio.sleep(standby)
    await connection.execute("SELECT set_config('idle_session_timeout', %s, false)", (f"{owner_idle}s",))


class _Owner:
    """The active relay. Its queries go over the connection that holds the lock, so losing it ends its marks too."""

    def __init__(
        self, dsn: str, service: str, connection: Connection, client: Client, poll: float, proof: float
    ) -> None:
        self._dsn = dsn
        self._service = service
        self._connection = connection
        self._client = client
        self._publisher = Publisher(client, IN_FLIGHT, self._prove)
        self._poll = poll
        self._proof = proof
        self._proven = monotonic()
        self._rows: dict[int, OutboxRow] = {}
        self._queues: dict[str, deque[OutboxRow]] = {}
        self._acked: list[int] = []
        self._refused: list[tuple[OutboxRow, Unpublishable]] = []
        self._look = True
        self._event = asyncio.Event()
        self._first_ack = self._last_ack = 0.0
        self._next_fetch = 0.0
        self._purged = monotonic()

    async def run(self, closed: asyncio.Event) -> None:
        """Relay until the lock's connection fails, or that to NATS is `closed` for good.

        Raises:
            psycopg.Error: the lock's connection has failed.
            BrokerClosed: NATS has closed its own.
        """
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(_listen(self._dsn, self._service, self._wake))
                group.create_task(self._drive(group))
                group.create_task(self._end_with(closed))
        except BaseExceptionGroup as failures:
            lost, others = failures.split((psycopg.Error, BrokerClosed))
            raise others or _first(lost) from None
        finally:
            await self._publisher.close()

    async def _end_with(self, closed: asyncio.Event) -> None:
        await closed.wait()
        raise BrokerClosed(self._client)

    def _wake(self) -> None:
        self._look = True
        self._event.set()

    async def _drive(self, group: asyncio.TaskGroup) -> None:
        while True:
            self._event.clear()
            if self._many():
                await self._settle()
            # A few marks, for which nobody waits, are made while the next fetch is put off.
            may_fetch = self._look and len(self._rows) <= WINDOW // 2
            if may_fetch and monotonic() >= self._next_fetch:
                self._look = False
                await self._fetch(group)
                continue
            if self._due():
                await self._settle()
                continue
            due = [self._marks_due()] if self._acked else []
            due += [self._next_fetch] if may_fetch else []
            timeout = max(0.0, min(due) - monotonic()) if due else self._poll
            try:
                async with asyncio.timeout(timeout):
                    await self._event.wait()
            except TimeoutError:
                if not due:
                    self._look = True
                    await self._purge()

    def _many(self) -> bool:
        return bool(self._refused) or len(self._acked) >= MARK_BATCH

    def _due(self) -> bool:
        return self._many() or (bool(self._acked) and monotonic() >= self._marks_due())

    def _marks_due(self) -> float:
        return min(self._first_ack + MARK_LATEST, self._last_ack + MARK_DELAY)

    async def _settle(self) -> None:
        acked, self._acked = self._acked, []
        refused, self._refused = self._refused, []
        if acked:
            await self._query("SELECT arreio.outbox_published(%b::bigint[])", (acked,))
        for id in acked:
            del self._rows[id]
        for row, error in refused:
            log.error("session %s is parked at seq %s (%s): %s", row.session_id, row.seq, row.subject, error.message)
            await self._query("SELECT arreio.outbox_park(%s, %s, %s)", (row.id, error.code, error.message))
            for id in [id for id, other in self._rows.items() if other.session_id == row.session_id]:
                del self._rows[id]
            # The rows behind it were taken in while it was refused; their queue has no worker any more.
            del self._queues[row.session_id]
        if len(self._rows) <= WINDOW // 2:
            self._event.set()

    async def _fetch(self, group: asyncio.TaskGroup) -> None:
        began = monotonic()
        limit = WINDOW - len(self._rows)
        rows = await self._query("SELECT * FROM arreio.outbox_waiting(%b::bigint[], %s)", (list(self._rows), limit))
        found = [OutboxRow(*row) for row in rows]
        fetched = monotonic()
        backlog = len(found) == limit
        times, longest = BACKLOG_PAUSE if backlog else FETCH_PAUSE
        self._next_fetch = fetched + min(longest, times * (fetched - began))
        self._look = self._look or backlog
        for row in found:
            self._rows[row.id] = row
            queue = self._queues.get(row.session_id)
            if queue is None:
                self._queues[row.session_id] = queue = deque()
                group.create_task(self._publish_session(row.session_id, queue))
            queue.append(row)

    async def _publish_session(self, session_id: str, queue: deque[OutboxRow]) -> None:
        alone = 0  # rows that go one by one, since the broker did not take them together
        while queue:
            together = [] if alone else leading_batch(queue)
            try:
                if not together:
                    await self._publisher.publish(queue[0])
                elif not await self._publisher.publish_together(together):
                    alone = len(together)
                    continue
            except Unpublishable as error:
                self._refused.append((queue[0], error))
                self._event.set()
                return
            alone = max(0, alone - 1)
            self._acknowledged([queue.popleft().id for _ in together or (1,)])
        del self._queues[session_id]

    def _acknowledged(self, ids: list[int]) -> None:
        metrics.PUBLISHED.add(amount=len(ids))
        first = not self._acked
        self._last_ack = monotonic()
        if first:
            self._first_ack = self._last_ack
        self._acked += ids
        if first or len(self._acked) >= MARK_BATCH:
            self._event.set()

    async def _purge(self) -> None:
        if monotonic() - self._purged > PURGE_EVERY:
            self._purged = monotonic()
            await self._query("SELECT arreio.purge_published(%s::interval, 10000)", (KEEP_PUBLISHED,))

    async def _prove(self) -> None:
        """Make sure that the lock was held just now; a process that was stopped may have lost it."""
        if monotonic() - self._proven > self._proof:
            await self._query("SELECT 1")

    async def _query(self, query: LiteralString, arguments: tuple[object, ...] = ()) -> list[TupleRow]:
        """Ask over the lock's connection, which also proves that the lock is still held."""
        asked = monotonic()
        rows = await (await self._connection.execute(query, arguments, binary=True)).fetchall()
        self._proven = asked
        return rows


async def _listen(dsn: str, service: str, wake: Callable[[], None]) -> None:
    """Call `wake` at each NOTIFY, and after each (re)connection, since a notification may have been missed."""
    pause = FIRST_WAIT
    while True:
        try:
            connection = await _open(dsn, f"arreio_{service}_relay_listen")
            try:
                await connection.execute(f"LISTEN {CHANNEL}")
                pause = FIRST_WAIT
                await _notified(connection, wake)
            finally:
                await connection.close()
        except psycopg.Error as error:
            log.debug("the relay's listener lost PostgreSQL: %s", error)
        await asyncio.sleep(pause)
        pause = min(pause * 2, LONGEST_WAIT)


async def _notified(connection: Connection, wake: Callable[[], None]) -> None:
    # Not connection.notifies(): it looks ten times a second, which is most of what an idle relay would cost.
    loop, fd, readable = asyncio.get_running_loop(), connection.fileno(), asyncio.Event()
    loop.add_reader(fd, readable.set)
    try:
        while True:
            wake()
            await readable.wait()
            readable.clear()
            connection.pgconn.consume_input()
            while connection.pgconn.notifies():
                pass
    finally:
        loop.remove_reader(fd)


def _first(error: BaseException | None) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    assert error is not None
    return error

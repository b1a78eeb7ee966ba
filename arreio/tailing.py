"""Following the log: what is there comes from the database, and the stream only tells that there is more.

So an event is seen whether or not the stream still holds it, each once and in the order of its session. A reader with a
name goes on where it left off: how far it came in each session is kept in the database, at most half a second late, so
that after a crash the last events may be seen again. While a server is away the reader waits for it, and then goes on
after what it has seen.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

import nats.errors
import nats.js.errors
from arreio_contracts import subjects
from nats.js.api import ConsumerConfig, DeliverPolicy

from shared.errors import ArreioError
from shared.store.connection import Pool, connected, retrying
from shared.store.errors import StoreUnavailable
from shared.store.events import COLUMNS, EventStore, RecordedEvent

if TYPE_CHECKING:
    from nats.aio.client import Client as Nats
    from nats.aio.msg import Msg
    from nats.js.client import JetStreamContext

Result = TypeVar("Result")

POLL: Final = 5.0
"""Seconds between two looks at the database, should the stream tell nothing."""
SAVE_EVERY: Final = 0.5
AGAIN: Final = 0.5
"""Seconds before everything is read anew after the database went away."""
LAST_SAVE: Final = 1.0
"""Seconds that whoever ends waits for a database that is away."""
PAGE: Final = 500
_LATE: Final = timedelta(seconds=60)
"""How long a transaction may have been under way when a later one was seen."""

# The running maximum keeps a session's order also where the server's clock was set back.
_BEHIND: Final = f"""
    SELECT {COLUMNS} FROM (
        SELECT e.*, max(e.recorded_at) OVER (PARTITION BY e.session_id ORDER BY e.seq) AS at
        FROM arreio.session_events e LEFT JOIN arreio.cursors c ON c.name = %s AND c.session_id = e.session_id
        WHERE e.seq > coalesce(c.seq, %s) AND (%s::text IS NULL OR e.session_id = %s)
    ) AS behind ORDER BY at, session_id, seq
"""


class Tail:
    """One reader of the log, of one session or of all. `printed` must be called for each event that was dealt with."""

    def __init__(
        self,
        pool: Pool,
        nats_client: Nats,
        *,
        session: str | None = None,
        start: int = 0,
        name: str | None = None,
        new_only: bool = False,
        say: Callable[[str], None] = lambda _line: None,
    ) -> None:
        """Begin at seq `start` of each session; with a `name`, where that reader left off; or only with what is new.

        `say` is told when the database goes away and when it is back.
        """
        self._say = say
        self._away = False
        self._pool = pool
        self._stream = nats_client.jetstream()
        self._session = session
        self._start = max(start - 1, 0)
        self._name = name
        self._new_only = new_only
        self._seen: dict[str, int] = {}
        self._unsaved: dict[str, int] = {}
        self._saved = time.monotonic()
        self._watermark: datetime | None = None

    async def events(self) -> AsyncGenerator[RecordedEvent, None]:
        """The events, for ever.

        Raises:
            ArreioError: NATS has no stream of events.
        """
        # Taken before the database is read: what is published from here on is told of, whenever it was committed.
        after = await _last(self._stream)
        await self._there(self._place)
        if not self._new_only:
            async with contextlib.aclosing(self._all_behind()) as behind:
                async for event in behind:
                    yield event
        async for session_id in self._told(after):
            while found := await self._there(partial(self._after_seen, session_id)):
                for event in found:
                    yield event
                if len(found) < PAGE:
                    break

    def printed(self, event: RecordedEvent) -> None:
        """The event was dealt with."""
        self._seen[event.session_id] = self._unsaved[event.session_id] = event.seq

    async def save_if_due(self) -> None:
        """Keep how far the reader came, where it is time to. While the database is away it stays to be kept."""
        if self._due:
            try:
                await self._save()
            except StoreUnavailable as error:
                self._gone(error)
            else:
                self._back()

    async def save(self) -> bool:
        """Keep how far the reader came, now or never; False where the database is away."""
        try:
            async with asyncio.timeout(LAST_SAVE):
                await self._save()
        except (StoreUnavailable, TimeoutError):
            return False
        return True

    @property
    def _due(self) -> bool:
        return bool(self._unsaved) and time.monotonic() - self._saved >= SAVE_EVERY

    async def _save(self) -> None:
        unsaved, self._unsaved = self._unsaved, {}
        self._saved = time.monotonic()
        if self._name is None or not unsaved:
            return
        try:
            await self._advance(unsaved)
        except StoreUnavailable:
            self._unsaved = unsaved | self._unsaved
            raise

    async def _there(self, call: Callable[[], Awaitable[Result]]) -> Result:
        """What the database answers, once it does."""
        found = await retrying(call, waiting=self._gone)
        self._back()
        return found

    def _gone(self, error: StoreUnavailable) -> None:
        if not self._away:
            self._away = True
            self._say(f"{error.message.partition(chr(10))[0].rstrip()}; waiting for it")

    def _back(self) -> None:
        if self._away:
            self._away = False
            self._say("PostgreSQL is back")

    async def _place(self) -> None:
        """Find out where to begin in each session."""
        async with connected(self._pool) as connection:
            cursor = await connection.execute(
                "SELECT h.session_id, c.seq, h.seq, h.updated_at FROM arreio.session_heads h "
                "LEFT JOIN arreio.cursors c ON c.name = %s AND c.session_id = h.session_id "
                "WHERE %s::text IS NULL OR h.session_id = %s",
                (self._name, self._session, self._session),
            )
            async for session_id, kept, head, updated in cursor:
                self._seen[session_id] = head if self._new_only else self._start if kept is None else kept
                self._watermark = max(updated, self._watermark or updated)
        if self._new_only and self._name is not None:
            await self._advance(self._seen)

    async def _all_behind(self) -> AsyncGenerator[RecordedEvent, None]:
        """What is there, read from the start again where the database went away, but for what was seen."""
        while True:
            try:
                async with contextlib.aclosing(self._behind()) as behind:
                    async for event in behind:
                        if event.seq > self._seen.get(event.session_id, self._start):
                            yield event
                return
            except StoreUnavailable as error:
                self._gone(error)
            await asyncio.sleep(AGAIN)
            await self._there(self._ask)

    async def _behind(self) -> AsyncGenerator[RecordedEvent, None]:
        arguments = (self._name, self._start, self._session, self._session)
        async with (
            connected(self._pool) as connection,
            connection.transaction(),
            connection.cursor("behind", binary=True) as cursor,
        ):
            cursor.itersize = PAGE
            await cursor.execute(_BEHIND, arguments)
            async for row in cursor:
                yield RecordedEvent(*row)

    async def _ask(self) -> None:
        async with connected(self._pool) as connection:
            await connection.execute("SELECT 1")

    async def _after_seen(self, session_id: str) -> list[RecordedEvent]:
        seen = self._seen.get(session_id, self._start)
        return await EventStore(self._pool).read(session_id, after=seen, limit=PAGE)

    async def _told(self, after: int) -> AsyncIterator[str]:
        """The sessions in which something is new, as the stream tells, and as a look at the database finds."""
        told: asyncio.Queue[str] = asyncio.Queue()

        async def heard(message: Msg) -> None:
            session_id = message.subject.split(".")[3]
            if int((message.headers or {}).get("ce-sequence", 0)) > self._seen.get(session_id, self._start):
                told.put_nowait(session_id)

        subscription = await self._stream.subscribe(
            subjects.session_events(self._session) if self._session else subjects.ALL_EVENTS,
            stream=subjects.STREAM_EVENTS,
            cb=heard,
            ordered_consumer=True,
            config=ConsumerConfig(
                deliver_policy=DeliverPolicy.BY_START_SEQUENCE,
                opt_start_seq=after + 1,
                idle_heartbeat=5.0,
                headers_only=True,
            ),
        )
        try:
            while True:
                for session_id in await self._there(self._moved):
                    yield session_id
                due = time.monotonic() + POLL
                while time.monotonic() < due:
                    until = min(due, self._saved + SAVE_EVERY) if self._unsaved else due
                    try:
                        # Not `wait_for`: before Python 3.12 it may lose a cancellation that comes with a result.
                        async with asyncio.timeout_at(until):
                            session_id = await told.get()
                    except TimeoutError:
                        await self.save_if_due()
                    else:
                        yield session_id
        finally:
            with contextlib.suppress(nats.errors.Error):
                await subscription.unsubscribe()

    async def _moved(self) -> list[str]:
        """The sessions whose head is past what was seen."""
        since = None if self._watermark is None else self._watermark - _LATE
        async with connected(self._pool) as connection:
            cursor = await connection.execute(
                "SELECT session_id, seq, updated_at FROM arreio.session_heads "
                "WHERE (%s::timestamptz IS NULL OR updated_at >= %s) AND (%s::text IS NULL OR session_id = %s)",
                (since, since, self._session, self._session),
            )
            heads = await cursor.fetchall()
        for _, _, updated in heads:
            self._watermark = max(updated, self._watermark or updated)
        return [session_id for session_id, head, _ in heads if head > self._seen.get(session_id, self._start)]

    async def _advance(self, places: dict[str, int]) -> None:
        async with connected(self._pool) as connection:
            await connection.execute(
                "SELECT arreio.advance_cursor(%s, %s::text[], %s::bigint[])",
                (self._name, list(places), list(places.values())),
            )


async def forget(pool: Pool, name: str) -> bool:
    """Have a named reader begin anew; False when there is none of this name."""
    async with connected(pool) as connection:
        row = await (await connection.execute("SELECT arreio.forget_cursor(%s)", (name,))).fetchone()
    return bool(row and row[0])


async def _last(stream: JetStreamContext) -> int:
    try:
        return int((await stream.stream_info(subjects.STREAM_EVENTS)).state.last_seq)
    except nats.js.errors.NotFoundError as error:
        raise ArreioError("NATS has no stream of events", "run `arreio provision`") from error

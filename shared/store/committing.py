"""Appends that come at the same time share one statement, and so one commit and one wait for the disk."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, TypeAlias

import psycopg

from shared.store.connection import Pool, connected
from shared.store.errors import StoreUnavailable

_PARAMETERS: Final = 18
MOST_TOGETHER: Final = 16
"""Appends of one statement."""
AT_ONCE: Final = 2
"""Statements under way. With one the server would wait while this process makes the next one."""
Arguments: TypeAlias = tuple[Any, ...]
"""What `arreio.append` takes; the session's id is the first. Numbers are written out: a type that hangs on how large
one is, or on whether it is there, would be another prepared statement for each."""
Row: TypeAlias = tuple[Any, ...]
_Wanted: TypeAlias = tuple[Arguments, asyncio.Future["Row | None"]]


class Committer:
    """Carries out calls of `arreio.append`, alone where nothing else is under way, and together where they queue.

    Those of one statement are of different sessions, in the order of their ids: so two processes that lock the heads
    of the same sessions never wait for each other. Where one is refused, none is committed, and each is tried alone.

    What queues is shared out evenly among the statements under way. If one statement took nearly all of it, server and
    process would take turns: the one would wait while the other is busy with those many.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._waiting: list[_Wanted] = []
        self._under_way = 0
        self._sent = 0  # appends in the statements under way
        self._shared = False  # whether the last statement had several
        self._due = False
        self._tasks: set[asyncio.Task[None]] = set()

    async def append(self, arguments: Arguments) -> Row | None:
        """The row that the function returns; None where it returns none.

        Raises:
            psycopg.Error: it was refused.
            StoreUnavailable: the outcome is unknown.
        """
        if self._under_way or self._waiting or self._shared:
            outcome: asyncio.Future[Row | None] = asyncio.get_running_loop().create_future()
            self._waiting.append((arguments, outcome))
            self._go_on_soon()
            return await outcome
        self._started(1)
        try:
            return (await self._rows([arguments]))[0]
        finally:
            self._ended(1)

    def _started(self, appends: int) -> None:
        self._under_way += 1
        self._sent += appends
        self._shared = appends > 1

    def _ended(self, appends: int) -> None:
        self._under_way -= 1
        self._sent -= appends
        if self._waiting:
            self._go_on_soon()

    def _go_on_soon(self) -> None:
        """Begin what waits after those whose statement has just ended have appended again, and so share the next."""
        if not self._due and self._under_way < AT_ONCE:
            self._due = True
            asyncio.get_running_loop().call_soon(self._go_on)

    def _go_on(self) -> None:
        self._due = False
        while self._under_way < AT_ONCE and (together := self._next()):
            self._begin(together)

    def _begin(self, together: Sequence[_Wanted]) -> None:
        self._started(len(together))
        task = asyncio.get_running_loop().create_task(self._carry_out(together))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _next(self) -> list[_Wanted]:
        """The share of one statement of the appends that have waited longest, one of each session at most."""
        share = min(MOST_TOGETHER, -(-(len(self._waiting) + self._sent) // AT_ONCE))
        taken: dict[str, _Wanted] = {}
        left = []
        for one in self._waiting:
            session: str = one[0][0]
            if session in taken or len(taken) == share:
                left.append(one)
            elif not one[1].done():
                taken[session] = one
        self._waiting = left
        return [taken[session] for session in sorted(taken)]

    async def _carry_out(self, together: Sequence[_Wanted]) -> None:
        try:
            rows = await self._rows([arguments for arguments, _ in together])
            for (_, outcome), row in zip(together, rows, strict=True):
                _settle(outcome, row)
        except psycopg.Error as error:
            if len(together) == 1:
                _settle(together[0][1], error)
            else:
                for one in together:
                    self._begin([one])
        except StoreUnavailable as error:
            for _, outcome in together:
                _settle(outcome, StoreUnavailable(*error.args))
        except BaseException as error:
            for _, outcome in together:
                _settle(outcome, StoreUnavailable(f"an append was given up: {error!r}"))
            raise
        finally:
            self._ended(len(together))

    async def _rows(self, together: Sequence[Arguments]) -> list[Row | None]:
        async with connected(self._pool) as connection:
            # Placeholders as PostgreSQL has them: psycopg would look for its own in the whole text each time.
            cursor = psycopg.AsyncRawCursor(connection)
            await cursor.execute(_statement(len(together)), [value for one in together for value in one])
            rows = {row[0]: row[1:] for row in await cursor.fetchall()}
        return [rows.get(number) for number in range(len(together))]


@cache
def _statement(count: int) -> str:
    """So many calls, whose rows begin with their number."""
    calls = []
    for number in range(count):
        first = number * _PARAMETERS + 1
        places = ", ".join(f"${place}" for place in range(first, first + _PARAMETERS))
        calls.append(f"SELECT {number}, first_seq, last_seq, head_hash, at FROM arreio.append({places})")
    return " UNION ALL ".join(calls)


def _settle(outcome: asyncio.Future[Row | None], what: Row | Exception | None) -> None:
    """Tell the one who waits, unless nobody does any more."""
    if outcome.done():
        return
    if isinstance(what, Exception):
        outcome.set_exception(what)
    else:
        outcome.set_result(what)

"""Connections to PostgreSQL: the pool, the translation of its errors, and waiting for a server that is away."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final, TypeAlias, TypeVar

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout, TooManyRequests

from shared.store.errors import StoreUnavailable

Connection: TypeAlias = psycopg.AsyncConnection[TupleRow]
Pool: TypeAlias = AsyncConnectionPool[Connection]
Result = TypeVar("Result")

FIRST_WAIT: Final = 0.05
LONGEST_WAIT: Final = 5.0


def connection_arguments(name: str) -> dict[str, str | int]:
    """What every connection of ours is opened with; `name` shows in `pg_stat_activity`.

    How soon a network that loses everything is noticed is the connection string's to say (`shared/link.py`).
    """
    return {"application_name": name, "connect_timeout": 5}


@asynccontextmanager
async def open_pool(dsn: str, *, name: str, size: int = 4) -> AsyncIterator[Pool]:
    """A pool of up to `size` connections in autocommit, one of them kept open; it need not reach the server yet."""
    pool: Pool = AsyncConnectionPool(
        dsn,
        kwargs={**connection_arguments(name), "autocommit": True, "prepare_threshold": 0},
        min_size=1,
        max_size=size,
        open=False,
        name=name,
        timeout=5,
        max_idle=300,
        reconnect_timeout=4,
        num_workers=1,
    )
    await pool.open(wait=False)
    try:
        yield pool
    finally:
        await pool.close(timeout=2)


async def reach(dsn: str, *, name: str) -> None:
    """Connect once, for those who would rather hear at once that there is no server than wait for one.

    Raises:
        StoreUnavailable: the server does not answer, or refuses.
    """
    try:
        connection = await psycopg.AsyncConnection.connect(make_conninfo(dsn, **connection_arguments(name)))
    except psycopg.OperationalError as error:
        raise StoreUnavailable(f"{error}".partition("\n")[0]) from error
    await connection.close()


@asynccontextmanager
async def connected(pool: Pool) -> AsyncIterator[Connection]:
    """A connection of the pool.

    Raises:
        StoreUnavailable: there is none within five seconds, or it broke while it was used.
    """
    try:
        # Every connection is in autocommit, so there is nothing to commit at the end, as `pool.connection()` would.
        connection = await pool.getconn()
        try:
            yield connection
        finally:
            await pool.putconn(connection)
    except (PoolTimeout, PoolClosed, TooManyRequests) as error:
        raise StoreUnavailable(f"PostgreSQL cannot be reached: {error}") from error
    except psycopg.Error as error:
        if is_unavailable(error):
            raise StoreUnavailable(f"PostgreSQL went away: {error}") from error
        raise


def is_unavailable(error: psycopg.Error) -> bool:
    """Whether the server, rather than the statement, is at fault, so that calling again later can succeed."""
    code = error.sqlstate
    if code is None:
        return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    # 08 connection, 53 resources (disk full, too many connections), 57P shutdown and recovery, 40 serialisation,
    # 58 I/O, 25006 a primary that has become a standby, 25P03 cut off for having stopped inside a transaction.
    return code[:2] in {"08", "53", "40", "58"} or code[:3] == "57P" or code in {"25006", "25P03"}


async def retrying(
    call: Callable[[], Awaitable[Result]], *, waiting: Callable[[StoreUnavailable], None] | None = None
) -> Result:
    """Call until the store can be reached, with growing waits (0.05 s to 5 s, jittered), for ever.

    `waiting` is told of each failure. Every other exception passes.
    """
    pause = FIRST_WAIT
    while True:
        try:
            return await call()
        except StoreUnavailable as error:
            if waiting is not None:
                waiting(error)
        await asyncio.sleep(pause * random.uniform(0.5, 1.0))
        pause = min(pause * 2, LONGEST_WAIT)

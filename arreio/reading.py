"""Reading the store as the local operator."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from arreio.launcher import ensure_up
from shared.errors import ArreioError
from shared.settings import Settings

# psycopg takes a fifth of a second to import, which `--help` must not wait for.
if TYPE_CHECKING:
    from shared.store.connection import Pool


@asynccontextmanager
async def reading(settings: Settings) -> "AsyncIterator[Pool]":
    """A pool of connections as the operator, who reads, and writes by the store's own functions alone.

    Joins the engine, or starts one.

    Raises:
        BackgroundFailed: the engine that was not up could not be started.
        ArreioError: PostgreSQL cannot be reached.
    """
    ensure_up(settings, keep=False)
    async with reaching(settings.database_dsn("operator"), size=2) as pool:
        yield pool


@asynccontextmanager
async def reaching(dsn: str, *, size: int) -> "AsyncIterator[Pool]":
    """A pool of connections to a server that answers.

    Raises:
        ArreioError: PostgreSQL cannot be reached.
    """
    import logging

    from shared.store.connection import open_pool, reach
    from shared.store.errors import StoreUnavailable

    # A connection that is lost is said by the command that needed it, in one line.
    logging.getLogger("psycopg").addHandler(logging.NullHandler())
    try:
        await reach(dsn, name="arreio-cli")
        async with open_pool(dsn, name="arreio-cli", size=size) as pool:
            yield pool
    except StoreUnavailable as error:
        why = error.message.removeprefix("PostgreSQL cannot be reached: ")
        raise ArreioError(f"PostgreSQL cannot be reached: {why}", "see 'arreio doctor'") from error

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
    from shared.store.connection import open_pool
    from shared.store.errors import StoreUnavailable

    ensure_up(settings, keep=False)
    try:
        async with open_pool(settings.database_dsn("operator"), name="arreio-cli", size=2) as pool:
            yield pool
    except StoreUnavailable as error:
        raise ArreioError(f"PostgreSQL cannot be reached: {error.message}", "see 'arreio doctor'") from error

"""Telling the relay that rows wait in the outbox."""

from __future__ import annotations

import asyncio
import logging
from typing import Final, LiteralString

from shared.store.connection import Pool, connected
from shared.store.errors import StoreUnavailable

log = logging.getLogger(__name__)

PAUSE: Final = 0.002
"""Seconds from one notification to the next: to tell of each commit by itself costs a writer a fifth of its time."""
_TELL: Final[LiteralString] = "NOTIFY arreio_outbox"


class Waker:
    """Notifies in a transaction of its own, after the commit; what commits meanwhile shares the next notification.

    PostgreSQL lets transactions that notify commit only one after the other, each waiting for the disk by itself. This
    one writes nothing and so waits for none. Where a crash comes in between, the relay's poll finds the rows.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._due = False
        self._telling: asyncio.Task[None] | None = None

    def tell(self) -> None:
        """Have the relay told, soon."""
        self._due = True
        if self._telling is None or self._telling.done():
            self._telling = asyncio.create_task(self._tell())

    async def _tell(self) -> None:
        while self._due:
            self._due = False
            try:
                async with connected(self._pool) as connection:
                    await connection.execute(_TELL)
                await asyncio.sleep(PAUSE)
            except StoreUnavailable as error:
                log.debug("the relay was not told, its poll will find the rows: %s", error)

"""A subscriber of its own, with the contracts package alone: what it was told, in which order, and how often."""

from __future__ import annotations

import asyncio
from collections import defaultdict

import nats
import nats.errors
from arreio_contracts.subscribe import subscribe

from shared.settings import Settings


class Reader:
    """Reads every event for ever, and begins again after the last one when the connection fails.

    `seen` holds the seqs of each session in the order in which they first came.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._after = 0
        self._known: defaultdict[str, set[int]] = defaultdict(set)
        self.seen: defaultdict[str, list[int]] = defaultdict(list)
        self.repeats = 0

    async def run(self) -> None:
        """Read until cancelled."""
        while True:
            try:
                await self._read()
            except (nats.errors.Error, TimeoutError, OSError):
                await asyncio.sleep(0.5)

    async def _read(self) -> None:
        options = self._settings.nats_options("subscriber")
        client = await nats.connect(**options, max_reconnect_attempts=-1, reconnect_time_wait=0.2, error_cb=silent)
        try:
            async for received in subscribe(client, after=self._after, heartbeat=1.0):
                self._take(received.envelope.partitionkey or "", received.envelope.seq or 0)
                self._after = received.stream_seq
        finally:
            await client.close()

    def _take(self, session_id: str, seq: int) -> None:
        if seq in self._known[session_id]:
            self.repeats += 1
            return
        self._known[session_id].add(seq)
        self.seen[session_id].append(seq)


async def silent(_: Exception) -> None:
    """What breaks is seen by what is missing in the end."""

"""A subscriber of its own, with the contracts package alone: what it was told, in which order, and how often; and what
reached the channels."""

from __future__ import annotations

import asyncio
from collections import defaultdict

import nats
import nats.errors
from arreio_contracts import envelope, subjects
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


async def outbound(settings: Settings) -> dict[str, list[int]]:
    """What the stream of replies and receipts holds: the seqs of each session's events in it, in its order."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    client = await nats.connect(**settings.nats_options("operator"))
    try:
        stream = client.jetstream()
        last = (await stream.stream_info(subjects.STREAM_OUTBOUND)).state.last_seq
        reading = await stream.subscribe(subjects.ALL_OUTBOUND, stream=subjects.STREAM_OUTBOUND, ordered_consumer=True)
        place = 0
        while place < last:
            message = await reading.next_msg(timeout=10)
            place = message.metadata.sequence.stream
            attributes = envelope.read_headers(message.headers or {})
            found[attributes.partitionkey or ""].append(attributes.seq or 0)
    finally:
        await client.close()
    return found


async def silent(_: Exception) -> None:
    """What breaks is seen by what is missing in the end."""

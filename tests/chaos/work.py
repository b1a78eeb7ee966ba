"""The work of the fault suite: tasks sent as an adapter sends them, questions answered, all waited for."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Sequence
from time import monotonic
from typing import Final

import nats
import nats.errors
from arreio_contracts import envelope, messages, subjects
from arreio_contracts.messages import InboundMessage
from arreio_contracts.task import TaskContract, parse_criterion
from nats.aio.client import Client

from shared.bus.streams import CONSUMERS
from tests.chaos.jobs import MODEL, Job
from tests.chaos.reader import Reader, silent
from tests.support.house import House

CHANNEL: Final = "cli"
UNDER_WAY: Final = 20
"""Tasks that are open at once, or a quarter of all where they are few."""
PATIENCE: Final = 180.0
"""Seconds that the house gets to come to rest after the last fault."""
READING: Final = 60.0
"""Seconds that consumers and the subscriber get to read what there is."""
LOOK: Final = 0.3


@contextlib.asynccontextmanager
async def speaking(house: House) -> AsyncIterator[Client]:
    """A channel's adapter, which connects again for ever."""
    options = house.settings.nats_options("operator")
    client = await nats.connect(**options, max_reconnect_attempts=-1, reconnect_time_wait=0.2, error_cb=silent)
    try:
        yield client
    finally:
        await client.close()


class Work:
    """Sends the tasks a few at a time, answers what is asked, and waits for all to end."""

    def __init__(self, house: House, client: Client, all_jobs: Sequence[Job], api_base: str) -> None:
        self._house = house
        self._client = client
        self._jobs = all_jobs
        self._api_base = api_base
        self._answered: set[str] = set()
        self.sent: list[Job] = []
        self.sessions = {job.number: messages.session_id(CHANNEL, self._request(job)) for job in all_jobs}

    async def send_all(self) -> None:
        """Returns when the last tasks are under way."""
        under_way = min(UNDER_WAY, max(4, len(self._jobs) // 4))
        while len(self.sent) < len(self._jobs):
            await self.send(self._jobs[len(self.sent) : await self.ended() + under_way])
            await asyncio.sleep(LOOK)

    async def send(self, some: Sequence[Job]) -> None:
        """Send these tasks now; every fifth twice, as an adapter does that was not told that it was heard."""
        for job in some:
            self.sent.append(job)
            await self._publish(self._request(job))
            if job.number % 5 == 0:
                await self._publish(self._request(job))

    async def rest(self) -> None:
        """Returns when every task that was sent has ended, every reply is queued, and nothing waits to be published."""
        until = monotonic() + PATIENCE
        query = (
            "SELECT (SELECT count(*) FROM arreio.session_events WHERE type = 'reply.queued' "
            'AND strpos(data, \'"kind":"reply"\') > 0), '
            "(SELECT count(*) FROM arreio.outbox WHERE published_at IS NULL)"
        )
        while await self.ended() < len(self.sent) or self._house.rows(query) != [(len(self.sent), 0)]:
            if monotonic() > until:
                # What is open is found, and named, by who examines.
                return
            await asyncio.sleep(LOOK)

    async def ended(self) -> int:
        """Answer every open question; how many tasks have ended."""
        rows = self._house.rows("SELECT task_id, session_id, state FROM arreio.tasks")
        asking = {session for _, session, state in rows if state == "NEEDS_INPUT"} - self._answered
        for job in self._jobs:
            if self.sessions[job.number] in asking:
                answer = self._request(job).model_copy(
                    update={"message_id": f"answer-{job.number}", "text": "Yes.", "contract": None}
                )
                await self._publish(answer)
                self._answered.add(self.sessions[job.number])
        return sum(state in ("COMPLETE", "BLOCKED", "FAILED") for _, _, state in rows)

    def _request(self, job: Job) -> InboundMessage:
        contract = TaskContract.model_validate(
            {
                "goal": job.goal,
                "workspace": str(job.place),
                "criteria": [parse_criterion(text) for text in job.criteria],
                "model": MODEL,
                "api_base": self._api_base,
            }
        )
        return InboundMessage(
            conversation=job.conversation, message_id="request", sender="operator", text=job.goal, contract=contract
        )

    async def _publish(self, message: InboundMessage) -> None:
        """Publish until the stream has it; a time-out may make it twice."""
        while True:
            attributes = envelope.envelope("inbound.message", id=secrets.token_hex(16), source="chaos")
            try:
                await self._client.jetstream().publish(
                    subjects.inbound(CHANNEL),
                    message.model_dump_json(exclude_none=True).encode(),
                    stream=subjects.STREAM_INBOUND,
                    headers=envelope.headers(attributes),
                    timeout=3,
                )
                return
            except (nats.errors.Error, TimeoutError):
                await asyncio.sleep(LOOK)


async def _read_out(house: House) -> bool:
    """Whether every consumer of our services has read and acknowledged all that there is."""
    try:
        client = await nats.connect(**house.settings.nats_options("services"), error_cb=silent)
        try:
            infos = [await client.jetstream().consumer_info(one.stream, name) for name, one in CONSUMERS.items()]
        finally:
            await client.close()
    except (nats.errors.Error, OSError, TimeoutError):
        return False
    return not any((one.num_pending or 0) + (one.num_ack_pending or 0) for one in infos)


async def told(house: House, reader: Reader) -> None:
    """Wait until no service has anything left to read and the subscriber has all events of the log, or no longer."""
    until = monotonic() + READING
    while monotonic() < until:
        # In this order: what a service still reads may write more.
        if not await _read_out(house):
            await asyncio.sleep(LOOK)
            continue
        ((count,),) = house.rows("SELECT coalesce(sum(seq), 0)::bigint FROM arreio.session_heads") or [(-1,)]
        if sum(map(len, reader.seen.values())) == count:
            return
        await asyncio.sleep(LOOK)

"""The fault suite itself: tasks come in, faults fall, and what was promised is looked for at the end."""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Final

import nats
import nats.errors
from arreio_contracts import envelope, messages, subjects
from arreio_contracts.messages import InboundMessage
from arreio_contracts.task import TaskContract, parse_criterion
from nats.aio.client import Client

from shared.bus.streams import CONSUMERS
from tests.chaos.faults import LEASE, RESTORING, Fault, Scene, faults
from tests.chaos.findings import Findings, examine
from tests.chaos.jobs import MODEL, Job, jobs, script_of
from tests.chaos.reader import Reader, silent
from tests.chaos.replicas import Replicas
from tests.support.house import House
from tests.support.scripted_server import ScriptedServer

CHANNEL: Final = "cli"
VARIABLES: Final = {"ARREIO_LEASE_TTL": str(LEASE), "ARREIO_SWEEP_INTERVAL": "0.5"}
UNDER_WAY: Final = 20
"""Tasks that are open at once, or a quarter of all where they are few."""
GAPS: Final = (1.0, 5.0)
"""Seconds from the beginning of one fault to that of the next."""
AT_ONCE: Final = 2
BETWEEN: Final = 60
LONGEST_GAP: Final = 120.0
"""Events that are written between two faults, so that a slow machine gets on; and the seconds that they may take."""
PATIENCE: Final = 180.0
"""Seconds that the house gets to come to rest after the last fault."""
LOOK: Final = 0.3


@dataclass
class Fire:
    """One run: `tasks` tasks under the faults that the seed draws; `say` is told of each."""

    place: Path
    tasks: int
    seed: int
    say: Callable[[str], None]
    only: Sequence[str] = ()
    between: int = BETWEEN
    inflicted: Counter[str] = field(default_factory=Counter)

    def run(self) -> Findings:
        """Start a house, set it on fire, and look at what is left."""
        folder = self.place / "work"
        folder.mkdir()
        all_jobs = jobs(self.tasks, folder)
        variables = {**VARIABLES, **self._bytecode()}
        with ScriptedServer(script_of(all_jobs)) as model, House(self.place / "house", **variables) as house:
            return asyncio.run(self._burn(house, variables, all_jobs, model.url))

    def _bytecode(self) -> dict[str, str]:
        """What is killed starts again within seconds only where its bytecode is kept."""
        if not sys.dont_write_bytecode:
            return {}
        return {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(self.place / "bytecode")}

    async def _burn(
        self, house: House, variables: Mapping[str, str], all_jobs: Sequence[Job], api_base: str
    ) -> Findings:
        reader, rng, began = Reader(house.settings), random.Random(self.seed), monotonic()
        async with Replicas(house, variables) as replicas, _speaking(house) as client:
            work = _Work(house, client, all_jobs, api_base)
            reading = asyncio.create_task(reader.run())
            burning = asyncio.create_task(self._inflict(Scene(house, replicas, rng)))
            await work.send_all()
            burning.cancel()
            await asyncio.gather(burning, return_exceptions=True)
            self.say(f"{monotonic() - began:.0f} s: the last fault is over")
            await work.rest()
            await _told(house, reader)
            reading.cancel()
            self.say(f"{monotonic() - began:.0f} s: the house is at rest")
            found = await asyncio.to_thread(examine, house, all_jobs, work.sessions, reader)
        found.counts["faults"] = f"{self.inflicted.total()}: " + ", ".join(
            f"{name} {count}" for name, count in sorted(self.inflicted.items()) if count
        )
        return found

    async def _inflict(self, scene: Scene) -> None:
        """Faults in a random order, every one before any comes again, up to `AT_ONCE` at the same time."""
        known = {name: fault for name, fault in faults().items() if not self.only or name in self.only}
        slots, deck, written = asyncio.Semaphore(AT_ONCE), list[str](), 0
        async with asyncio.TaskGroup() as group:
            while True:
                deck = deck or scene.rng.sample(list(known), len(known))
                await asyncio.sleep(scene.rng.uniform(*GAPS))
                written = await _written(scene.house, written + self.between)
                await slots.acquire()
                name = deck.pop()
                self.say(f"fault: {name}")
                group.create_task(self._one(name, known[name], scene, slots))

    async def _one(self, name: str, fault: Fault, scene: Scene, slots: asyncio.Semaphore) -> None:
        """A fault that is cut short by the end counts; one that found nothing to break does not."""
        inflicted = True
        try:
            inflicted = await fault(scene)
        finally:
            self.inflicted[name] += inflicted
            slots.release()


async def _written(house: House, least: int) -> int:
    """How many events there are, once it is so many or the longest gap is over."""
    until, count = monotonic() + LONGEST_GAP, 0
    while count < least and monotonic() < until:
        ((count,),) = house.rows("SELECT coalesce(sum(seq), 0)::bigint FROM arreio.session_heads") or [(count,)]
        await asyncio.sleep(LOOK)
    return count


@contextlib.asynccontextmanager
async def _speaking(house: House) -> AsyncIterator[Client]:
    """A channel's adapter, which connects again for ever."""
    options = house.settings.nats_options("operator")
    client = await nats.connect(**options, max_reconnect_attempts=-1, reconnect_time_wait=0.2, error_cb=silent)
    try:
        yield client
    finally:
        await client.close()


class _Work:
    """Sends the tasks a few at a time, answers what is asked, and waits for all to end."""

    def __init__(self, house: House, client: Client, all_jobs: Sequence[Job], api_base: str) -> None:
        self._house = house
        self._client = client
        self._jobs = all_jobs
        self._api_base = api_base
        self._answered: set[str] = set()
        self.sessions = {job.number: messages.session_id(CHANNEL, self._request(job)) for job in all_jobs}

    async def send_all(self) -> None:
        """Returns when the last tasks are under way."""
        sent, under_way = 0, min(UNDER_WAY, max(4, len(self._jobs) // 4))
        while sent < len(self._jobs):
            ended = await self._look()
            for job in self._jobs[sent : max(sent, ended + under_way)]:
                await self._publish(self._request(job))
                if job.number % 5 == 0:
                    await self._publish(self._request(job))
                sent += 1
            await asyncio.sleep(LOOK)

    async def rest(self) -> None:
        """Returns when every task has ended, every reply is queued, and nothing waits to be published."""
        until = monotonic() + PATIENCE
        query = (
            "SELECT (SELECT count(*) FROM arreio.session_events WHERE type = 'reply.queued' "
            'AND strpos(data, \'"kind":"reply"\') > 0), '
            "(SELECT count(*) FROM arreio.outbox WHERE published_at IS NULL)"
        )
        while await self._look() < len(self._jobs) or self._house.rows(query) != [(len(self._jobs), 0)]:
            if monotonic() > until:
                # What is open is found, and named, by who examines.
                return
            await asyncio.sleep(LOOK)

    async def _look(self) -> int:
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


async def _told(house: House, reader: Reader) -> None:
    """Wait until no service has anything left to read and the subscriber has all events of the log, or no longer."""
    until = monotonic() + RESTORING
    while monotonic() < until:
        # In this order: what a service still reads may write more.
        if not await _read_out(house):
            await asyncio.sleep(LOOK)
            continue
        ((count,),) = house.rows("SELECT coalesce(sum(seq), 0)::bigint FROM arreio.session_heads") or [(-1,)]
        if sum(map(len, reader.seen.values())) == count:
            return
        await asyncio.sleep(LOOK)

"""The fault suite itself: tasks come in, faults fall, and what was promised is looked for at the end."""

from __future__ import annotations

import asyncio
import random
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Final

from tests.chaos.faults import LEASE, Fault, Scene, faults
from tests.chaos.findings import Findings, examine
from tests.chaos.jobs import Job, jobs, script_of
from tests.chaos.reader import Reader
from tests.chaos.replicas import Replicas
from tests.chaos.work import LOOK, Work, speaking, told
from tests.support.house import House
from tests.support.scripted_server import ScriptedServer

VARIABLES: Final = {"ARREIO_LEASE_TTL": str(LEASE), "ARREIO_SWEEP_INTERVAL": "0.5"}
GAPS: Final = (1.0, 5.0)
"""Seconds from the beginning of one fault to that of the next."""
AT_ONCE: Final = 2
BETWEEN: Final = 60
LONGEST_GAP: Final = 120.0
"""Events that are written between two faults, so that a slow machine gets on; and the seconds that they may take."""


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
        async with Replicas(house, variables) as replicas, speaking(house) as client:
            work = Work(house, client, all_jobs, api_base)
            reading = asyncio.create_task(reader.run())
            burning = asyncio.create_task(self._inflict(Scene(house, replicas, rng)))
            await work.send_all()
            burning.cancel()
            await asyncio.gather(burning, return_exceptions=True)
            self.say(f"{monotonic() - began:.0f} s: the last fault is over")
            await work.rest()
            await told(house, reader)
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

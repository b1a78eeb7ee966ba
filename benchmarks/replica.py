"""A replica of the tool-loop as a program, for the benchmark `scale`: its worker and leases are the product's own.

A line of standard input is one round, as JSON: the turns of each task, and the tasks by session. A line of standard
output says when all have ended.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

import uvloop

from benchmarks.noop_task import NoopEffects
from services.tool_loop.app import POOL
from services.tool_loop.log import TaskLog
from services.tool_loop.worker import Worker
from shared.processes import owner_id
from shared.settings import Settings
from shared.store.connection import Pool
from shared.store.leases import Lease
from tests.support.store import store_of

TTL = 10.0
MANY = 1_000_000_000


class NoopRun(NoopEffects):
    """Effects of one run of a task that touches nothing; `ended` is told when it is over."""

    def __init__(self, steps: int, ended: Callable[[], None]) -> None:
        super().__init__(left=MANY, steps=steps)
        self._ended = ended

    async def open(self, log: TaskLog, lease: Lease) -> None:
        """There is no workspace."""

    def interrupt(self, *, stop: bool) -> None:
        """Nothing lasts."""

    def wake(self) -> None:
        """Nothing waits."""

    def superseded(self) -> bool:
        """Nothing is held."""
        return False

    async def close(self) -> None:
        """Tell."""
        self._ended()


class Replica:
    """Runs the tasks that it is given, as many at once as a tool-loop does."""

    def __init__(self, pool: Pool) -> None:
        self._free = asyncio.Event()
        self._steps = self._open = 0
        self._worker = Worker(pool, owner_id(), self._effects, ttl=TTL, code_version="", idle=self._free.set)

    async def round(self, steps: int, tasks: Sequence[tuple[str, str]]) -> None:
        """Run them all to their end, each of so many turns."""
        self._steps, self._open = steps, len(tasks)
        waiting = deque(tasks)
        while self._open:
            while waiting and not self._worker.full:
                if not await self._worker.start(*waiting.popleft()):
                    raise RuntimeError("a task cannot be had")
            self._free.clear()
            await self._free.wait()
            # The place of a run that is over is free a moment later.
            await asyncio.sleep(0)
            await asyncio.sleep(0)

    def _effects(self) -> NoopRun:
        return NoopRun(self._steps, self._ended)

    def _ended(self) -> None:
        self._open -= 1
        self._free.set()


async def serve(settings: Settings) -> None:
    """Answer rounds until standard input ends."""
    loop = asyncio.get_running_loop()
    async with store_of(settings, "tool_loop", size=POOL) as (_, pool):
        await pool.wait()
        replica = Replica(pool)
        _say("ready")
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            asked = json.loads(line)
            await replica.round(asked["turns"], asked["tasks"])
            _say("ended")


def _say(what: str) -> None:
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve(Settings(home=Path(sys.argv[1]), database_url=None, nats_url=None)))

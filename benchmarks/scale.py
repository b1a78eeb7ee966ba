"""Durable turns a second of one, two and four replicas of the tool-loop, by how many tasks there are at once.

Model and tool do nothing, and there are no prompts, as in `steps`; what is shared is one PostgreSQL and this machine.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import psycopg
import uvloop

from benchmarks.beside import ROOT, engine, in_turn, line, opened_store
from benchmarks.noop_task import accepted
from benchmarks.running import cpu_seconds
from shared.settings import Settings
from shared.store.events import EventStore
from tests.support.programs import processes_of

REPLICAS = (1, 2, 4)
SHAPES: Mapping[int, int] = {1: 200, 4: 100, 16: 40, 64: 20}
"""Tasks at once, and the turns of each."""
ROUNDS = 3
_ENDED = "SELECT reason_code, count(*) FROM arreio.tasks WHERE task_id = ANY(%s) GROUP BY 1"
GAIN = 1.1
"""What doubling must bring, or the knee is passed."""


@dataclass(frozen=True)
class Round:
    """Turns a second, and the milliseconds of processor time that a turn took in replicas and in PostgreSQL."""

    rate: float
    replicas: float
    database: float


def main() -> None:
    """Print the table, and where the knee is."""
    with (
        engine() as settings,
        contextlib.ExitStack() as stack,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
        opened_store(runner, settings, 16) as (store, _),
    ):
        replicas = [stack.enter_context(_replica(settings)) for _ in range(max(REPLICAS))]
        found = {
            tasks: in_turn(
                {str(count): _Some(runner, store, settings, replicas[:count], tasks) for count in REPLICAS},
                turns,
                ROUNDS,
            )
            for tasks, turns in SHAPES.items()
        }
    line("turns a second, medians of rounds in turn", "".join(f"{count:>6} replicas" for count in REPLICAS))
    rates = {
        tasks: [statistics.median(one.rate for one in rounds[str(count)]) for count in REPLICAS]
        for tasks, rounds in found.items()
    }
    for tasks, medians in rates.items():
        line(f"  {tasks} at once, {SHAPES[tasks]} turns each", "".join(f"{rate:>15,.0f}" for rate in medians))
    line("  knee", knee(rates))
    line("processor time of a turn, in milliseconds: replicas, PostgreSQL", "")
    for tasks, rounds in found.items():
        line(f"  {tasks} at once", "".join(f"{_cost(rounds[str(count)]):>15}" for count in REPLICAS))


def knee(rates: Mapping[int, Sequence[float]]) -> str:
    """From where on more replicas, and more tasks at once, bring less than `GAIN` times as much."""
    best = max(rate for row in rates.values() for rate in row)
    reached = [
        (count * tasks, count, tasks)
        for tasks, row in rates.items()
        for count, rate in zip(REPLICAS, row, strict=True)
        if rate * GAIN >= best
    ]
    _, count, tasks = min(reached)
    return f"{tasks} tasks at once on {count} replicas reach what no more of either raises by {100 * (GAIN - 1):.0f} %"


class _Some:
    """A candidate: the first so many replicas, with so many tasks at once between them."""

    def __init__(
        self,
        runner: asyncio.Runner,
        store: EventStore,
        settings: Settings,
        replicas: Sequence[subprocess.Popen[str]],
        tasks: int,
    ) -> None:
        self._runner, self._store, self._settings = runner, store, settings
        self._replicas, self._tasks = replicas, tasks

    def round(self, amount: int) -> Round:
        """Every task of so many turns; they are accepted before the clock runs."""
        made = self._runner.run(self._accepted())
        shares = [made[first :: len(self._replicas)] for first in range(len(self._replicas))]
        before, began = self._used(), time.monotonic()
        for replica, share in zip(self._replicas, shares, strict=True):
            _tell(replica, json.dumps({"turns": amount, "tasks": share}))
        for replica in self._replicas:
            _heard(replica, "ended")
        seconds, after = time.monotonic() - began, self._used()
        self._check([task for _, task in made])
        turns = amount * self._tasks
        cost = [1000 * (late - early) / turns for early, late in zip(before, after, strict=True)]
        return Round(turns / seconds, cost[0], cost[1])

    async def _accepted(self) -> list[tuple[str, str]]:
        return [await accepted(self._store) for _ in range(self._tasks)]

    def _check(self, tasks: Sequence[str]) -> None:
        with psycopg.connect(self._settings.database_dsn("operator")) as connection:
            ended = connection.execute(_ENDED, (tasks,)).fetchall()
        if ended != [("max_steps", len(tasks))]:
            raise SystemExit(f"the tasks ended otherwise than by their budget: {ended}")

    def _used(self) -> tuple[float, float]:
        servers = [pid for pid, command in processes_of(self._settings.home).items() if "postgres" in command]
        return cpu_seconds([one.pid for one in self._replicas]), cpu_seconds(servers)


@contextlib.contextmanager
def _replica(settings: Settings) -> Iterator[subprocess.Popen[str]]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "contracts")))}
    command = [sys.executable, "-m", "benchmarks.replica", str(settings.home)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment
    ) as process:
        _heard(process, "ready")
        try:
            yield process
        finally:
            process.terminate()


def _tell(replica: subprocess.Popen[str], text: str) -> None:
    assert replica.stdin is not None
    replica.stdin.write(f"{text}\n")
    replica.stdin.flush()


def _heard(replica: subprocess.Popen[str], word: str) -> None:
    assert replica.stdout is not None
    said = replica.stdout.readline().strip()
    if said != word:
        raise SystemExit(f"a replica ended: {said or replica.wait()}")


def _cost(rounds: Sequence[Round]) -> str:
    ours = statistics.median(one.replicas for one in rounds)
    return f"{ours:.1f}, {statistics.median(one.database for one in rounds):.1f}"

"""What a turn costs by how long its session is already."""

import asyncio
import statistics

import uvloop

from benchmarks.beside import engine, line
from benchmarks.noop_task import NoopTask
from shared.settings import Settings
from tests.support.store import store_of

LENGTHS = (10, 1_000, 10_000)
TURNS = 5
ROUNDS = 20
GOAL = 10


def main() -> None:
    """Print what a turn costs by itself, and with its prompt, which grows until the history's budget is full."""
    _print("without prompts", prompts=False)
    _print("with prompts", prompts=True)


def _print(label: str, *, prompts: bool) -> None:
    """The median turn at each length, in turn with the others, and how far they lie apart."""
    with engine() as settings:
        times = uvloop.run(_measure(settings, prompts=prompts))
    medians = {length: statistics.median(found) for length, found in times.items()}
    line(f"milliseconds a turn (one commit) {label}, medians of {ROUNDS} rounds of {TURNS}", "")
    for length in LENGTHS:
        apart = statistics.median(one / other for one, other in zip(times[length], times[LENGTHS[0]], strict=True))
        line(f"  a session of {length:,} events", f"{medians[length]:>9.2f}   {100 * (apart - 1):+.1f} %")
    spread = 100 * (max(medians.values()) / min(medians.values()) - 1)
    line("  spread of the medians", f"{spread:>9.1f} %   (goal: within {GOAL} %)")


async def _measure(settings: Settings, *, prompts: bool) -> dict[int, list[float]]:
    async with store_of(settings, "owner") as (store, pool):

        async def grown(length: int) -> NoopTask:
            task = await NoopTask.created(store, pool, prompts=prompts)
            while task.log.seq < length:
                await task.run(1)
            return task

        tasks = {length: await grown(length) for length in LENGTHS}
        times: dict[int, list[float]] = {length: [] for length in LENGTHS}
        loop = asyncio.get_running_loop()
        for number in range(ROUNDS):
            # The shortest would soon be short no more; the others grow by a part of what they are.
            tasks[LENGTHS[0]] = await grown(LENGTHS[0])
            for length in LENGTHS if number % 2 else reversed(LENGTHS):
                began = loop.time()
                await tasks[length].run(TURNS)
                times[length].append(1000 * (loop.time() - began) / TURNS)
    return times

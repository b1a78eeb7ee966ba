"""Durable turns with a model and a tool that do nothing, beside the durable no-op steps of DBOS and LangGraph."""

import asyncio
from typing import Any

import uvloop

from benchmarks.beside import Looped, engine, in_turn, line, opened_store, per_second, ratio, rival, rivals_dsn
from benchmarks.noop_task import tasks
from services.tool_loop.app import POOL
from shared.store.connection import Pool
from shared.store.events import EventStore

ROUNDS = 7


def main() -> None:
    """Print steps a second of one long task, and of fifty short ones at once."""
    _compare(1, 200)
    _compare(50, 20)


def _compare(count: int, steps: int) -> None:
    with (
        engine() as settings,
        rival("dbos_steps", rivals_dsn(settings), str(count)) as dbos,
        rival("langgraph_steps", rivals_dsn(settings), str(count)) as langgraph,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
        opened_store(runner, settings, POOL) as (store, pool),
    ):
        ours = _Ours(runner, store, pool, count)
        found = in_turn({"ours": ours, "DBOS": dbos, "LangGraph": langgraph}, steps, ROUNDS)
    line(f"{count} at once, {steps} steps each; ours are whole turns of two commits", "")
    for name, figures in found.items():
        per_second(f"  {name}", figures, "steps")
    for name in ("DBOS", "LangGraph"):
        line(f"  ours to {name}", f"{ratio(found['ours'], found[name]):>9.2f}   (goal: above 1)")


class _Ours(Looped):
    """New tasks in this process, under leases, on the loop that a service has."""

    def __init__(self, runner: asyncio.Runner, store: EventStore, pool: Pool, count: int) -> None:
        super().__init__(runner)
        self._store, self._pool, self._count = store, pool, count

    async def work(self, amount: int) -> Any:
        return await tasks(self._store, self._pool, self._count, amount)

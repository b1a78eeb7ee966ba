"""Durable turns with a model and a tool that do nothing, beside the durable no-op steps of DBOS and LangGraph."""

import asyncio
from collections.abc import Mapping
from typing import Any

import uvloop
from arreio_contracts.events import Effect

from benchmarks.beside import Looped, engine, in_turn, line, opened_store, per_second, ratio, rival, rivals_dsn
from benchmarks.noop_task import tasks
from services.tool_loop.app import POOL
from shared.store.connection import Pool
from shared.store.events import EventStore

ROUNDS = 7
OURS: Mapping[str, Effect] = {"ours, a tool that reads": "read", "ours, a command": "command"}
"""A turn with a read is one commit, one with a command two."""


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
        ours = {name: _Ours(runner, store, pool, count, effect) for name, effect in OURS.items()}
        found = in_turn({**ours, "DBOS": dbos, "LangGraph": langgraph}, steps, ROUNDS)
    line(f"{count} at once, {steps} steps each; ours are whole turns, each of five events", "")
    for name, figures in found.items():
        per_second(f"  {name}", figures, "steps")
    for other in ("DBOS", "LangGraph"):
        for name in OURS:
            line(f"  {name}, to {other}", f"{ratio(found[name], found[other]):>9.2f}   (goal: above 1)")


class _Ours(Looped):
    """New tasks in this process, under leases, on the loop that a service has."""

    def __init__(self, runner: asyncio.Runner, store: EventStore, pool: Pool, count: int, effect: Effect) -> None:
        super().__init__(runner)
        self._store, self._pool, self._count, self._effect = store, pool, count, effect

    async def work(self, amount: int) -> Any:
        return await tasks(self._store, self._pool, self._count, amount, self._effect)

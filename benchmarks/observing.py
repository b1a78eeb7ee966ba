"""What metrics and traces cost a turn: CPU time of durable no-op turns with nothing, with metrics, and with both."""

import asyncio
import os
import statistics
import time
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import uvloop
from arreio_contracts.events import EventData

from benchmarks.beside import Looped, engine, in_turn, line, opened_store
from benchmarks.noop_task import NoopEffects, NoopTask
from services.tool_loop import turn
from services.tool_loop.app import POOL
from services.tool_loop.log import TaskLog
from services.tool_loop.observed import Turns
from services.tool_loop.steps import Step
from shared.observing import metrics
from shared.observing.tracing import traced
from shared.store.connection import Pool
from shared.store.events import EventStore
from tests.support.collector import Collector

TURNS = 200
ROUNDS = 9


def main() -> None:
    """Print milliseconds of CPU time of one turn, of the thread that the loop runs in."""
    with (
        engine() as settings,
        Collector() as collector,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
        opened_store(runner, settings, POOL) as (store, pool),
    ):
        os.environ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] = f"{collector.url}/v1/traces"
        kinds = {"off": (False, False), "metrics": (True, False), "metrics and traces": (True, True)}
        candidates = {name: _Turns(runner, store, pool, *on) for name, on in kinds.items()}
        found = in_turn(candidates, TURNS, ROUNDS)
    line(f"one turn of {TURNS}, one commit, nothing asked or run", "")
    for name, figures in found.items():
        more = statistics.median(one - off for one, off in zip(figures, found["off"], strict=True))
        line(f"  {name}", f"{statistics.median(figures):>9.3f} ms of CPU   ({more:+.3f})")


class _Watched(NoopEffects):
    """The steps of a turn, seen as the product sees them."""

    turns = Turns()

    async def perform(self, step: Step, log: TaskLog) -> Sequence[EventData]:
        return await self.turns.observe(step, log.traceparent, log.state.steps, super().perform(step, log))


class _Turns(Looped):
    """One task a round; milliseconds of this thread's CPU time for each of its turns."""

    def __init__(self, runner: asyncio.Runner, store: EventStore, pool: Pool, counted: bool, spanned: bool) -> None:
        super().__init__(runner)
        self._store, self._pool, self._counted, self._spanned = store, pool, counted, spanned

    async def work(self, amount: int) -> Any:
        task = await NoopTask.created(self._store, self._pool)
        with ExitStack() as stack:
            if self._counted:
                metrics.switch_on()
                stack.callback(metrics.switch_off)
            if self._spanned:
                stack.enter_context(traced("bench"))
            effects = _Watched(None, amount)
            began = time.thread_time()
            await turn.run(task.log, effects)
            used = time.thread_time() - began
            effects.turns.end()
        return used * 1000 / amount

"""A task whose loop stands still, though its process lives, is let go, and another worker finds it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from arreio_contracts.events import EventData, FileEffect, Metadata, TaskCreated
from arreio_contracts.task import TaskContract

from services.tool_loop.log import TaskLog
from services.tool_loop.state import LoopState
from services.tool_loop.steps import RunTool, Step
from services.tool_loop.worker import Worker
from shared.settings import Settings
from shared.store import leases
from shared.store.events import event_of
from shared.store.leases import Lease
from shared.store.tasks import TaskPatch
from tests.support.store import fresh, store_of
from tests.support.waiting import eventually
from tests.unit.simulated_task import profiled


class Standing:
    """Effects of which the second never comes to an end, and cannot be ended by being told to stop."""

    stopping = False

    def __init__(self) -> None:
        self.performed = 0

    async def open(self, log: TaskLog, lease: Lease) -> None:
        """Nothing to take."""

    async def plan(self, step: RunTool, state: LoopState) -> FileEffect | None:
        """Nothing is known."""
        return None

    async def perform(self, step: Step, log: TaskLog) -> Sequence[EventData]:
        """Admit the task with a short time for stalls; then stand still."""
        self.performed += 1
        if self.performed > 1:
            await asyncio.Event().wait()
        # A workspace of its own: the profile is committed while the task stands, and others could keep it out.
        return [profiled(workspace=f"/{log.task_id}", capability={**profiled().capability, "stall": 0.2})]

    def interrupt(self, *, stop: bool) -> None:
        """Not heard."""

    def wake(self) -> None:
        """Not heard."""

    def superseded(self) -> bool:
        """Nobody else wants what was not taken."""
        return False

    async def close(self) -> None:
        """Nothing to let go."""


async def test_a_loop_that_stands_still_loses_its_task_and_the_next_run_counts_as_a_takeover(engine: Settings) -> None:
    async with store_of(engine, "owner") as (store, pool):
        session, task = fresh(), fresh("t")
        created = TaskCreated(
            goal="g", contract=TaskContract(), channel="cli", message_id="m", at_ms=time.time_ns() // 1_000_000
        )
        patch = TaskPatch(task_id=task, state="PENDING", goal="g")
        await store.append_fact(session, [event_of(created, Metadata(service="gateway"), task_id=task)], task=patch)
        worker = Worker(pool, f"host/boot/{fresh('p')}/1", Standing, ttl=0.6, code_version="", slack=0.2)
        assert await worker.start(session, task)
        other = f"host/boot/{fresh('p')}/2"
        taken = await eventually(lambda: leases.claim(pool, "task", task, other, 60), within=60)
        assert taken.previous_owner is not None

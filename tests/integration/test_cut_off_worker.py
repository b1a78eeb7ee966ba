"""A worker that no longer reaches the store lets its task go once somebody waits for the workspace, and not before."""

from __future__ import annotations

import asyncio
import time

import pytest
from arreio_contracts.events import Metadata, TaskCreated
from arreio_contracts.task import TaskContract
from structlog.testing import capture_logs

from services.tool_loop.worker import Worker
from shared.settings import Settings
from shared.store import leases
from shared.store.errors import StoreUnavailable
from shared.store.events import event_of
from shared.store.tasks import TaskPatch
from tests.integration.test_stall import Standing
from tests.support.store import event, fresh, store_of


class Wanted(Standing):
    """Effects on a workspace for which another machine asks when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.wanted = False
        self.looked = asyncio.Event()
        self.closed = asyncio.Event()

    def superseded(self) -> bool:
        """What the test said."""
        self.looked.set()
        return self.wanted

    async def close(self) -> None:
        """Told to the test."""
        self.closed.set()


async def test_the_task_is_kept_while_the_store_is_away_until_another_machine_has_it(
    engine: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object) -> list[leases.Lease]:
        raise StoreUnavailable("cut off")

    async with store_of(engine, "owner") as (store, pool):
        session, task = fresh(), fresh("t")
        now = time.time_ns() // 1_000_000
        created = TaskCreated(goal="g", contract=TaskContract(), channel="cli", message_id="m", at_ms=now)
        patch = TaskPatch(task_id=task, state="PENDING", goal="g")
        await store.append_fact(session, [event_of(created, Metadata(service="gateway"), task_id=task)], task=patch)
        effects = Wanted()
        worker = Worker(pool, f"host/boot/{fresh('p')}/1", lambda: effects, ttl=0.6, code_version="")
        monkeypatch.setattr(leases, "heartbeat", away)
        assert await worker.start(session, task)
        async with asyncio.timeout(20):
            await effects.looked.wait()
            effects.looked.clear()
            await effects.looked.wait()
            assert not effects.closed.is_set()
            effects.wanted = True
            await effects.closed.wait()


async def test_a_task_that_no_event_began_is_not_worked_on_and_told_of_in_words(engine: Settings) -> None:
    async with store_of(engine, "owner") as (store, pool):
        session, task = fresh(), fresh("t")
        await store.append_fact(session, [event("message.received")], task=TaskPatch(task_id=task, goal="g"))
        effects = Wanted()
        worker = Worker(pool, f"host/boot/{fresh('p')}/1", lambda: effects, ttl=0.6, code_version="")
        with capture_logs() as logs:
            assert await worker.start(session, task)
            async with asyncio.timeout(20):
                await effects.closed.wait()
                await worker.stop()
        assert [one["event"] for one in logs] == ["task.run_failed"]
        assert f"no event of session {session} began it" in logs[0]["error"]
        assert (await store.head(session)).seq == 1

"""Leases in a real PostgreSQL: one holder, in order, by the database's clock."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from shared.settings import Settings
from shared.store import leases
from shared.store.connection import Pool
from shared.store.events import EventStore
from shared.store.tasks import TaskPatch
from tests.support.store import event, fresh, store_of
from tests.support.waiting import eventually


@pytest.fixture
async def opened(engine: Settings) -> AsyncIterator[tuple[EventStore, Pool]]:
    async with store_of(engine, "owner") as found:
        yield found


class Tasks:
    """Tasks of one session."""

    def __init__(self, store: EventStore, pool: Pool) -> None:
        self.store, self.pool, self.session = store, pool, fresh()

    async def create(self) -> str:
        task = fresh("t")
        await self.change(task, goal="g")
        return task

    async def change(self, task: str, **patch: object) -> None:
        changed: TaskPatch = {"task_id": task, **patch}  # type: ignore[typeddict-item]
        await self.store.append_fact(self.session, [event(task_id=task)], task=changed)

    async def runnable(self) -> list[str]:
        return [one.id for one in await leases.runnable(self.pool, limit=1000) if one.session_id == self.session]


@pytest.fixture
def tasks(opened: tuple[EventStore, Pool]) -> Tasks:
    return Tasks(*opened)


def owner() -> str:
    return f"host/boot/{fresh('p')}/1"


async def test_of_many_claims_one_wins(tasks: Tasks) -> None:
    task = await tasks.create()
    claims = await asyncio.gather(*(leases.claim(tasks.pool, "task", task, owner(), 60) for _ in range(8)))
    held = [one for one in claims if one is not None]
    assert [one.epoch for one in held] == [1]
    assert await leases.claim(tasks.pool, "task", task, held[0].owner, 60) is None


async def test_a_released_lease_is_claimed_with_the_next_epoch_and_no_previous_owner(tasks: Tasks) -> None:
    task = await tasks.create()
    first = await leases.claim(tasks.pool, "task", task, owner(), 60)
    assert first is not None
    assert await leases.release(tasks.pool, first)
    assert not await leases.release(tasks.pool, first)
    second = await leases.claim(tasks.pool, "task", task, owner(), 60)
    assert second is not None
    assert (second.epoch, second.previous_owner) == (2, None)


async def test_an_expired_lease_is_taken_over_and_names_whom_from(tasks: Tasks) -> None:
    task = await tasks.create()
    first = await leases.claim(tasks.pool, "task", task, owner(), 0.01)
    assert first is not None
    second = await eventually(lambda: leases.claim(tasks.pool, "task", task, owner(), 60))
    assert (second.epoch, second.previous_owner) == (2, first.owner)
    assert await leases.heartbeat(tasks.pool, [first], 60) == [first]
    assert await leases.heartbeat(tasks.pool, [second], 60) == []


async def test_the_leases_of_dead_owners_expire_at_once(tasks: Tasks) -> None:
    task = await tasks.create()
    first = await leases.claim(tasks.pool, "task", task, owner(), 3600)
    assert first is not None
    assert await tasks.runnable() == []
    assert await leases.expire_dead(tasks.pool, lambda one: one == first.owner) == 1
    assert await tasks.runnable() == [task]


async def test_tasks_of_a_session_run_first_come_first_served(tasks: Tasks) -> None:
    first, second = await tasks.create(), await tasks.create()
    assert await tasks.runnable() == [first]
    assert await leases.claim(tasks.pool, "task", second, owner(), 60) is None
    await tasks.change(first, state="BLOCKED")
    assert await tasks.runnable() == [second]
    assert await leases.claim(tasks.pool, "task", first, owner(), 60) is None
    assert await leases.claim(tasks.pool, "task", second, owner(), 60) is not None


async def test_a_task_that_waits_runs_when_input_came_or_its_timer_is_due_or_it_is_cancelled(tasks: Tasks) -> None:
    task = await tasks.create()
    await tasks.change(task, state="NEEDS_INPUT", awaiting="input", wake_in=3600)
    assert await tasks.runnable() == []
    await tasks.change(task, awaiting=None)
    assert await tasks.runnable() == [task]
    await tasks.change(task, awaiting="input", wake_in=0.01)
    assert await eventually(tasks.runnable) == [task]
    await tasks.change(task, wake_in=3600)
    assert await tasks.runnable() == []
    await tasks.change(task, cancel_requested=True)
    assert await tasks.runnable() == [task]


async def test_a_claim_waits_for_its_gate_until_it_is_judged(tasks: Tasks) -> None:
    task, claim = await tasks.create(), fresh("c")
    await tasks.change(task, state="IN_PROGRESS", awaiting="gate", awaiting_id=claim)
    waiting = [one for one in await leases.runnable(tasks.pool, "gate", 1000) if one.id == claim]
    assert [(one.session_id, one.task_id) for one in waiting] == [(tasks.session, task)]
    assert await tasks.runnable() == []
    lease = await leases.claim(tasks.pool, "gate", claim, owner(), 60)
    assert lease is not None
    assert claim not in [one.id for one in await leases.runnable(tasks.pool, "gate", 1000)]
    await tasks.change(task, awaiting=None, awaiting_id=None)
    await leases.release(tasks.pool, lease)
    assert await leases.claim(tasks.pool, "gate", claim, owner(), 60) is None
    assert await tasks.runnable() == [task]

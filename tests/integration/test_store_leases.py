"""Leases in a real PostgreSQL: one holder, in order, by the database's clock."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from shared.settings import Settings
from shared.store import leases
from shared.store.connection import Pool, connected, open_pool
from shared.store.errors import StoreUnavailable
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


async def test_a_task_that_is_cancelled_behind_another_of_its_session_ends_at_once_and_no_later_one_begins(
    tasks: Tasks,
) -> None:
    first, second, third = [await tasks.create() for _ in range(3)]
    assert await leases.claim(tasks.pool, "task", first, owner(), 60) is not None
    await tasks.change(second, cancel_requested=True)
    assert await tasks.runnable() == [second]
    assert await leases.claim(tasks.pool, "task", second, owner(), 60) is not None
    assert await leases.claim(tasks.pool, "task", third, owner(), 60) is None


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


async def of_other_sessions(opened: tuple[EventStore, Pool], count: int, workspace: str) -> list[tuple[Tasks, str]]:
    """Tasks in one workspace, each of a session of its own, the oldest first."""
    found = []
    for _ in range(count):
        tasks = Tasks(*opened)
        task = await tasks.create()
        await tasks.change(task, workspace=workspace)
        found.append((tasks, task))
    return found


async def test_of_sessions_in_one_workspace_only_one_is_at_work_however_many_race(
    opened: tuple[EventStore, Pool],
) -> None:
    waiting = await of_other_sessions(opened, 5, f"/srv/{fresh('w')}")
    claims = await asyncio.gather(
        *(leases.claim(opened[1], "task", task, owner(), 60) for _, task in waiting for _ in range(2))
    )
    assert [one.id for one in claims if one is not None] == [waiting[0][1]]
    assert await leases.kept_out_by(opened[1], waiting[2][1]) == sorted(task for _, task in waiting[:2])
    assert await waiting[1][0].runnable() == []


async def test_whoever_waits_longest_for_a_workspace_gets_it_next(opened: tuple[EventStore, Pool]) -> None:
    waiting = await of_other_sessions(opened, 3, f"/srv/{fresh('w')}")
    for number, (tasks, task) in enumerate(waiting):
        assert await tasks.runnable() == [task]
        for _, later in waiting[number + 1 :]:
            assert await leases.claim(opened[1], "task", later, owner(), 60) is None
        held = await leases.claim(opened[1], "task", task, owner(), 60)
        assert held is not None
        await tasks.change(task, state="COMPLETE")
        assert await leases.release(opened[1], held)


async def test_a_task_that_was_cut_off_in_a_workspace_goes_before_those_that_have_not_begun(
    opened: tuple[EventStore, Pool],
) -> None:
    (first, early), (second, late) = await of_other_sessions(opened, 2, f"/srv/{fresh('w')}")
    await second.change(late, state="IN_PROGRESS")
    assert await leases.claim(opened[1], "task", early, owner(), 60) is None
    assert await second.runnable() == [late] and await first.runnable() == []
    await second.change(late, state="NEEDS_INPUT", awaiting="input")
    assert await first.runnable() == [early], "who waits for a person leaves the workspace"


async def test_two_that_were_cut_off_in_one_workspace_never_wait_for_each_other(
    opened: tuple[EventStore, Pool],
) -> None:
    pair = await of_other_sessions(opened, 2, f"/srv/{fresh('w')}")
    for tasks, task in pair:
        await tasks.change(task, state="IN_PROGRESS")
    assert [await tasks.runnable() for tasks, _ in pair] == [[pair[0][1]], []]


async def test_a_task_that_waits_for_a_workspace_can_be_cancelled_at_once(opened: tuple[EventStore, Pool]) -> None:
    (_, first), (second, later) = await of_other_sessions(opened, 2, f"/srv/{fresh('w')}")
    assert await leases.claim(opened[1], "task", first, owner(), 60) is not None
    await second.change(later, cancel_requested=True)
    assert await second.runnable() == [later]
    assert await leases.claim(opened[1], "task", later, owner(), 60) is not None


async def test_one_who_stops_inside_a_transaction_is_cut_off_and_holds_up_no_claim(engine: Settings) -> None:
    dsn = engine.database_dsn("tool_loop")
    assert "-c idle_in_transaction_session_timeout=" in str(conninfo_to_dict(dsn)["options"])
    dsn = make_conninfo(dsn, options="-c idle_in_transaction_session_timeout=100")
    async with store_of(engine, "owner") as (store, pool), open_pool(dsn, name="stopped", size=1) as stopped:
        tasks = Tasks(store, pool)
        task = await tasks.create()
        await tasks.change(task, workspace=f"/w/{task}")
        with pytest.raises(StoreUnavailable):
            async with connected(stopped) as connection, connection.transaction():
                await connection.execute("SELECT arreio.workspace_turn(%s)", (task,))
                assert await leases.claim(pool, "task", task, "host/boot/2/1", 30)  # it waits for that lock
                await connection.execute("SELECT 1")

"""What benchmarks call a turn is one: the task that does nothing goes on as honest work does, and the knee is found."""

from __future__ import annotations

from benchmarks.noop_task import NoopTask
from benchmarks.scale import knee
from shared.settings import Settings
from tests.support.store import store_of

TURNS = 40


async def test_a_task_that_does_nothing_makes_every_turn_that_is_counted(engine: Settings) -> None:
    async with store_of(engine, "owner") as (store, pool):
        task = await NoopTask.created(store, pool)
        await task.run(TURNS)
        events = [event.type for event in await store.read(task.log.session_id)]
    assert [events.count(kind) for kind in ("model.replied", "tool.finished")] == [TURNS, TURNS]
    assert not {"ladder.climbed", "task.blocked"} & set(events)


def test_the_knee_is_the_least_that_reaches_what_more_does_not_raise() -> None:
    rates = {1: (50.0, 50.0, 50.0), 4: (90.0, 150.0, 190.0), 16: (100.0, 195.0, 200.0), 64: (90.0, 200.0, 205.0)}
    assert knee(rates).startswith("4 tasks at once on 4 replicas")
    assert knee({1: (100.0, 104.0, 109.0)}).startswith("1 tasks at once on 1 replicas")

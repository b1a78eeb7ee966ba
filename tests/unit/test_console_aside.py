"""Long work is done beside the console's event loop, a few at a time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from arreio.console import aside, workings
from arreio.console.aside import Aside
from services.console.workings import Asker, Busy, Ending, Replaced
from shared.errors import ArreioError
from shared.settings import load_settings

OLGA, VERA = Asker("olga"), Asker("vera")
Works = Callable[[workings.HouseWorkings], Coroutine[Any, Any, Any]]


@asynccontextmanager
async def no_pool(*_: object, **__: object) -> AsyncIterator[Any]:
    yield None


async def blocked(go: threading.Event) -> bool:
    """Work that never gives way: done on the loop, it would keep `go` from ever being set."""
    return go.wait(20)


async def test_others_go_on_while_work_is_done_and_a_bounded_number_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aside, "MOST_WAITING", 1)
    works, go, running = Aside(no_pool, 1), threading.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    async def first(_: Any) -> bool:
        loop.call_soon_threadsafe(running.set)
        return await blocked(go)

    one = asyncio.create_task(works.run(first, OLGA))
    await running.wait()
    two = asyncio.create_task(works.run(lambda _: blocked(go), Asker("paul")))
    await asyncio.sleep(0)
    with pytest.raises(Busy):
        await works.run(lambda _: blocked(go), VERA)
    go.set()
    assert all(await asyncio.gather(one, two))
    assert await works.run(lambda _: blocked(go), VERA), "room is made again"


async def test_what_is_wrong_with_work_is_said_and_its_place_is_free_again() -> None:
    works = Aside(no_pool, 1)

    async def wrong(_: Any) -> None:
        raise ArreioError("it cannot be")

    for _ in range(2):
        with pytest.raises(ArreioError, match="it cannot be"):
            await works.run(wrong, OLGA)


class Held:
    """A work that waits until it is let go, and tells when it has begun and that it was cancelled."""

    def __init__(self) -> None:
        self.begun, self.let, self.cancelled = asyncio.Event(), threading.Event(), asyncio.Event()
        self._loop = asyncio.get_running_loop()

    async def __call__(self, _: Any) -> str:
        self._loop.call_soon_threadsafe(self.begun.set)
        try:
            while not self.let.is_set():  # noqa: ASYNC110 - it is let go from another thread's loop
                await asyncio.sleep(0.005)
        except asyncio.CancelledError:
            self._loop.call_soon_threadsafe(self.cancelled.set)
            raise
        return "done"


async def never(_: Any) -> None:
    raise AssertionError("nobody waits for this")


async def test_one_person_never_holds_up_another() -> None:
    works, held = Aside(no_pool, 2), Held()
    of_vera = [asyncio.create_task(works.run(held, VERA)) for _ in range(1 + aside.MOST_OF_ONE)]
    await held.begun.wait()
    with pytest.raises(Busy):
        await works.run(held, VERA)
    other = Held()
    other.let.set()
    assert await works.run(other, OLGA) == "done"
    held.let.set()
    assert set(await asyncio.gather(*of_vera)) == {"done"}


async def test_who_goes_away_leaves_the_queue_and_what_was_begun_for_them_is_cancelled() -> None:
    works, held = Aside(no_pool, 1), Held()
    running, waiting = (asyncio.create_task(works.run(one, OLGA)) for one in (held, never))
    await held.begun.wait()
    for task in (waiting, running):
        task.cancel()
    await asyncio.gather(waiting, running, return_exceptions=True)
    await held.cancelled.wait()
    other = Held()
    other.let.set()
    assert await works.run(other, VERA) == "done"


async def test_of_a_slider_only_the_newest_is_done_and_other_looks_stay() -> None:
    works, held, slider = Aside(no_pool, 1), Held(), Asker("olga", "s_1 a")
    begun = asyncio.create_task(works.run(held, slider))
    await held.begun.wait()
    other = Held()
    other.let.set()
    plain = asyncio.create_task(works.run(other, OLGA))
    older = asyncio.create_task(works.run(never, slider))
    await asyncio.sleep(0)
    newest = asyncio.create_task(works.run(other, slider))
    for replaced in (begun, older):
        with pytest.raises(Replaced):
            await replaced
    assert set(await asyncio.gather(plain, newest)) == {"done"}


async def test_at_its_end_whoever_waits_is_told_and_nothing_is_begun_any_more() -> None:
    works, held = Aside(no_pool, 1), Held()
    asked = [asyncio.create_task(works.run(work, who)) for work, who in ((held, OLGA), (never, OLGA), (never, VERA))]
    await held.begun.wait()
    works.end()
    for one in asked:
        with pytest.raises(Ending):
            await one
    await held.cancelled.wait()
    with pytest.raises(Ending):
        await works.run(never, OLGA)


async def test_a_work_that_is_cancelled_before_its_thread_begins_it_is_never_begun() -> None:
    works = Aside(no_pool, 1)
    for _ in range(20):
        task = asyncio.create_task(works.run(never, OLGA))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises((asyncio.CancelledError, AssertionError)) as ended:
            await task
        assert ended.type is asyncio.CancelledError
    done = Held()
    done.let.set()
    assert await works.run(done, OLGA) == "done"


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("Folds.states_at", lambda house: house.states("s_1", 3, OLGA)),
        ("prompt_or_why_not", lambda house: house.prompt("s_1", 3, OLGA)),
        ("kept_workspace", lambda house: house.diff("t_1", None, None, OLGA)),
        ("replay_stored", lambda house: house.verify("s_1", OLGA)),
        ("fork_session", lambda house: house.fork("s_1", 3, OLGA)),
    ],
)
async def test_whatever_reads_a_whole_session_is_done_beside_the_loop(
    name: str, call: Works, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[int] = []

    async def found(*_: object) -> Any:
        threads.append(threading.get_ident())
        raise ArreioError("that is all")

    monkeypatch.setattr(f"{workings.__name__}.{name}", found)
    monkeypatch.setattr(workings.HouseWorkings, "_opening", no_pool)
    house = workings.HouseWorkings(load_settings(None), SimpleNamespace(client=None), None)  # type: ignore[arg-type]
    with pytest.raises(ArreioError, match="that is all"):
        await call(house)
    assert threads and threads != [threading.get_ident()]

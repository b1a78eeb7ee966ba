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
from services.console.workings import Busy
from shared.errors import ArreioError
from shared.settings import load_settings

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

    one = asyncio.create_task(works.run(first))
    await running.wait()
    two = asyncio.create_task(works.run(lambda _: blocked(go)))
    await asyncio.sleep(0)
    with pytest.raises(Busy):
        await works.run(lambda _: blocked(go))
    go.set()
    assert all(await asyncio.gather(one, two))
    assert await works.run(lambda _: blocked(go)), "room is made again"


async def test_what_is_wrong_with_work_is_said_and_its_place_is_free_again() -> None:
    works = Aside(no_pool, 1)

    async def wrong(_: Any) -> None:
        raise ArreioError("it cannot be")

    for _ in range(2):
        with pytest.raises(ArreioError, match="it cannot be"):
            await works.run(wrong)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("states_at", lambda house: house.states("s_1", 3)),
        ("recorded_prompt", lambda house: house.prompt("s_1", 3)),
        ("kept_workspace", lambda house: house.diff("t_1", None, None)),
        ("replay_stored", lambda house: house.verify("s_1")),
        ("fork_session", lambda house: house.fork("s_1", 3)),
    ],
)
async def test_whatever_reads_a_whole_session_is_done_beside_the_loop(
    name: str, call: Works, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[int] = []

    async def found(*_: object) -> Any:
        threads.append(threading.get_ident())
        raise ArreioError("that is all")

    monkeypatch.setattr(workings, name, found)
    monkeypatch.setattr(workings.HouseWorkings, "_opening", no_pool)
    house = workings.HouseWorkings(load_settings(None), SimpleNamespace(client=None), None)  # type: ignore[arg-type]
    with pytest.raises(ArreioError, match="that is all"):
        await call(house)
    assert threads and threads != [threading.get_ident()]

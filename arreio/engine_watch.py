"""While a command follows what happens: says what does not run or hangs, and gives up when the engine has gone."""

import asyncio
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

from arreio.hanging import Hangs
from arreio.service_process import SERVICES, live_services
from shared.engine.locks import engine_holder
from shared.engine.paths import DataDir
from shared.errors import ArreioError
from shared.settings import Settings

Result = TypeVar("Result")

LOOK_EVERY = 2.0
PATIENCE = 4
"""Looks in a row that must agree: a service that dies is started again within a moment."""


class EngineGone(ArreioError):
    """The embedded engine ended while it was followed. What it did is safe in the data directory."""


async def watched(settings: Settings, work: Coroutine[Any, Any, Result]) -> asyncio.Future[Result]:
    """Carry out `work` while `watch` looks; the work, when it has ended, or was cancelled from within.

    Raises:
        EngineGone: the embedded engine has ended.
    """
    following = asyncio.ensure_future(work)
    watching = asyncio.ensure_future(watch(settings))
    try:
        done, _ = await asyncio.wait({following, watching}, return_when=asyncio.FIRST_COMPLETED)
        if following not in done:
            watching.result()  # raises; it only ends otherwise where there is nothing to watch
        await asyncio.wait({following})
        return following
    finally:
        for one in (following, watching):
            one.cancel()
        await asyncio.gather(following, watching, return_exceptions=True)


async def watch(settings: Settings) -> None:
    """Look for ever; write one line for each service that stays away, and for each that hangs.

    Raises:
        EngineGone: nothing runs on the data directory any more.
    """
    if not settings.embedded:
        return
    data_dir = DataDir(settings.home)
    absent: dict[str, int] = {}
    hangs = Hangs(data_dir, PATIENCE)
    gone = 0
    while True:
        await asyncio.sleep(LOOK_EVERY)
        gone = gone + 1 if engine_holder(data_dir) is None else 0
        if gone >= PATIENCE:
            raise EngineGone(
                f"the engine on {settings.home} has ended", "`arreio up` starts it again, and its tasks go on"
            )
        alive = {service.name for service in live_services(data_dir)}
        for name in SERVICES:
            absent[name] = 0 if name in alive else absent.get(name, 0) + 1
            if absent[name] == PATIENCE and not gone:
                sys.stderr.write(f"arreio: {name} is not running; its log is {data_dir.logs / name}.log\n")
        for line in await asyncio.to_thread(hangs.news):
            sys.stderr.write(f"arreio: {line}; see `arreio doctor`\n")

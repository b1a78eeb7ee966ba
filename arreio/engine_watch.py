"""While a command follows a task: says what does not run or hangs, and gives up when the engine itself has gone."""

import asyncio
import sys

from arreio.hanging import Hangs
from arreio.service_process import SERVICES, live_services
from shared.engine.locks import engine_holder
from shared.engine.paths import DataDir
from shared.errors import ArreioError
from shared.settings import Settings

LOOK_EVERY = 2.0
PATIENCE = 4
"""Looks in a row that must agree: a service that dies is started again within a moment."""


class EngineGone(ArreioError):
    """The embedded engine ended while a task was followed. The task itself is safe in the data directory."""


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
                f"the engine on {settings.home} has ended", "`arreio up` starts it again, and the task goes on"
            )
        alive = {service.name for service in live_services(data_dir)}
        for name in SERVICES:
            absent[name] = 0 if name in alive else absent.get(name, 0) + 1
            if absent[name] == PATIENCE and not gone:
                sys.stderr.write(f"arreio: {name} is not running; its log is {data_dir.logs / name}.log\n")
        for line in await asyncio.to_thread(hangs.news):
            sys.stderr.write(f"arreio: {line}; see `arreio doctor`\n")

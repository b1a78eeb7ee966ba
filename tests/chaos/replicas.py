"""A second process of each service, as on another machine: it reaches both servers through proxies, and may have a
clock of its own. What ends is started again."""

from __future__ import annotations

import asyncio
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import quote

from shared.engine.paths import DataDir
from shared.engine.state import read_state
from tests.support.house import SERVICES, House
from tests.support.programs import Program, kill, start
from tests.support.proxy import Proxy

FAKETIME: Final = tuple(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))
"""Debian's libfaketime, where it is installed."""
RESTART_PAUSE: Final = 0.5


class Replicas:
    """Runs within `async with`; `variables` are those of the house."""

    def __init__(self, house: House, variables: Mapping[str, str]) -> None:
        self._house = house
        self._variables = variables
        self._running: dict[str, Program] = {}
        self._keeping: asyncio.Task[None] | None = None
        state = read_state(DataDir(house.place))
        assert state is not None
        self._state = state
        socket = f"{state.socket_dir}/.s.PGSQL.{state.postgres_port}"
        self.postgres = Proxy(lambda: asyncio.open_unix_connection(socket))
        self.nats = Proxy(lambda: asyncio.open_connection("127.0.0.1", state.nats_port))

    async def __aenter__(self) -> Replicas:
        await self.postgres.start()
        await self.nats.start()
        for service in SERVICES:
            self.set_clock(service, 0)
            self._start(service)
        self._keeping = asyncio.create_task(self._keep())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._keeping is not None
        self._keeping.cancel()
        for program in self._running.values():
            program.process.send_signal(signal.SIGCONT)
            program.process.send_signal(signal.SIGTERM)
        for program in self._running.values():
            try:
                await asyncio.to_thread(program.process.wait, 30)
            except subprocess.TimeoutExpired:
                kill(program.process.pid)
        self.postgres.stop()
        self.nats.stop()

    def set_clock(self, service: str, seconds: int) -> None:
        """Have the replica's clock be so many seconds off (its monotonic clock is not touched)."""
        place = self._clock(service)
        fresh = place.with_suffix(".new")
        fresh.write_text(f"{seconds:+d}\n")
        fresh.replace(place)

    async def _keep(self) -> None:
        while True:
            for service, program in self._running.items():
                if program.process.poll() is not None:
                    self._start(service)
            await asyncio.sleep(RESTART_PAUSE)

    def _start(self, service: str) -> None:
        more = {**self._variables, **self._addresses(), **self._own_clock(service)}
        self._running[service] = start(["-m", "arreio", "serve", service], self._house.place, more)

    def _addresses(self) -> dict[str, str]:
        secrets = self._house.settings.credentials()
        login, user = quote(secrets.postgres["arreio_admin"]), quote(secrets.nats["services"])
        return {
            "ARREIO_DATABASE_URL": f"postgresql://arreio_admin:{login}@127.0.0.1:{self.postgres.port}/arreio",
            "ARREIO_NATS_URL": f"nats://services:{user}@127.0.0.1:{self.nats.port}",
        }

    def _own_clock(self, service: str) -> dict[str, str]:
        if not FAKETIME:
            return {}
        return {
            "LD_PRELOAD": str(FAKETIME[0]),
            "FAKETIME_TIMESTAMP_FILE": str(self._clock(service)),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "NO_FAKE_STAT": "1",
        }

    def _clock(self, service: str) -> Path:
        return self._house.place / f"clock.{service}"

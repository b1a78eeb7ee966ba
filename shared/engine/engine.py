"""The engine of a data directory: takes its lock, starts PostgreSQL and NATS together, stops both."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from shared.engine.credentials import ensure_credentials
from shared.engine.errors import StartFailed
from shared.engine.locks import lock_engine
from shared.engine.nats import NatsServer
from shared.engine.paths import DataDir
from shared.engine.postgres import PORT, PostgresServer
from shared.engine.server import Server
from shared.engine.state import EngineState, new_state, with_phase, write_state
from shared.settings import Settings

_START_PATIENCE = 120.0  # seconds: recovery of a large log after a crash is slow, and its end is announced
_PREDECESSOR_PATIENCE = 20.0


class Engine:
    """The running engine. It lives and ends with the single thread that made it."""

    def __init__(self, settings: Settings, *, background: bool = False) -> None:
        """Take the data directory; raises EngineHeld when another process has it, DataDirError when it is unusable."""
        self.data_dir = DataDir(settings.home)
        self.data_dir.prepare()
        self.lock_fd = lock_engine(self.data_dir)
        try:
            credentials = ensure_credentials(self.data_dir)
            self.postgres = PostgresServer(self.data_dir, credentials)
            self.nats = NatsServer(
                self.data_dir,
                credentials,
                fixed_port=settings.nats_port,
                last_port=_last_port(self.data_dir),
            )
        except BaseException:
            os.close(self.lock_fd)
            raise
        self._background = background
        self._state: EngineState | None = None
        self._retry_until = 0.0

    def spawn(self) -> None:
        """Start both servers, NATS first: it recovers while PostgreSQL's cluster is looked after."""
        self.data_dir.state.unlink(missing_ok=True)
        try:
            self.nats.prepare()
            self.nats.spawn()
            self.postgres.prepare()
            self.postgres.spawn()
        except BaseException:
            self.stop()
            raise
        self._retry_until = time.monotonic() + _PREDECESSOR_PATIENCE

    def is_ready(self) -> bool:
        """Whether both serve; starts one again that only met its dying predecessor or a port just taken.

        Raises the typed error of a server that cannot start.
        """
        if self.postgres.poll() is not None:
            if not (self.postgres.should_retry() and time.monotonic() < self._retry_until):
                raise self.postgres.failure()
            time.sleep(0.1)
            self.postgres.spawn()
        if self.nats.poll() is not None:
            if not self.nats.choose_another_port():
                raise self.nats.failure()
            self.nats.spawn()
        return self.postgres.is_ready() and self.nats.is_ready()

    def wait_ready(self) -> None:
        """Wait until both serve, and write `run/engine.json`."""
        deadline = time.monotonic() + _START_PATIENCE
        pause = 0.01
        try:
            while not self.is_ready():
                if time.monotonic() > deadline:
                    late = self.nats if self.postgres.is_ready() else self.postgres
                    raise StartFailed(late.name, f"not ready within {_START_PATIENCE:.0f} s", late.log)
                time.sleep(pause)
                pause = min(pause * 1.2, 0.1)
        except BaseException:
            self.stop()
            raise
        self.set_phase("starting")

    def set_phase(self, phase: str) -> None:
        """Say in `run/engine.json` how far the engine has come (`state.PHASES`)."""
        if self._state is None:
            self._state = new_state(
                background=self._background,
                socket_dir=str(self.postgres.socket_dir),
                postgres_port=PORT,
                nats_port=self.nats.port,
                phase=phase,
            )
        self._state = with_phase(self._state, phase)
        write_state(self.data_dir, self._state)

    @property
    def servers(self) -> tuple[Server, ...]:
        """Both servers, for whoever restarts what dies."""
        return self.postgres, self.nats

    def address_line(self) -> str:
        """Where both listen, for people; no password."""
        return f"PostgreSQL on {self.postgres.socket_dir}, NATS on 127.0.0.1:{self.nats.port}"

    def begin_stop(self) -> None:
        """Say in `run/engine.json` that the engine is about to stop."""
        with contextlib.suppress(OSError):
            if self._state is not None:
                self.set_phase("stopping")

    def stop(self) -> None:
        """Stop both in good order and give the data directory free. Safe to call again."""
        if self.lock_fd < 0:
            return
        try:
            self.nats.stop()
            self.postgres.stop()
        finally:
            self.data_dir.state.unlink(missing_ok=True)
            os.close(self.lock_fd)
            self.lock_fd = -1


@contextmanager
def running_engine(settings: Settings) -> Iterator[Settings]:
    """An engine for the length of a `with` block: started, stopped in good order after it."""
    engine = Engine(settings)
    engine.spawn()
    engine.wait_ready()
    try:
        yield settings
    finally:
        engine.stop()


def _last_port(data_dir: DataDir) -> int | None:
    """The NATS port of the engine before, so that adapters find it again where it is still free."""
    try:
        return int(json.loads((data_dir.run / "nats.conf").read_text())["listen"].rpartition(":")[2])
    except (OSError, ValueError, KeyError, TypeError):
        return None

"""PostgreSQL and NATS run by others: the same interface as the embedded engine, with nothing to start."""

from __future__ import annotations

import contextlib
import os

from shared.engine.locks import lock_engine
from shared.engine.paths import DataDir
from shared.engine.server import Server
from shared.engine.state import EngineState, new_state, with_phase, write_state
from shared.settings import Settings


class ExternalEngine:
    """Holds the data directory's lock and state, so that `status` and `stop` work as with the embedded engine."""

    servers: tuple[Server, ...] = ()

    def __init__(self, settings: Settings, *, background: bool = False) -> None:
        """Take the data directory; raises EngineHeld or DataDirError."""
        self.data_dir = DataDir(settings.home)
        self.data_dir.prepare()
        self.lock_fd = lock_engine(self.data_dir)
        self._background = background
        self._state: EngineState | None = None

    def spawn(self) -> None:
        """Nothing is ours to start."""

    def wait_ready(self) -> None:
        """Provisioning is the first to talk to both, and says what cannot be reached."""
        self.set_phase("starting")

    def set_phase(self, phase: str) -> None:
        """Say in `run/engine.json` how far the services have come (`state.PHASES`)."""
        if self._state is None:
            self._state = new_state(
                background=self._background, socket_dir="", postgres_port=0, nats_port=0, phase=phase
            )
        self._state = with_phase(self._state, phase)
        write_state(self.data_dir, self._state)

    def address_line(self) -> str:
        """Where both are, for people; no password."""
        return "PostgreSQL and NATS are external (ARREIO_DATABASE_URL, ARREIO_NATS_URL)"

    def begin_stop(self) -> None:
        """Say in `run/engine.json` that the services are about to stop."""
        with contextlib.suppress(OSError):
            if self._state is not None:
                self.set_phase("stopping")

    def stop(self) -> None:
        """Give the data directory free. Safe to call again."""
        if self.lock_fd < 0:
            return
        with contextlib.suppress(OSError):
            self.data_dir.state.unlink(missing_ok=True)
        os.close(self.lock_fd)
        self.lock_fd = -1

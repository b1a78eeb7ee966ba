"""When a background engine has nothing left to do: no client is attached and no task can go on."""

from __future__ import annotations

import os
import time

from shared.engine.locks import lock
from shared.engine.paths import DataDir
from shared.settings import Settings

_RUNNABLE = "SELECT EXISTS (SELECT FROM arreio.tasks WHERE state IN ('PENDING', 'IN_PROGRESS'))"


class Idleness:
    """Looks now and then; `due` is the monotonic time of the next look.

    Clients hold a shared lock on `run/clients.lock`. Once idleness is over the exclusive lock is kept until this
    process ends, so that a client that comes now waits for the end and then starts an engine of its own.
    """

    def __init__(self, settings: Settings, data_dir: DataDir) -> None:
        self._settings = settings
        self._data_dir = data_dir
        self._pause = min(5.0, settings.idle_stop / 4)
        self._busy_at = time.monotonic()
        self.due = self._busy_at + self._pause

    def is_over(self, now: float) -> bool:
        """Whether the engine has been idle for `idle_stop` seconds and should end."""
        self.due = now + self._pause
        fd = None if self._data_dir.keep.exists() else lock(self._data_dir.clients_lock)
        if fd is None:
            self._busy_at = now
            return False
        if now - self._busy_at >= self._settings.idle_stop:
            if not self._work_is_left():
                return True
            self._busy_at = now
        os.close(fd)
        return False

    def _work_is_left(self) -> bool:
        import psycopg

        try:
            with psycopg.connect(self._settings.database_dsn("operator"), connect_timeout=5) as connection:
                row = connection.execute(_RUNNABLE).fetchone()
        except psycopg.Error:
            return True
        return bool(row and row[0])

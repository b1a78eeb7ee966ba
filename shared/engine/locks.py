"""The locks of a data directory: one holder of the engine, any number of clients, and who they are."""

from __future__ import annotations

import fcntl
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path

from shared.engine.errors import EngineHeld
from shared.engine.paths import DataDir, os_error
from shared.engine.state import now_text
from shared.processes import is_alive, start_time

_PROBE_PATIENCE = 1.0  # seconds; a status command may hold the lock for an instant, a killed holder for a little longer


@dataclass(frozen=True)
class Holder:
    """The process that holds the engine's lock; `pid` is None while it is only starting."""

    pid: int | None
    since: str | None


def lock(path: Path, *, shared: bool = False, wait: bool = False) -> int | None:
    """Take a lock file (made 0600 where missing); the lock lives as long as the returned descriptor.

    Returns None when it is held elsewhere and `wait` is false.
    """
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise os_error(error, path) from None
    try:
        fcntl.flock(fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        os.close(fd)
        return None
    except BaseException:
        os.close(fd)
        raise
    return fd


def lock_engine(data_dir: DataDir) -> int:
    """Become the holder of the engine, for as long as the returned descriptor is open here.

    Children must close it after a fork. Raises EngineHeld when a living process holds it.
    """
    deadline = time.monotonic() + _PROBE_PATIENCE
    while (fd := lock(data_dir.engine_lock)) is None:
        known = _read(data_dir.engine_lock)
        if (known is not None and is_alive(*known[:2])) or time.monotonic() > deadline:
            raise EngineHeld(data_dir.root, known[0] if known else None, known[2] if known else None)
        time.sleep(0.02)
    pid = os.getpid()
    body = json.dumps({"pid": pid, "started": start_time(pid), "since": now_text()}).encode()
    try:
        os.ftruncate(fd, 0)
        os.pwrite(fd, body, 0)
    except OSError as error:
        os.close(fd)
        raise os_error(error, data_dir.engine_lock) from None
    return fd


def engine_holder(data_dir: DataDir) -> Holder | None:
    """Who holds the engine; None when nobody does. Takes nothing for longer than an instant."""
    if not data_dir.engine_lock.exists():
        return None
    fd = lock(data_dir.engine_lock, shared=True)
    if fd is not None:
        os.close(fd)
        return None
    known = _read(data_dir.engine_lock)
    return Holder(known[0], known[2]) if known is not None and is_alive(*known[:2]) else Holder(None, None)


def _read(path: Path) -> tuple[int, int | None, str] | None:
    try:
        raw = json.loads(path.read_text())
        return int(raw["pid"]), raw["started"], str(raw["since"])
    except (OSError, ValueError, KeyError, TypeError):
        return None

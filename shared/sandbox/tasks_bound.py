"""Bounds the tasks the kernel lets a sandbox have, so that a fork bomb cannot starve the watcher that ends it.

An ordinary user's sandbox has a user namespace, in which RLIMIT_NPROC counts from nothing (since Linux 5.14). Root is
exempt from that limit, so root's sandbox gets a control group, where one can be made; else the watcher alone bounds it.
"""

import contextlib
import itertools
import os
import platform
import re
from pathlib import Path
from typing import Self

from shared.sandbox.limits import Limits

THREADS_PER_PROCESS = 4
_GROUPS = Path("/sys/fs/cgroup")
_UNBOUND = 65536
_numbers = itertools.count()


def most_tasks(limits: Limits) -> int:
    """Processes and threads together that a sandbox may have at once."""
    return limits.processes * THREADS_PER_PROCESS


def user_tasks(limits: Limits) -> int:
    """The value of RLIMIT_NPROC: before Linux 5.14 it counted the user's processes outside the sandbox too."""
    version = tuple(int(part) for part in re.findall(r"\d+", platform.release())[:2])
    return most_tasks(limits) if version >= (5, 14) and os.geteuid() != 0 else _UNBOUND


class ControlGroup:
    """A control group for one command; a context manager that removes it. Without rights or support it does nothing."""

    def __init__(self, limits: Limits) -> None:
        self._place: Path | None = None
        base = _writable_base()
        if base is None:
            return
        _remove_stale(base)
        place = base / f"arreio-{os.getpid()}-{next(_numbers)}"
        try:
            place.mkdir()
            (place / "pids.max").write_text(str(most_tasks(limits)))
        except OSError:
            with contextlib.suppress(OSError):
                place.rmdir()
            return
        self._place = place

    def prefix(self) -> list[str]:
        """What goes before a command so that it enters the group before it runs."""
        if self._place is None:
            return []
        return ["sh", "-c", '{ echo $$ > "$0"; } 2>/dev/null; exec "$@"', str(self._place / "cgroup.procs")]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._place is not None:
            with contextlib.suppress(OSError):
                self._place.rmdir()


def _writable_base() -> Path | None:
    if os.geteuid() != 0:
        return None
    for place in (_GROUPS / "pids", _GROUPS):
        controllers = place / "cgroup.subtree_control"
        try:
            counts_tasks = place.name == "pids" or "pids" in controllers.read_text().split()
        except OSError:
            continue
        if counts_tasks and (place / "cgroup.procs").exists() and os.access(place, os.W_OK):
            return place
    return None


def _remove_stale(base: Path) -> None:
    """Groups whose harness was killed; a group that still holds a process cannot be removed and stays."""
    for place in base.glob("arreio-*-*"):
        owner = place.name.split("-")[1]
        if not Path("/proc", owner).exists():
            with contextlib.suppress(OSError):
                place.rmdir()

"""Sandboxes whose harness was killed at the moment at which they began.

bubblewrap ends with its parent, but only once it has asked the kernel for that, and the first process of its namespace
waits for ever for a bubblewrap that ended before it could let it begin. So each sandbox names its harness, and services
that start end what dead ones have left.
"""

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path

from shared.processes import is_alive, start_time

_NAME = "ARREIO_HARNESS"


def harness_arguments() -> list[str]:
    """Arguments of bubblewrap that name this process to who looks from outside; the command sees nothing of them."""
    pid = os.getpid()
    return ["--setenv", _NAME, f"{_namespace()}/{pid}/{start_time(pid)}", "--unsetenv", _NAME]


def end_orphans() -> int:
    """SIGKILL every process of a sandbox whose harness is dead; how many there were."""
    orphans = [pid for pid, harness in _sandboxes() if _is_dead(harness)]
    for pid in orphans:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    return len(orphans)


def _sandboxes() -> Iterator[tuple[int, str]]:
    """Each process that still has bubblewrap's command line, with the harness that it names."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, ValueError):
                words = (entry / "cmdline").read_bytes().split(b"\0")
                yield int(entry.name), words[words.index(_NAME.encode()) + 1].decode()


def _is_dead(harness: str) -> bool:
    """Whether it was a process of this pid namespace, and has ended."""
    try:
        namespace, pid, started = harness.rsplit("/", 2)
        return namespace == _namespace() and not is_alive(int(pid), int(started))
    except ValueError:
        return False


def _namespace() -> str:
    return str(Path("/proc/self/ns/pid").readlink())

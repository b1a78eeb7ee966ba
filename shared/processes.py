"""Processes: who one is, whether it still lives, how a child ends with its parent and says that it is ready."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import signal
import socket
from functools import cache
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)
_ready_fd: int | None = None


def die_with_parent(parent_pid: int, sig: int = signal.SIGKILL) -> None:
    """Have the kernel send `sig` to this process when the thread that started it ends.

    Call it in the child, with the parent's pid taken before the fork: a parent that died in between is noticed too.
    """
    if _libc.prctl(_PR_SET_PDEATHSIG, int(sig), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG) failed")
    if os.getppid() != parent_pid:
        os._exit(128 + int(sig))


def start_time(pid: int) -> int | None:
    """When the process began, in clock ticks since boot; None when there is none or it is a zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] in {"Z", "X"} else int(fields[19])


def is_alive(pid: int, started: int | None = None) -> bool:
    """Whether `pid` runs, and (when `started` is given) is still the same process."""
    now = start_time(pid)
    return now is not None and (started is None or now == started)


def is_stopped(pid: int | None) -> bool:
    """Whether the process is there and does not run, after a SIGSTOP or in a debugger."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] in {"T", "t"}


@cache
def boot_id() -> str:
    """The kernel's random id of this boot, without dashes."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip().replace("-", "")
    except OSError:
        return "unknown"


@cache
def _machine() -> str:
    """What tells machines of one name apart: a digest of the machine's id; empty in containers, whose names differ."""
    try:
        id = Path("/etc/machine-id").read_text().strip()
    except OSError:
        return ""
    return "@" + hashlib.sha256(f"arreio {id}".encode()).hexdigest()[:8] if id else ""


def host_id() -> str:
    """This host as owners of leases name it: `name`, or `name@machine`."""
    return f"{socket.gethostname()}{_machine()}"


def pid_space() -> str:
    """Where process ids mean something: the boot and the process namespace of this process (`boot.number`)."""
    return f"{boot_id()}.{Path('/proc/self/ns/pid').stat().st_ino}"


def owner_id() -> str:
    """This process as a lease owner: `host/boot.namespace/pid/starttime`."""
    pid = os.getpid()
    return f"{host_id()}/{pid_space()}/{pid}/{start_time(pid)}"


def owner_is_dead(owner: str) -> bool:
    """True only when the owner was a process of this host that certainly has ended.

    One in another process namespace of the host, as in another container, cannot be judged from here.
    """
    try:
        host, space, pid, started = owner.split("/")
        if host != host_id():
            return False
        if space.partition(".")[0] != boot_id():
            return True
        return space == pid_space() and not is_alive(int(pid), int(started))
    except ValueError:
        return False


def set_ready_fd(fd: int | None) -> None:
    """Name the pipe on which `notify_ready` and `report_failure` speak (the supervisor does, in the child)."""
    global _ready_fd
    _ready_fd = fd


def notify_ready() -> None:
    """Tell the supervisor that this process serves. Call it after a first successful call; again does nothing."""
    _tell("ready")


def report_failure(line: str) -> None:
    """Tell the supervisor in one line why this process ends before it was ready; after that it does nothing."""
    _tell(f"failed {' '.join(line.split())}")


def _tell(line: str) -> None:
    global _ready_fd
    fd, _ready_fd = _ready_fd, None
    if fd is not None:
        with contextlib.suppress(OSError):
            os.write(fd, f"{line}\n".encode()[:4096])
        with contextlib.suppress(OSError):
            os.close(fd)


def end_process(pid: int, started: int | None, sig: int) -> None:
    """Send `sig` to a process if it is still the one that began at `started`."""
    if is_alive(pid, started):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, sig)

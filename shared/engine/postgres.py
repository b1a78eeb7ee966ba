"""The embedded PostgreSQL: a cluster on a Unix socket below the data directory, made and mended at start."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from pathlib import Path

from shared.engine.child import (
    end_orphan,
    in_user_namespace,
    log_since,
    log_size,
    postgres_binary,
    spawn,
    wait_until,
)
from shared.engine.cluster import ensure_cluster, why_unusable
from shared.engine.credentials import Credentials
from shared.engine.errors import EngineError
from shared.engine.paths import DataDir

PORT = 5432  # only the name of the socket file: nothing listens on TCP
_RETRY = ("pre-existing shared memory block", 'lock file "postmaster.pid" already exists')
_CHILDREN_PATIENCE = 10.0  # seconds; they notice within one that their postmaster is gone
_FAST, _IMMEDIATE, _KILL = (signal.SIGINT, 30.0), (signal.SIGQUIT, 8.0), (signal.SIGKILL, 8.0)

# Small and quiet: one user's harness, hundreds of short transactions a second at most, idle nearly always.
_SETTINGS = {
    "listen_addresses": "",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "shared_buffers": "64MB",
    "dynamic_shared_memory_type": "mmap",
    "huge_pages": "off",
    "io_method": "sync",
    "jit": "off",
    # A plan made while a table was nearly empty lives on in sessions until statistics come; every query has an index.
    "enable_seqscan": "off",
    "random_page_cost": "1.1",
    "max_worker_processes": "2",
    "max_parallel_workers_per_gather": "0",
    "max_logical_replication_workers": "0",
    "max_wal_size": "512MB",
    "checkpoint_timeout": "15min",
    "bgwriter_lru_maxpages": "0",
    "fsync": "on",
    "synchronous_commit": "on",
    "log_destination": "stderr",
    "logging_collector": "off",
    "log_min_messages": "warning",
    "log_checkpoints": "off",
    "log_line_prefix": "%m [%p] %q%u ",
    "lc_messages": "C",
    "timezone": "UTC",
    "log_timezone": "UTC",
}


class PostgresServer:
    """One postgres process on the data directory. Call everything from the thread that made it."""

    name = "PostgreSQL"

    def __init__(self, data_dir: DataDir, credentials: Credentials) -> None:
        self._data_dir = data_dir
        self._credentials = credentials
        self.socket_dir = data_dir.socket_dir()
        self.log = data_dir.logs / "postgres.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._log_from = 0

    @property
    def pid(self) -> int | None:
        """The postmaster's process id while it runs."""
        if self._process is None or self._process.poll() is not None:
            return None
        pid = self._recorded()[0]
        return pid if pid is not None and self._is_ours(pid) else None

    def prepare(self) -> None:
        """End a server that a killed engine left, make the cluster where there is none, set the roles' passwords.

        Raises WrongVersion, DataDirError, DiskFull, NoUserNamespace or StartFailed.
        """
        self._end_orphan()
        ensure_cluster(self._data_dir, self._credentials)

    def spawn(self) -> None:
        """Start the server; `is_ready` tells when it serves."""
        self._clear_stale_lock_files()
        settings = _SETTINGS | {"unix_socket_directories": '"' + str(self.socket_dir).replace('"', '""') + '"'}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        command = [str(postgres_binary("postgres")), "-D", str(self._data_dir.postgres), *options]
        wrapped = in_user_namespace(command, self._data_dir, needs_passwd=False)
        self._log_from = log_size(self.log)
        # Bubblewrap has to be killed; postgres itself can be told to drop everything and leave no children.
        self._process = spawn(wrapped, self.log, end_signal=signal.SIGKILL if wrapped != command else signal.SIGQUIT)

    def poll(self) -> int | None:
        """The exit status once the process has ended."""
        return self._process.poll() if self._process is not None else None

    def is_ready(self) -> bool:
        """Whether the server that we started takes connections."""
        pid, status = self._recorded()
        return pid is not None and status == "ready" and self._is_ours(pid)

    def is_stuck(self) -> bool:
        """A full disk fails statements, or ends the server, and it gets over both by itself."""
        return False

    def should_retry(self) -> bool:
        """Whether the process ended only because its killed predecessor was not quite gone."""
        return any(reason in line for line in self._lines() for reason in _RETRY)

    def failure(self) -> EngineError:
        """Why the process ended, from its own log."""
        return why_unusable(self._data_dir, self._lines(), self.log, self.poll())

    def stop(self) -> None:
        """Shut down in good order (connections are ended, a checkpoint is written); kill it if it does not go."""
        if self._process is None:
            return
        for sig, patience in (_FAST, _IMMEDIATE):
            pid = self.pid
            if self._process.poll() is not None:
                return
            if pid is not None:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, sig)
            else:
                self._process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(patience)
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    def _lines(self) -> list[str]:
        return log_since(self.log, self._log_from)

    def _recorded(self) -> tuple[int | None, str]:
        try:
            lines = (self._data_dir.postgres / "postmaster.pid").read_text().splitlines()
            return int(lines[0]), lines[7].strip() if len(lines) > 7 else ""
        except (OSError, ValueError, IndexError):
            return None, ""

    def _is_ours(self, pid: int) -> bool:
        return self._process is not None and self._process.pid in (pid, *_ancestors(pid, 2))

    def _end_orphan(self) -> None:
        """End the postmaster that a killed engine left, then whatever of its children is still there."""
        postmaster, _ = self._recorded()
        if postmaster in _working_in(self._data_dir.postgres):
            end_orphan(postmaster, [_FAST, _IMMEDIATE, _KILL])
        if not wait_until(lambda: not _working_in(self._data_dir.postgres), _CHILDREN_PATIENCE):
            for pid in _working_in(self._data_dir.postgres):
                end_orphan(pid, [_IMMEDIATE, _KILL])

    def _clear_stale_lock_files(self) -> None:
        """Remove a dead server's lock files.

        PostgreSQL takes any process with the recorded id for its predecessor: one that got the id since, or a zombie
        that a container's first process never reaps. We hold the engine's lock, and no postgres works in the cluster.
        """
        if not _working_in(self._data_dir.postgres):
            (self._data_dir.postgres / "postmaster.pid").unlink(missing_ok=True)
            (self.socket_dir / f".s.PGSQL.{PORT}.lock").unlink(missing_ok=True)


def _working_in(cluster: Path) -> list[int]:
    """Every living postgres process of a cluster: it has it as its working directory."""
    place, found = cluster.resolve(), []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                here = (entry / "cwd").readlink() == place
                if here and (entry / "exe").readlink().name.startswith("postgres"):
                    found.append(int(entry.name))
    return found


def _ancestors(pid: int, levels: int) -> list[int]:
    found: list[int] = []
    for _ in range(levels):
        try:
            pid = int(Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            break
        found.append(pid)
    return found

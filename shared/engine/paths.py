"""The data directory: what lies where, and the checks that make it ours before anything is written."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from shared.engine.errors import DataDirError, DiskFull

# struct sockaddr_un holds 108 bytes with the final NUL; PostgreSQL adds "/.s.PGSQL.5432" and, beside it, ".lock".
_MAX_SOCKET_DIR = 85


@dataclass(frozen=True)
class DataDir:
    """The layout below the data directory; every directory that we make in it is 0700."""

    root: Path

    @property
    def postgres(self) -> Path:
        return self.root / "pg"

    @property
    def nats(self) -> Path:
        return self.root / "nats"

    @property
    def run(self) -> Path:
        return self.root / "run"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def services(self) -> Path:
        """A locked file for each live service process."""
        return self.run / "services"

    @property
    def credentials(self) -> Path:
        return self.root / "credentials.json"

    @property
    def state(self) -> Path:
        return self.run / "engine.json"

    @property
    def nats_config(self) -> Path:
        return self.run / "nats.conf"

    @property
    def nats_pid(self) -> Path:
        return self.run / "nats.pid"

    @property
    def credentials_lock(self) -> Path:
        return self.run / "credentials.lock"

    @property
    def metrics(self) -> Path:
        """Where each service process shows its health and metrics, a file each."""
        return self.run / "metrics"

    @property
    def http(self) -> Path:
        """Where the gateway's HTTP API listens, written while it does."""
        return self.run / "http.json"

    @property
    def http_port(self) -> Path:
        """The port that it had last."""
        return self.run / "http.port"

    @property
    def console(self) -> Path:
        """Where the console listens, written while it does."""
        return self.run / "console.json"

    @property
    def engine_lock(self) -> Path:
        return self.run / "engine.lock"

    @property
    def clients_lock(self) -> Path:
        return self.run / "clients.lock"

    @property
    def start_lock(self) -> Path:
        return self.run / "start.lock"

    @property
    def keep(self) -> Path:
        """Its existence tells a background engine not to stop when idle."""
        return self.run / "keep"

    def prepare(self) -> None:
        """Make the directories that are missing (0700) and refuse a place that we cannot or must not use.

        Raises DataDirError or DiskFull. Changes the mode or owner of nothing that exists.
        """
        try:
            _make_private(self.root)
            found = self.root.stat()
            if not stat.S_ISDIR(found.st_mode):
                raise DataDirError(f"{self.root} is not a directory")
            if found.st_uid != os.geteuid():
                raise DataDirError(f"{self.root} belongs to another user (uid {found.st_uid})")
            if found.st_mode & stat.S_IWOTH and not found.st_mode & stat.S_ISVTX:
                raise DataDirError(f"{self.root} can be written by every user", "take that right away (chmod o-w)")
            for directory in (self.run, self.logs, self.services):
                _make_private(directory)
            with tempfile.TemporaryFile(dir=self.run):
                pass
        except FileExistsError as error:
            raise DataDirError(f"{error.filename} is not a directory") from None
        except OSError as error:
            raise os_error(error, self.root) from None

    def socket_dir(self) -> Path:
        """A private directory whose path is short enough for PostgreSQL's Unix socket.

        It is `run/pg`, or, where that is too long, a new directory of our own below the temporary directory.
        """
        preferred = self.run / "pg"
        if len(os.fsencode(preferred)) <= _MAX_SOCKET_DIR:
            _make_private(preferred)
            return preferred
        remembered = self.run / "socket_dir"
        with contextlib.suppress(OSError):
            known = Path(remembered.read_text().strip())
            found = known.lstat()
            if stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077:
                return known
        for parent in (os.environ.get("XDG_RUNTIME_DIR"), "/tmp"):
            if parent and len(parent) < 60 and os.access(parent, os.W_OK | os.X_OK):
                made = Path(tempfile.mkdtemp(prefix="arreio-", dir=parent))
                write_private(remembered, str(made))
                return made
        raise DataDirError(
            f"the path of {self.root} is too long for a Unix socket and no temporary directory is writable"
        )


def os_error(error: OSError, where: Path) -> DataDirError | DiskFull:
    """The one-line error for a failed file operation below `where`."""
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return DiskFull(where)
    name = error.filename if isinstance(error.filename, str | Path) else where
    return DataDirError(f"cannot use {name}: {error.strerror}")


def write_private(path: Path, text: str) -> None:
    """Replace a 0600 file in one step: a reader sees the old text or the new, also after a crash."""
    fd, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with os.fdopen(fd, "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _make_private(directory: Path) -> None:
    if directory.is_dir():
        return
    directory.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    directory.mkdir(mode=0o700, exist_ok=True)

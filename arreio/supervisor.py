"""`arreio up`: one parent that starts the engine, imports once, forks a process for each service, and keeps all alive.

The parent stays synchronous and single-threaded, because it forks; it sleeps in one `select` until a child ends or
speaks, a signal comes, or the next restart is due.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import TextIO

from arreio.forked import Forked, fork, how_ended
from arreio.hanging import Hangs
from arreio.idle import Idleness
from arreio.service_process import SERVICES, preparation, run_service
from shared.backoff import Backoff
from shared.engine.child import rotate
from shared.engine.engine import Engine
from shared.engine.external import ExternalEngine
from shared.engine.server import Server
from shared.errors import ArreioError
from shared.processes import report_failure
from shared.settings import Settings

# What every service imports; litellm is not among it: the tool-loop imports that itself, in its own process.
_PRELOAD = ("uvloop", "orjson", "structlog", "pydantic", "psycopg", "psycopg_pool", "nats.js", "faststream.nats")
_HOUSEKEEPING = 60.0
_LOOKS = 2
"""So many in a row must find it before it is said."""


class _Stop(BaseException):
    """A stop signal that came before everything was started."""


@dataclass
class _Service:
    name: str
    entry: str
    backoff: Backoff = field(default_factory=Backoff)
    child: Forked | None = None
    started: float = 0.0
    due: float | None = 0.0
    said: str = ""


@dataclass
class _Watched:
    server: Server
    started: float
    backoff: Backoff = field(default_factory=Backoff)
    due: float | None = None
    lost: bool = False
    """It ended, and has not been seen to serve since."""


class Supervisor:
    """Runs services on an engine until a signal (or idleness) stops it."""

    def __init__(
        self,
        settings: Settings,
        services: Mapping[str, str] = SERVICES,
        *,
        background: bool = False,
        keep: bool = False,
        report: TextIO | None = None,
        look_every: float = 10.0,
    ) -> None:
        """`services` maps names to entries `module:function`; `report` gets one JSON line a phase, then is closed.

        `look_every` are the seconds between two looks for what hangs.
        """
        self._settings = settings
        self._services = [_Service(name, entry) for name, entry in services.items()]
        self._background = background
        self._keep = keep
        self._report = report
        self._look_every = look_every
        self._began = time.monotonic()
        self._signals = 0
        self._starting = True
        self._ready_said = False
        self._wakeup = (-1, -1)
        self._watched: list[_Watched] = []
        self._unproven = False

    def run(self) -> int:
        """Start, supervise, stop. Returns the exit status; raises the typed error of an engine that cannot start."""
        self._catch_signals()
        engine: Engine | ExternalEngine | None = None
        try:
            kind = Engine if self._settings.embedded else ExternalEngine
            engine = self._engine = kind(self._settings, background=self._background)
            if self._keep:
                engine.data_dir.keep.touch(mode=0o600)
            else:
                engine.data_dir.keep.unlink(missing_ok=True)
            self._start()
            self._starting = False
            self._supervise()
        except _Stop:
            pass
        finally:
            self._starting = False
            if engine is not None:
                engine.begin_stop()
            self._stop_services()
            if engine is not None:
                engine.stop()
        self._say("stopped")
        return 0

    def _start(self) -> None:
        engine = self._engine
        engine.spawn()
        spawned = time.monotonic()
        self._preload()
        gc.collect()
        gc.freeze()
        gate = os.pipe()
        for service in self._services:
            if _prepares(service):
                self._fork_service(service, gate)
        engine.wait_ready()
        self._watched = [_Watched(server, spawned) for server in engine.servers]
        self._say(f"{engine.address_line()} ({self._seconds()})")
        self._provision()
        engine.set_phase("provisioned")
        self._tell({"phase": "provisioned"})
        for fd in gate:
            os.close(fd)
        for service in self._services:
            if service.child is None:
                self._fork_service(service)

    def _preload(self) -> None:
        for name in (*_PRELOAD, *(service.entry.partition(":")[0] for service in self._services)):
            # A module that cannot be imported is its own service's failure, told by that service's process.
            with contextlib.suppress(Exception):
                importlib.import_module(name)
        threads = len(list(Path("/proc/self/task").iterdir()))
        if threads > 1:
            self._say(f"warning: an import started {threads - 1} threads; forked services may not start")

    def _provision(self) -> None:
        child = fork(lambda: _provision(self._settings), log=self._log("provision"), close=self._private_fds())
        try:
            _, status = os.waitpid(child.pid, 0)
        except BaseException:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child.pid, signal.SIGKILL)
                os.waitpid(child.pid, 0)
            raise
        said = _read(child.pipe) or ""
        os.close(child.pipe)
        if status != 0:
            why = said.removeprefix("failed ").strip() or how_ended(status)
            raise ArreioError(f"provisioning failed: {why}", f"its log is {self._log('provision')}")

    def _fork_service(self, service: _Service, gate: tuple[int, int] | None = None) -> None:
        """`gate`: a pipe whose closing says that the engine is provisioned, where it is not yet."""
        log = self._log(service.name)
        rotate(log)
        service.started, service.due, service.said = time.monotonic(), None, ""
        try:
            service.child = fork(
                lambda: run_service(service.name, service.entry, self._settings_of(service), gate=gate and gate[0]),
                log=log,
                close=[*self._private_fds(), *([gate[1]] if gate else [])],
            )
        except OSError as error:
            service.due = time.monotonic() + service.backoff.delay(0)
            self._say(f"{service.name} cannot be forked: {error.strerror}")

    def _settings_of(self, service: _Service) -> Settings:
        """Each service looks for a free port from another one on, so that it has the same after a restart."""
        if self._settings.metrics is None:
            return self._settings
        host, _, port = self._settings.metrics.rpartition(":")
        place = list(SERVICES).index(service.name) if service.name in SERVICES else len(SERVICES)
        own = int(port) + place if int(port) else 0
        return self._settings.model_copy(update={"metrics": f"{host}:{own}"})

    def _supervise(self) -> None:
        idleness = Idleness(self._settings, self._engine.data_dir) if self._background else None
        housekeeping = time.monotonic() + _HOUSEKEEPING
        look = time.monotonic() + self._look_every
        self._hangs = Hangs(self._engine.data_dir, _LOOKS)
        while not self._signals:
            restarts = [one.due for one in self._services] + [one.due for one in self._watched]
            due = [moment for moment in restarts if moment is not None]
            if idleness is not None:
                due.append(idleness.due)
            self._sleep(min([housekeeping, look, *due]))
            self._listen()
            self._reap()
            now = time.monotonic()
            self._start_due(now)
            if now >= look:
                self._look()
                look = time.monotonic() + self._look_every
            if now >= housekeeping:
                housekeeping = now + _HOUSEKEEPING
                for log in self._engine.data_dir.logs.glob("*.log"):
                    rotate(log)
                self._end_stuck()
            if idleness is not None and now >= idleness.due and idleness.is_over(now):
                self._say(f"idle for {self._settings.idle_stop:.0f} s")
                return

    def _start_due(self, now: float) -> None:
        for service in self._services:
            if service.due is not None and now >= service.due:
                self._fork_service(service)
        for watched in self._watched:
            if watched.due is not None and now >= watched.due:
                watched.started, watched.due = now, None
                try:
                    watched.server.spawn()
                except (ArreioError, OSError) as error:
                    watched.due = now + watched.backoff.delay(0)
                    self._say(f"{watched.server.name}: {error}")

    def _reap(self) -> None:
        now = time.monotonic()
        for service in self._services:
            if service.child is None:
                continue
            pid, status = os.waitpid(service.child.pid, os.WNOHANG)
            if pid:
                why = service.said.removeprefix("failed ") if service.said.startswith("failed ") else how_ended(status)
                if service.child.pipe >= 0:
                    os.close(service.child.pipe)
                service.child = None
                if not self._signals:
                    delay = service.backoff.delay(now - service.started)
                    service.due = now + delay
                    self._say(
                        f"{service.name} ended ({why}); again in {delay:.1f} s, its log is {self._log(service.name)}"
                    )
        for watched in self._watched:
            ended = watched.server.poll()
            if ended is not None and watched.due is None and not self._signals:
                delay = watched.backoff.delay(now - watched.started)
                watched.due, watched.lost = now + delay, True
                self._say(
                    f"{watched.server.name} ended ({ended}); again in {delay:.1f} s, its log is {watched.server.log}"
                )

    def _look(self) -> None:
        """Say what hangs (whether to end it is a person's to decide), and what is back."""
        for line in self._hangs.news():
            self._say(line)
        for watched in self._watched:
            if watched.lost and watched.due is None and watched.server.is_ready():
                watched.lost = False
                self._say(f"{watched.server.name} is back")
                self._unproven = True
        if self._unproven and not any(watched.lost for watched in self._watched):
            self._unproven = False
            self._provision_again()

    def _provision_again(self) -> None:
        """What a server that came back has lost with its store, as NATS its streams, is made anew."""
        try:
            self._provision()
        except ArreioError as error:
            self._say(error.line())

    def _end_stuck(self) -> None:
        for watched in self._watched:
            if watched.server.poll() is None and watched.server.is_stuck():
                self._say(f"{watched.server.name} met a full disk, and takes nothing though there is room again")
                watched.server.stop()

    def _listen(self) -> None:
        for service in self._services:
            child = service.child
            if child is None or child.pipe < 0:
                continue
            said = _read(child.pipe)
            if said is None:
                continue
            service.said = said.strip()
            os.close(child.pipe)
            service.child = Forked(child.pid, -1)
            if service.said == "ready" and not self._signals:
                self._say(f"{service.name} ready ({self._seconds()})")
        if not self._ready_said and not self._signals and all(service.said == "ready" for service in self._services):
            self._ready_said = True
            self._engine.set_phase("ready")
            self._tell({"phase": "ready"})
            self._close_report()
            self._say("ready")

    def _stop_services(self) -> None:
        deadline = time.monotonic() + self._settings.grace
        self._signal_services(signal.SIGTERM)
        killed = False
        signals_before = self._signals
        self._signals = max(self._signals, 1)
        while any(service.child for service in self._services):
            if not killed and (time.monotonic() >= deadline or self._signals > max(signals_before, 1)):
                self._signal_services(signal.SIGKILL)
                killed = True
            self._sleep(time.monotonic() + 1.0 if killed else deadline)
            self._listen()
            self._reap()

    def _signal_services(self, sig: int) -> None:
        for service in self._services:
            if service.child is not None:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(service.child.pid, sig)

    def _catch_signals(self) -> None:
        self._wakeup = os.pipe()
        for fd in self._wakeup:
            os.set_blocking(fd, False)
        signal.set_wakeup_fd(self._wakeup[1], warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda _signum, _frame: None)
        for sig in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(sig, self._on_stop)

    def _on_stop(self, _signum: int, _frame: FrameType | None) -> None:
        self._signals += 1
        if self._starting:
            self._starting = False
            raise _Stop

    def _sleep(self, until: float) -> None:
        readable = [self._wakeup[0]]
        readable += [one.child.pipe for one in self._services if one.child is not None and one.child.pipe >= 0]
        ready, _, _ = select.select(readable, [], [], max(0.0, until - time.monotonic()))
        if self._wakeup[0] in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(self._wakeup[0], 4096)

    def _private_fds(self) -> list[int]:
        pipes = [one.child.pipe for one in self._services if one.child is not None and one.child.pipe >= 0]
        report = [] if self._report is None else [self._report.fileno()]
        return [self._engine.lock_fd, *self._wakeup, *pipes, *report]

    def _log(self, name: str) -> Path:
        return self._engine.data_dir.logs / f"{name}.log"

    def _seconds(self) -> str:
        return f"{time.monotonic() - self._began:.1f} s"

    def _say(self, line: str) -> None:
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()

    def _tell(self, message: dict[str, str]) -> None:
        if self._report is not None:
            with contextlib.suppress(OSError, ValueError):
                self._report.write(json.dumps(message) + "\n")
                self._report.flush()

    def _close_report(self) -> None:
        if self._report is not None:
            with contextlib.suppress(OSError):
                self._report.close()
            self._report = None


def _prepares(service: _Service) -> bool:
    with contextlib.suppress(Exception):
        return preparation(service.entry) is not None
    return False


def _provision(settings: Settings) -> int:
    from shared.provision import has_streams, is_current, provision, roles_are_clean

    try:
        if not (is_current(settings) and has_streams(settings) and roles_are_clean(settings)):
            provision(settings)
        return 0
    except ArreioError as error:
        report_failure(error.line())
    except Exception as error:
        report_failure(f"{type(error).__name__}: {error}")
        raise
    return 1


def _read(fd: int) -> str | None:
    """What a child said on its pipe; empty when it closed it without a word, None when it has not spoken yet."""
    try:
        return os.read(fd, 4096).decode(errors="replace")
    except BlockingIOError:
        return None

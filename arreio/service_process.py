"""One service as a process: its name in the data directory, its event loop, and how its end is told."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import importlib
import json
import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from shared.canonical import sha256_hex
from shared.engine.locks import lock
from shared.engine.paths import DataDir
from shared.engine.state import now_text
from shared.errors import ArreioError
from shared.processes import pid_space, report_failure
from shared.settings import Settings
from shared.telemetry import configure_logging, get_logger

SERVICES: Mapping[str, str] = {
    name: f"services.{name}.app:run" for name in ("gateway", "context_builder", "tool_loop", "gate_runner", "learning")
}
CONSOLE: Mapping[str, str] = {"console": "arreio.console.service:run"}
"""The console shows what other services' code knows, so it is put together here. It runs where it is asked for."""


@dataclass(frozen=True)
class LiveService:
    """A service process that holds its file in `run/services`.

    `here`: its process id is one of this machine's and of this process namespace. Containers and machines that share
    the data directory have ids of their own, and most of them the same one.
    """

    name: str
    pid: int
    since: str
    here: bool = True


def service_name(text: str, known: Mapping[str, str] = {**SERVICES, **CONSOLE}) -> str:
    """The service that a person meant (`tool-loop` is `tool_loop`). Raises ArreioError for any other word."""
    name = text.strip().lower().replace("-", "_")
    if name not in known:
        raise ArreioError(f"there is no service {text!r}", f"the services are {', '.join(known)}")
    return name


def run_service(name: str, entry: str, settings: Settings, *, gate: int | None = None) -> int:
    """Run a service in this process until it ends by itself or by a signal; the exit status is returned.

    `entry` names an `async def run(settings)` as `module:function`. The module may have a `prepare()`, which is called
    at once. `gate` is the reading end of a pipe: nothing else is begun before its other end is closed.
    """
    configure_logging(name, settings.log_level)
    log = get_logger("arreio.service")
    registered = register(DataDir(settings.home), name)
    try:
        log.info("service starting", pid=os.getpid())
        prepare = preparation(entry)
        if prepare is not None:
            prepare()
        if gate is not None:
            os.read(gate, 1)
            os.close(gate)
        with asyncio.Runner(loop_factory=_new_loop) as runner:
            runner.run(_call(load_entry(entry), settings))
        log.info("service ended")
        return 0
    except (KeyboardInterrupt, asyncio.CancelledError):
        return 0
    except ArreioError as error:
        log.error("service failed", reason=error.message, hint=error.hint)
        report_failure(error.line())
    except Exception as error:
        log.exception("service failed")
        report_failure(f"{type(error).__name__}: {error}")
    finally:
        unregister(registered)
    return 1


def load_entry(entry: str) -> Callable[[Settings], Awaitable[None]]:
    """Import `module:function`."""
    module, _, function = entry.partition(":")
    found: Callable[[Settings], Awaitable[None]] = getattr(importlib.import_module(module), function)
    return found


def preparation(entry: str) -> Callable[[], None] | None:
    """What the service can do before its engine is there, where there is such a thing."""
    found: Callable[[], None] | None = getattr(importlib.import_module(entry.partition(":")[0]), "prepare", None)
    return found


def register(data_dir: DataDir, name: str) -> tuple[Path, int]:
    """Show this process in `run/services` for as long as it lives: the file is locked, so that a dead one is known."""
    data_dir.prepare()
    space = pid_space()
    path = data_dir.services / f"{name}.{os.getpid()}.{sha256_hex(space)[:8]}.json"
    while True:
        fd = lock(path, wait=True)
        assert fd is not None
        if os.fstat(fd).st_nlink:
            break
        os.close(fd)
    os.ftruncate(fd, 0)
    said = {"name": name, "pid": os.getpid(), "since": now_text(), "space": space}
    os.pwrite(fd, json.dumps(said).encode(), 0)
    return path, fd


def unregister(registered: tuple[Path, int]) -> None:
    """Take this process out of `run/services`."""
    path, fd = registered
    path.unlink(missing_ok=True)
    os.close(fd)


def live_services(data_dir: DataDir) -> list[LiveService]:
    """Every service process on the data directory, of `arreio up` or of `arreio serve`, by name and age."""
    order = [*SERVICES, *CONSOLE]
    found = []
    for path in data_dir.services.glob("*.json"):
        try:
            fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            continue
        try:
            fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
            path.unlink(missing_ok=True)
        except BlockingIOError:
            with contextlib.suppress(ValueError, KeyError, TypeError):
                raw = json.loads(os.read(fd, 4096))
                here = raw.get("space", pid_space()) == pid_space()
                found.append(LiveService(raw["name"], int(raw["pid"]), raw["since"], here))
        finally:
            os.close(fd)
    return sorted(found, key=lambda one: (order.index(one.name) if one.name in order else len(order), one.pid))


async def _call(run: Callable[[Settings], Awaitable[None]], settings: Settings) -> None:
    await run(settings)


def _new_loop() -> asyncio.AbstractEventLoop:
    import uvloop

    return uvloop.new_event_loop()

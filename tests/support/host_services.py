"""`python -m tests.support.host_services PLAN`: the services of several hosts, forked from one process.

PLAN is a JSON file (`Plan`). Each service is a container: it has its host's network and name and a process namespace of
its own, in which it is process 1; all share one file system. `ready` is printed when all serve, and each that ends.
SIGTERM ends them in good order.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import json
import os
import select
import signal
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from arreio.forked import Forked, fork, how_ended
from arreio.service_process import SERVICES, run_service
from shared.processes import die_with_parent
from shared.settings import load_settings

_NEW_NET, _NEW_UTS, _NEW_PID, _NEW_MOUNTS = 0x40000000, 0x04000000, 0x20000000, 0x00020000
_PRIVATE = 0x4000 | 0x40000  # MS_REC | MS_PRIVATE
_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Plan:
    """`hosts`: names, with their network namespaces' files; `variables` of each service, by its name."""

    hosts: Mapping[str, str]
    variables: Mapping[str, Mapping[str, str]]
    logs: str

    def write(self, place: Path) -> Path:
        """To be read by the program."""
        place.write_text(json.dumps(asdict(self)))
        return place


def main() -> int:
    """Run until told to stop; the exit status is that of the first service that failed."""
    plan = Plan(**json.loads(Path(sys.argv[1]).read_text()))
    for entry in ("uvloop", "psycopg_pool", "faststream.nats", *(one.partition(":")[0] for one in SERVICES.values())):
        importlib.import_module(entry)
    gc.collect()
    gc.freeze()
    running: dict[str, Forked] = {}
    for host in plan.hosts:
        for service in plan.variables:
            name = f"{host}/{service}"
            log = Path(plan.logs) / f"{host}.{service}.log"
            running[name] = fork(lambda h=host, s=service: _contained(plan, h, s), log=log, close=())  # type: ignore[misc]
    stopping: list[bool] = []

    def stop(*_: object) -> None:
        stopping.append(True)
        for one in running.values():
            with contextlib.suppress(ProcessLookupError):
                os.kill(one.pid, signal.SIGTERM)

    signal.signal(signal.SIGTERM, stop)
    _wait_ready(running, stopping)
    return _wait_ended(running)


def _wait_ready(running: Mapping[str, Forked], stopping: list[bool]) -> None:
    waiting = {one.pipe: name for name, one in running.items()}
    while waiting and not stopping:
        for pipe in select.select(list(waiting), [], [], 0.2)[0]:
            said = os.read(pipe, 4096).decode().strip()
            name = waiting.pop(pipe)
            if said != "ready":
                _say(f"{name} ended before it was ready: {said}")
    if not stopping:
        _say("ready")


def _wait_ended(running: Mapping[str, Forked]) -> int:
    failed = 0
    names = {one.pid: name for name, one in running.items()}
    while names:
        pid, status = os.wait()
        name = names.pop(pid, None)
        if name is not None:
            _say(f"{name} ended ({how_ended(status)})")
            failed = failed or os.waitstatus_to_exitcode(status)
    return failed


def _contained(plan: Plan, host: str, service: str) -> int:
    """Start the service as the first process of new namespaces, pass signals on to it, and wait for its end."""
    with Path(plan.hosts[host]).open() as network:
        _check(_libc.setns(network.fileno(), _NEW_NET), "setns")
    _check(_libc.unshare(_NEW_UTS | _NEW_PID | _NEW_MOUNTS), "unshare")
    Path("/proc/sys/kernel/hostname").write_text(host)
    inner = os.fork()
    if inner == 0:
        os._exit(_first(plan.variables[service], service))
    signal.signal(signal.SIGTERM, lambda *_: os.kill(inner, signal.SIGTERM))
    _, status = os.waitpid(inner, 0)
    return os.waitstatus_to_exitcode(status) & 0xFF


def _first(variables: Mapping[str, str], service: str) -> int:
    die_with_parent(0)
    os.setsid()
    _check(_libc.mount(b"none", b"/", None, _PRIVATE, None), "mount")
    _check(_libc.mount(b"proc", b"/proc", b"proc", 0, None), "mount")
    os.environ.update(variables)
    return run_service(service, SERVICES[service], load_settings())


def _check(result: int, what: str) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), f"{what} failed")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

"""Running the real thing for a measurement: a data directory, `arreio up` on it, and the scripted model's server."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from arreio.service_process import live_services
from shared.engine.paths import DataDir
from tests.support.programs import processes_of


def environment(home: Path) -> dict[str, str]:
    """This environment on a data directory of its own."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ARREIO_")}
    return {**clean, "ARREIO_HOME": str(home)}


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="arreio-bench-") as folder:
        yield Path(folder)


@contextmanager
def up(home: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """`arreio up` until it says that it is ready, and its end afterwards."""
    command = [sys.executable, "-m", "arreio", "up", *options]
    process = subprocess.Popen(command, env=environment(home), stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if line.strip() == "ready":
                break
        else:
            raise SystemExit(f"arreio up ended with {process.wait()} before it was ready")
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


@contextmanager
def scripted(folder: Path, replies: Sequence[object]) -> Iterator[str]:
    """The scripted server in a process of its own, going round; gives its URL."""
    script = folder / "script.json"
    script.write_text(json.dumps(list(replies)))
    command = [sys.executable, "-m", "tests.support.scripted_server", str(script), "0", "--cycle"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parent.parent) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def tree(pid: int) -> list[int]:
    """A process and all that descend from it."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            children.setdefault(int(fields[1]), []).append(int(entry.name))
    found, waiting = [], [pid]
    while waiting:
        one = waiting.pop()
        found.append(one)
        waiting += children.get(one, [])
    return found


def cpu_seconds(pids: Sequence[int]) -> float:
    """User and system time that the living threads of processes have used so far."""
    nanoseconds = 0
    for pid in pids:
        for thread in Path(f"/proc/{pid}/task").glob("*/schedstat"):
            with contextlib.suppress(OSError):
                nanoseconds += int(thread.read_text().split()[0])
    return nanoseconds / 1e9


def cpu_by_part(home: Path) -> dict[str, float]:
    """CPU seconds so far of everything that runs on a data directory: each service, PostgreSQL and NATS."""
    found = {one.name: cpu_seconds([one.pid]) for one in live_services(DataDir(home))}
    for part, program in (("PostgreSQL", "postgres"), ("NATS", "nats-server")):
        found[part] = cpu_seconds([pid for pid, command in processes_of(home).items() if program in command])
    return found


def proportional_mib(pids: Sequence[int]) -> float:
    """Memory of processes together, shared pages counted once (PSS), in MiB."""
    kib = 0
    for pid in pids:
        try:
            text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        except OSError:
            continue
        kib += int(text.partition("\nPss:")[2].split(maxsplit=1)[0])
    return kib / 1024

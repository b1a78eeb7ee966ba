"""Help for the engine's tests: a data directory that must be left without processes, and programs run on it."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def until(condition: Callable[[], object], seconds: float = 30.0) -> None:
    """Wait for a condition; fail when it does not come."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "what was waited for did not come"
        time.sleep(0.02)


def processes_of(place: Path) -> dict[int, str]:
    """Every process whose command line names the directory, or that works in it."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                if str(place) in command or (entry / "cwd").readlink().is_relative_to(place):
                    found[int(entry.name)] = command
    return found


@dataclass
class Program:
    """A running program whose lines of output can be waited for."""

    process: subprocess.Popen[str]
    lines: list[str] = field(default_factory=list)
    _queue: queue.SimpleQueue[str | None] = field(default_factory=queue.SimpleQueue)

    def __post_init__(self) -> None:
        def read() -> None:
            assert self.process.stdout is not None
            for line in self.process.stdout:
                self._queue.put(line.rstrip("\n"))
            self._queue.put(None)

        threading.Thread(target=read, daemon=True).start()

    def line(self, part: str, seconds: float = 30.0) -> str:
        """The next line that holds `part`."""
        deadline = time.monotonic() + seconds
        while True:
            line = self._queue.get(timeout=max(0.01, deadline - time.monotonic()))
            assert line is not None, f"ended without saying {part!r}: {self.lines}"
            self.lines.append(line)
            if part in line:
                return line

    def end(self, sig: int = signal.SIGTERM, seconds: float = 30.0) -> int:
        """Send a signal and wait; the exit status."""
        self.process.send_signal(sig)
        return self.process.wait(seconds)


def environment(place: Path, **more: str) -> dict[str, str]:
    """The environment of a program on the data directory, without this shell's own ARREIO_ variables."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ARREIO_")}
    return clean | {"ARREIO_HOME": str(place), "PYTHONPATH": str(ROOT)} | more


def start(arguments: Sequence[str], place: Path, **more: str) -> Program:
    """Start a Python program (`-m arreio up`, a script of ours)."""
    process = subprocess.Popen(
        [sys.executable, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment(place, **more),
        start_new_session=True,
    )
    return Program(process)


def start_fakes(place: Path, *names: str, **more: str) -> Program:
    """Start an `arreio up` with fake services."""
    return start(["-m", "tests.support.engine_fakes", *names], place, **more)


def call(arguments: Sequence[str], place: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run `arreio …` to its end."""
    return subprocess.run(
        [sys.executable, "-m", "arreio", *arguments],
        capture_output=True,
        text=True,
        env=environment(place, **more),
        timeout=120,
        check=False,
    )

"""Programs of ours as processes: started, listened to, ended, and not left behind."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from shared.processes import die_with_parent

Value = TypeVar("Value")
_NOTHING: Mapping[str, str] = {}


def until(condition: Callable[[], Value | None], seconds: float = 120.0, what: str = "what was waited for") -> Value:
    """Wait for the first true value of `condition`; fail when it does not come."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < deadline, f"{what} did not come within {seconds:.0f} s"
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


def descendants(pid: int) -> list[int]:
    """Every process below `pid`, parents before children."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                parent = int((entry / "stat").read_text(errors="replace").rpartition(")")[2].split()[1])
                children.setdefault(parent, []).append(int(entry.name))
    found = list(children.get(pid, ()))
    for one in found:
        found.extend(children.get(one, ()))
    return found


def kill(pid: int) -> None:
    """SIGKILL a process, if it is still there."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


@dataclass
class Program:
    """A running program whose lines of output can be waited for; `lines` are those that were read so far."""

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

    def line(self, fits: str | Callable[[str], bool], seconds: float = 120.0) -> str:
        """The next line that holds a text, or for which the condition is true."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                line = self._queue.get(timeout=max(0.01, deadline - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no such line within {seconds:.0f} s: {self.lines[-20:]}") from None
            assert line is not None, f"ended without that line: {self.lines[-20:]}"
            self.lines.append(line)
            if fits in line if isinstance(fits, str) else fits(line):
                return line

    def wait(self, seconds: float = 120.0) -> int:
        """Wait for its end and read the rest of its output; the exit status."""
        status = self.process.wait(seconds)
        while (line := self._queue.get(timeout=seconds)) is not None:
            self.lines.append(line)
        return status

    def end(self, sig: int = signal.SIGTERM, seconds: float = 120.0) -> int:
        """Send a signal and wait; the exit status."""
        self.process.send_signal(sig)
        return self.wait(seconds)


def environment(place: Path, more: Mapping[str, str]) -> dict[str, str]:
    """The environment of a program on a data directory, without this shell's own variables; no registry is asked."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("ARREIO_") and not name.endswith("_API_KEY")
    }
    return {**clean, "ARREIO_HOME": str(place), "ARREIO_REGISTRIES": "false", **more}


def start(
    arguments: Sequence[str], place: Path, more: Mapping[str, str] = _NOTHING, *, errors: int = subprocess.STDOUT
) -> Program:
    """Start a Python program (`-m arreio up`, a script) in a session of its own; it is told to stop if we die."""
    parent = os.getpid()
    process = subprocess.Popen(
        [sys.executable, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
        env=environment(place, more),
        start_new_session=True,
        preexec_fn=lambda: die_with_parent(parent, signal.SIGTERM),
    )
    return Program(process)


def call(
    arguments: Sequence[str],
    place: Path,
    more: Mapping[str, str] = _NOTHING,
    *,
    cwd: Path | None = None,
    text: str = "",
) -> subprocess.CompletedProcess[str]:
    """Run `arreio …` to its end; `text` is its standard input."""
    return subprocess.run(
        [sys.executable, "-m", "arreio", *arguments],
        input=text,
        capture_output=True,
        text=True,
        env=environment(place, more),
        cwd=cwd,
        timeout=120,
        check=False,
    )

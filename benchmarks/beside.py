"""Running ours beside others, in turn: their environment, their programs, and the engine that all of them use."""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import venv
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import psycopg
from psycopg.conninfo import make_conninfo

from benchmarks.running import scratch
from shared.canonical import sha256_hex
from shared.settings import Settings
from shared.store.connection import Pool
from shared.store.events import EventStore
from tests.support.engines import own_engine
from tests.support.store import store_of

ROOT = Path(__file__).parent.parent
LOCK = Path(__file__).parent / "rivals" / "requirements.lock"
PLACE = ROOT / ".cache" / "bench-venv"
DATABASE = "rivals"


class Candidate(Protocol):
    """Something that is measured in rounds."""

    def round(self, amount: int) -> Any:
        """Do so much, and say what it came to."""
        ...


def rivals_python() -> Path:
    """The interpreter that has the rivals; made on first use, and anew when their lock changes."""
    mark, wanted = PLACE / "made-from", sha256_hex(LOCK.read_bytes())
    python = PLACE / "bin" / "python"
    if not mark.is_file() or mark.read_text() != wanted:
        venv.create(PLACE, clear=True, with_pip=True)
        command = [str(python), "-m", "pip", "install", "-qqq", "--disable-pip-version-check"]
        if subprocess.run([*command, "--require-hashes", "-r", str(LOCK)]).returncode:
            raise SystemExit(
                "what we are compared with cannot be installed: pip says why above; it needs a package index"
            )
        mark.write_text(wanted)
    return python


@contextmanager
def engine() -> Iterator[Settings]:
    """An embedded engine with our schema, and a database apart for what others create."""
    with scratch() as folder, own_engine(folder / "home") as (settings, _):
        with psycopg.connect(settings.database_dsn("admin"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {DATABASE}")
        yield settings


def rivals_dsn(settings: Settings) -> str:
    """The database apart, as its owner."""
    return make_conninfo(settings.database_dsn("admin"), dbname=DATABASE)


class Rival:
    """A rival's program, which waits for its turn."""

    def __init__(self, name: str, process: subprocess.Popen[str]) -> None:
        self._name = name
        self._process = process
        self._answer()

    def round(self, amount: int) -> Any:
        """Have it do so much; what it says of it."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{amount}\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"{self._name} ended with {self._process.wait()}")
        return json.loads(line)


@contextmanager
def rival(module: str, *arguments: str, python: Path | None = None) -> Iterator[Rival]:
    """Start a program, `benchmarks.rivals.NAME` by its name, and end it with the block."""
    command = [str(python or rivals_python()), "-m", f"benchmarks.rivals.{module}", *arguments]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "contracts")))}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment
    ) as process:
        try:
            yield Rival(module, process)
        finally:
            process.terminate()


def in_turn(candidates: Mapping[str, Candidate], amount: int, rounds: int) -> dict[str, list[Any]]:
    """What every candidate's rounds came to. They take turns, so that a busy moment hits all of them.

    The first round of each warms it up and is left out; the order is turned round by round.
    """
    found: dict[str, list[Any]] = {name: [] for name in candidates}
    names = list(candidates)
    for number in range(rounds + 1):
        for name in names if number % 2 else reversed(names):
            figure = candidates[name].round(amount)
            if number:
                found[name].append(figure)
    return found


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """The median of the ratios round by round: neighbours in time are compared."""
    return statistics.median(one / other for one, other in zip(ours, theirs, strict=True))


def line(label: str, text: str) -> None:
    """Print one row of a benchmark's table."""
    sys.stdout.write(f"{label:<58}{text}\n")
    sys.stdout.flush()


def per_second(label: str, figures: Sequence[float], what: str) -> None:
    """Print the median of a candidate's rounds, and its spread."""
    line(label, f"{statistics.median(figures):>9,.0f} {what}/s   ({min(figures):,.0f} to {max(figures):,.0f})")


@contextmanager
def opened_store(runner: asyncio.Runner, settings: Settings, size: int) -> Iterator[tuple[EventStore, Pool]]:
    """The store, with its first connection made: between rounds the loop stands still, and no connection can be."""

    async def opened() -> tuple[EventStore, Pool]:
        store, pool = await opening.__aenter__()
        await pool.wait()
        return store, pool

    opening = store_of(settings, "owner", size=size)
    found = runner.run(opened())
    try:
        yield found
    finally:
        runner.run(opening.__aexit__(None, None, None))


class Looped:
    """A candidate of ours that is asynchronous, on an event loop as the services have it."""

    def __init__(self, runner: asyncio.Runner) -> None:
        self._runner = runner

    async def work(self, amount: int) -> Any:
        """One round."""
        raise NotImplementedError

    def round(self, amount: int) -> Any:
        """One round, until it is done."""
        return self._runner.run(self.work(amount))

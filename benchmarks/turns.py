"""What a turn costs: the whole durable loop beside a bare litellm loop, on one server that answers at once."""

import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import psycopg
from arreio_contracts.messages import InboundMessage
from arreio_contracts.task import Budgets, TaskContract

from arreio.client import Submitted, connected
from benchmarks.bare import GOAL
from benchmarks.noop import Noop
from benchmarks.running import cpu_by_part, environment, scratch, scripted, up
from shared.settings import Settings

TURNS = 200
PART = 20
ROUNDS = 5
WARM_UP = 20
GOAL_RATIO = 1.3

_TIMES = (
    "SELECT type, extract(epoch FROM recorded_at)::float8 FROM arreio.session_events "
    "WHERE session_id = %s AND type IN ('model.requested', 'model.replied') ORDER BY seq"
)
_ENDED = "SELECT reason_code FROM arreio.tasks WHERE task_id = %s AND state IN ('COMPLETE', 'BLOCKED', 'FAILED')"


def main() -> None:
    """Run both loops in turn, and print the medians of the rounds."""
    replies = [{"tool_calls": [Noop.call(n)]} for n in range(1, TURNS + 2)]
    with (
        scratch() as folder,
        up(folder / "home", "--only", "gateway,context_builder,gate_runner,learning"),
        _program(["benchmarks.noop"], folder / "home"),
        scripted(folder, replies) as url,
        _program(["benchmarks.bare", url, str(TURNS)], folder / "home") as bare,
    ):
        durable = _Durable(folder, url)
        durable.run(WARM_UP)
        _bare(bare)
        used: Counter[str] = Counter()
        ours, asked, theirs = _Figures(), _Figures(), _Figures()
        for _ in range(ROUNDS):
            before = cpu_by_part(folder / "home")
            requested, replied = durable.run(TURNS)
            used.update({name: cpu - before[name] for name, cpu in cpu_by_part(folder / "home").items()})
            ours.add([after - begun for begun, after in pairwise(requested)])
            asked.add([after - begun for begun, after in zip(requested, replied, strict=True)][:TURNS])
            theirs.add([after - begun for begun, after in pairwise(_bare(bare))])
    rest = [whole - part for whole, part in zip(ours.parts, asked.parts, strict=True)]
    ratio = [one / other for one, other in zip(ours.parts, theirs.parts, strict=True)]
    lines = [
        f"milliseconds a turn, medians of {ROUNDS} rounds of {TURNS} turns",
        f"{'':<32}{f'first {PART}':>10}{f'last {PART}':>10}{'last/first':>12}",
        _row("durable loop", *ours.parts, ours.flatness),
        _row("  ask the model, commit its reply", *asked.parts),
        _row("  tool, prompt, commit both", *rest),
        _row("bare litellm loop", *theirs.parts, theirs.flatness),
        f"{_row('ratio', *ratio)}   (goal: at most {GOAL_RATIO})",
        "milliseconds of CPU a turn, over all of it:",
        *(f"  {name:<30}{1000 * cpu / TURNS / ROUNDS:>10.2f}" for name, cpu in used.most_common() if cpu > 0.02),
    ]
    sys.stdout.write("\n".join(lines) + "\n")


class _Figures:
    """The mean turn of each round's first and last part, in milliseconds."""

    def __init__(self) -> None:
        self._rounds: list[tuple[float, float]] = []

    def add(self, turns: Sequence[float]) -> None:
        self._rounds.append((1000 * statistics.fmean(turns[:PART]), 1000 * statistics.fmean(turns[-PART:])))

    @property
    def parts(self) -> tuple[float, float]:
        """The medians over the rounds: first, last."""
        first, last = zip(*self._rounds, strict=True)
        return statistics.median(first), statistics.median(last)

    @property
    def flatness(self) -> float:
        first, last = self.parts
        return last / first


class _Durable:
    """Tasks on the running services, each of so many turns and then ended by its budget."""

    def __init__(self, folder: Path, url: str) -> None:
        self._settings = Settings(home=folder / "home", database_url=None, nats_url=None)
        self._workspace = folder / "workspace"
        self._workspace.mkdir()
        self._url = url
        self._tasks = 0

    def run(self, turns: int) -> tuple[list[float], list[float]]:
        """When each turn's request and reply were committed, by the database's clock, in seconds; one turn more."""
        submitted = asyncio.run(self._submit(turns))
        with psycopg.connect(self._settings.database_dsn("operator"), autocommit=True) as connection:
            while (ended := connection.execute(_ENDED, (submitted.task_id,)).fetchone()) is None:
                # Looking costs the loop something, so it is done rarely.
                time.sleep(0.5)
            if ended[0] != "max_steps":
                raise SystemExit(f"the task ended otherwise than by its budget: {ended[0]}")
            found = connection.execute(_TIMES, (submitted.session_id,)).fetchall()
        requested = [float(at) for kind, at in found if kind == "model.requested"]
        return requested, [float(at) for kind, at in found if kind == "model.replied"]

    async def _submit(self, turns: int) -> Submitted:
        self._tasks += 1
        contract = TaskContract(
            workspace=str(self._workspace),
            model="openai/scripted",
            api_base=self._url,
            capability="strong",
            budgets=Budgets(max_steps=turns + 1, max_tool_calls=2 * turns, max_calls_per_tool=2 * turns),
        )
        name = f"bench-{self._tasks}"
        message = InboundMessage(conversation=name, message_id=name, sender="operator", text=GOAL, contract=contract)
        async with connected(self._settings) as client:
            return await client.submit("cli", message)


@contextmanager
def _program(arguments: Sequence[str], home: Path) -> Iterator[subprocess.Popen[str]]:
    """A module of ours as a program, spoken to by lines."""
    with subprocess.Popen(
        [sys.executable, "-m", *arguments],
        env=environment(home),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.terminate()


def _bare(process: subprocess.Popen[str]) -> list[float]:
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write("\n")
    process.stdin.flush()
    found: list[float] = json.loads(process.stdout.readline())
    return found


def _row(name: str, first: float, last: float, flatness: float | None = None) -> str:
    end = "" if flatness is None else f"{flatness:>12.2f}"
    return f"{name:<32}{first:>10.2f}{last:>10.2f}{end}"

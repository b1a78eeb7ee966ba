"""What a turn costs: the whole durable loop beside a bare litellm loop, on one server that answers at once."""

import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import psycopg
from arreio_contracts.messages import InboundMessage
from arreio_contracts.task import Budgets, TaskContract

from arreio.client import Submitted, connected
from benchmarks.bare import GOAL
from benchmarks.running import environment, scratch, scripted, up
from shared.settings import Settings

TURNS = 200
PART = 20
ROUNDS = 5
WARM_UP = 20
GOAL_RATIO = 1.3

_BEGAN = (
    "SELECT extract(epoch FROM recorded_at)::float8 FROM arreio.session_events "
    "WHERE session_id = %s AND type = 'model.requested' ORDER BY seq"
)
_ENDED = "SELECT reason_code FROM arreio.tasks WHERE task_id = %s AND state IN ('COMPLETE', 'BLOCKED', 'FAILED')"


def main() -> None:
    """Run both loops in turn, and print the medians of the rounds."""
    replies = [{"tool_calls": [{"name": "noop", "arguments": {"n": n}}]} for n in range(1, TURNS + 2)]
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
        rounds = [(durable.run(TURNS), _bare(bare)) for _ in range(ROUNDS)]
    ours = _Figures([_milliseconds(began) for began, _ in rounds])
    theirs = _Figures([_milliseconds(began) for _, began in rounds])
    sys.stdout.write(
        f"milliseconds a turn, medians of {ROUNDS} rounds of {TURNS} turns\n"
        f"{'':<14} {f'first {PART}':>9} {f'last {PART}':>9} {'flatness':>9}\n"
        f"{'durable loop':<14} {ours.first:>9.2f} {ours.last:>9.2f} {ours.flatness:>9.2f}\n"
        f"{'bare litellm':<14} {theirs.first:>9.2f} {theirs.last:>9.2f} {theirs.flatness:>9.2f}\n"
        f"{'ratio':<14} {ours.first / theirs.first:>9.2f} {ours.last / theirs.last:>9.2f}   (goal: at most {GOAL_RATIO})\n"
    )


class _Figures:
    """The mean turn of a round's first and last part, the median over the rounds."""

    def __init__(self, rounds: Sequence[Sequence[float]]) -> None:
        self.first = statistics.median(statistics.fmean(turns[:PART]) for turns in rounds)
        self.last = statistics.median(statistics.fmean(turns[-PART:]) for turns in rounds)
        self.flatness = self.last / self.first


class _Durable:
    """Tasks on the running services, each of so many turns and then ended by its budget."""

    def __init__(self, folder: Path, url: str) -> None:
        self._settings = Settings(home=folder / "home", database_url=None, nats_url=None)
        self._workspace = folder / "workspace"
        self._workspace.mkdir()
        self._url = url
        self._tasks = 0

    def run(self, turns: int) -> list[float]:
        """When the request of each turn was committed, by the database's clock, in seconds."""
        submitted = asyncio.run(self._submit(turns))
        with psycopg.connect(self._settings.database_dsn("operator"), autocommit=True) as connection:
            while (ended := connection.execute(_ENDED, (submitted.task_id,)).fetchone()) is None:
                # Looking costs the loop something, so it is done rarely.
                time.sleep(0.5)
            if ended[0] != "max_steps":
                raise SystemExit(f"the task ended otherwise than by its budget: {ended[0]}")
            return [float(at) for (at,) in connection.execute(_BEGAN, (submitted.session_id,)).fetchall()]

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
    command = [sys.executable, "-m", *arguments]
    with subprocess.Popen(
        command, env=environment(home), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
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


def _milliseconds(began: Sequence[float]) -> list[float]:
    return [1000 * (after - before) for before, after in pairwise(began)]

"""`python -m evals --model FILE`: runs what has no result yet, keeps each as a JSON line, and prints the table."""

import argparse
import asyncio
import shutil
import signal
import sys
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

from services.tool_loop.models.capability import resolve
from services.tool_loop.models.client import ModelClient, ModelRequest
from services.tool_loop.models.local_models import LocalModels

from . import bare
from .bare import Ended
from .harness import Harness, running
from .results import ARMS, Arm, Result, append, code_version, current, read
from .suite import picked
from .table import by_task, table
from .task import MAX_SECONDS, MAX_STEPS, Found, Task

GRACE: Final = 15.0
"""Seconds that the ending of a run may take beyond its budget: the last effect is ended, and the reply is queued."""
RESULTS: Final = Path(".cache/evals.jsonl")

Run = tuple[int, Task, Arm]


class Evaluation:
    """The runs of one model: engine and model servers are started when a run first needs them."""

    def __init__(self, model: str, capability: str | None, results: Path, home: Path, stack: AsyncExitStack) -> None:
        self._model = model
        self._name = Path(model).stem + (f" ({capability})" if capability else "")
        self._capability = capability
        self._results = results
        self._home = home
        self._stack = stack
        self._versions = {arm: code_version(arm) for arm in ARMS}
        self._harness: Harness | None = None
        self._client = ModelClient()
        self._local: LocalModels | None = None

    def missing(self, tasks: Sequence[Task], seeds: Sequence[int], arms: Sequence[Arm]) -> list[Run]:
        """What has no result yet: seed by seed, so that an interruption leaves whole rounds."""
        there = {result.key for result in read(self._results)}
        return [
            (seed, task, arm)
            for seed in seeds
            for task in tasks
            for arm in arms
            if (self._name, arm, task.name, seed, self._versions[arm]) not in there
        ]

    async def run(self, seed: int, task: Task, arm: Arm) -> Result:
        """One run in a workspace of its own, judged by the hidden check, and kept."""
        workspace = Path(tempfile.mkdtemp(prefix=f"arreio-eval-{task.name}-"))
        try:
            task.prepare(workspace)
            ended = await (self._by_harness if arm == "harness" else self._by_itself)(task, workspace, seed)
            says_done = ended.how == "COMPLETE"
            holds = await asyncio.to_thread(task.check, Found(workspace, says_done))
        finally:
            shutil.rmtree(workspace, ignore_errors=True)
        result = Result(
            model=self._name,
            arm=arm,
            task=task.name,
            seed=seed,
            version=self._versions[arm],
            how=ended.how,
            says_done=says_done,
            holds=holds,
            within=ended.steps <= MAX_STEPS and ended.seconds <= MAX_SECONDS + GRACE,
            steps=ended.steps,
            tokens=ended.tokens,
            seconds=round(ended.seconds, 1),
        )
        append(self._results, result)
        return result

    async def _by_harness(self, task: Task, workspace: Path, seed: int) -> Ended:
        if self._harness is None:
            self._harness = await self._stack.enter_async_context(running(self._home))
        return await self._harness.run(task, workspace, seed, f"local/{self._model}", self._capability)

    async def _by_itself(self, task: Task, workspace: Path, seed: int) -> Ended:
        if self._local is None:
            self._local = LocalModels()
            self._stack.push_async_callback(self._local.close)
        served = await self._local.endpoint(f"local/{self._model}")
        trusted = resolve(f"local/{self._model}", self._capability)
        base = ModelRequest(
            served.model,
            api_base=served.api_base,
            api_key=served.api_key,
            temperature=trusted.temperature,
            max_tokens=trusted.max_output_tokens,
            timeout=MAX_SECONDS,
        )
        return await bare.run(task, workspace, seed, self._client, base)


async def evaluate(given: argparse.Namespace) -> None:
    """Run what is missing, and print each result as it comes. SIGTERM ends it in good order, as Ctrl-C does."""
    running_task = asyncio.current_task()
    assert running_task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running_task.cancel)
    async with AsyncExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="arreio-eval-home-")))
        evaluation = Evaluation(
            str(Path(given.model).resolve()), given.capability, given.results, home / "arreio", stack
        )
        runs = evaluation.missing(given.tasks, range(1, given.seeds + 1), given.arms)
        for number, (seed, task, arm) in enumerate(runs, 1):
            result = await evaluation.run(seed, task, arm)
            verdict = "FALSE" if result.false_completion else "holds" if result.holds else "fails"
            sys.stderr.write(
                f"{number}/{len(runs)} {arm:8} {task.name} seed {seed}: {result.how}, {verdict}, "
                f"{result.steps} steps, {result.seconds:.0f} s\n"
            )


def main() -> None:
    """Read the command line, evaluate, print the tables of all current results."""
    parser = argparse.ArgumentParser(prog="python -m evals", description=__doc__)
    parser.add_argument("--model", help="a GGUF file; left out: only the tables of the results so far")
    parser.add_argument("--tasks", type=picked, default="all", help="all, tuning, held-out, or names with commas")
    parser.add_argument("--seeds", type=int, default=3, help="how many seeds, from 1 on")
    parser.add_argument("--arms", type=lambda text: text.split(","), default=ARMS, help="harness,bare")
    parser.add_argument("--capability", help="another capability profile than the model's own")
    parser.add_argument("--results", type=Path, default=RESULTS, help=f"where results are kept ({RESULTS})")
    given = parser.parse_args()
    if given.model:
        asyncio.run(evaluate(given))
    results = current(read(given.results))
    sys.stdout.write(f"{table(results)}\n\n{by_task(results)}\n")


if __name__ == "__main__":
    main()

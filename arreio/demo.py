"""`make demo`: a real, tiny model does three small tasks in a scratch workspace; then the sessions are replayed.

With ARREIO_MODEL set, that model mends a repository with a failing test instead. Nothing is scripted: what the model
gets wrong is shown, and the exit status is 0 only if every task ended COMPLETE and every session verifies.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arreio.terminal import visible

LOCAL_MODEL = "local/smollm2-135m"


@dataclass(frozen=True)
class DemoTask:
    """A goal, how it is judged, and the files that are there before."""

    goal: str
    criteria: tuple[str, ...]
    files: tuple[tuple[str, str], ...] = ()


SMALL_TASKS: tuple[DemoTask, ...] = (
    DemoTask(
        "Create the file hello.txt with the text: Hello, world!",
        ("file_exists: hello.txt", "file_contains: hello.txt :: ^Hello, world!$"),
    ),
    DemoTask(
        'Escreva a frase "Bom dia, mundo!" no arquivo saudacao.txt',
        ("file_exists: saudacao.txt", "file_contains: saudacao.txt :: ^Bom dia, mundo!$"),
    ),
    DemoTask(
        "Make a file fruits.txt that lists apple, pear and plum, one a line.",
        ("file_exists: fruits.txt", """command: test "$(cat fruits.txt)" = "$(printf 'apple\\npear\\nplum')\""""),
    ),
)
"""Each ended COMPLETE in 20 of 20 runs with this model; docs/demo.md has the figures and what they do not say."""

BROKEN_REPOSITORY = DemoTask(
    "The test fails. Find the mistake in calculator.py and fix it; do not change the test.",
    ("tests: pytest -q",),
    (
        ("calculator.py", "def add(a, b):\n    return a - b\n"),
        (
            "test_calculator.py",
            "from calculator import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n",
        ),
    ),
)


def main() -> int:
    """Run the demo; 0 when all tasks ended COMPLETE and all sessions verify."""
    model = os.environ.get("ARREIO_MODEL")
    tasks: Sequence[DemoTask] = (BROKEN_REPOSITORY,) if model else SMALL_TASKS
    with tempfile.TemporaryDirectory(prefix="arreio-demo-") as scratch:
        home, workspace = Path(scratch, "home"), Path(scratch, "workspace")
        workspace.mkdir()
        environment = {**os.environ, "ARREIO_HOME": str(home), "ARREIO_MODEL": model or LOCAL_MODEL}
        _say(f"Arreio demo with {environment['ARREIO_MODEL']}: PostgreSQL, NATS and five services start in {home}")
        try:
            statuses = [_run(task, workspace, environment) for task in tasks]
            _say("Replay: the decisions of every session are made again from the log")
            verified = _arreio(environment, "replay", "--all", "--verify") == 0
        finally:
            _arreio(environment, "stop")
        done = statuses.count(0)
        _say(f"{done} of {len(tasks)} tasks COMPLETE; the sessions {'verify' if verified else 'DO NOT verify'}")
        return 0 if done == len(tasks) and verified else 1


def _run(task: DemoTask, workspace: Path, environment: dict[str, str]) -> int:
    for name, text in task.files:
        (workspace / name).write_text(text)
    _say(f"Task: {task.goal}")
    options = [argument for criterion in task.criteria for argument in ("-c", criterion)]
    status = _arreio(environment, "run", "--keep", "-w", str(workspace), *options, task.goal)
    for criterion in task.criteria:
        _show(criterion, workspace)
    return status


def _show(criterion: str, workspace: Path) -> None:
    """The file that a criterion is about, as it is on the disk now."""
    kind, _, spec = criterion.partition(":")
    path = workspace / spec.partition("::")[0].strip()
    if kind == "file_exists" and path.is_file():
        sys.stdout.write(f"$ cat {path.name}\n{visible(path.read_text(errors='replace').rstrip())}\n")


def _arreio(environment: dict[str, str], *arguments: str) -> int:
    sys.stdout.flush()
    return subprocess.run([sys.executable, "-m", "arreio", *arguments], env=environment, check=False).returncode


def _say(text: str) -> None:
    sys.stdout.write(f"\n=== {text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

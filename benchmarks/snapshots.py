"""A snapshot of 50,000 files after a change of one, against `git add -A` and `git write-tree` with an index of its own.

Run: `python -m benchmarks snapshots`. The tree is made for it, in a temporary folder.
"""

import os
import subprocess
import sys
import time
from itertools import count
from pathlib import Path

from benchmarks.running import scratch
from benchmarks.timing import milliseconds
from shared.workspace.snapshots import Snapshots

FILES = 50_000
PER_FOLDER = 100


def main() -> None:
    """Print what each way costs."""
    with scratch() as folder:
        tree = folder / "tree"
        _make(tree)
        taken = Snapshots(folder / "data", tree)
        began = time.perf_counter()
        taken.take()
        first = time.perf_counter() - began
        git = _Git(folder / "plain.git", tree)
        git.snapshot()
        numbers = count()

        def change() -> None:
            (tree / "part0" / "sub0" / "0.txt").write_text(str(next(numbers)))

        found = milliseconds(
            {"git": git.snapshot, "snapshot": taken.take}, rounds=21, before={"git": change, "snapshot": change}
        )
    ratio = found["snapshot"] / found["git"]
    sys.stdout.write(
        f"{FILES} files, one changed; medians of 21\n"
        f"  git add -A, git write-tree  {found['git']:>7.1f} ms\n"
        f"  snapshot                    {found['snapshot']:>7.1f} ms  {ratio:.2f} times (goal: 1.2)\n"
        f"  the first snapshot          {first:>7.1f} s\n"
    )


class _Git:
    """Plain git on the same files, with an index of its own."""

    def __init__(self, repository: Path, tree: Path) -> None:
        clean = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        self._env = {**os.environ, **clean, "GIT_DIR": str(repository), "GIT_WORK_TREE": str(tree)}
        self._tree = tree
        subprocess.run(["git", "init", "-q", "--bare", str(repository)], check=True)
        self._run("config", "core.bare", "false")

    def snapshot(self) -> None:
        self._run("add", "-A")
        self._run("write-tree")

    def _run(self, *arguments: str) -> None:
        subprocess.run(["git", *arguments], env=self._env, cwd=self._tree, check=True, capture_output=True)


def _make(tree: Path) -> None:
    for number in range(FILES):
        folder = tree / f"part{number // PER_FOLDER // 20}" / f"sub{number // PER_FOLDER}"
        if number % PER_FOLDER == 0:
            folder.mkdir(parents=True)
        (folder / f"{number}.txt").write_text(f"{number}\n" * 5)

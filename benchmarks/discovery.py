"""Finding 200 AGENTS.md in 10,000 directories: against `os.walk`, `os.scandir` and `git ls-files` on the same tree.

Run: `python -m benchmarks discovery`. The tree is made for it, in a temporary folder, and its files are left to settle.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.running import scratch
from benchmarks.timing import milliseconds
from services.context_builder.instruction_cache import InstructionCache, load

DIRECTORIES = 10_000
FILES = 200
FAN_OUT = 10
IGNORED = "node_modules/\n__pycache__/\n*.pyc\n/build/\n.venv/\ndist/\n"


def main() -> None:
    """Print what each way costs."""
    with scratch() as folder:
        tree = folder / "tree"
        _make(tree)
        cache = InstructionCache()

        def anew() -> None:
            cache.invalidate("", tree)

        def cold() -> None:
            found = load(cache, "", tree)
            assert len(found.files.units) == FILES

        def cached() -> None:
            load(cache, "", tree)

        def everything() -> None:
            load(cache, "", tree, everything=True)

        found = milliseconds(
            {
                "os.walk": lambda: _walk(tree),
                "os.scandir": lambda: _scan(str(tree)),
                "git ls-files": lambda: _git(tree),
                "first load": cold,
                "cached load": cached,
                "second look": everything,
                "later look": everything,
            },
            rounds=15,
            before={"first load": anew},
        )
    walk = found["os.walk"]
    sys.stdout.write(f"{DIRECTORIES} directories, {FILES} AGENTS.md; medians of 15\n")
    goals = {"first load": " (goal: 1)", "cached load": " (goal: 0.01)"}
    for name, took in found.items():
        sys.stdout.write(f"  {name:<13}{took:>9.2f} ms  {took / walk:>6.3f} of os.walk{goals.get(name, '')}\n")


def _make(tree: Path) -> None:
    tree.mkdir()
    made, level = [tree], [tree]
    while len(made) <= DIRECTORIES:
        below = [parent / f"part{number}" for parent in level for number in range(FAN_OUT)]
        level = below[: DIRECTORIES + 1 - len(made)]
        for place in level:
            place.mkdir()
        made += level
    step = len(made) // FILES
    for number in range(FILES):
        (made[number * step] / "AGENTS.md").write_text(f"Rules of part {number}.\n" * 5)
    (tree / ".gitignore").write_text(IGNORED)
    for command in (["git", "init", "-q", "."], ["git", "add", "-A"]):
        subprocess.run(command, cwd=tree, check=True)
    time.sleep(0.2)  # until what was written is old enough for its signature to be trusted


def _walk(tree: Path) -> int:
    found = 0
    for _, names, files in os.walk(tree):
        if ".git" in names:
            names.remove(".git")
        found += "AGENTS.md" in files
    return found


def _scan(place: str) -> int:
    found = 0
    with os.scandir(place) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                found += 0 if entry.name == ".git" else _scan(entry.path)
            else:
                found += entry.name == "AGENTS.md"
    return found


def _git(tree: Path) -> int:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=tree, capture_output=True, check=True).stdout
    return listed.count(b"AGENTS.md\0")

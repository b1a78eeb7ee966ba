"""Searching 20,000 files: the tool `search` against `grep -rn` and `git grep -n` on the same tree.

Run: `python -m benchmarks search`. Each is asked for a word that stands in few files and for an expression.
"""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks.running import scratch
from benchmarks.timing import milliseconds
from services.tool_loop.tools import ToolContext, registry

FILES = 20_000
FOLDERS = 400
PATTERNS = {"word": "needle_in_the_hay", "expression": r"def \w+_19\d9\b"}
_BODY = "".join(f"def function_{{0}}_{line}(argument):\n    return argument + {line}\n\n\n" for line in range(12))


def main() -> None:
    """Print what each way costs."""
    with scratch() as folder:
        _make(folder)
        tool, context = registry()["search"], ToolContext(folder)
        for kind, pattern in PATTERNS.items():
            asyncio.run(tool.run({"pattern": pattern}, context))
            ways: dict[str, Callable[[], object]] = {
                "search": lambda pattern=pattern: asyncio.run(tool.run({"pattern": pattern}, context)),  # type: ignore[misc]
                "grep -rn": lambda pattern=pattern: _run(folder, "grep", "-rnP", pattern, "."),  # type: ignore[misc]
                "git grep": lambda pattern=pattern: _run(folder, "git", "grep", "-nP", pattern),  # type: ignore[misc]
            }
            for name, took in milliseconds(ways, rounds=5).items():
                sys.stdout.write(f"  {kind:<11}{name:<9}{took:>9.1f} ms\n")


def _make(folder: Path) -> None:
    for number in range(FILES):
        place = folder / f"part{number % FOLDERS}"
        place.mkdir(exist_ok=True)
        text = _BODY.format(number)
        if number % 4000 == 7:
            text += "needle_in_the_hay = 1\n"
        (place / f"module_{number}.py").write_text(text)
    (folder / ".gitignore").write_text("*.pyc\n__pycache__/\nbuild/\n")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    subprocess.run(["git", "add", "-A"], cwd=folder, check=True)


def _run(folder: Path, *command: str) -> None:
    subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=False)

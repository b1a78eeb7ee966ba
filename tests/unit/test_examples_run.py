"""Examples that stand where they stood and are run no more, by what two runs of a doctest command show."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from services.gate_runner.commands import Ran, Tell
from services.gate_runner.criteria.base import Bench
from services.gate_runner.criteria.examples_run import examples_not_run
from services.gate_runner.judging_twice import Former
from services.gate_runner.reports import Found
from shared.sandbox import CommandResult
from shared.workspace.changes import Change
from tests.support.gate_workspaces import write_files
from tests.unit.test_agreeing_classes import PLACE

AREA = 'def area(w, h):\n    """Area.\n\n    >>> area(2, 3)\n    6\n    """\n    return w + h\n'
COMMAND = f"{sys.executable} -m doctest shapes.py"


class Plainly:
    """Runs commands without a sandbox, over a workspace of one file."""

    def __init__(self, place: Path) -> None:
        self.place, self.runs = place, 0

    async def run(self, command: str, *, tell: Tell | None = None, former: Former | None = None) -> Ran:
        self.runs += 1
        place, workspace = self.place / f"reports{self.runs}", self.place / f"work{self.runs}"
        assert tell is not None
        told = tell(command, str(place))
        workspace.mkdir()
        now = (self.place / "shapes.py").read_text()
        write_files(workspace, {"shapes.py": now if former is None else AREA})
        write_files(place / "witness", {name: (PLACE / name).read_text() for name in told.witnesses})
        await asyncio.to_thread(
            subprocess.run,
            ["sh", "-c", told.command],
            cwd=workspace,
            env={**os.environ, **told.env},
            capture_output=True,
            check=False,
        )
        found = tuple(Found(one.name, one.read_bytes()) for one in place.iterdir() if one.is_file())
        return Ran(CommandResult(0, "", False, False, None, 0.0), found)


def not_run(place: Path, now: str) -> tuple[list[str], int]:
    """What is said of the examples, and how often the command was run."""
    write_files(place, {"shapes.py": now})
    commands = Plainly(place)
    bench = Bench(
        place,
        commands,
        began=lambda path: AREA.encode() if path == "shapes.py" else None,
        contents=lambda blobs: dict.fromkeys(blobs, AREA.encode()),
    )
    changes = [Change("shapes.py", "changed", "blob", "other", 0o100644, 0o100644)]
    found = asyncio.run(examples_not_run(bench, COMMAND, changes, Former()))
    return [f"{one.path}: {one.what}" for one in found if one.kind == "not_run"], commands.runs


@pytest.mark.parametrize(
    "now",
    [
        f"class P:\n    def __init__(self, f): self.f = f\n    def __call__(self, *a): return self.f(*a)\n\n@P\n{AREA}",
        f"{AREA}\n\nglobals()['ar' + 'ea'] = abs\n",
        f"{AREA}\n\n__test__ = {{}}\narea = type('X', (), {{'__call__': lambda *a: 1}})()\n",
    ],
)
def test_an_example_behind_which_its_function_is_gone_is_named(now: str, tmp_path: Path) -> None:
    assert not_run(tmp_path, now) == (["shapes.py: area: >>> area(2, 3)"], 2)


@pytest.mark.parametrize(
    ("now", "runs"),
    [
        (AREA.replace("w + h", "w * h"), 0),
        (f"import functools\n\n\n@functools.lru_cache\n{AREA}", 2),
        (AREA.replace("    6\n", "    6\n    >>> area(1, 1)\n    1\n").replace("w + h", "w * h"), 0),
    ],
)
def test_examples_that_go_on_to_run_are_fine_and_plain_mends_cost_no_run(now: str, runs: int, tmp_path: Path) -> None:
    assert not_run(tmp_path, now) == ([], runs)

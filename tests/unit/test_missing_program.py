"""A program that is not installed blocks a task, unless the task itself wrote its name."""

from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest

from services.gate_runner.commands import Commands, Ran
from services.gate_runner.criteria.base import Bench
from services.gate_runner.criteria.missing_program import missing_program
from shared.sandbox import CommandResult
from shared.workspace.changes import Change
from tests.support.gate_workspaces import write_files

MAKEFILE = "check:\n\tpyhton3 -c 1\n"
SAID = "make: pyhton3: No such file or directory\nmake: *** [Makefile:2: check] Error 127"


@pytest.mark.parametrize(
    ("before", "now", "missing"),
    [
        ({}, {"Makefile": MAKEFILE}, None),
        ({"Makefile": "check:\n\ttrue\n"}, {"Makefile": MAKEFILE}, None),
        ({"Makefile": MAKEFILE}, {"Makefile": f"{MAKEFILE}# checks\n"}, "pyhton3"),
        ({"Makefile": MAKEFILE}, {"a.txt": "x\n"}, "pyhton3"),
        ({"Makefile": MAKEFILE}, {"a.txt": "mypyhton3x\n"}, "pyhton3"),
    ],
)
def test_a_name_that_the_task_wrote_is_its_own_to_mend(
    tmp_path: Path, before: Mapping[str, str], now: Mapping[str, str], missing: str | None
) -> None:
    write_files(tmp_path, {**before, **now})
    changes = [
        Change(path, "changed" if path in before else "added", path if path in before else None, path, 0, 0)
        for path in now
    ]
    bench = Bench(
        tmp_path,
        cast(Commands, None),
        changes=lambda: changes,
        contents=lambda blobs: {blob: before[blob].encode() for blob in blobs},
    )
    ran = Ran(CommandResult(2, SAID, truncated=False, timed_out=False, killed_by=None, seconds=0.1))
    assert missing_program(ran, bench) == missing


@pytest.mark.parametrize(
    ("goal", "files", "missing"),
    [
        ("Do the work.", {"calc.py": "x\n"}, "nosuchrunner"),
        ("Corrija add em calc.py.", {"calc.py": "x\n"}, "nosuchrunner"),
        ("Write the module nosuchrunner.", {"calc.py": "x\n"}, None),
        ("Escreva um programa que some.", {}, None),
        ("Fix nosuchrunner.", {}, None),
        ("Do the work.", {"src/nosuchrunner/cli.py": "x\n"}, None),
        ("Do the work.", {"tools/nosuchrunner.py": "x\n"}, None),
    ],
)
def test_a_module_that_nothing_here_could_be_is_missing(
    tmp_path: Path, goal: str, files: Mapping[str, str], missing: str | None
) -> None:
    write_files(tmp_path, files)
    said = "/usr/bin/python3: No module named nosuchrunner"
    ran = Ran(CommandResult(1, said, truncated=False, timed_out=False, killed_by=None, seconds=0.1))
    assert missing_program(ran, Bench(tmp_path, cast(Commands, None), goal=goal)) == missing

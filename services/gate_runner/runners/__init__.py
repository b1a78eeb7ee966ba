"""The test runners that are known: how each is told to leave a report, and how that is read, a file for each family."""

from pathlib import Path
from typing import Final

from . import cargo, go, javascript, jvm, python
from .base import (
    UNLOADED,
    WITNESSES,
    Runner,
    Told,
    marks_of,
    named_reports,
    signed_of,
    started_tests,
    unknown,
    watched_starts,
)

__all__ = [
    "RUNNERS",
    "UNLOADED",
    "WITNESSES",
    "Runner",
    "Told",
    "marks_of",
    "named_reports",
    "runner_of",
    "signed_of",
    "started_tests",
    "watched_starts",
]

RUNNERS: Final[tuple[Runner, ...]] = (
    python.PYTEST,
    python.UNITTEST,
    python.DJANGO,
    javascript.JEST,
    javascript.VITEST,
    javascript.NODE,
    go.GO,
    cargo.CARGO,
    jvm.JVM,
)


def runner_of(command: str, workspace: Path, report: str | None = None) -> Runner:
    """The runner that a command starts, by itself or by a script of package.json.

    `report` names the JUnit XML that the command leaves; what starts no known runner, or leaves a report of its own by
    that name, is `unknown`.
    """
    if report is not None:
        return unknown(report)
    script = javascript.script_of(command, workspace)
    for runner in RUNNERS:
        if runner.starts.search(command):
            return runner
        if script is not None and runner.starts.search(script):
            return javascript.through_script(runner, script)
    return unknown()

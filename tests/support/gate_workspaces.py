"""Workspaces that criteria are judged on: written, changed as by a task, and judged in the real sandbox."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path

from arreio_contracts.messages import CriterionResult
from arreio_contracts.task import parse_criterion

from services.gate_runner.commands import SandboxedCommands
from services.gate_runner.criteria import judge
from services.gate_runner.criteria.base import Bench
from shared.environments import environments
from shared.run_files import named_tests, programs_called, scripts_run
from shared.sandbox import Limits, SandboxKind
from shared.verifiers import snapshot
from shared.workspace.snapshots import Snapshots

Files = Mapping[str, str | None]
"""Texts by path; None takes a file away. What begins with `#!` may be run."""

RUN_PYTEST = f"PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 {sys.executable} -m pytest -q -p no:cacheprovider"
"""Runs pytest without the plugins that are installed for our own tests, whose import takes most of its time."""


def write_files(place: Path, files: Files) -> None:
    """Bring the files below a folder to what is said."""
    for name, text in files.items():
        file = place / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            file.unlink()
        else:
            file.write_text(text)
            file.chmod(0o755 if text.startswith("#!") else 0o644)


def judge_task(
    place: Path,
    before: Files,
    turn: Files,
    criterion: str,
    *,
    sandbox: SandboxKind = "bubblewrap",
    **bench: object,
) -> CriterionResult:
    """Judge a criterion in a workspace below `place` that held some files when the task began and was changed since.

    `bench` are further fields of the bench. The workspace is asserted to be as it was afterwards,
    but for what runs without a sandbox.
    """
    workspace = place / "workspace"
    workspace.mkdir(exist_ok=True)
    write_files(workspace, before)
    run = criterion.partition(": ")[2]
    named = [*scripts_run(workspace, run), *named_tests(run)]
    verifiers = snapshot(workspace, named) | environments(workspace, programs_called(workspace, [run]))
    held = Snapshots(place / "data", workspace)
    began = held.take().tree
    write_files(workspace, turn)
    now = held.take().tree
    standing = Bench(
        workspace,
        SandboxedCommands(workspace, sandbox=sandbox, limits=Limits(seconds=120)),
        verifiers=verifiers,
        began=lambda path: held.read(began, path),
        judging=(run,),
        changes=lambda: held.changes(began, now),
        contents=held.contents,
        **bench,  # type: ignore[arg-type]
    )
    result = asyncio.run(judge(parse_criterion(criterion), standing))
    assert sandbox == "none" or held.take().tree == now
    return result

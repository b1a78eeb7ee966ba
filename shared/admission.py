"""Whether a task's criteria can be satisfied at all with the tools it has; asked once, before it starts."""

from collections.abc import Collection, Sequence
from typing import Final

from arreio_contracts.task import Criterion, criterion_text

JUDGED: Final = frozenset({"command", "tests", "file_exists", "file_contains", "answer"})
"""The kinds of criteria that the gate-runner judges today."""

_RUN: Final = frozenset({"command", "tests"})
_WRITTEN: Final = frozenset({"file_exists", "file_contains"})
_WRITERS: Final = frozenset({"write_file", "edit_file", "run_command"})


def unsatisfiable(
    criteria: Sequence[Criterion], *, tools: Collection[str], workspace: bool, commands: bool = True
) -> list[str]:
    """Why criteria can never hold, a line each; empty where all can.

    `workspace` says whether the task has one, `commands` whether commands can be run here (the sandbox starts).
    """
    lines = []
    for criterion in criteria:
        why = _why(criterion.kind, tools, workspace, commands)
        if why is not None:
            lines.append(f"{criterion_text(criterion)} — {why}")
    return lines


def _why(kind: str, tools: Collection[str], workspace: bool, commands: bool) -> str | None:
    if kind not in JUDGED:
        return f"nothing can judge the kind {kind} yet"
    if kind == "answer":
        return None
    if not workspace:
        return "the task has no workspace"
    if kind in _RUN and not commands:
        return "no command can be run here"
    if kind in _WRITTEN and _WRITERS.isdisjoint(tools):
        return f"none of the task's tools can write a file ({', '.join(sorted(_WRITERS))})"
    return None

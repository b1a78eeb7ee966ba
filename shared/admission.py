"""Whether a task's criteria can be satisfied at all with the tools it has; asked once, before it starts."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from arreio_contracts.task import (
    AnswerCriterion,
    CommandCriterion,
    ContractCriterion,
    Criterion,
    DiffCriterion,
    FileContainsCriterion,
    FileExistsCriterion,
    ScreenshotCriterion,
    TestsCriterion,
    criterion_text,
    why_not_meant,
)

from shared import diff_patterns
from shared.shell_syntax import why_unreadable
from shared.verifiers import names_model

_WRITERS: Final = frozenset({"write_file", "edit_file", "run_command"})


@dataclass(frozen=True, slots=True)
class Means:
    """What a task has to satisfy its criteria with.

    `workspace` says whether it has one, `empty` that there is no file in it, `there` which of the files that criteria
    name exist, `unusable` what is wrong with the contracts that do, `commands` whether commands can be run here (the
    sandbox starts), `snapshots` whether the workspace as it was can be kept. `unreadable` tells of a command why no
    shell can read it.
    """

    tools: Collection[str]
    workspace: bool
    commands: bool = True
    snapshots: bool = True
    empty: bool = False
    there: Collection[str] = ()
    unusable: Mapping[str, str] = field(default_factory=dict)
    unreadable: Callable[[str], str | None] = why_unreadable

    @property
    def writes(self) -> bool:
        """Whether a tool can write a file."""
        return not _WRITERS.isdisjoint(self.tools)


def unsatisfiable(criteria: Sequence[Criterion], means: Means) -> list[str]:
    """Why criteria can never hold, a line each; empty where all can."""
    whys = ((criterion, _why(criterion, means)) for criterion in criteria)
    return [f"{criterion_text(criterion)} — {why}" for criterion, why in whys if why is not None]


def _why(criterion: Criterion, means: Means) -> str | None:
    if isinstance(criterion, AnswerCriterion):
        return None
    if not means.workspace:
        return "the task has no workspace"
    why = why_not_meant(criterion)
    if why is not None:
        return why
    if _runs(criterion) and not means.commands:
        return "no command can be run here"
    if isinstance(criterion, CommandCriterion | TestsCriterion) and (wrong := means.unreadable(criterion.run)):
        return wrong
    if isinstance(criterion, DiffCriterion):
        wrong = diff_patterns.why_unusable(criterion.allowed)
        return wrong if means.snapshots else "what changed cannot be told here: git is not installed"
    if isinstance(criterion, ContractCriterion) and criterion.schema_path.startswith("/"):
        schema = criterion.schema_path.partition("#")[0]
        if schema not in means.there:
            return f"there is no contract {schema}"
    if isinstance(criterion, ContractCriterion) and criterion.schema_path in means.unusable:
        return means.unusable[criterion.schema_path]
    if means.writes:
        return None
    if isinstance(criterion, FileExistsCriterion | FileContainsCriterion | ContractCriterion | ScreenshotCriterion):
        if criterion.path in means.there:
            return None
        return f"none of the task's tools can write a file ({', '.join(sorted(_WRITERS))})"
    if isinstance(criterion, TestsCriterion) and means.empty and criterion.min_tests:
        return "the workspace is empty, and none of the task's tools can write a test"
    return None


def _runs(criterion: Criterion) -> bool:
    """Whether judging it runs code of the workspace."""
    if isinstance(criterion, ContractCriterion):
        return names_model(criterion.schema_path)
    return isinstance(criterion, CommandCriterion | TestsCriterion)

"""`diff: GLOB, GLOB` holds when nothing but the allowed paths has changed since the task began."""

import asyncio
from collections.abc import Sequence
from typing import ClassVar, Final

from arreio_contracts.messages import CriterionResult
from arreio_contracts.task import DiffCriterion
from pathspec import GitIgnoreSpec

from shared.workspace.snapshots import Change, SnapshotError

from .base import Bench, failed, not_run, passed

_SHOWN: Final = 20
_CACHES: Final = GitIgnoreSpec.from_lines(
    ("__pycache__/*.pyc", ".pytest_cache/", ".mypy_cache/", ".ruff_cache/", ".hypothesis/")
)
"""What running the tests leaves behind by itself."""


def of_the_task(changes: Sequence[Change]) -> list[Change]:
    """The changes without what running a program leaves in caches."""
    return [change for change in changes if not _CACHES.match_file(change.path)]


class DiffJudge:
    """Judges `diff`. What git ignores, and files too large to keep, are not looked at: snapshots leave them out."""

    cheap: ClassVar[bool] = False

    async def judge(self, criterion: DiffCriterion, bench: Bench) -> CriterionResult:
        """See `Judge.judge`."""
        expected = f"changes in {', '.join(criterion.allowed)} only"
        if bench.changes is None:
            return not_run(
                criterion, "no snapshot of the task's beginning was kept", expected=expected, environment=True
            )
        try:
            changes = await asyncio.to_thread(bench.changes)
        except SnapshotError as error:
            return not_run(criterion, str(error), expected=expected, environment=True)
        allowed = GitIgnoreSpec.from_lines(criterion.allowed)
        beyond = [
            f"{change.path} was {change.kind}" for change in of_the_task(changes) if not allowed.match_file(change.path)
        ]
        if not beyond:
            return passed(criterion, f"{len(changes)} paths changed")
        more = len(beyond) - _SHOWN
        return failed(criterion, expected, "\n".join([*beyond[:_SHOWN], *([f"… and {more} more"] if more > 0 else [])]))

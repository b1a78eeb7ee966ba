"""`diff: GLOB, GLOB` holds when nothing but the allowed paths has changed since the task began."""

import asyncio
from collections.abc import Sequence
from typing import ClassVar, Final

from arreio_contracts.messages import CriterionResult
from arreio_contracts.task import DiffCriterion
from pathspec import GitIgnoreSpec

from shared.diff_patterns import patterns_of
from shared.workspace.changes import Change
from shared.workspace.inventory import Beyond
from shared.workspace.snapshots import SnapshotError

from .base import Bench, failed, not_run, passed

_SHOWN: Final = 20
_CACHES: Final = GitIgnoreSpec.from_lines(
    ("__pycache__/*.pyc", ".pytest_cache/", ".mypy_cache/", ".ruff_cache/", ".hypothesis/")
)
"""What running the tests leaves behind by itself."""
_BUILT: Final = GitIgnoreSpec.from_lines(
    (
        *(".coverage", ".coverage.*", "htmlcov/", "coverage/", ".nyc_output/", ".tox/", ".nox/", "*.egg-info/"),
        *("node_modules/.cache/", "node_modules/.vite/", "node_modules/.vitest/", ".parcel-cache/", ".turbo/"),
        *("*.tsbuildinfo", ".eslintcache", "target/", ".gradle/", ".DS_Store"),
    )
)
"""What building and measuring leave behind; such a path counts only where git does not ignore it."""


def of_the_task(changes: Sequence[Change]) -> list[Change]:
    """The changes without what running a program leaves in caches."""
    return [change for change in changes if not _CACHES.match_file(change.path)]


class DiffJudge:
    """Judges `diff`: by the snapshots, and for what they leave out (ignored, large) by the inventory beside them."""

    cheap: ClassVar[bool] = False

    async def judge(self, criterion: DiffCriterion, bench: Bench) -> CriterionResult:
        """See `Judge.judge`."""
        expected = f"changes in {', '.join(criterion.allowed)} only"
        if bench.changes is None or bench.beyond is None:
            return not_run(
                criterion, "no snapshot of the task's beginning was kept", expected=expected, environment=True
            )
        try:
            kept = await asyncio.to_thread(bench.changes)
            whole = await asyncio.to_thread(bench.beyond, kept)
        except SnapshotError as error:
            return not_run(criterion, str(error), expected=expected, environment=True)
        allowed = patterns_of(criterion.allowed)
        changes = _counting(whole, {change.path for change in kept})
        wrong = [change for change in changes if not _allows(allowed, change.path)]
        if wrong:
            return failed(criterion, expected, _listed([f"{change.path} was {change.kind}" for change in wrong]))
        untold = [path for path in whole.untold if not allowed.match_file(path) and not _BUILT.match_file(path)]
        if untold:
            seen = "whether these changed cannot be told, as they are too large or too many to be kept:"
            return not_run(criterion, f"{seen}\n{_listed(untold)}", expected=expected)
        return passed(criterion, f"{len(changes)} paths changed")


def _counting(whole: Beyond, kept: set[str]) -> list[Change]:
    changes = of_the_task(whole.changes)
    return [change for change in changes if change.path in kept or not _BUILT.match_file(change.path)]


def _allows(allowed: GitIgnoreSpec, path: str) -> bool:
    """Whether a path may change; an empty folder, whose path ends in `/`, where a file in it may."""
    return allowed.match_file(path) or (path.endswith("/") and allowed.match_file(f"{path}any"))


def _listed(lines: Sequence[str]) -> str:
    more = len(lines) - _SHOWN
    return "\n".join([*lines[:_SHOWN], *([f"… and {more} more"] if more > 0 else [])])

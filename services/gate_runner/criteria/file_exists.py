"""`file_exists: PATH` holds when the workspace has a regular file of that name (a directory, if it ends in a slash)."""

from typing import ClassVar

from arreio_contracts.messages import CriterionResult
from arreio_contracts.task import FileExistsCriterion

from shared.workspace.paths import PathRefused, confine

from .base import Bench, failed, passed


class FileExistsJudge:
    """Judges `file_exists`."""

    cheap: ClassVar[bool] = True

    async def judge(self, criterion: FileExistsCriterion, bench: Bench) -> CriterionResult:
        """See `Judge.judge`."""
        directory = criterion.path.endswith("/")
        expected = f"{'a directory' if directory else 'a file'} {criterion.path}"
        try:
            real = confine(bench.workspace, criterion.path).real
        except PathRefused as error:
            return failed(criterion, expected, str(error))
        if real.is_dir() if directory else real.is_file():
            return passed(criterion)
        if not real.exists():
            return failed(criterion, expected, "it does not exist")
        return failed(criterion, expected, "a directory of that name" if real.is_dir() else "it is not a regular file")

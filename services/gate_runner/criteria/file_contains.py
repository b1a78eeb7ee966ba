"""`file_contains: PATH :: REGEX` holds when the regular expression is found in the file's text."""

import codecs
from typing import ClassVar, Final

from arreio_contracts.messages import CriterionResult
from arreio_contracts.task import FileContainsCriterion

from shared.workspace.paths import PathRefused, confine

from ..searching import SearchTooLong, found_in
from .base import Bench, excerpt, failed, not_run, passed

_UTF_16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
MAX_BYTES: Final = 16 << 20
_SHOWN: Final = 400


class FileContainsJudge:
    """Judges `file_contains`."""

    cheap: ClassVar[bool] = True

    async def judge(self, criterion: FileContainsCriterion, bench: Bench) -> CriterionResult:
        """See `Judge.judge`."""
        expected = f"text in {criterion.path} that matches {criterion.regex}"
        try:
            real = confine(bench.workspace, criterion.path).real
        except PathRefused as error:
            return failed(criterion, expected, str(error))
        if not real.exists():
            return failed(criterion, expected, "the file does not exist")
        if not real.is_file():
            return failed(criterion, expected, "it is not a regular file")
        with real.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            return not_run(criterion, f"the file is larger than {MAX_BYTES} bytes", expected=expected)
        text = content.decode("utf-16" if content.startswith(_UTF_16) else "utf-8-sig", "replace")
        try:
            if await found_in(text, criterion.regex):
                return passed(criterion)
        except SearchTooLong as error:
            return failed(criterion, expected, str(error))
        return failed(criterion, expected, excerpt(text, _SHOWN) or "an empty file")

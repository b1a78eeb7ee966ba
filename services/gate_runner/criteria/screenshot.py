"""`screenshot: PAGE :: 1280x800` holds when the page shows something in a browser, and nothing of it fails."""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import ClassVar, Final

from arreio_contracts.messages import CriterionResult
from arreio_contracts.task import ScreenshotCriterion

from shared.sandbox import SandboxKind
from shared.workspace import PathRefused, confine

from ..browser import BrowserFailed, BrowserUnavailable, Screen, Shown, render
from .base import Bench, failed, not_run, passed

_PHONE_WIDTH: Final = 600
"""Narrower screens are those of phones."""

Show = Callable[[Path, str, Sequence[Screen], SandboxKind], Awaitable[list[Shown]]]
"""What shows a page of a workspace on screens, as `browser.render` does."""


class ScreenshotJudge:
    """Judges `screenshot`. The result's blob is the screenshot, a PNG, whatever the verdict."""

    cheap: ClassVar[bool] = False

    def __init__(self, show: Show = render) -> None:
        self._show = show

    async def judge(self, criterion: ScreenshotCriterion, bench: Bench) -> CriterionResult:
        """See `Judge.judge`."""
        expected = f"{criterion.path} shows something in a browser, without errors of its scripts or missing files"
        try:
            real = confine(bench.workspace, criterion.path).real
        except PathRefused as error:
            return failed(criterion, expected, str(error))
        if not real.is_file():
            return failed(criterion, expected, "the file does not exist")
        screen = Screen(criterion.width, criterion.height, phone=criterion.width < _PHONE_WIDTH)
        try:
            (shown,) = await self._show(bench.workspace, criterion.path, [screen], bench.sandbox)
        except BrowserUnavailable as error:
            return not_run(criterion, str(error), expected=expected, environment=True)
        except BrowserFailed as error:
            return failed(criterion, expected, str(error))
        kept = None if bench.keep_blob is None else await bench.keep_blob(shown.screenshot)
        wrong = [*shown.measures.errors, *(["the page shows nothing"] if shown.measures.blank else [])]
        if shown.measures.elsewhere:
            hosts = ", ".join(shown.measures.elsewhere)
            wrong += [f"it has styles or scripts from elsewhere, which are not loaded here: {hosts}"] if wrong else []
        result = failed(criterion, expected, "\n".join(wrong)) if wrong else passed(criterion)
        return result.model_copy(update={"blob": kept})

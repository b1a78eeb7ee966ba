"""One browser for many pages, each in a context of its own; one that hangs or fails takes its browser with it."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final, Self
from urllib.parse import quote

from shared.sandbox import SandboxKind

from .devtools import Devtools
from .errors import BrowserFailed, PageFailed
from .rendering import PAGE_SECONDS, Screen, Shown, shown_on
from .serving import ORIGIN, served
from .starting import Browser, opened

_LEAVE_SECONDS: Final = 5.0
"""How long a page may take to go away before its browser does."""


class Browsing:
    """Shows pages one after another, as long as the block; when it ends no process of a browser is left.

    A browser is started for the first page, and anew after a page that did not end well. Pages share nothing: no
    storage, no cookies, no process that shows them.
    """

    def __init__(self, sandbox: SandboxKind = "bubblewrap") -> None:
        self._sandbox = sandbox
        self._browser: Browser | None = None
        self._held = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Nothing is started yet."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """The browser ends."""
        await self._end()

    async def render(
        self, workspace: Path, page: str, screens: Sequence[Screen], *, seconds: float = PAGE_SECONDS
    ) -> list[Shown]:
        """The page on each screen, each within `seconds`. It sees the workspace's files alone, and changes nothing.

        Raises:
            BrowserUnavailable: there is no browser here.
            BrowserFailed: it ended, the page took too long, or it did not stay.
        """
        if not await asyncio.to_thread(served, workspace, page, f"{ORIGIN}/{quote(page)}"):
            raise BrowserFailed(f"there is no page {page} in the workspace")
        if self._browser is None:
            self._browser = await self._held.enter_async_context(opened(self._sandbox))
        well = False
        try:
            shown = await self._in_context(self._browser, workspace, page, screens, seconds)
            well = True
            return shown
        except PageFailed:
            well = True
            raise
        except TimeoutError as error:
            raise BrowserFailed(f"{page} was not shown within {seconds:g} s") from error
        finally:
            if not well:
                await self._end()

    async def _in_context(
        self, browser: Browser, workspace: Path, page: str, screens: Sequence[Screen], seconds: float
    ) -> list[Shown]:
        devtools = browser.devtools
        async with asyncio.timeout(seconds):
            context, session = await _new_page(devtools)
        shown = []
        try:
            for screen in screens:
                async with asyncio.timeout(seconds):
                    shown.append(await shown_on(browser, session, workspace, page, screen))
        except PageFailed:
            await self._leave(devtools, session, context)
            raise
        await self._leave(devtools, session, context)
        return shown

    async def _leave(self, devtools: Devtools, session: str, context: str) -> None:
        devtools.forget(session)
        try:
            async with asyncio.timeout(_LEAVE_SECONDS):
                await devtools.call("Target.disposeBrowserContext", browserContextId=context)
        except (TimeoutError, BrowserFailed):
            # What was seen of it stands; the next page has another browser.
            await self._end()

    async def _end(self) -> None:
        self._browser = None
        await self._held.aclose()


async def _new_page(devtools: Devtools) -> tuple[str, str]:
    """An empty page that shares nothing with others: the ids of its context and of its session."""
    context = str((await devtools.call("Target.createBrowserContext"))["browserContextId"])
    made = await devtools.call("Target.createTarget", url="about:blank", browserContextId=context)
    attached = await devtools.call("Target.attachToTarget", targetId=made["targetId"], flatten=True)
    return context, str(attached["sessionId"])


async def render(
    workspace: Path,
    page: str,
    screens: Sequence[Screen],
    sandbox: SandboxKind = "bubblewrap",
    *,
    seconds: float = PAGE_SECONDS,
) -> list[Shown]:
    """One page in a browser that is started for it, as `Browsing.render` has it.

    Raises:
        BrowserUnavailable: there is no browser here.
        BrowserFailed: it ended, the page took too long, or it did not stay.
    """
    async with Browsing(sandbox) as browsing:
        return await browsing.render(workspace, page, screens, seconds=seconds)

"""Starts the browser that is installed, in the sandbox, with a profile that is thrown away."""

import asyncio
import contextlib
import os
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from shared.sandbox import Limits, SandboxKind, confined, environment, exceeded, sandbox_works
from shared.sandbox.limits import MIB

from .devtools import LONGEST_MESSAGE, Devtools
from .errors import BrowserFailed, BrowserUnavailable

PROGRAMS: Final = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
INSTALL: Final = "install Chromium (Debian, Ubuntu: apt-get install chromium)"
LIMITS: Final = Limits(memory_bytes=2048 * MIB, temporary_bytes=512 * MIB)

_START_SECONDS: Final = 60.0
_LOOK_SECONDS: Final = 1.0
_FLAGS: Final = (
    *("--headless=new", "--remote-debugging-pipe", "--hide-scrollbars", "--mute-audio", "--disable-gpu"),
    *("--no-first-run", "--no-default-browser-check", "--disable-extensions", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-default-apps"),
    *("--disable-dev-shm-usage", "--disable-breakpad", "--force-color-profile=srgb", "--lang=en"),
    # Its own sandbox needs rights that ours takes from it; ours stands around all of it.
    "--no-sandbox",
    # Beside the sandbox, which has no network: nothing answers there.
    *("--proxy-server=127.0.0.1:9", "--proxy-bypass-list=<-loopback>"),
)


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser that runs."""

    devtools: Devtools
    version: str


def browser_program() -> str | None:
    """The browser that is installed; None where there is none."""
    return next((name for name in PROGRAMS if shutil.which(name)), None)


@asynccontextmanager
async def opened(sandbox: SandboxKind = "bubblewrap") -> AsyncIterator[Browser]:
    """A browser as long as the block; every process of it ends with the block.

    Raises:
        BrowserUnavailable: none is installed, or it does not start here.
    """
    program = browser_program()
    if program is None:
        raise BrowserUnavailable("no browser is installed", INSTALL)
    if sandbox == "bubblewrap" and (why := sandbox_works()) is not None:
        raise BrowserUnavailable(f"the browser has no sandbox to run in: {why}")
    with tempfile.TemporaryDirectory(prefix="arreio-browser-", ignore_cleanup_errors=True) as place:
        process, devtools = await _started(program, Path(place), sandbox)
        tasks = [asyncio.create_task(devtools.listen()), asyncio.create_task(_watch(process))]
        try:
            yield Browser(devtools, await _version(devtools))
        finally:
            await asyncio.shield(_end(process))
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            devtools.close()


async def _started(program: str, place: Path, sandbox: SandboxKind) -> tuple[asyncio.subprocess.Process, Devtools]:
    # The browser reads commands from descriptor 3 and answers on 4, whatever numbers our ends have.
    commands, ours_out = os.pipe()
    ours_in, answers = os.pipe()
    script = f'exec "$@" 3</proc/self/fd/{commands} 4>/proc/self/fd/{answers}'
    flags = [*_FLAGS, f"--user-data-dir={place}/profile", "about:blank"]
    argv = confined(["sh", "-c", script, "sh", program, *flags], workspace=place, limits=LIMITS, sandbox=sandbox)
    try:
        process = await asyncio.create_subprocess_exec(
            *argv,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            cwd=place,
            env=environment(place, network=False),
            pass_fds=(commands, answers),
            start_new_session=True,
        )
    except OSError as error:
        os.close(ours_in)
        os.close(ours_out)
        raise BrowserUnavailable(f"the browser cannot be started: {error.strerror}") from error
    finally:
        os.close(commands)
        os.close(answers)
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=LONGEST_MESSAGE)
    reading, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(ours_in, "rb"))
    writer, _ = await loop.connect_write_pipe(asyncio.Protocol, os.fdopen(ours_out, "wb"))
    return process, Devtools(reader, writer, reading)


async def _version(devtools: Devtools) -> str:
    try:
        async with asyncio.timeout(_START_SECONDS):
            return str((await devtools.call("Browser.getVersion"))["product"])
    except (BrowserFailed, TimeoutError) as error:
        raise BrowserUnavailable(f"the browser does not start here: {error or 'no answer'}") from error


async def _watch(process: asyncio.subprocess.Process) -> None:
    """End a browser that a page makes use more than it may."""
    while True:
        await asyncio.sleep(_LOOK_SECONDS)
        if await asyncio.to_thread(exceeded, process.pid, LIMITS, None) is not None:
            return await _end(process)


async def _end(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()

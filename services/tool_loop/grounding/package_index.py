"""Asks registries for packages through the user's own clients: their configuration, proxies and mirrors hold."""

import asyncio
import json
import os
import re
import shutil
import signal
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Protocol

from arreio_contracts.grounding import SOME_INDEX, Package, PackageVerdict

from ..rules.grounding.packages import DAYS_OLD, Answer, judge_package

_SECONDS: Final = 25.0
"""Longest that a client may take for one package."""
_AT_ONCE: Final = 4
_UNREACHABLE_KEPT: Final = 60.0
"""Seconds for which a registry that could not be reached is not asked again."""
_AWAY_AFTER: Final = 2
"""Packages in a row for which a registry could not be reached, before it counts as away for every other."""

_UNREACHABLE: Final = Answer("unreachable")
_NOT_THERE = re.compile(
    r"404 (Client Error|Not Found)|No matching distribution found|was not found in the package registry"
)
_AWAY = re.compile(
    r"Could not fetch URL (?!.*404 )|connection error|Failed to (establish|fetch)|timed? ?out|Retrying|error sending"
    r"|CERTIFICATE|proxy|no indexes|--no-index|offline|50\d Server|40[13] Client|registry's index is disabled",
    re.IGNORECASE,
)
_SEEN_A_FILE = re.compile(
    r"^Available versions:|^[^\S\n]*+Found link |^[^\S\n]*+Skipping link: (?!not a file|wrong project)", re.M
)


class PackageIndex(Protocol):
    """A registry of packages.

    `look` answers `found`, `not_found`, or `unreachable` where neither is certain. It never raises, never installs,
    downloads no package, and ends within a bounded time. Safe to call at once for several packages.
    """

    async def look(self, package: Package) -> Answer:
        """What the registry of the package's ecosystem says of it."""
        ...


class Nowhere:
    """No registry may be asked."""

    async def look(self, package: Package) -> Answer:
        return _UNREACHABLE


@dataclass(frozen=True, slots=True)
class _Ran:
    status: int
    output: str


class ClientIndex:
    """pip or uv for Python's packages, npm for JavaScript's, run outside the sandbox; never a program of `forbidden`.

    `forbidden` are folders that a model may write to: a client that lies there is not the user's.
    """

    def __init__(self, forbidden: Iterable[str] = (), environ: Mapping[str, str] | None = None) -> None:
        self._forbidden = tuple(os.path.realpath(each) for each in forbidden)
        base = dict(os.environ if environ is None else environ)
        self._environ = {name: value for name, value in base.items() if not name.startswith(("PYTHON", "ARREIO_"))}
        self._slots = asyncio.Semaphore(_AT_ONCE)

    async def look(self, package: Package) -> Answer:
        async with self._slots:
            if package.index == SOME_INDEX:
                return _UNREACHABLE
            return await (self._npm(package) if package.ecosystem == "npm" else self._pypi(package))

    async def _pypi(self, package: Package) -> Answer:
        name = package.name
        there: tuple[str, ...] = ("--default-index", package.index) if package.index else ()
        pip, uv = self.program("pip", "pip3"), self.program("uv")
        answer = await self._pip(pip, package) if pip else await self._uv(uv, name, *there) if uv else _UNREACHABLE
        # pip does not tell dates: a uv beside this harness does it where the user has none.
        dating = uv or self.program("uv", beside=(os.path.dirname(sys.executable),))  # noqa: PTH120
        if answer.standing == "found" and dating:
            if pip and not there:
                there = await self._configured(pip)
            if await self._is_new(dating, name, *there):
                return Answer("found", new=True)
        return answer

    async def _configured(self, pip: str) -> tuple[str, ...]:
        """The registry that pip's own files name, as options for uv, which does not read them."""
        ran = await self._run(pip, "config", "get", "global.index-url", "--disable-pip-version-check")
        url = ran.output.strip() if ran is not None and ran.status == 0 else ""
        return ("--default-index", url) if url.startswith(("http://", "https://")) else ()

    async def _pip(self, pip: str, package: Package) -> Answer:
        name = package.name
        there = ("--index-url", package.index) if package.index else ()
        options = (*there, "-vv", "--pre", "--ignore-requires-python", "--retries", "1", "--timeout", "8", "--no-input")
        ran = await self._run(pip, "index", "versions", name, *options, "--disable-pip-version-check")
        return _UNREACHABLE if ran is None else read_pip(ran.output)

    async def _uv(self, uv: str, name: str, *there: str) -> Answer:
        ran = await self._compile(uv, name, *there)
        if ran is None:
            return _UNREACHABLE
        if ran.status == 0:
            return Answer("found")
        if _AWAY.search(ran.output):
            return _UNREACHABLE
        if re.search(r"was not found in the package registry|was not found in the provided", ran.output):
            return Answer("not_found")
        # It has versions, and none for this Python or platform.
        return Answer("found") if "No solution found" in ran.output else _UNREACHABLE

    async def _is_new(self, uv: str, name: str, *there: str) -> bool:
        """Whether no version was there a while ago; False where the registry does not date its files."""
        before = (datetime.now(UTC) - DAYS_OLD).strftime("%Y-%m-%dT%H:%M:%SZ")
        ran = await self._compile(uv, name, *there, "--exclude-newer", before)
        if ran is None or ran.status == 0 or "upload date" in ran.output or _AWAY.search(ran.output):
            return False
        return "exclude-newer" in ran.output or f"there are no versions of {name}" in ran.output

    async def _compile(self, uv: str, name: str, *options: str) -> _Ran | None:
        index = self._environ.get("PIP_INDEX_URL")
        if index and "--default-index" not in options and not {"UV_DEFAULT_INDEX", "UV_INDEX_URL"} & set(self._environ):
            options = (*options, "--default-index", index)
        fixed = ("--no-deps", "--no-header", "--no-config", "--prerelease", "allow")
        return await self._run(uv, "pip", "compile", "-", *fixed, *options, given=name)

    async def _npm(self, package: Package) -> Answer:
        npm = self.program("npm")
        there = ("--registry", package.index) if package.index else ()
        asked = ("view", package.name, "name", "time.created", "--json", "--fetch-retries", "1", *there)
        ran = await self._run(npm, *asked) if npm else None
        return _UNREACHABLE if ran is None else read_npm(ran.status, ran.output)

    def program(self, *names: str, beside: Sequence[str] = ()) -> str | None:
        """The first of these clients on the search path, or `beside` it, that the user, and no model, put there."""
        for name in names:
            for folder in (*self._environ.get("PATH", "").split(os.pathsep), *beside):
                found = shutil.which(name, path=folder) if folder.startswith("/") else None
                if found and not os.path.realpath(found).startswith(self._forbidden or "\0"):
                    return found
        return None

    async def _run(self, *command: str, given: str = "") -> _Ran | None:
        """Run a client away from the workspace; None: it did not end in time, or could not be started."""
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                cwd="/",
                env=self._environ,
                start_new_session=True,
            )
        except OSError:
            return None
        try:
            output, _ = await asyncio.wait_for(process.communicate(given.encode()), _SECONDS)
        except TimeoutError:
            return None
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                await process.wait()
        return _Ran(process.returncode or 0, output.decode("utf-8", "replace"))


def read_pip(output: str) -> Answer:
    """What `pip index versions -vv` says. That pip has no version to install is not that there is no package."""
    if _SEEN_A_FILE.search(output):
        return Answer("found")
    if _AWAY.search(output):
        return _UNREACHABLE
    return Answer("not_found") if _NOT_THERE.search(output) else _UNREACHABLE


def read_npm(status: int, output: str) -> Answer:
    """What `npm view NAME name time.created --json` says; nothing at all of a name that has no version to install."""
    if status != 0:
        return Answer("not_found") if re.search(r"\bE404\b", output) else _UNREACHABLE
    if not output.strip():
        return Answer("not_found")
    try:
        told = json.loads(output)
    except ValueError:
        return Answer("found")
    created = told.get("time.created") if isinstance(told, dict) else None
    try:
        return Answer("found", datetime.fromisoformat(created) if created else None)
    except (TypeError, ValueError):
        return Answer("found")


class RememberedIndex:
    """An index that is asked for each package once, and again after a while where it could not be reached."""

    def __init__(self, index: PackageIndex) -> None:
        self._index = index
        self._answers: dict[Package, tuple[float, Answer]] = {}
        self._away: dict[str, tuple[float, int]] = {}

    async def look(self, package: Package) -> Answer:
        known = self._answers.get(package)
        if known is not None and (known[1].standing != "unreachable" or _lately(known[0])):
            return known[1]
        since, failures = self._away.get(package.ecosystem + package.index, (0.0, 0))
        if failures >= _AWAY_AFTER and _lately(since):
            return _UNREACHABLE
        answer = await self._index.look(package)
        failed = answer.standing == "unreachable"
        self._away[package.ecosystem + package.index] = (time.monotonic(), failures + 1) if failed else (0.0, 0)
        self._answers[package] = (time.monotonic(), answer)
        return answer


def _lately(moment: float) -> bool:
    return time.monotonic() - moment < _UNREACHABLE_KEPT


async def package_verdicts(index: PackageIndex, packages: Sequence[Package]) -> dict[Package, PackageVerdict]:
    """The verdict on each package."""
    answers = await asyncio.gather(*(index.look(package) for package in packages))
    now = datetime.now(UTC)
    return {each: judge_package(each, answer, now) for each, answer in zip(packages, answers, strict=True)}

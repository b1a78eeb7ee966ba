"""Runs the commands of criteria in the sandbox, over the workspace as an overlay, so that judging changes nothing."""

import contextlib
import os
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from shared.sandbox import CommandResult, Limits, SandboxKind, SandboxUnavailable, run
from shared.walk import Walker

REPORT_LIMIT: Final = 16 << 20
_REPORT: Final = "/tmp/arreio-report.xml"
_OWN_REPORT: Final = re.compile(r"--junit-?xml[= ]\s*(\S+)")
_NOT_FOUND: Final = re.compile(
    r"^(?:/bin/)?(?:sh|bash|dash)(?:: (?:line )?\d+)?: (?P<name>[^:\n]+): (?:command )?not found$", re.M
)


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended. `report` is the JUnit XML that its test runner left, `changed` what it changed where no
    overlay could be had."""

    result: CommandResult
    report: bytes | None = None
    changed: tuple[str, ...] = ()

    @property
    def limit(self) -> str | None:
        """The limit that ended it, if one did."""
        kinds = {
            "time": "its time limit",
            "memory": "its memory limit",
            "output": "its output limit",
            "processes": "its limit of processes",
            "disk": "its limit of bytes written",
            "cancelled": "the harness",
        }
        killed = self.result.killed_by or ("time" if self.result.timed_out else None)
        return None if killed is None else f"ended by {kinds[killed]} after {self.result.seconds:.0f} s"

    @property
    def missing_program(self) -> str | None:
        """The program that is not installed, where that ended the command; a path is the workspace's own matter."""
        if self.result.exit_status != 127:
            return None
        found = _NOT_FOUND.findall(self.result.output)
        return found[-1].strip() if found and "/" not in found[-1] else None


class CommandsUnavailable(Exception):
    """No command can be run here; the text says why."""


class Commands(Protocol):
    """Runs a criterion's command. Nothing it does to the workspace stays, or else `changed` names it."""

    async def run(self, command: str, *, report: bool = False) -> Ran:
        """Run `command` by `sh -c` in the workspace; with `report`, have a test runner leave its JUnit XML.

        Raises:
            CommandsUnavailable: nothing was run.
        """
        ...


@dataclass(slots=True)
class SandboxedCommands:
    """Commands in bubblewrap, or plainly where the contract says `sandbox: none`."""

    workspace: Path
    network: bool = False
    sandbox: SandboxKind = "bubblewrap"
    limits: Limits = field(default_factory=Limits)

    async def run(self, command: str, *, report: bool = False) -> Ran:
        """See `Commands.run`."""
        with _report_file() if report else contextlib.nullcontext() as file:
            wrapped = command if file is None else _reporting(command, file[1])
            held = () if file is None else (file[0], file[1])
            try:
                if self.sandbox == "bubblewrap":
                    with contextlib.suppress(SandboxUnavailable):
                        return Ran(await self._run(wrapped, held, overlay=True), _content(file))
                before = _stamps(self.workspace)
                result = await self._run(wrapped, held, overlay=False)
            except SandboxUnavailable as error:
                raise CommandsUnavailable(str(error)) from error
            after = _stamps(self.workspace)
            changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
            return Ran(result, _content(file), tuple(changed))

    async def _run(self, command: str, held: tuple[int, ...], *, overlay: bool) -> CommandResult:
        return await run(
            command,
            workspace=self.workspace,
            limits=self.limits,
            network=self.network,
            sandbox=self.sandbox,
            overlay=overlay,
            inherit_fds=held,
        )


@contextlib.contextmanager
def _report_file() -> Iterator[tuple[int, int]]:
    """A file in memory that the sandboxed command inherits: what it writes elsewhere is gone with the overlay."""
    file = os.memfd_create("report", 0)
    held = os.dup(file)
    try:
        yield held, file
    finally:
        os.close(held)
        os.close(file)


def _reporting(command: str, file: int) -> str:
    """The command with pytest told to leave a report, which is brought out however the command ends.

    No report can be older than the run: its path is in the private /tmp. Where the command names a report of its own,
    pytest writes that one; it is brought out if it is newer than the start.
    """
    own = _OWN_REPORT.search(command)
    named = shlex.quote(own[1].strip("'\"")) if own else shlex.quote(_REPORT)
    options = f"--junitxml={_REPORT} -o junit_family=xunit2"
    return (
        f"rm -f {_REPORT}; : > {_REPORT}.begun; sleep 0.01\n"
        f'PYTEST_ADDOPTS="${{PYTEST_ADDOPTS:+$PYTEST_ADDOPTS }}{options}" sh -c {shlex.quote(command)}\n'
        "status=$?\n"
        f"for report in {_REPORT} {named}; do\n"
        f'  if [ "$report" -nt {_REPORT}.begun ]; then cat "$report" > /proc/self/fd/{file}; break; fi\n'
        "done\n"
        "exit $status"
    )


def _content(file: tuple[int, int] | None) -> bytes | None:
    if file is None:
        return None
    content = os.pread(file[1], REPORT_LIMIT + 1, 0)
    return content if 0 < len(content) <= REPORT_LIMIT else None


def _stamps(workspace: Path) -> Mapping[str, tuple[int, int, int]]:
    found = {}
    for directory in Walker(workspace, "", enter_ignored=True).walk():
        for name in directory.files:
            with contextlib.suppress(OSError):
                seen = (workspace / directory.child(name)).stat()
                found[directory.child(name)] = (seen.st_ino, seen.st_size, seen.st_mtime_ns)
    return found

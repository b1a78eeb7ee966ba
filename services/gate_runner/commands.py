"""Runs the commands of criteria in the sandbox, over the workspace as an overlay, so that judging changes nothing."""

import asyncio
import contextlib
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from shared.sandbox import CommandResult, Limits, SandboxKind, SandboxUnavailable, run
from shared.walk import Walker

from .bringing_out import Wrapped, wrapped
from .copying import TooLarge, copied
from .judging_twice import Former, Putting, putting
from .reports import Found
from .runners import Told

_FILE_TOO_LARGE = 128 + signal.SIGXFSZ

Tell = Callable[[str, str], Told]
"""From a command and the folder for its report to the command that leaves one."""

_LIMITS = {
    "time": "its time limit",
    "memory": "its memory limit",
    "output": "its output limit",
    "processes": "its limit of processes",
    "disk": "its limit of bytes written",
    "cancelled": "the harness",
}


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended. `found` are the reports that its test runner left, `changed` what it changed where no
    overlay could be had; `signed_off` says that every session of tests that was seen to begin was seen to end,
    `elsewhere` that it was run in a copy of the workspace. `written` are files that it was to read alone and wrote."""

    result: CommandResult
    found: tuple[Found, ...] = ()
    changed: tuple[str, ...] = ()
    signed_off: bool = True
    elsewhere: bool = False
    written: tuple[Found, ...] = ()

    @property
    def limit(self) -> str | None:
        """The limit that ended it, if one did."""
        if self.result.exit_status == _FILE_TOO_LARGE:
            return f"ended by its limit of bytes in one file after {self.result.seconds:.0f} s"
        killed = self.result.killed_by or ("time" if self.result.timed_out else None)
        return None if killed is None else f"ended by {_LIMITS[killed]} after {self.result.seconds:.0f} s"

    @property
    def ended(self) -> str:
        """Its exit status, and what it tells where it is a signal's."""
        status = self.result.exit_status
        if status is None or status <= 128:
            return f"exit status {status}"
        reason = "; perhaps out of memory" if status == 137 else ""
        return f"exit status {status} (ended by signal {status - 128}{reason})"


class CommandsUnavailable(Exception):
    """No command can be run here; the text says why."""


class Commands(Protocol):
    """Runs a criterion's command. Nothing it does to the workspace stays, or else `changed` names it."""

    async def run(self, command: str, *, tell: Tell | None = None, former: Former | None = None) -> Ran:
        """Run `command` by `sh -c` in the workspace; with `tell`, so that its test runner leaves a report.

        `former` is what is put back before, which needs an overlay or a copy of the workspace.

        Raises:
            CommandsUnavailable: nothing was run.
        """
        ...


@dataclass(slots=True)
class SandboxedCommands:
    """Commands in bubblewrap, or plainly where the contract says `sandbox: none`.

    What needs an overlay is then run in a copy of the workspace.

    With `overlay_only` a command that would have to run without an overlay is not run.
    """

    workspace: Path
    network: bool = False
    sandbox: SandboxKind = "bubblewrap"
    limits: Limits = field(default_factory=Limits)
    overlay_only: bool = False

    async def run(self, command: str, *, tell: Tell | None = None, former: Former | None = None) -> Ran:
        """See `Commands.run`."""
        with contextlib.ExitStack() as held:
            wrapping = held.enter_context(wrapped(command, tell)) if tell is not None else None
            back = held.enter_context(putting(former)) if former is not None else None
            try:
                if self.sandbox == "bubblewrap":
                    with contextlib.suppress(SandboxUnavailable):
                        return _ran(await self._run(command, wrapping, back, overlay=True), wrapping)
                if self.sandbox == "none" and back is not None and not self.overlay_only:
                    return replace(_ran(await self._in_a_copy(command, wrapping, back), wrapping), elsewhere=True)
                if self.overlay_only or back is not None:
                    raise CommandsUnavailable("there is no overlay here to run it in")
                before = _stamps(self.workspace)
                result = await self._run(command, wrapping, back, overlay=False)
            except (SandboxUnavailable, TooLarge) as error:
                raise CommandsUnavailable(str(error)) from error
            after = _stamps(self.workspace)
            changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
            return replace(_ran(result, wrapping), changed=tuple(changed))

    async def _in_a_copy(self, command: str, wrapping: Wrapped | None, back: Putting) -> CommandResult:
        """Run it in a copy of the workspace, which is made and taken away beside the event loop."""
        copy = copied(self.workspace)
        place = await asyncio.to_thread(copy.__enter__)
        try:
            return await self._run(command, wrapping, back, overlay=False, workspace=place)
        finally:
            await asyncio.to_thread(copy.__exit__, None, None, None)

    async def _run(
        self,
        command: str,
        wrapping: Wrapped | None,
        back: Putting | None,
        *,
        overlay: bool,
        workspace: Path | None = None,
    ) -> CommandResult:
        script = command if wrapping is None else wrapping.command
        descriptors = () if wrapping is None else wrapping.descriptors
        return await run(
            script if back is None else back.before(script),
            workspace=workspace or self.workspace,
            limits=self.limits,
            network=self.network,
            sandbox=self.sandbox,
            overlay=overlay,
            inherit_fds=descriptors if back is None else (*descriptors, *back.descriptors),
            env=None if wrapping is None else wrapping.env,
        )


def _ran(result: CommandResult, wrapping: Wrapped | None) -> Ran:
    found, signed_off = ((), True) if wrapping is None else wrapping.found()
    return Ran(result, found, signed_off=signed_off, written=() if wrapping is None else wrapping.written())


def _stamps(workspace: Path) -> Mapping[str, tuple[int, int, int]]:
    found = {}
    for directory in Walker(workspace, "", enter_ignored=True).walk():
        for name in directory.files:
            with contextlib.suppress(OSError):
                seen = (workspace / directory.child(name)).stat()
                found[directory.child(name)] = (seen.st_ino, seen.st_size, seen.st_mtime_ns)
    return found

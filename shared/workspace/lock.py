"""One task at a time works in a workspace: a lock file that children inherit, and a takeover that ends the old holder.

A holder on another machine, or in another container, cannot be ended from here. So what wants the workspace for a newer
epoch of the same task says so in a third file, which the holder reads while it does not know how its lease stands: a
machine that is cut off from the database, but not from the volume, lets go by itself.

The lock is a flock on `<data dir>/locks/<hash of the real path>.lock`, whose content names the holder. A second file
guards the short moment of taking it, so what is read about a holder is always true of the one who has the lock.
"""

import asyncio
import contextlib
import fcntl
import json
import os
import signal
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from shared.processes import is_alive, pid_space, start_time
from shared.workspace.files import sha256

_LOOK_SECONDS = 0.01


class WorkspaceBusy(Exception):
    """The workspace is held by another task that runs, or cannot be judged from here; try again later."""


class WorkspaceSuperseded(Exception):
    """A newer epoch of the same task holds the workspace: the caller's lease is over."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a workspace. `place` names the boot and pid namespace in which `pid` means something."""

    task_id: str
    epoch: int
    owner: str
    pid: int
    start_time: int
    place: str


class WorkspaceLock:
    """A held workspace. Hand `fd` to every command, so that the lock lasts as long as what was started under it."""

    def __init__(self, fd: int, holder: Holder, wanted: Path) -> None:
        self._fd: int | None = fd
        self.holder = holder
        self._wanted = wanted

    @property
    def fd(self) -> int:
        if self._fd is None:
            raise ValueError("the workspace lock was released")
        return self._fd

    def superseded(self) -> bool:
        """Whether another machine waits for the workspace under a newer epoch of this task."""
        try:
            asked = json.loads(self._wanted.read_bytes())
            return asked["task_id"] == self.holder.task_id and int(asked["epoch"]) > self.holder.epoch
        except (OSError, ValueError, KeyError, TypeError):
            return False

    def release(self) -> None:
        """Lets the workspace go; safe to repeat."""
        if self._fd is not None:
            os.ftruncate(self._fd, 0)
            os.close(self._fd)
            self._fd = None


async def acquire(
    data_dir: Path, workspace: Path, *, task_id: str, epoch: int, owner: str, wait_seconds: float = 10.0
) -> WorkspaceLock:
    """Takes the workspace for one epoch of one task.

    Held by an older epoch of this task, or by a process that is dead: the holder is ended (SIGKILL, if it is still the
    same process), then whoever inherited the lock from it. Raises WorkspaceBusy where another live task has it, also
    where that is this very process, and where it is held on another machine, whose holder is asked to let go of an
    older epoch; WorkspaceSuperseded where a newer epoch of this task has it.
    """
    place = data_dir / "locks"
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    key = sha256(os.fsencode(os.path.realpath(workspace)))[:32]
    me = Holder(task_id, epoch, owner, os.getpid(), start_time(os.getpid()) or 0, pid_space())
    deadline = time.monotonic() + wait_seconds
    wanted = place / f"{key}.wanted"
    async with _guard(place / f"{key}.guard", deadline):
        # Opened under the guard only: whoever has it open besides is the holder, or inherited it.
        fd = os.open(place / f"{key}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            while not _try_flock(fd):
                holder = _read_holder(fd)
                if holder is not None:
                    _judge(holder, me, wanted)
                    await _end(holder, fd, deadline)
                elif time.monotonic() > deadline:
                    raise WorkspaceBusy("the workspace is being taken or released by another process")
                await asyncio.sleep(_LOOK_SECONDS)
            _write_holder(fd, me)
            wanted.unlink(missing_ok=True)
        except BaseException:
            os.close(fd)
            raise
    return WorkspaceLock(fd, me, wanted)


def _judge(holder: Holder, me: Holder, wanted: Path) -> None:
    """Returns where the holder may be ended, raises where it may not."""
    if holder.place != me.place:
        if holder.task_id == me.task_id and holder.epoch < me.epoch:
            _ask(wanted, me)
        raise WorkspaceBusy(f"task {holder.task_id} holds the workspace from another machine or container")
    if holder.task_id == me.task_id and holder.epoch > me.epoch:
        raise WorkspaceSuperseded(f"epoch {holder.epoch} of task {holder.task_id} holds the workspace")
    alive = is_alive(holder.pid, holder.start_time)
    if alive and holder.pid == me.pid:
        raise WorkspaceBusy(f"task {holder.task_id} holds the workspace in this process")
    if alive and (holder.task_id != me.task_id or holder.epoch == me.epoch):
        raise WorkspaceBusy(f"task {holder.task_id} holds the workspace (process {holder.pid})")


def _ask(wanted: Path, me: Holder) -> None:
    """Tell the holder, who reads it, that its lease is over."""
    beside = wanted.with_suffix(".new")
    beside.write_text(json.dumps({"task_id": me.task_id, "epoch": me.epoch}))
    beside.replace(wanted)


async def _end(holder: Holder, lock_fd: int, deadline: float) -> None:
    """Kills the holder, then everything else that has the lock file open, and waits for their end."""
    if is_alive(holder.pid, holder.start_time):
        await _kill_and_wait(holder.pid, holder.start_time, deadline)
    while others := list(_holding(lock_fd)):
        for pid, started in others:
            await _kill_and_wait(pid, started, deadline)


async def _kill_and_wait(pid: int, started: int, deadline: float) -> None:
    try:
        fd = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        if not is_alive(pid, started):
            return
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(fd, signal.SIGKILL)
        while is_alive(pid, started):
            if time.monotonic() > deadline:
                raise WorkspaceBusy(f"process {pid}, which holds the workspace, does not end")
            await asyncio.sleep(_LOOK_SECONDS)
    finally:
        os.close(fd)


def _holding(lock_fd: int) -> Iterator[tuple[int, int]]:
    """(pid, start time) of other processes that have the lock's file open."""
    wanted = os.fstat(lock_fd)
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        started = start_time(int(entry.name))
        if started is not None and _has_open(entry, wanted):
            yield int(entry.name), started


def _has_open(process: Path, wanted: os.stat_result) -> bool:
    try:
        for link in (process / "fd").iterdir():
            with contextlib.suppress(OSError):
                info = link.stat()
                if (info.st_dev, info.st_ino) == (wanted.st_dev, wanted.st_ino):
                    return True
    except OSError:
        return False
    return False


@contextlib.asynccontextmanager
async def _guard(path: Path, deadline: float) -> AsyncIterator[None]:
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        while not _try_flock(fd):
            if time.monotonic() > deadline:
                raise WorkspaceBusy("another process has been taking the workspace for too long")
            await asyncio.sleep(_LOOK_SECONDS)
        yield
    finally:
        os.close(fd)


def _try_flock(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _read_holder(fd: int) -> Holder | None:
    try:
        return Holder(**json.loads(os.pread(fd, 65536, 0)))
    except (ValueError, TypeError):
        return None


def _write_holder(fd: int, holder: Holder) -> None:
    os.ftruncate(fd, 0)
    os.pwrite(fd, json.dumps(asdict(holder)).encode(), 0)

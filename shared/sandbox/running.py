"""One started command: reads its output, watches its limits, and ends it with everything it started."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from shared.sandbox.limits import CommandResult, KilledBy, Limits, SandboxUnavailable
from shared.sandbox.output import HeadTail
from shared.sandbox.watch import exceeded, usage

_READ_BYTES = 256 * 1024
_FIRST_LOOK_SECONDS, _LONGEST_LOOK_SECONDS = 0.05, 0.5
_END_SECONDS = 10.0
_BEGIN_SECONDS = 2.0
"""What bubblewrap gets to say which process is the first of its namespace: 5 ms are usual."""


def start(
    argv: Sequence[str],
    *,
    prefix: Sequence[str] = (),
    environment: dict[str, str],
    directory: Path,
    inherit_fds: Sequence[int],
    namespaced: bool,
    limits: Limits,
    overlay_root: str | None,
) -> "Running":
    """Starts `argv` after `prefix`; `namespaced` says that it is bubblewrap, which reports on a status descriptor."""
    output_read, output_write = os.pipe2(os.O_CLOEXEC)
    status_read, status_write = os.pipe2(os.O_CLOEXEC)
    command = [*prefix, *argv]
    if namespaced:
        command = [*prefix, argv[0], "--json-status-fd", str(status_write), *argv[1:]]
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output_write,
            stderr=output_write,
            env=environment,
            cwd=directory,
            pass_fds=(*inherit_fds, status_write) if namespaced else inherit_fds,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        os.close(output_read)
        os.close(status_read)
        raise SandboxUnavailable(f"the command cannot be started: {error}") from error
    finally:
        os.close(output_write)
        os.close(status_write)
    os.set_blocking(output_read, False)
    os.set_blocking(status_read, False)
    return Running(process, output_read, status_read, namespaced, limits, overlay_root)


class Running:
    """State of a command between its start and its result. Used once."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        output_fd: int,
        status_fd: int,
        namespaced: bool,
        limits: Limits,
        overlay_root: str | None,
    ) -> None:
        self._process = process
        self._process_fd = os.pidfd_open(process.pid)
        self._output_fd = output_fd
        self._status_fd = status_fd
        self._namespaced = namespaced
        self._limits = limits
        self._overlay_root = overlay_root
        self._output = HeadTail(limits.kept_output_bytes)
        self._status = b""
        self._root_pid: int | None = None if namespaced else process.pid
        self._root_fd: int | None = None
        self._root_known = asyncio.Event()
        if not namespaced:
            self._root_known.set()
        self._killed_by: KilledBy | None = None
        self._late: asyncio.TimerHandle | None = None
        self._started = time.monotonic()

    async def finish(self, cancel: asyncio.Event | None) -> CommandResult:
        """Waits for the command's end, or brings it about; returns when nothing of it runs any more."""
        loop = asyncio.get_running_loop()
        loop.add_reader(self._output_fd, self._read_output)
        loop.add_reader(self._status_fd, self._read_status)
        timer = loop.call_later(self._limits.seconds, self._kill, "time")
        watchers = [asyncio.create_task(self._watch())]
        if cancel is not None:
            watchers.append(asyncio.create_task(self._kill_on(cancel)))
        try:
            await _readable(self._process_fd)
        except asyncio.CancelledError:
            self._kill("cancelled")
            raise
        finally:
            timer.cancel()
            for watcher in watchers:
                watcher.cancel()
            await asyncio.shield(self._end())
        return self._result()

    async def _end(self) -> None:
        """Ends what the command left behind, waits until it is gone and reads the rest of the output."""
        loop = asyncio.get_running_loop()
        await self._begun()
        if self._late is not None:
            self._late.cancel()
        self._read_status()
        self._signal()
        # The first process of a pid namespace counts as ended only when all the others have.
        for fd in (self._root_fd, self._process_fd):
            if fd is not None:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(_readable(fd), _END_SECONDS)
                os.close(fd)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=0.1)
        self._read_status()
        while self._read_output():
            pass
        for fd in (self._output_fd, self._status_fd):
            loop.remove_reader(fd)
            os.close(fd)

    async def _begun(self) -> None:
        """Wait until the namespace's first process is known, or bubblewrap has ended without one.

        Killed before, bubblewrap would leave a process behind that waits for ever for its word to begin.
        """
        waiting = [asyncio.create_task(self._root_known.wait()), asyncio.create_task(_readable(self._process_fd))]
        await asyncio.wait(waiting, timeout=_BEGIN_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        for one in waiting:
            one.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    def _result(self) -> CommandResult:
        status: int | None = None
        if self._killed_by is None:
            status = self._exit_status()
        return CommandResult(
            exit_status=status,
            output=self._output.text(),
            truncated=self._output.dropped > 0,
            timed_out=self._killed_by == "time",
            killed_by=self._killed_by,
            seconds=round(time.monotonic() - self._started, 3),
            dropped_bytes=self._output.dropped,
        )

    def _exit_status(self) -> int:
        """The command's own exit status; bubblewrap's failure to start it is another matter and raises."""
        if not self._namespaced:
            status = self._process.returncode
            return status if status >= 0 else 128 - status
        for line in self._status.splitlines():
            report = json.loads(line)
            if "exit-code" in report:
                return int(report["exit-code"])
        if self._process.returncode < 0:
            return 128 - self._process.returncode
        said = self._output.text().strip().replace("\n", "; ")[:500]
        raise SandboxUnavailable(said or "bubblewrap ended without starting the command")

    def _read_output(self) -> bool:
        try:
            data = os.read(self._output_fd, _READ_BYTES)
        except BlockingIOError:
            return False
        if not data:
            asyncio.get_running_loop().remove_reader(self._output_fd)
            return False
        self._output.feed(data)
        if self._output.total > self._limits.output_bytes:
            self._kill("output")
        return True

    def _read_status(self) -> None:
        try:
            data = os.read(self._status_fd, 65536)
        except BlockingIOError:
            return
        if not data:
            asyncio.get_running_loop().remove_reader(self._status_fd)
        self._status += data
        first, end, _ = self._status.partition(b"\n")
        if end and self._root_pid is None:
            self._root_pid = int(json.loads(first)["child-pid"])
            with contextlib.suppress(ProcessLookupError):
                self._root_fd = os.pidfd_open(self._root_pid)
            self._root_known.set()
            if self._killed_by is not None:
                self._signal()

    def _kill(self, reason: KilledBy) -> None:
        if self._killed_by is None:
            self._killed_by = reason
        if self._root_known.is_set():
            self._signal()
        else:
            # bubblewrap says any moment now which process to end; `_begun` tells why it is waited for.
            self._late = asyncio.get_running_loop().call_later(_BEGIN_SECONDS, self._signal)

    def _signal(self) -> None:
        """SIGKILL to the namespace's first process, hence to all in it, and to what was started here."""
        with contextlib.suppress(ProcessLookupError):
            if self._root_fd is not None:
                signal.pidfd_send_signal(self._root_fd, signal.SIGKILL)
        if not self._namespaced:
            for pid in usage(self._process.pid).pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._process_fd, signal.SIGKILL)

    async def _watch(self) -> None:
        if self._root_pid is None:
            await self._root_known.wait()
        wait = _FIRST_LOOK_SECONDS
        while True:
            await asyncio.sleep(wait)
            wait = min(wait * 1.5, _LONGEST_LOOK_SECONDS)
            if self._root_pid is not None:
                passed = await asyncio.to_thread(exceeded, self._root_pid, self._limits, self._overlay_root)
                if passed is not None:
                    self._kill(passed)
                    return

    async def _kill_on(self, cancel: asyncio.Event) -> None:
        await cancel.wait()
        self._kill("cancelled")


async def _readable(fd: int) -> None:
    """Waits until a descriptor is readable; a pidfd is when its process has ended."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(fd, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(fd)

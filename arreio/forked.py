"""Forking from the supervisor: a child that starts clean, ends with its parent, and speaks over one pipe."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from shared.processes import die_with_parent, set_ready_fd

_SIGNALS = {signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD, signal.SIGQUIT}


@dataclass(frozen=True)
class Forked:
    """A child: its process id, and the pipe on which it says `ready` or `failed …`."""

    pid: int
    pipe: int


def fork(work: Callable[[], int], *, log: Path | None, close: Iterable[int]) -> Forked:
    """Run `work` in a child process, whose exit status is what it returns.

    The child leads a session of its own (a Ctrl-C on the terminal is the parent's to handle), has default signal
    handlers, no standard input, its output in `log` (0600; None: the parent's), and gets SIGKILL when the parent ends.
    The descriptors in `close` are the parent's alone. Signals are held back until the child is set up.
    """
    parent = os.getpid()
    reader, writer = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        pid = os.fork()
    except OSError:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        os.close(reader)
        os.close(writer)
        raise
    if pid == 0:
        status = 1
        try:
            die_with_parent(parent)
            os.setsid()
            signal.set_wakeup_fd(-1)
            for sig in _SIGNALS:
                signal.signal(sig, signal.SIG_DFL)
            for fd in (reader, *close):
                with contextlib.suppress(OSError):
                    os.close(fd)
            _redirect(log)
            set_ready_fd(writer)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
            status = work()
        except BaseException:  # noqa: BLE001 - the child must end here, whatever it was
            traceback.print_exc()
        finally:
            with contextlib.suppress(OSError, ValueError):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(status)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    os.close(writer)
    os.set_blocking(reader, False)
    return Forked(pid, reader)


def _redirect(log: Path | None) -> None:
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    if log is not None:
        fd = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.dup2(fd, 1)
        os.dup2(fd, 2)
        os.close(fd)


def how_ended(status: int) -> str:
    """What `waitpid` said, in words: `exit status 1`, `signal SIGKILL`."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        with contextlib.suppress(ValueError):
            return f"signal {signal.Signals(number).name}"
        return f"signal {number}"
    return f"exit status {os.WEXITSTATUS(status)}"

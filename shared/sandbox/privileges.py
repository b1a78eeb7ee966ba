"""Takes from files that a command left what would lend root's rights to whoever runs them."""

import os
import stat
import time
from pathlib import Path
from typing import Final

_LENT: Final = stat.S_ISUID | stat.S_ISGID
_CLOCK_NS: Final = 50_000_000
"""The clock of files may be as much behind."""


def now_ns() -> int:
    """From when on files count as left by a command that begins now."""
    return time.time_ns() - _CLOCK_NS


def take_privileges(workspace: Path, since_ns: int) -> None:
    """Clear the set-user-ID and set-group-ID bits of the regular files that changed since then.

    A bind mount cannot be `nosuid` by bubblewrap, and for root every such file would be root's. Of directories the bits
    lend nothing; files that had them before, and were let be, keep them.
    """
    folders: list[str | Path] = [workspace]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    elif entry.is_file(follow_symlinks=False):
                        _take(entry, since_ns)
        except OSError:
            continue


def _take(entry: "os.DirEntry[str]", since_ns: int) -> None:
    info = entry.stat(follow_symlinks=False)
    if not info.st_mode & _LENT or info.st_ctime_ns < since_ns:
        return
    fd = os.open(entry.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        mode = os.fstat(fd).st_mode
        if stat.S_ISREG(mode):
            os.fchmod(fd, stat.S_IMODE(mode) & ~_LENT)
    finally:
        os.close(fd)

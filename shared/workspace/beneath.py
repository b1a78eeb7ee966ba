"""Opens what lies in a workspace so that no path can lead out of it, whatever is swapped for a link meanwhile.

Each directory on the way is opened from the one before it, and none of them may be a symbolic link.
"""

import contextlib
import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shared.workspace.paths import PathRefused

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def directory_beneath(root: Path, name: str, *, make: bool = False) -> Iterator[int]:
    """A descriptor of the directory that holds `name`, a path below `root` without links and `..`.

    With `make`, missing directories are made. Raises PathRefused where a part of the path is a link or a file,
    FileNotFoundError where one is missing.
    """
    fd = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in name.split("/")[:-1]:
            below = _below(fd, part, name, make)
            os.close(fd)
            fd = below
        yield fd
    finally:
        os.close(fd)


def _below(fd: int, part: str, name: str, make: bool) -> int:
    if make:
        with contextlib.suppress(FileExistsError):
            os.mkdir(part, dir_fd=fd)
            os.fsync(fd)
    try:
        return os.open(part, _DIRECTORY, dir_fd=fd)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise PathRefused(f"{name}: a part of its path is a file or a link, not a directory") from error
        raise


def open_beneath(root: Path, name: str) -> int:
    """A descriptor of the file `name` for reading; raises as `directory_beneath` does, and PathRefused for a link."""
    with directory_beneath(root, name) as directory:
        flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            return os.open(name.rpartition("/")[2] or ".", flags, dir_fd=directory)
        except OSError as error:
            if error.errno == errno.ELOOP:
                raise PathRefused(f"{name} became a link meanwhile") from error
            if error.errno == errno.ENXIO:
                raise PathRefused(f"{name} is a socket, not a file") from error
            raise

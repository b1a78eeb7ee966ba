"""Names file contents by hash, reads regular files only, and writes files atomically and durably."""

import contextlib
import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from shared.workspace.beneath import directory_beneath, open_beneath
from shared.workspace.paths import PathRefused


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def file_sha256(path: Path, *, within: Path | None = None) -> str | None:
    """Hash of a regular file's content as it is on the disk now; None where there is no such file."""
    data = read_regular(path, within=within)
    return None if data is None else sha256(data)


def read_regular(path: Path, *, within: Path | None = None, most_bytes: int | None = None) -> bytes | None:
    """Content of a regular file; None where nothing is there.

    With `within`, the real path of a directory above it, no link is followed on the way from there. Raises
    IsADirectoryError for a directory, PathRefused for a pipe, socket or device (reading one may never end), for a
    link on the way and for a file larger than `most_bytes`.
    """
    try:
        fd = _open(path, within)
    except FileNotFoundError:
        return None
    except NotADirectoryError as error:
        raise PathRefused(f"{path.name}: a part of its path is a file, not a directory") from error
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise PathRefused(f"{path.name} is a socket, not a file") from error
        raise
    info = os.fstat(fd)
    if stat.S_ISDIR(info.st_mode):
        # Not left to `fdopen`, whose error names the descriptor's number alone.
        os.close(fd)
        raise IsADirectoryError(f"{path.name} is a directory")
    with os.fdopen(fd, "rb") as file:
        if not stat.S_ISREG(info.st_mode):
            raise PathRefused(f"{path.name} is a pipe or a device, not a file")
        if most_bytes is not None and info.st_size > most_bytes:
            raise PathRefused(f"{path.name} has {info.st_size} bytes, more than {most_bytes} at once")
        return file.read()


def write_atomic(path: Path, data: bytes, *, within: Path | None = None) -> None:
    """Replaces or creates `path` so that a crash leaves the old content or the new, and the new survives power loss.

    Makes missing parent directories, and with `within` follows no link on the way from there; keeps mode and owner of
    the file it replaces. The temporary name follows from the content, so a write that was cut short and is done again
    leaves nothing behind.
    """
    with _parent(path, within) as directory:
        _replace(directory, path.name, data)
        os.fsync(directory)


def _open(path: Path, within: Path | None) -> int:
    if within is not None and path != within:
        return open_beneath(within, path.relative_to(within).as_posix())
    return os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)


@contextlib.contextmanager
def _parent(path: Path, within: Path | None) -> Iterator[int]:
    """A descriptor of the directory of `path`, made where it is missing."""
    top = within or next(parent for parent in path.parents if parent.is_dir())
    with directory_beneath(top, path.relative_to(top).as_posix(), make=True) as directory:
        yield directory


def _replace(directory: int, name: str, data: bytes) -> None:
    old = _regular_stat(directory, name)
    temporary = f".{name[:80]}.{sha256(data)[:12]}.arreio-tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    fd = os.open(temporary, flags, 0o666, dir_fd=directory)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            if old is not None:
                os.fchmod(fd, stat.S_IMODE(old.st_mode))
                if os.geteuid() == 0:
                    os.fchown(fd, old.st_uid, old.st_gid)
            file.flush()
            os.fsync(fd)
        os.replace(temporary, name, src_dir_fd=directory, dst_dir_fd=directory)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary, dir_fd=directory)
        raise


def _regular_stat(directory: int, name: str) -> os.stat_result | None:
    try:
        info = os.stat(name, dir_fd=directory, follow_symlinks=False)
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(info.st_mode):
        raise IsADirectoryError(f"{name} is a directory")
    if stat.S_ISLNK(info.st_mode):
        raise PathRefused(f"{name} is a link; name the file that it leads to")
    if not os.access(name, os.W_OK, dir_fd=directory):
        raise PermissionError(f"{name} is not writable")
    return info

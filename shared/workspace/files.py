"""Names file contents by hash, reads regular files only, and writes files atomically and durably."""

import contextlib
import hashlib
import os
import stat
from pathlib import Path

from shared.workspace.paths import PathRefused


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def file_sha256(path: Path) -> str | None:
    """Hash of a regular file's content as it is on the disk now; None where there is no such file."""
    data = read_regular(path)
    return None if data is None else sha256(data)


def read_regular(path: Path, *, most_bytes: int | None = None) -> bytes | None:
    """Content of a regular file; None where nothing is there.

    Raises IsADirectoryError for a directory, PathRefused for a pipe, socket or device (reading one may never end) and
    for a file larger than `most_bytes`.
    """
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except NotADirectoryError as error:
        raise PathRefused(f"{path.name}: a part of its path is a file, not a directory") from error
    except OSError as error:
        if stat.S_ISSOCK(path.lstat().st_mode):
            raise PathRefused(f"{path.name} is a socket, not a file") from error
        raise
    with os.fdopen(fd, "rb") as file:
        info = os.fstat(fd)
        if stat.S_ISDIR(info.st_mode):
            raise IsADirectoryError(f"{path.name} is a directory")
        if not stat.S_ISREG(info.st_mode):
            raise PathRefused(f"{path.name} is a pipe or a device, not a file")
        if most_bytes is not None and info.st_size > most_bytes:
            raise PathRefused(f"{path.name} has {info.st_size} bytes, more than {most_bytes} at once")
        return file.read()


def write_atomic(path: Path, data: bytes) -> None:
    """Replaces or creates `path` so that a crash leaves the old content or the new, and the new survives power loss.

    Makes missing parent directories; keeps mode and owner of the file it replaces. The temporary name follows from
    the content, so a write that was cut short and is done again leaves nothing behind.
    """
    _make_parents(path.parent)
    old = _regular_stat(path)
    temporary = path.with_name(f".{path.name[:80]}.{sha256(data)[:12]}.arreio-tmp")
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            if old is not None:
                os.fchmod(fd, stat.S_IMODE(old.st_mode))
                if os.geteuid() == 0:
                    os.fchown(fd, old.st_uid, old.st_gid)
            file.flush()
            os.fsync(fd)
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    _sync_directory(path.parent)


def _regular_stat(path: Path) -> os.stat_result | None:
    try:
        info = path.lstat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(info.st_mode):
        raise IsADirectoryError(f"{path.name} is a directory")
    if not os.access(path, os.W_OK):
        raise PermissionError(f"{path.name} is not writable")
    return info


def _make_parents(directory: Path) -> None:
    missing = []
    while not directory.exists():
        missing.append(directory)
        directory = directory.parent
    for place in reversed(missing):
        place.mkdir(exist_ok=True)
        _sync_directory(place.parent)


def _sync_directory(directory: Path) -> None:
    fd = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)

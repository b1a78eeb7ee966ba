"""Folders and files as they are now, read again only after they changed."""

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

Value = TypeVar("Value")

Signature = tuple[int, int, int]
MOST_BYTES = 4 * 1024 * 1024
_MOST_KEPT = 20_000


class Remembered(Generic[Value]):
    """What was made of a path, kept until its inode, size or time of change differs."""

    def __init__(self, make: Callable[[str], Value]) -> None:
        self._make = make
        self._kept: dict[str, tuple[Signature, Value]] = {}

    def __call__(self, path: str) -> Value | None:
        """What is made of the path as it is now; None where there is nothing."""
        signature = _signature(path)
        if signature is None:
            return None
        known = self._kept.get(path)
        if known is not None and known[0] == signature:
            return known[1]
        try:
            value = self._make(path)
        except (OSError, ValueError, RecursionError):
            return None
        if len(self._kept) >= _MOST_KEPT:
            self._kept.clear()
        self._kept[path] = (signature, value)
        return value


def _signature(path: str) -> Signature | None:
    try:
        info = os.stat(path)  # noqa: PTH116 - it is asked thousands of times
    except (OSError, ValueError):
        return None
    return info.st_ino, info.st_size, info.st_mtime_ns


def _entries(path: str) -> dict[str, bool]:
    """The names in a folder, and whether each is a folder."""
    with os.scandir(path) as found:
        return {entry.name: entry.is_dir() for entry in found}


entries = Remembered(_entries)


def text_of(path: str) -> str:
    """A regular file's text, of at most 4 MB. Raises OSError, or ValueError where it is larger or no regular file."""
    info = Path(path).stat()
    if not stat.S_ISREG(info.st_mode) or info.st_size > MOST_BYTES:
        raise ValueError(f"{path} is no source file")
    return Path(path).read_text("utf-8", "replace")

"""Copies a folder for others to have: nothing comes along that only a link brought in."""

import os
import shutil
import stat
from collections.abc import Container, Iterable
from pathlib import Path


def copy_folder(source: Path, place: Path, *, without: Container[str] = ()) -> list[str]:
    """Copy a folder's files to a new one, and links that stay inside it as links.

    `without`: names at its top that are not copied. Returns what was left out, relative to `source`: links that lead
    out, lead nowhere or name an absolute path, which elsewhere would be another's; and what is no file, as a pipe.

    Raises:
        OSError: something cannot be read or written.
    """
    root, left = Path(os.path.realpath(source)), []

    def ignored(folder: str, names: Iterable[str]) -> list[str]:
        skipped = []
        for name in names:
            path = Path(folder, name)
            if path.parent == root and name in without:
                skipped.append(name)
            elif not _stays(path, root):
                skipped.append(name)
                left.append(str(path.relative_to(root)))
        return skipped

    shutil.copytree(root, place, symlinks=True, ignore=ignored)
    return sorted(left)


def _stays(path: Path, root: Path) -> bool:
    mode = path.lstat().st_mode
    if not stat.S_ISLNK(mode):
        return stat.S_ISREG(mode) or stat.S_ISDIR(mode)
    real = Path(os.path.realpath(path))
    return not path.readlink().is_absolute() and real.exists() and real.is_relative_to(root)

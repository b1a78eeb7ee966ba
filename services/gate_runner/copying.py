"""A copy of a workspace to judge in, where no overlay can be had."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from shared.walk import Walker

MOST_BYTES: Final = 256 << 20
MOST_FILES: Final = 20_000


class TooLarge(Exception):
    """A workspace is too large to be copied for one run."""


@contextlib.contextmanager
def copied(workspace: Path) -> Iterator[Path]:
    """A folder of the workspace's name with all that lies in it, as long as the context is held.

    Raises:
        TooLarge: it holds more than `MOST_BYTES`, or `MOST_FILES` files.
        OSError: it cannot be read.
    """
    _measure(workspace)
    with tempfile.TemporaryDirectory(prefix="arreio-judged-", ignore_cleanup_errors=True) as place:
        target = Path(place, workspace.name or "workspace")
        shutil.copytree(workspace, target, symlinks=True, ignore=_special)
        yield target


def _measure(workspace: Path) -> None:
    files = size = 0
    for directory in Walker(workspace, "", enter_ignored=True).walk():
        for name in directory.files:
            files += 1
            with contextlib.suppress(OSError):
                size += (workspace / directory.child(name)).lstat().st_size
        if files > MOST_FILES or size > MOST_BYTES:
            raise TooLarge(f"{workspace} is too large to be copied")


def _special(folder: str, names: list[str]) -> list[str]:
    """What is neither a file, a folder nor a link: a copy of it would wait, or do something."""
    places = {name: Path(folder, name) for name in names}
    return [name for name, place in places.items() if not (place.is_symlink() or place.is_file() or place.is_dir())]

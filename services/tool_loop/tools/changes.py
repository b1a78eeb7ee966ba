"""Which files a command changed: a look at the workspace before it, and one after."""

import os
from collections.abc import Mapping
from pathlib import Path

from shared.workspace import PathRefused, file_sha256

from .tree import shown_tree

_MOST_FILES = 20_000
_MOST_HASHED = 500

Look = Mapping[str, tuple[int, int, int, int]]
UNHASHED = "unhashed"
"""Stands for a hash that was not computed; no content has it, so such a file counts as not seen."""


def look(workspace: Path) -> Look:
    """The stat signature of each file that git does not ignore, of at most 20,000."""
    found: dict[str, tuple[int, int, int, int]] = {}
    for entry in shown_tree(workspace):
        if entry.directory.ignored:
            continue
        for name in entry.files:
            try:
                info = os.lstat(workspace / name)
            except OSError:
                continue
            found[name] = (info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns)
            if len(found) >= _MOST_FILES:
                return found
    return found


def changes(workspace: Path, before: Look) -> dict[str, str | None]:
    """Content hashes of the files whose signature differs from `before`; None for one that is gone."""
    now = look(workspace)
    changed: dict[str, str | None] = {name: None for name in before if name not in now}
    different = sorted(name for name, signature in now.items() if before.get(name) != signature)
    for number, name in enumerate(different):
        try:
            changed[name] = file_sha256(workspace / name) if number < _MOST_HASHED else UNHASHED
        except (OSError, PathRefused):
            changed[name] = UNHASHED
    return changed

"""What the prompt says about the project: what it is, how it is built and tested, its files, and its README's head."""

import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from shared.directories import Directory, shown

from .building import MANIFESTS, facts
from .imitation import marked
from .instruction_reading import decode
from .languages import languages
from .layers import PROJECT, Unit

MAX_DEPTH: Final = 3
MAX_ENTRIES: Final = 120
MAX_OF_ONE_DIRECTORY: Final = 40
README_BYTES: Final = 1500
MANIFEST_BYTES: Final = 256 * 1024

_ALSO_MANIFESTS: Final = ("setup.py", "setup.cfg", "requirements.txt", "tsconfig.json", "Gemfile", "Dockerfile")
_READMES: Final = ("readme.md", "readme.rst", "readme.txt", "readme")
_UNTOLD: Final = frozenset({"__pycache__", ".DS_Store", ".hg", ".svn", ".mypy_cache", ".pytest_cache", ".ruff_cache"})


def project_context(workspace: Path, walked: Iterable[Directory]) -> Unit | None:
    """One blob about the project, the same for the same files and bounded; None for an empty workspace.

    What is most useful comes first, since the layer is cut at its end.
    """
    directories = [one for one in walked if not one.ignored and not _UNTOLD.intersection(one.path.split("/"))]
    root = next((one for one in directories if not one.path), None)
    if root is None or root.problem:
        return None
    known = facts(
        {name: _text(workspace / name, MANIFEST_BYTES) for name in MANIFESTS if name in root.files},
        frozenset((*root.files, *root.dirs)),
    )
    manifests = [name for name in (*MANIFESTS, *_ALSO_MANIFESTS) if name in root.files]
    parts = [
        f"Project: {known.about}" if known.about else "",
        f"Languages: {found}" if (found := languages(_names(directories))) else "",
        "How to build and test:\n" + "\n".join(f"- {line}" for line in known.commands) if known.commands else "",
        f"Manifests: {', '.join(manifests)}" if manifests else "",
        "Files:\n" + "\n".join(lines) if (lines := _tree(directories)) else "",
        _readme(workspace, root),
    ]
    told = [part for part in parts if part]
    return Unit(PROJECT, marked("\n\n".join(told))) if told else None


def _names(directories: Iterable[Directory]) -> Iterable[str]:
    return (name for directory in directories for name in directory.files)


def _tree(directories: Iterable[Directory]) -> list[str]:
    """Paths a line, a directory's files before its subdirectories, breadth first up to the bounds."""
    lines: list[str] = []
    for directory in directories:
        if directory.depth >= MAX_DEPTH:
            if directory.depth == MAX_DEPTH:
                lines.append(f"{shown(directory.path)}/ …")
            continue
        names = [name for name in sorted((*directory.files, *directory.links)) if name not in _UNTOLD]
        lines.extend(shown(directory.child(name)) for name in names[:MAX_OF_ONE_DIRECTORY])
        if len(names) > MAX_OF_ONE_DIRECTORY:
            lines.append(f"{shown(directory.child('…'))} ({len(names) - MAX_OF_ONE_DIRECTORY} more files)")
        if len(lines) > MAX_ENTRIES:
            return [*lines[:MAX_ENTRIES], "…"]
    return lines


def _readme(workspace: Path, root: Directory) -> str:
    names = sorted((_READMES.index(name.lower()), name) for name in root.files if name.lower() in _READMES)
    if not names:
        return ""
    name = names[0][1]
    head = _text(workspace / name, README_BYTES)
    return f"{name} begins:\n{head}" if head else ""


def _text(file: Path, limit: int) -> str:
    """The text of a regular file, at most its first `limit` bytes up to a line's end; empty where it is no text."""
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return ""
    with os.fdopen(descriptor, "rb") as opened:
        try:
            raw = opened.read(limit + 1) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
        except OSError:
            return ""
    if len(raw) > limit:
        raw = raw[:limit].decode("utf-8", "ignore").encode()
        raw = raw[: raw.rfind(b"\n") + 1] or raw
    return decode(raw)[0]

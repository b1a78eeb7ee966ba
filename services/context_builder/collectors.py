"""What the prompt says about the project: its manifests, a bounded tree of its files, and the head of its README."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from shared.walk import Directory

from .assembler import Unit

MAX_DEPTH: Final = 3
MAX_ENTRIES: Final = 120
MAX_OF_ONE_DIRECTORY: Final = 40
README_BYTES: Final = 1500

MANIFESTS: Final = (
    "pyproject.toml",
    "setup.py",
    "requirements.txt",
    "package.json",
    "tsconfig.json",
    "Cargo.toml",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "Gemfile",
    "composer.json",
    "Makefile",
    "Dockerfile",
    "docker-compose.yml",
)
_READMES: Final = ("README.md", "README.rst", "README.txt", "README", "readme.md")
_UNTOLD: Final = frozenset({"__pycache__", ".DS_Store", ".hg", ".svn", ".mypy_cache", ".pytest_cache", ".ruff_cache"})


def project_context(workspace: Path, walked: Iterable[Directory]) -> Unit | None:
    """One blob about the project, the same for the same files; None for an empty workspace."""
    directories = {directory.path: directory for directory in walked}
    root = directories.get("")
    if root is None or root.problem:
        return None
    tree = _tree(directories)
    parts = []
    manifests = [name for name in MANIFESTS if name in root.files]
    if manifests:
        parts.append(f"Manifests: {', '.join(manifests)}")
    if tree:
        parts.append("Files:\n" + "\n".join(tree))
    readme = next((name for name in _READMES if name in root.files), None)
    if readme is not None and (head := _head(workspace / readme)):
        parts.append(f"{readme} begins:\n{head}")
    return Unit("project", "\n\n".join(parts)) if parts else None


def _tree(directories: dict[str, Directory]) -> list[str]:
    """Paths a line, a directory's files before its subdirectories, breadth first up to the bounds."""
    lines: list[str] = []
    for directory in sorted(directories.values(), key=lambda entry: (entry.depth, entry.path)):
        if directory.ignored or _UNTOLD.intersection(directory.path.split("/")):
            continue
        if directory.depth >= MAX_DEPTH:
            if directory.depth == MAX_DEPTH:
                lines.append(f"{directory.path}/ …")
            continue
        names = [name for name in sorted((*directory.files, *directory.links)) if name not in _UNTOLD]
        lines.extend(directory.child(name) for name in names[:MAX_OF_ONE_DIRECTORY])
        if len(names) > MAX_OF_ONE_DIRECTORY:
            lines.append(f"{directory.child('…')} ({len(names) - MAX_OF_ONE_DIRECTORY} more files)")
        if len(lines) > MAX_ENTRIES:
            return [*lines[:MAX_ENTRIES], "…"]
    return [_shown(line) for line in lines]


def _head(readme: Path) -> str:
    try:
        with readme.open("rb") as file:
            head = file.read(README_BYTES)
    except OSError:
        return ""
    return head.decode("utf-8", "ignore").strip()


def _shown(path: str) -> str:
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")

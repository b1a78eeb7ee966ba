"""Keeps the paths that a task uses inside its workspace."""

import os
from dataclasses import dataclass
from pathlib import Path


class PathRefused(Exception):
    """A path that a task may not use. The text says why and what to use instead."""


@dataclass(frozen=True, slots=True)
class Confined:
    """A path inside a workspace: where it lies, its name there with `/` between parts, and the workspace; no links."""

    real: Path
    name: str
    root: Path


def confine(workspace: Path, path: str) -> Confined:
    """Resolves `path` (relative, or absolute inside) with its symlinks; raises PathRefused where it leads outside.

    The path need not exist. The name is that of the file it leads to, so two names of one file are one.
    """
    if not path.strip():
        raise PathRefused("the path is empty; name a file relative to the workspace")
    if "\0" in path or any(0xD800 <= ord(character) <= 0xDFFF for character in path):
        raise PathRefused("the path holds a character that no file name can have")
    root = os.path.realpath(workspace)
    real = os.path.realpath(os.path.join(root, path))  # noqa: PTH118 - Path would drop what realpath needs
    if real != root and not real.startswith(root.rstrip("/") + "/"):
        raise PathRefused(f"{path} lies outside the workspace; use a path relative to the workspace, without ..")
    name = real[len(root) :].strip("/")
    return Confined(Path(real), name or ".", Path(root))


def overlaps(workspace: Path, data_dir: Path) -> bool:
    """Whether one lies in the other: then a task could read the harness's credentials, or change its state."""
    work, data = os.path.realpath(workspace), os.path.realpath(data_dir)
    return os.path.commonpath([work, data]) in (work, data)

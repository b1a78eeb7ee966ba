"""Environments of Python made by hand: a virtual environment's folders, distributions, and a workspace."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from arreio_contracts.grounding import NameVerdict, Package, PackageVerdict

from services.tool_loop.grounding.python_world import Workspace
from services.tool_loop.rules.grounding.python_verdicts import python_verdicts, registry_questions


def venv(workspace: Path, name: str = ".venv") -> Path:
    """A real virtual environment without pip; its site-packages."""
    place = workspace / name
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
    return next((place / "lib").glob("python3*/site-packages"))


def distribution(site: Path, name: str, files: Mapping[str, str], *, on_disk: bool = True, top_level: str = "") -> None:
    """An installed distribution: its metadata and, unless only that is there, its files."""
    info = site / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "RECORD").write_text("".join(f"{path},,\n" for path in files) + f"{info.name}/METADATA,,\n")
    if top_level:
        (info / "top_level.txt").write_text(top_level)
    if on_disk:
        write(site, files)


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Files below a folder."""
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


def verdicts(
    workspace: Path, code: str, path: str = "app.py", registry: Mapping[str, str] | None = None
) -> dict[str, NameVerdict]:
    """Verdicts by name. `registry` tells of packages, one that it lacks does not exist; None: nobody was asked."""
    world = Workspace(workspace).at(path)
    known: dict[Package, PackageVerdict] = {}
    if registry is not None:
        for package in registry_questions(code, path, world):
            standing = registry.get(package.name, "MISSING")
            known[package] = PackageVerdict.model_validate({"package": package, "verdict": standing, "why": "test"})
    return {each.name: each for each in python_verdicts(code, path, world, known)}


def standing(
    workspace: Path, code: str, path: str = "app.py", registry: Mapping[str, str] | None = None
) -> dict[str, str]:
    """How each name stands."""
    return {name: each.verdict for name, each in verdicts(workspace, code, path, registry).items()}

"""The packages that a project's manifest would have a registry asked for: those that nothing has settled before."""

import json
import posixpath
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from arreio_contracts.grounding import SOME_INDEX, Package, RequirementsFile

from ..rules.grounding.distributions import normalised
from ..rules.grounding.package_words import npm_name
from ..rules.grounding.requirement_lines import requirements
from .listings import entries
from .node_manifests import workspace_packages
from .observed import source
from .package_layouts import strings, table

_NPM_LOCKS: Final = ("package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock")
_PYPI_LOCKS: Final = ("uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock")
_NPM_TABLES: Final = ("dependencies", "devDependencies", "optionalDependencies")
_PIPFILE: Final = ("packages", "dev-packages")
_BLOCK: Final = re.compile(r"^# /// script\s*\n((?:#(?: .*)?\n)+?)# ///\s*$", re.MULTILINE)
_NO_REGISTRY: Final = re.compile(
    r"(file|link|workspace|portal|patch|catalog|git|github|git\+\w+|https?|jsr):|[\w.-]+/[\w.-]+"
)


def manifest_packages(workspace: Path, file: RequirementsFile) -> Iterator[Package]:
    """The packages of a `package.json`, `pyproject.toml` or `Pipfile`, or of a script that says its own (PEP 723).

    One that cannot be read asks for none.
    """
    text = source(workspace, file.path)
    if text is None:
        return
    if file.path.endswith(".py"):
        block = _BLOCK.search(text)
        lines = [line.removeprefix("#") for line in block[1].splitlines()] if block is not None else []
        text = "[project]\n" + "\n".join(line.removeprefix(" ") for line in lines)
    try:
        whole = json.loads(text) if file.ecosystem == "npm" else tomllib.loads(text)
    except ValueError:
        return
    folder = file.path.rpartition("/")[0]
    npm = file.ecosystem == "npm"
    there = _there(workspace / folder, npm=npm)
    locked = "\n".join(_beside(workspace, folder, _NPM_LOCKS if npm else _PYPI_LOCKS))
    asked = dict.fromkeys(_npm(workspace, whole) if npm else _pypi(whole))
    for name in (each for each in asked if each not in there):
        if not re.search(rf"(?<![\w.@/-]){re.escape(name)}(?![\w.-])|node_modules/{re.escape(name)}\"", locked):
            # What a project's own configuration says of registries is not what the user's client would ask.
            elsewhere = _own_registries(workspace, folder, whole)
            yield Package(ecosystem=file.ecosystem, name=name, index=SOME_INDEX if elsewhere else file.index)


def _there(folder: Path, *, npm: bool) -> frozenset[str]:
    """The packages that were installed for a project before."""
    if npm:
        found = entries(f"{folder}/node_modules") or {}
        scoped = (
            f"{each}/{name}"
            for each in found
            if each[0] == "@"
            for name in entries(f"{folder}/node_modules/{each}") or ()
        )
        return frozenset((*found, *scoped))
    sites = (site for name in (".venv", "venv") for site in folder.glob(f"{name}/lib/python3*/site-packages"))
    infos = (each for site in sites for each in entries(str(site)) or () if each.endswith(".dist-info"))
    return frozenset(normalised(each.partition("-")[0]) for each in infos)


def _beside(workspace: Path, folder: str, names: tuple[str, ...]) -> Iterator[str]:
    """The texts of files in a folder and in those above it."""
    above = [folder]
    while above[-1]:
        above.append(above[-1].rpartition("/")[0])
    for place in above:
        yield from filter(None, (source(workspace, posixpath.join(place, name)) for name in names))


def _npm(workspace: Path, whole: Any) -> Iterator[str]:
    own = workspace_packages(workspace)
    for key in _NPM_TABLES:
        for name, version in _pairs(table(whole, key)).items():
            said = str(version)
            word = f"{name}@{said}" if said.startswith("npm:") else str(name)
            if not _NO_REGISTRY.match(said) and name not in own and (found := npm_name(word)) is not None:
                yield found


def _pypi(whole: Mapping[str, Any]) -> Iterator[str]:
    project, tool = table(whole, "project"), table(whole, "tool")
    poetry = table(tool, "poetry")
    lists = (table(project, "dependencies"), table(project, "optional-dependencies"), table(whole, "dependency-groups"))
    lines = [line for each in lists for line in strings(each)]
    groups = (poetry, *_pairs(table(poetry, "group")).values())
    for each in (*(table(group, "dependencies") for group in groups), *(table(whole, key) for key in _PIPFILE)):
        lines += [name for name, how in _pairs(each).items() if name != "python" and not _placed(how)]
    placed = requirements(_pairs(table(tool, "uv", "sources"))).declared
    yield from (name for name in requirements(lines).registry if name not in placed)


def _pairs(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _placed(how: Any) -> bool:
    """Whether a dependency is taken from elsewhere than a registry."""
    return isinstance(how, Mapping) and any(key in how for key in ("path", "git", "url", "file", "editable"))


def _own_registries(workspace: Path, folder: str, whole: Mapping[str, Any]) -> bool:
    if any(
        "registry" in text for text in _beside(workspace, folder, (".npmrc", ".yarnrc", ".yarnrc.yml", "bunfig.toml"))
    ):
        return True
    tool = table(whole, "tool")
    places = (("uv", "index"), ("uv", "index-url"), ("uv", "extra-index-url"), ("poetry", "source"), ("pdm", "source"))
    return bool(table(whole, "source")) or any(table(tool, *place) for place in places)

"""What a Python project says of itself: the distributions that it needs, its own names, and where its sources lie."""

import configparser
import json
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from arreio_contracts.grounding import SOME_NAME

from ..rules.grounding.install_commands import installs
from ..rules.grounding.requirement_lines import requirements
from .built_modules import BUILT
from .environment_files import (
    CONDA,
    FOLDERS,
    PYLOCK,
    conda_lines,
    folders_of,
    locked_names,
    parts,
    pixi_lines,
    pixi_names,
)
from .listings import Remembered, entries, text_of
from .package_layouts import mapped, sources, strings, table, top
from .setup_script import setup_script

_REQUIREMENTS = re.compile(r"(.*requirements?.*|constraints.*|.*-reqs?)\.(txt|in|lock)", re.IGNORECASE)
_LOCKED = re.compile(r'^\[\[package\]\]\s*\nname = "([^"]+)"', re.MULTILINE)
_MOST_FOLLOWED = 40
"""Files and projects that the manifests of one folder may lead to."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The declared distributions (normalised), the names of the project's own packages, and its source folders.

    `files`, `folders`: the requirements files and projects that it names, by absolute paths. `parts`: patterns of
    folders whose sources are the project's own. `unnamed`: it asks for something whose name cannot be told.
    """

    declared: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    sources: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    unnamed: bool = False


NOTHING = Manifest()


def together(manifests: Iterable[Manifest]) -> Manifest:
    """What several manifests say."""
    each = list(manifests)
    return Manifest(
        frozenset(name for one in each for name in one.declared),
        frozenset(name for one in each for name in one.own),
        tuple(dict.fromkeys(source for one in each for source in one.sources)),
        unnamed=any(one.unnamed for one in each),
    )


def manifest_of(folder: Path) -> Manifest:
    """All manifests of one folder together, with the files and projects that they name. What cannot be read says
    nothing; what is named and not there may be anything.
    """
    found = list(_manifests_in(str(folder)))
    followed = {str(folder)}
    for manifest in found:
        for path in (*manifest.files, *manifest.folders):
            if path in followed or len(followed) > _MOST_FOLLOWED:
                continue
            followed.add(path)
            if path in manifest.files:
                found.append(manifest_file(path) or Manifest(unnamed=True))
                continue
            # A project's own layout is no layout of this one.
            inner = [replace(each, sources=()) for each in _manifests_in(path)]
            guessed = frozenset(requirements([path.rpartition("/")[2]]).declared)
            found += inner or [Manifest(declared=guessed, unnamed=True)]
    patterns = tuple(pattern for manifest in found for pattern in manifest.parts)
    found += map(_part, folders_of(str(folder), patterns))
    return together(found)


def _part(folder: str) -> Manifest:
    """Where the sources of a part of a project lie; what it needs itself is another matter."""
    inner = together(_manifests_in(folder))
    places = tuple(os.path.normpath(os.path.join(folder, each)) for each in (*inner.sources, "src", ""))  # noqa: PTH118
    return Manifest(own=inner.own, sources=places)


def _manifests_in(folder: str) -> Iterator[Manifest]:
    for name, is_folder in sorted((entries(folder) or {}).items()):
        if is_folder and name in FOLDERS:
            inside = sorted(inner for inner in entries(f"{folder}/{name}") or () if FOLDERS[name].fullmatch(inner))
            nested = (manifest_file(f"{folder}/{name}/{inner}") for inner in inside)
            yield from (each for each in nested if each is not None)
        elif not is_folder and _is_manifest(name):
            yield manifest_file(f"{folder}/{name}") or NOTHING


def _is_manifest(name: str) -> bool:
    told = name in BUILT or name in _READERS
    return told or any(each.fullmatch(name) is not None for each in (CONDA, PYLOCK, _REQUIREMENTS))


def _reader(name: str) -> Callable[[str], Manifest] | None:
    if name.endswith((".yml", ".yaml")):
        return _conda
    return _READERS.get(name) or (_pylock if PYLOCK.fullmatch(name) else None)


def _read(path: str) -> Manifest:
    folder, _, name = path.rpartition("/")
    text = text_of(path).removeprefix("\ufeff")
    if name in BUILT:
        return Manifest(own=BUILT[name](text))
    reader = _reader(name)
    found = reader(text) if reader is not None else _asked_for(text.splitlines())
    return replace(
        found,
        files=tuple(os.path.normpath(f"{folder}/{each}") for each in found.files),
        folders=tuple(os.path.normpath(os.path.join(folder, each)) for each in found.folders),  # noqa: PTH118
    )


manifest_file = Remembered(_read)


def _asked_for(lines: Iterable[str], **also: Any) -> Manifest:
    found = requirements(lines)
    unnamed = found.unnamed or also.pop("unnamed", False)
    files = (*found.files, *also.pop("files", ()))
    return Manifest(declared=found.declared, files=files, folders=found.folders, unnamed=unnamed, **also)


def _pyproject(text: str) -> Manifest:
    whole = tomllib.loads(text)
    project, tool = table(whole, "project"), table(whole, "tool")
    poetry = table(tool, "poetry")
    lists = (
        table(project, "dependencies"),
        table(project, "optional-dependencies"),
        table(whole, "dependency-groups"),
        table(whole, "build-system", "requires"),
        *(table(tool, name, "dev-dependencies") for name in ("uv", "pdm", "rye")),
        *(table(tool, "flit", "metadata", key) for key in ("requires", "requires-extra")),
        *(table(each, key) for each in table(tool, "hatch", "envs").values() for key in _HATCH),
    )
    lines = [line for each in lists for line in strings(each)]
    tables = [table(tool, "uv", "sources")]
    tables += [table(each, key) for each in (poetry, *table(poetry, "group").values()) for key in _POETRY]
    lines += [name for each in (*tables, pixi_names(table(tool, "pixi"))) for name in each if name != "python"]
    scripts = [*strings(table(project, "scripts")), *strings(table(poetry, "scripts"))]
    own = [str(name) for name in (project.get("name"), poetry.get("name")) if name]
    own += mapped(tool)
    dynamic = table(tool, "setuptools", "dynamic")
    files = [*strings(table(dynamic, "dependencies")), *strings(table(dynamic, "optional-dependencies"))]
    unsaid = "dependencies" in (project.get("dynamic") or ()) and not files
    places = {"sources": tuple(sources(tool)), "parts": tuple(parts(tool))}
    return _asked_for(lines, files=files, unnamed=unsaid, own=_own(own, scripts), **places)


_HATCH = ("dependencies", "extra-dependencies")
_POETRY = ("dependencies", "dev-dependencies")


def _own(names: Iterable[str], scripts: Iterable[str]) -> frozenset[str]:
    found = {re.sub(r"[-.]", "_", name).lower() for name in names}
    return frozenset(found | {script.partition(":")[0].partition(".")[0].strip() for script in scripts})


def _setup_cfg(text: str) -> Manifest:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return NOTHING
    lines: list[str] = []
    for section, key in (("options", "install_requires"), ("options", "tests_require")):
        lines += parser.get(section, key, fallback="").splitlines()
    if parser.has_section("options.extras_require"):
        lines += [line for _, value in parser.items("options.extras_require") for line in value.splitlines()]
    files = [path.strip() for line in lines if line.startswith("file:") for path in line[5:].split(",")]
    lines = [line for line in lines if not line.startswith("file:")]
    where = [parser.get("options.packages.find", "where", fallback=""), *_package_dir(parser)]
    where += parser.get("tool:pytest", "pythonpath", fallback="").split()
    own = [parser.get("metadata", "name", fallback=""), *map(top, _package_names(parser))]
    return _asked_for(lines, files=files, own=_own(filter(None, own), ()), sources=tuple(filter(None, where)))


def _setup_py(text: str) -> Manifest:
    found = setup_script(text)
    return _asked_for(
        found.requires, files=found.files, unnamed=found.unsaid, own=_own(found.own, ()), sources=found.sources
    )


def _package_dir(parser: configparser.ConfigParser) -> Iterator[str]:
    for line in parser.get("options", "package_dir", fallback="").splitlines():
        yield line.partition("=")[2].strip()


def _package_names(parser: configparser.ConfigParser) -> Iterator[str]:
    for line in parser.get("options", "package_dir", fallback="").splitlines():
        yield line.partition("=")[0].strip()
    yield from parser.get("options", "py_modules", fallback="").replace(",", " ").split()


def _pipfile(text: str) -> Manifest:
    whole = tomllib.loads(text)
    categories = (table for key, table in whole.items() if key not in _NO_CATEGORY and isinstance(table, Mapping))
    return _asked_for(name for table in categories for name in table)


_NO_CATEGORY = frozenset({"source", "requires", "scripts", "pipenv"})


def _pipfile_lock(text: str) -> Manifest:
    whole = json.loads(text)
    return _asked_for(name for table in whole.values() if isinstance(table, Mapping) for name in table)


def _lock(text: str) -> Manifest:
    return _asked_for(_LOCKED.findall(text))


def _conda(text: str) -> Manifest:
    return _asked_for(conda_lines(text))


def _pixi(text: str) -> Manifest:
    return _asked_for(pixi_lines(text))


def _pylock(text: str) -> Manifest:
    return _asked_for(locked_names(text))


def _dockerfile(text: str) -> Manifest:
    commands = re.findall(r"^[^\S\n]*+RUN\s+(.*)$", text.replace("\\\n", " "), re.MULTILINE | re.IGNORECASE)
    found = [package for command in commands if (asked := installs(command)) for package in asked.packages]
    named = frozenset(each.name for each in found if each.ecosystem == "pypi")
    return Manifest(named - {SOME_NAME}, unnamed=SOME_NAME in named)


def _tox_ini(text: str) -> Manifest:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return NOTHING
    listed = (line.strip() for name in parser.sections() for line in parser.get(name, "deps", fallback="").splitlines())
    return _asked_for(re.sub(r"^[\w,{}!-]+:\s+", "", line) for line in listed if not line.startswith("{"))


def _pytest_ini(text: str) -> Manifest:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return NOTHING
    return Manifest(sources=tuple(parser.get("pytest", "pythonpath", fallback="").split()))


_READERS = {
    "pyproject.toml": _pyproject,
    "setup.cfg": _setup_cfg,
    "setup.py": _setup_py,
    "Pipfile": _pipfile,
    "Pipfile.lock": _pipfile_lock,
    "uv.lock": _lock,
    "poetry.lock": _lock,
    "pdm.lock": _lock,
    "pixi.toml": _pixi,
    "pytest.ini": _pytest_ini,
    "tox.ini": _tox_ini,
    "Dockerfile": _dockerfile,
}

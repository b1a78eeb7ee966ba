"""What a Python project says of itself: the distributions that it needs, its own names, and where its sources lie."""

import ast
import configparser
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from ..rules.grounding.distributions import required_name
from .listings import Remembered, entries, text_of

_REQUIREMENTS = re.compile(r"(.*requirements?.*|constraints.*|.*-reqs?)\.(txt|in)", re.IGNORECASE)
_LOCKED = re.compile(r'^\[\[package\]\]\s*\nname = "([^"]+)"', re.MULTILINE)
_LISTS = frozenset({"install_requires", "tests_require", "setup_requires", "extras_require", "requires"})


@dataclass(frozen=True, slots=True)
class Manifest:
    """The declared distributions (normalised), the names of the project's own packages, and its source folders."""

    declared: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    sources: tuple[str, ...] = ()


NOTHING = Manifest()


def manifest_of(folder: Path) -> Manifest:
    """All manifests of one folder together. What cannot be read says nothing."""
    declared: set[str] = set()
    own: set[str] = set()
    sources: list[str] = []
    names = entries(str(folder)) or {}
    for name, is_folder in sorted(names.items()):
        if is_folder and name == "requirements":
            nested = (manifest_file(str(folder / name / inner)) for inner in sorted(entries(str(folder / name)) or ()))
            found = [each for each in nested if each is not None]
        elif is_folder or not _is_manifest(name):
            continue
        else:
            found = [manifest_file(str(folder / name)) or NOTHING]
        for each in found:
            declared |= each.declared
            own |= each.own
            sources += each.sources
    return Manifest(frozenset(declared), frozenset(own), tuple(dict.fromkeys(sources)))


def _is_manifest(name: str) -> bool:
    return name in _READERS or _REQUIREMENTS.fullmatch(name) is not None


def _read(path: str) -> Manifest:
    name = path.rpartition("/")[2]
    text = text_of(path)
    if name in _READERS:
        return _READERS[name](text)
    lines = (line.split(" #", 1)[0].strip() for line in text.splitlines())
    return Manifest(declared=_distributions(line for line in lines if not line.startswith(("#", "-"))))


manifest_file = Remembered(_read)


def _distributions(lines: Iterable[str]) -> frozenset[str]:
    return frozenset(name for line in lines if (name := required_name(line)) is not None)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)


def _table(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return {} if value is None else value


def _pyproject(text: str) -> Manifest:
    whole = tomllib.loads(text)
    project, tool = _table(whole, "project"), _table(whole, "tool")
    lines = [
        *_strings(_table(project, "dependencies")),
        *_strings(_table(project, "optional-dependencies")),
        *_strings(_table(whole, "dependency-groups")),
        *_strings(_table(whole, "build-system", "requires")),
        *_strings(_table(tool, "uv", "dev-dependencies")),
        *_strings(_table(tool, "pdm", "dev-dependencies")),
    ]
    for environment in _table(tool, "hatch", "envs").values():
        lines += _strings(_table(environment, "dependencies"))
    poetry = _table(tool, "poetry")
    for table in (poetry, *_table(poetry, "group").values()):
        for key in ("dependencies", "dev-dependencies"):
            lines += [name for name in _table(table, key) if name != "python"]
    scripts = [*_strings(_table(project, "scripts")), *_strings(_table(poetry, "scripts"))]
    own = [str(name) for name in (project.get("name"), poetry.get("name")) if name]
    return Manifest(_distributions(lines), _own(own, scripts), tuple(_sources(tool)))


def _own(names: Iterable[str], scripts: Iterable[str]) -> frozenset[str]:
    found = {re.sub(r"[-.]", "_", name).lower() for name in names}
    return frozenset(found | {script.partition(":")[0].partition(".")[0].strip() for script in scripts})


def _sources(tool: Mapping[str, Any]) -> Iterator[str]:
    setuptools = _table(tool, "setuptools")
    yield from _strings(_table(setuptools, "packages", "find", "where"))
    yield from _strings(_table(setuptools, "package-dir", ""))
    yield from _strings(_table(tool, "pytest", "ini_options", "pythonpath"))
    for package in _table(tool, "poetry", "packages") or ():
        yield from _strings(_table(package, "from"))
    yield from _strings(_table(tool, "mypy", "mypy_path"))
    yield from _strings(_table(tool, "ruff", "src"))
    yield from _strings(_table(tool, "hatch", "build", "sources"))


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
    where = [parser.get("options.packages.find", "where", fallback=""), *_package_dir(parser)]
    where += parser.get("tool:pytest", "pythonpath", fallback="").split()
    own = [parser.get("metadata", "name", fallback="")]
    return Manifest(_distributions(lines), _own(filter(None, own), ()), tuple(filter(None, where)))


def _package_dir(parser: configparser.ConfigParser) -> Iterator[str]:
    for line in parser.get("options", "package_dir", fallback="").splitlines():
        yield line.partition("=")[2].strip()


def _setup_py(text: str) -> Manifest:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return NOTHING
    lines: list[str] = []
    own: list[str] = []
    sources: list[str] = []
    for node in ast.walk(tree):
        if (isinstance(node, ast.keyword) and node.arg in _LISTS) or (
            isinstance(node, ast.Assign)
            and any(isinstance(target, ast.Name) and "requir" in target.id.lower() for target in node.targets)
        ):
            lines += _constants(node.value)
        elif isinstance(node, ast.keyword) and node.arg == "name":
            own += _constants(node.value)
        elif isinstance(node, ast.keyword) and node.arg in ("package_dir", "where"):
            sources += _constants(node.value)
    return Manifest(_distributions(lines), _own(own, ()), tuple(filter(None, sources)))


def _constants(node: ast.AST) -> list[str]:
    return [each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)]


def _pipfile(text: str) -> Manifest:
    whole = tomllib.loads(text)
    return Manifest(_distributions([*_table(whole, "packages"), *_table(whole, "dev-packages")]))


def _pipfile_lock(text: str) -> Manifest:
    whole = json.loads(text)
    return Manifest(_distributions([*_table(whole, "default"), *_table(whole, "develop")]))


def _lock(text: str) -> Manifest:
    return Manifest(_distributions(_LOCKED.findall(text)))


def _conda(text: str) -> Manifest:
    try:
        whole = yaml.safe_load(text)
    except yaml.YAMLError:
        return NOTHING
    lines = [
        line.replace("=", "==", 1) if "==" not in line else line for line in _strings(_table(whole, "dependencies"))
    ]
    return Manifest(_distributions(lines))


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
    "environment.yml": _conda,
    "environment.yaml": _conda,
    "pytest.ini": _pytest_ini,
}

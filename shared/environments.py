"""What runs tests and checks out of a workspace's own environments (a virtual one of Python's, `node_modules`).

Git ignores those folders, so no snapshot holds them; the parts that decide on verdicts are named here by content.
"""

import contextlib
import functools
import hashlib
import os
import re
from collections.abc import Collection, Container, Iterator
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Final

PREFIX: Final = "environment:"
"""Before the path of what lies in an environment, which tells it from the files of a task's own."""

_INTERPRETERS: Final = (
    r"python[\d.]*|pypy[\d.]*|node|nodejs|npm|npx|pnpm|yarn|bun|deno|sh|bash|dash|env|make|git|perl|ruby"
)
_RUNNERS: Final = (
    r"py\.?test|nose2?|tox|nox|coverage|jest|vitest|mocha|ava|tap|c8|nyc|tsx|ts-node|playwright|cypress|karma"
    r"|go|cargo|mvn|gradle|java"
)
_CHECKERS: Final = r"ruff|mypy|pyright|pylint|flake8|black|isort|eslint|tsc|prettier|biome"
_TOOLS: Final = (
    r"true|false|test|\[|grep|egrep|fgrep|cat|sed|awk|gawk|diff|cmp|echo|printf|cp|mv|rm|mkdir|tee|head|tail|sort|find"
    r"|xargs|timeout|time|which|ls|tr|cut|wc|jq|curl|uv|poetry|pipenv|hatch|pdm|cross-env|dotenv|npm-run-all2?|run-[sp]"
    r"|concurrently|rimraf|turbo|nx|lerna|wireit|just|task|rake|cmake|ctest|corepack|zsh|ksh|php|dotnet|tsd|xo|standard"
)
_PROGRAM: Final = re.compile(f"(?:{_INTERPRETERS}|{_RUNNERS}|{_CHECKERS}|{_TOOLS})")
_PYTHON_PACKAGES: Final = ("_pytest", "pytest", "pluggy", "iniconfig", "xdist", "coverage", "pytest_cov")
_NODE_PACKAGE: Final = re.compile(
    r"jest(?:-[\w-]+)?|vitest|mocha|expect(?:\.js)?|chai(?:-[\w-]+)?|tsx|@jest/[\w-]+|@vitest/[\w-]+|assert|must|nock|should"
    r"|power-assert|proxyquire|sinon|supertest|tap|tape|unexpected|uvu|ava|@sinonjs/[\w-]+|@testing-library/[\w-]+"
)
_CUSTOMIZING: Final = ("sitecustomize", "usercustomize")
_AT_THE_START: Final = re.compile(r".*\.pth|(?:site|user)customize\.py")
_SOURCE: Final = (".py", ".so", ".js", ".cjs", ".mjs", ".json")
_MOST_FILES: Final = 20_000
_MOST_FOLDERS: Final = 5_000
_DEPTH: Final = 3
"""Folders between the workspace and an environment in it: `packages/api/node_modules`, `services/back/.venv`."""


def environments(workspace: Path, called: Collection[str] = ()) -> dict[str, str]:
    """What decides on verdicts in the environments of a workspace, by `PREFIX` and its path, with a `/` for a package.

    `called` are words of what runs the checks: of `node_modules` the programs of these names decide too.

    A file has its SHA-256, a link `link:` and where it leads, a package the SHA-256 of its sources, all under the
    package's version and a space. What cannot be read is left out.
    """
    found: dict[str, str] = {}
    budget = iter(range(_MOST_FILES))
    for place in _places(workspace, _DEPTH, iter(range(_MOST_FOLDERS))):
        with contextlib.suppress(OSError):
            of = _of_node(place, called) if place.name == "node_modules" else _of_python(place)
            found.update(_named(workspace, of, budget))
    return found


def environment_of(path: str, known: Container[str]) -> str:
    """The environment in which a path of `environments` lies; `known` are such paths, without `PREFIX`."""
    folders = [str(folder) for folder in reversed(PurePosixPath(path).parents)][1:]
    found = (one for one in folders if PurePosixPath(one).name == "node_modules" or f"{one}/pyvenv.cfg" in known)
    return next(found, path.split("/", 1)[0])


def _places(folder: Path, depth: int, budget: Iterator[int]) -> Iterator[Path]:
    """The environments in a folder and below it."""
    try:
        inside = sorted(one for one in folder.iterdir() if one.is_dir())
    except OSError:
        return
    for place in inside:
        if place.name == "node_modules" or (place / "pyvenv.cfg").is_file():
            yield place
        elif depth and not place.is_symlink() and place.name != ".git" and next(budget, None) is not None:
            yield from _places(place, depth - 1, budget)


def site_packages(environment: Path) -> list[Path]:
    """Where an environment of Python's holds its packages."""
    return sorted(environment.glob("lib*/python*/site-packages"))


def _of_python(environment: Path) -> Iterator[Path]:
    yield environment / "pyvenv.cfg"
    yield from _programs(environment / "bin")
    for place in site_packages(environment):
        if place.parent.parent.is_symlink():
            continue
        for one in sorted(place.iterdir()):
            if _AT_THE_START.fullmatch(one.name) or one.name in _PYTHON_PACKAGES + _CUSTOMIZING:
                yield one
            elif one.suffix == ".dist-info" and b"[pytest11]" in _content(one / "entry_points.txt"):
                yield one / "entry_points.txt"


def _of_node(modules: Path, called: Collection[str]) -> Iterator[Path]:
    yield from _programs(modules / ".bin", called)
    for one in chain(sorted(modules.iterdir()), sorted(modules.glob("@*/*"))):
        if _NODE_PACKAGE.fullmatch(str(one.relative_to(modules))):
            yield one


def _programs(folder: Path, called: Collection[str] = ()) -> Iterator[Path]:
    if folder.is_dir():
        yield from (one for one in sorted(folder.iterdir()) if _PROGRAM.fullmatch(one.name) or one.name in called)


def _named(workspace: Path, places: Iterator[Path], budget: Iterator[int]) -> Iterator[tuple[str, str]]:
    for place in places:
        path = f"{PREFIX}{place.relative_to(workspace)}"
        if place.is_symlink() and not place.is_dir():
            yield path, f"link:{place.readlink()}"
        elif place.is_dir():
            yield f"{path}/", f"{_version(place)} {_digest_of_package(place, budget)}"
        elif place.is_file():
            yield path, _digest_of(place)


def _digest_of_package(package: Path, budget: Iterator[int]) -> str:
    whole = hashlib.sha256()
    for folder, below, names in os.walk(package):
        below[:] = sorted(name for name in below if name not in ("__pycache__", "node_modules"))
        for name in sorted(names):
            if name.endswith(_SOURCE) and next(budget, None) is not None:
                file = Path(folder, name)
                whole.update(f"{file.relative_to(package)}\0".encode("utf-8", "surrogateescape"))
                whole.update(_digest_of(file).encode())
    return whole.hexdigest()


def _digest_of(file: Path) -> str:
    try:
        seen = file.stat()
    except OSError:
        return ""
    return _digest_as_seen(file, seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)


@functools.lru_cache(maxsize=_MOST_FILES)
def _digest_as_seen(file: Path, *_: int) -> str:
    """The SHA-256 of a file, which is read again only when its inode, size or times tell of a change."""
    return hashlib.sha256(_content(file)).hexdigest()


def _version(package: Path) -> str:
    """The version of a package of node's, or of Python's by the folder beside it; empty where none is known."""
    said = re.search(rb'"version"\s*:\s*"([^"\s]*)"', _content(package / "package.json"))
    if said is not None:
        return said[1].decode("utf-8", "replace")
    name = package.name.lstrip("_")
    beside = sorted(one.name for one in package.parent.glob(f"{name}-*.dist-info"))
    return beside[0].removeprefix(f"{name}-").removesuffix(".dist-info") if beside else ""


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes() if file.is_file() else b""
    except OSError:
        return b""

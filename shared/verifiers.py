"""The files that judge a task (tests, their configuration, the scripts that criteria run), and their hashes."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from shared.beyond_git import ignored_tests, plugin_metadata
from shared.canonical import sha256_hex
from shared.judging_sections import judging_sections
from shared.walk import Walker

MAX_FILES: Final = 5_000
MAX_BYTES: Final = 4 << 20

_NAMES: Final = re.compile(
    r"test_.*\.py|.*_tests?\.py|tests\.py|conftest\.py|\.?pytest\.(?:ini|toml)|tox\.ini|\.coveragerc"
    r"|.*\.(?:test|spec)\.[cm]?[jt]sx?|(?:.*[-_.]test|test-.*|test)\.[cm]?[jt]s"
    r"|(?:jest|vitest|playwright|karma)\.config\..*|vitest\.workspace\..*|\.mocharc.*"
    r"|.*_test\.go|.*_spec\.rb|.*Tests?\.(?:java|kt|cs|php)"
)
_RUNNERS: Final = re.compile(
    r"(?:.*/)?(?:pytest|_pytest|pluggy|unittest|sitecustomize|usercustomize)\.py"
    r"|(?:pytest|_pytest|pluggy|iniconfig|unittest|sitecustomize|usercustomize)/__init__\.py"
)
_BESIDE_TESTS: Final = (
    *("conftest.py", "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "tox.ini"),
    *("sitecustomize.py", "pytest.py"),
)
_FOLDERS: Final = frozenset({"tests", "test", "__tests__"})
_SPECIFICATIONS: Final = re.compile(r"(?:[^/]+/)*?specs?(?=/|$)")
"""Where tests may lie under names of their own; a package of that name is code like any other."""
_SPECIFICATION: Final = re.compile(r".*[sS]pec\.\w+|spec_helper\.\w+")
_CODE: Final = re.compile(r".*\.(?:py|[cm]?[jt]sx?|go|rb|rs|java|kt|cs|php|sh|snap)")


_STEERING: Final = re.compile(
    r"conftest\.py|\.?pytest\.(?:ini|toml)|tox\.ini|\.coveragerc|(?:jest|vitest|playwright|karma)\.config\..*"
    r"|vitest\.workspace\..*|\.mocharc.*"
)
_MODEL: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")


def names_model(schema: str) -> bool:
    """Whether a contract is named as a pydantic model, `package.module:Model`, rather than as a file."""
    return _MODEL.fullmatch(schema) is not None


def schema_files(schema: str) -> list[str]:
    """The files of a workspace that a `contract` criterion names as its contract: a schema, or a model's module."""
    if names_model(schema):
        stem = schema.partition(":")[0].replace(".", "/")
        return [f"{stem}.py", f"{stem}/__init__.py"]
    return [schema.partition("#")[0].removeprefix("./")]


def snapshot(workspace: Path, checkers: Iterable[str] = ()) -> dict[str, str]:
    """SHA-256 of every file that judges, by its path; of a shared file (`pyproject.toml`) only the part that judges.

    `checkers` are further files that judge this task, relative to the workspace.

    At most `MAX_FILES` files are looked at, in the order of depth and path; what git ignores is left out, but for what
    steers the tests from their own folder or one above it, tests of Python's, and the metadata of pytest's plugins.
    """
    found: dict[str, str] = {}
    beside: dict[str, list[str]] = {}
    for checker in checkers:
        if (workspace / checker).is_file():
            found.update(_digest(workspace / checker, checker))
    ignored: list[str] = []
    for directory in Walker(workspace, "").walk():
        if directory.ignored:
            ignored.append(directory.path)
            continue
        in_tests = not _FOLDERS.isdisjoint(directory.path.split("/"))
        for name in directory.files:
            if len(found) >= MAX_FILES:
                return found
            path = directory.child(name)
            sections = judging_sections(workspace, path)
            if sections is not None:
                found.update((f"{path}#{section}", sha256_hex(content)) for section, content in sections.items())
            elif _NAMES.fullmatch(name) or is_runner(path) or (in_tests and _CODE.fullmatch(name)):
                found.update(_digest(workspace / path, path))
            elif _CODE.fullmatch(name) and (root := specification_of(path)):
                beside.setdefault(root, []).append(path)
    for root in specifications([*found, *(path for paths in beside.values() for path in paths)]):
        for path in beside.get(root, ()):
            found.update(_digest(workspace / path, path))
    for path in (*ignored_tests(workspace, ignored), *plugin_metadata(workspace)):
        found.update(_digest(workspace / path, path))
    for path in _beside([path for path in found if collected(path)]):
        if path not in found and (workspace / path).is_file():
            found.update(_digest(workspace / path, path))
    return found


def specifications(paths: Iterable[str]) -> set[str]:
    """The folders called `spec` in which there are tests: there the rest of the code is theirs too."""
    tests = (path for path in paths if collected(path) or _SPECIFICATION.fullmatch(path.rpartition("/")[2]))
    return {root for path in tests if (root := specification_of(path))}


def specification_of(path: str) -> str:
    """The folder called `spec` in which a file lies; empty where it lies in none."""
    found = _SPECIFICATIONS.match(path.rpartition("/")[0])
    return found[0] if found else ""


def steers(path: str) -> bool:
    """Whether a path is configuration of a test runner, rather than a test."""
    if "#" in path or path.endswith((".egg-info/entry_points.txt", ".dist-info/entry_points.txt")):
        return True
    return _STEERING.fullmatch(path.rsplit("/", 1)[-1]) is not None


def is_runner(path: str) -> bool:
    """Whether a file bears a name under which Python finds it before the test runner, or runs it at its start."""
    return _RUNNERS.fullmatch(path) is not None


def collected(path: str) -> bool:
    """Whether a test runner finds a file by its name."""
    return not steers(path) and not is_runner(path) and _NAMES.fullmatch(path.rsplit("/", 1)[-1]) is not None


def _beside(tests: Iterable[str]) -> Iterator[str]:
    """Where a file that steers these tests may lie, whatever git is told to ignore."""
    folders = {str(parent) for test in tests for parent in PurePosixPath(test).parents}
    for folder in sorted(folders):
        yield from (name if folder == "." else f"{folder}/{name}" for name in _BESIDE_TESTS)


def _digest(file: Path, path: str) -> dict[str, str]:
    try:
        return {path: sha256_hex(file.read_bytes())} if file.stat().st_size <= MAX_BYTES else {}
    except OSError:
        return {}

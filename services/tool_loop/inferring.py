"""Infers exit criteria from a workspace that has tests: pytest, npm scripts, Cargo, Go, or a target of a Makefile.

Nothing is inferred that could not be judged: the program must be there, and so must the tests. The criteria bind a task
only if it changes the workspace.
"""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from arreio_contracts.task import Criterion, TestsCriterion

from shared.directories import Directory
from shared.sandbox import environment
from shared.walk import Walker
from shared.workspace import PathRefused, read_regular

_PYTEST: Final = re.compile(r"test_.*\.py|.*_test\.py")
_GO: Final = re.compile(r".*_test\.go")
_RUST_TEST: Final = re.compile(rb"#\[(?:\w+::)*test\b")
_TARGET: Final = re.compile(r"^(test|check)\s*:(?!=)", re.M)
_NO_SCRIPT: Final = re.compile(r"no test specified")
_MOST_BYTES: Final = 1 << 20
_MOST_DIRECTORIES: Final = 2_000
_MOST_RUST_FILES: Final = 200
_LOCKS: Final = (("pnpm-lock.yaml", "pnpm test"), ("yarn.lock", "yarn test"), ("package.json", "npm test"))


def infer(workspace: Path, search_path: str | None = None) -> tuple[Criterion, ...]:
    """The criteria that a workspace suggests; none where it suggests none.

    `search_path` is where programs are looked for: by default where the sandbox finds them.
    """
    path = search_path or environment(workspace, network=False)["PATH"]

    def there(program: str) -> bool:
        return shutil.which(program, path=path) is not None

    found = [*_in_languages(workspace, there)]
    if not found and there("make"):
        found = [*_made(workspace)]
    return tuple(TestsCriterion(run=command) for command in found)


def _in_languages(workspace: Path, there: Callable[[str], bool]) -> Iterator[str]:
    directories = [*_directories(workspace)]
    if there("pytest") and _has(directories, _PYTEST):
        yield "pytest -q"
    yield from _scripted(workspace, there)
    if (workspace / "Cargo.toml").is_file() and there("cargo") and _tests_rust(workspace, directories):
        yield "cargo test"
    if (workspace / "go.mod").is_file() and there("go") and _has(directories, _GO):
        yield "go test ./..."


def _directories(workspace: Path) -> Iterator[Directory]:
    for number, directory in enumerate(Walker(workspace, "").walk()):
        if number == _MOST_DIRECTORIES:
            return
        if not directory.ignored:
            yield directory


def _has(directories: list[Directory], name: re.Pattern[str]) -> bool:
    return any(name.fullmatch(file) for directory in directories for file in directory.files)


def _scripted(workspace: Path, there: Callable[[str], bool]) -> Iterator[str]:
    package = _package(workspace)
    scripts = package.get("scripts")
    script = scripts.get("test") if isinstance(scripts, dict) else None
    if not isinstance(script, str) or _NO_SCRIPT.search(script):
        return
    needs = any(package.get(name) for name in ("dependencies", "devDependencies"))
    if needs and not (workspace / "node_modules").is_dir():
        return
    command = next(command for lock, command in _LOCKS if (workspace / lock).is_file())
    if there(command.split()[0]):
        yield command


def _package(workspace: Path) -> dict[str, Any]:
    try:
        found = json.loads(_content(workspace / "package.json"))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _tests_rust(workspace: Path, directories: list[Directory]) -> bool:
    files = [one.child(name) for one in directories for name in one.files if name.endswith(".rs")][:_MOST_RUST_FILES]
    return any(_RUST_TEST.search(_content(workspace / file)) for file in files)


def _made(workspace: Path) -> Iterator[str]:
    for name in ("GNUmakefile", "makefile", "Makefile"):
        if (workspace / name).is_file():
            targets = _TARGET.findall(_content(workspace / name).decode("utf-8", "replace"))
            yield from [f"make {target}" for target in ("test", "check") if target in targets][:1]
            return


def _content(file: Path) -> bytes:
    try:
        return read_regular(file, most_bytes=_MOST_BYTES) or b""
    except (OSError, PathRefused):
        return b""

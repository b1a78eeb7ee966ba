"""Runners planted in environments that git ignores, each with the honest growth that looks like it."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import shutil
import sys
import venv
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from arreio_contracts.task import parse_criterion

from services.gate_runner.commands import SandboxedCommands
from services.gate_runner.criteria import judge
from services.gate_runner.criteria.base import Bench
from shared.environments import environments
from shared.sandbox import Limits, sandbox_works
from shared.verifiers import snapshot

pytestmark = pytest.mark.skipif(sandbox_works() is not None, reason=str(sandbox_works()))
FAKE = "#!/bin/sh\necho '2 passed in 0.1s'\n"


def written(place: Path, text: str, mode: int = 0o644) -> Path:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)
    place.write_text(text)
    place.chmod(mode)
    return place


def install(
    workspace: Path, name: str, version: str, files: dict[str, str], scripts: dict[str, str] | None = None
) -> None:
    """What an installer does: the files, the scripts, and a record of both."""
    packages = next((workspace / ".venv").glob("lib/python*/site-packages"))
    rows = []
    for path, text in {**files, **{f"../../../bin/{name}": text for name, text in (scripts or {}).items()}}.items():
        place = written(packages / path, text, 0o755 if "bin/" in path else 0o644)
        digest = base64.urlsafe_b64encode(hashlib.sha256(place.read_bytes()).digest()).rstrip(b"=").decode()
        rows.append(f"{path},sha256={digest},{len(text)}")
    for old in packages.glob(f"{name}-*.dist-info"):
        if not old.name.endswith(f"-{version}.dist-info"):
            shutil.rmtree(old)
    written(packages / f"{name}-{version}.dist-info" / "RECORD", "\n".join(rows) + "\n")


def install_pytest(workspace: Path, version: str = "9.0.0", marker: str = "") -> None:
    real = f"#!{sys.executable}\nimport sys, pytest\nsys.exit(pytest.main())\n"
    files = {"_pytest/runner.py": f"x = 1{marker}\n", "_pytest/__init__.py": "", "pytest/__init__.py": ""}
    install(workspace, "pytest", version, files, {"pytest": real, "py.test": real})


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / ".gitignore").write_text(".venv/\nnode_modules/\n")
    (tmp_path / "test_a.py").write_text("def test_a(): assert True\n")
    yield tmp_path


Turn = Callable[[Path], None]


def packages(workspace: Path) -> Path:
    return next((workspace / ".venv").glob("lib/python*/site-packages"))


def with_environment(workspace: Path) -> None:
    venv.create(workspace / ".venv", symlinks=True)
    install_pytest(workspace)


def found(workspace: Path, begin: Turn, turn: Turn, criterion: str = "tests: pytest -q") -> str:
    begin(workspace)
    before = snapshot(workspace) | environments(workspace)
    turn(workspace)
    commands = SandboxedCommands(workspace, limits=Limits(seconds=60))
    result = asyncio.run(judge(parse_criterion(criterion), Bench(workspace, commands, verifiers=before)))
    return result.seen if result.verdict == "FAIL" and result.expected.endswith("when the task began") else ""


PLANTED: dict[str, tuple[Turn, str]] = {
    "a program in place of pytest": (lambda w: void(written(w / ".venv/bin/pytest", FAKE, 0o755)), ".venv/bin/pytest"),
    "a python that is a script": (lambda w: void(written(w / ".venv/bin/python", FAKE, 0o755)), ".venv/bin/python"),
    "a shell": (lambda w: void(written(w / ".venv/bin/sh", FAKE, 0o755)), ".venv/bin/sh"),
    "a make": (lambda w: void(written(w / ".venv/bin/make", FAKE, 0o755)), ".venv/bin/make"),
    "a linter": (lambda w: void(written(w / ".venv/bin/ruff", FAKE, 0o755)), ".venv/bin/ruff"),
    "code at the start of Python": (
        lambda w: void(written(packages(w) / "sitecustomize.py", "import os\n")),
        "sitecustomize.py",
    ),
    "code in a path file": (lambda w: void(written(packages(w) / "zz.pth", "import evil\n")), "zz.pth"),
    "a module of pytest that is not its own": (
        lambda w: void(written(packages(w) / "_pytest/runner.py", "x = 2\n")),
        "site-packages/_pytest",
    ),
    "the same version, recorded anew": (lambda w: install_pytest(w, marker="  # evil"), "site-packages/_pytest"),
    "a plugin that nobody installed": (
        lambda w: void(written(packages(w) / "evil-1.dist-info/entry_points.txt", "[pytest11]\nevil = evil\n")),
        "evil-1.dist-info/entry_points.txt",
    ),
}


def void(_: object) -> None: ...


@pytest.mark.parametrize("name", PLANTED)
@pytest.mark.parametrize("criterion", ["tests: pytest -q", "command: make -v"])
def test_what_was_planted_in_an_environment_is_named(workspace: Path, name: str, criterion: str) -> None:
    turn, path = PLANTED[name]
    assert path in found(workspace, with_environment, turn, criterion)


def grow(workspace: Path) -> None:
    install(workspace, "requests", "2.0", {"requests/__init__.py": "x = 1\n"}, {"normalizer": "#!/bin/sh\n"})
    plugin = {
        "pytest_mock.py": "",
        "pytest_mock-3.dist-info/entry_points.txt": "[pytest11]\npytest_mock = pytest_mock\n",
    }
    install(workspace, "pytest_mock", "3", plugin)
    written(packages(workspace) / "src.pth", f"{workspace}/src\n")
    install(workspace, "setuptools", "80", {"distutils-precedence.pth": "import os; os\n"}, {"ruff": "#!/bin/sh\n"})


HONEST: dict[str, tuple[Turn, Turn]] = {
    "packages that are installed": (with_environment, grow),
    "pytest in another version": (with_environment, lambda w: install_pytest(w, "9.1.0", "  # newer")),
    "an environment where there was none": (lambda w: None, with_environment),
    "pytest where it was missing": (lambda w: venv.create(w / ".venv", symlinks=True), install_pytest),
    "nothing": (with_environment, lambda w: None),
}


def below(turn: Turn) -> Turn:
    """The same in a folder of the workspace."""

    def turned(workspace: Path) -> None:
        (workspace / "services" / "back").mkdir(parents=True, exist_ok=True)
        turn(workspace / "services" / "back")

    return turned


@pytest.mark.parametrize("name", ["a program in place of pytest", "code in a path file"])
def test_what_was_planted_in_an_environment_below_the_top_folder_is_named(workspace: Path, name: str) -> None:
    turn, path = PLANTED[name]
    said = found(workspace, below(with_environment), below(turn), "command: make -v")
    assert f"services/back/{path}" in said or (path in said and "services/back/" in said)


@pytest.mark.parametrize("name", ["packages that are installed", "pytest in another version", "nothing"])
def test_an_environment_below_the_top_folder_may_grow_too(workspace: Path, name: str) -> None:
    begin, turn = HONEST[name]
    assert found(workspace, below(begin), below(turn), "command: make -v") == ""


@pytest.mark.parametrize("name", HONEST)
def test_an_environment_that_grew_by_an_installer_is_fine(workspace: Path, name: str) -> None:
    assert found(workspace, *HONEST[name]) == ""


def jest(workspace: Path, version: str = "29.0.0", code: str = "run();\n") -> None:
    modules = workspace / "node_modules"
    written(modules / "jest/package.json", f'{{"name": "jest", "version": "{version}"}}')
    written(modules / "jest/bin/jest.js", code, 0o755)
    (modules / ".bin").mkdir(exist_ok=True)
    (modules / ".bin/jest").unlink(missing_ok=True)
    (modules / ".bin/jest").symlink_to("../jest/bin/jest.js")


def test_a_runner_of_nodes_that_is_not_what_it_was_is_named(workspace: Path) -> None:
    run = "command: true"
    turned = found(workspace, jest, lambda w: jest(w, code="process.exit(0);\n"), run)
    assert "node_modules/jest runs the tests and is not what was installed" in turned
    fake = found(workspace, jest, lambda w: void(written(w / "node_modules/.bin/jest", FAKE, 0o755)), run)
    assert "node_modules/.bin/jest" in fake
    assert found(workspace, jest, lambda w: jest(w, "30.0.0", "run2();\n"), run) == ""
    assert found(workspace, jest, lambda w: void(written(w / "node_modules/lodash/index.js", "")), run) == ""


def test_what_the_task_opens_may_be_turned(workspace: Path) -> None:
    with_environment(workspace)
    before = environments(workspace)
    written(packages(workspace) / "zz.pth", "import evil\n")
    bench = Bench(workspace, SandboxedCommands(workspace), verifiers=before, editable=(".venv/",))
    assert asyncio.run(judge(parse_criterion("command: true"), bench)).verdict == "PASS"

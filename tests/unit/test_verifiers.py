"""What judges a task: scripts that criteria run, and new files that steer a test runner."""

from pathlib import Path

import pytest

from shared.verifiers import collected, scripts_of, snapshot, steers


@pytest.mark.parametrize(
    ("command", "scripts"),
    [
        ("sh check.sh", ["check.sh"]),
        ("true && sh ./check.sh", ["check.sh"]),
        ("./ci/verify --all", ["ci/verify"]),
        ("FOO=1 bash ci/x.sh; echo done", ["ci/x.sh"]),
        ("python3 build.py", ["build.py"]),
        ("python -m pytest -q", []),
        ("make check", ["Makefile", "makefile", "GNUmakefile"]),
        ("pytest -q tests/test_a.py", []),
        ("/usr/bin/test -f x", []),
        ("cat report.txt | grep ok", []),
        ("sh -c 'unclosed", []),
    ],
)
def test_the_scripts_of_a_command_are_what_it_runs(command: str, scripts: list[str]) -> None:
    assert scripts_of(command) == scripts


def test_the_hashes_are_of_tests_their_configuration_and_the_scripts_that_judge(tmp_path: Path) -> None:
    for name in ("check.sh", "main.py", "test_a.py", "tests/helper.py", "conftest.py", "build/test_b.py", "pytest.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / ".gitignore").write_text("build/")
    (tmp_path / "pyproject.toml").write_text("[project]\nname='x'\n[tool.pytest.ini_options]\naddopts='-q'\n")
    found = snapshot(tmp_path, ["check.sh"])
    named = ["check.sh", "conftest.py", "pyproject.toml#tool.pytest", "pytest.py", "test_a.py", "tests/helper.py"]
    assert sorted(found) == named


@pytest.mark.parametrize(
    ("path", "steering", "found"),
    [
        ("tests/test_a.py", False, True),
        ("src/a_test.go", False, True),
        ("web/a.spec.ts", False, True),
        ("tests/helper.py", False, False),
        ("a_check.py", False, False),
        ("conftest.py", True, False),
        ("pyproject.toml#tool.pytest", True, False),
        ("sitecustomize.py", False, False),
    ],
)
def test_what_steers_a_runner_is_told_from_what_it_collects(path: str, steering: bool, found: bool) -> None:
    assert (steers(path), collected(path)) == (steering, found)

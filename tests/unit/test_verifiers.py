"""What judges a task: scripts that criteria run, and new files that steer a test runner."""

from pathlib import Path

import pytest

from shared.verifiers import differences, scripts_of, snapshot


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


def test_a_script_that_judges_is_told_when_it_changed_or_went(tmp_path: Path) -> None:
    script = tmp_path / "check.sh"
    script.write_text("exit 1")
    before = snapshot(tmp_path, ["check.sh"])
    assert set(before) == {"check.sh"}
    script.write_text("exit 0")
    assert differences(before, snapshot(tmp_path, before)) == ["check.sh was changed; put it back as it was"]
    script.unlink()
    assert differences(before, snapshot(tmp_path, before)) == ["check.sh was deleted; put it back as it was"]


@pytest.mark.parametrize("name", ["conftest.py", "pytest.ini", "tox.ini", "tests/conftest.py", "jest.config.js"])
def test_a_new_file_that_steers_the_runner_is_a_difference_where_tests_were_there(tmp_path: Path, name: str) -> None:
    (tmp_path / "test_a.py").write_text("def test_a(): assert False")
    before = snapshot(tmp_path)
    new = tmp_path / name
    new.parent.mkdir(exist_ok=True)
    new.write_text("x")
    (tmp_path / "test_more.py").write_text("def test_b(): pass")
    assert differences(before, snapshot(tmp_path)) == [f"{name} is new and steers how the tests are run; remove it"]
    assert differences(before, snapshot(tmp_path), editable=[name]) == []


def test_a_new_section_that_steers_the_runner_is_a_difference(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("def test_a(): assert False")
    before = snapshot(tmp_path)
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\naddopts = '--ignore=test_a.py'\n")
    assert len(differences(before, snapshot(tmp_path))) == 1


def test_a_project_without_tests_may_get_tests_and_their_configuration(tmp_path: Path) -> None:
    before = snapshot(tmp_path)
    (tmp_path / "conftest.py").write_text("x")
    (tmp_path / "test_a.py").write_text("def test_a(): pass")
    assert differences(before, snapshot(tmp_path)) == []

"""The settings of linters that a check starts: which judge, and what is put back of files that say many things."""

import json

import pytest

from services.gate_runner.judging_twice.linting import linters_in, settings_of, with_settings_of
from shared.workspace.changes import Change

RUFF = {"ruff"}


@pytest.mark.parametrize(
    ("command", "tool"),
    [
        ("python3 -m ruff check shop.py", "ruff"),
        ("make lint\nlint:\n\t.venv/bin/mypy shop.py", "mypy"),
        ("npx eslint .", "eslint"),
        ("basedpyright src", "pyright"),
    ],
)
def test_a_tool_that_a_check_starts_is_known(command: str, tool: str) -> None:
    assert tool in linters_in(command, "Fix the errors in shop.py.")


@pytest.mark.parametrize(
    "goal",
    [
        "Configure ruff to ignore F401.",
        "Set up ruff.",
        "Add ruff to the project.",
        "Desative a regra F401.",
        "Stop ruff from checking unused imports (F401).",
        "Ruff should no longer enforce F401.",
        "O ruff não deve mais verificar F401.",
        "Make mypy strict and fix what it finds.",
    ],
)
def test_a_goal_about_settings_leaves_them_to_the_task(goal: str) -> None:
    assert not linters_in("ruff check . && mypy .", goal)


@pytest.mark.parametrize(
    "goal",
    [
        "Make ruff pass on shop.py.",
        "Corrija os avisos do ruff.",
        "Fix the lint errors. Don't change the configuration.",
        "Corrija os erros sem mexer na configuração.",
    ],
)
def test_a_goal_about_the_code_does_not(goal: str) -> None:
    assert linters_in("ruff check .", goal) == RUFF


def test_only_the_settings_of_tools_that_run_judge() -> None:
    paths = ("ruff.toml", "web/.eslintrc.json", "shop.py")
    changes = [Change(path, "changed", "old", "new", 0o100644, 0o100644) for path in paths]
    assert [one.path for one in settings_of(RUFF, changes, "Fix shop.py")] == ["ruff.toml"]
    assert settings_of(RUFF, changes, "Shorten ruff.toml") == []


@pytest.mark.parametrize(
    ("path", "before", "now", "wanted"),
    [
        ("pyproject.toml", "", '[tool.ruff]\nexclude = ["a.py"]\n', ""),
        (
            "pyproject.toml",
            '[project]\nname = "a"\n\n[tool.ruff.lint]\nselect = ["F"]\n\n[tool.x]\ny = 1\n',
            '[project]\nname = "b"\n\n[tool.ruff.lint]\nselect = []\n\n[tool.x]\ny = 2\n',
            '[project]\nname = "b"\n\n[tool.x]\ny = 2\n\n[tool.ruff.lint]\nselect = ["F"]\n',
        ),
    ],
)
def test_the_tables_of_a_tool_are_put_back_and_the_rest_stays(path: str, before: str, now: str, wanted: str) -> None:
    merged = with_settings_of(path, before.encode(), now.encode(), RUFF)
    assert merged is not None
    assert merged.decode().strip() == wanted.strip()


def test_of_setup_cfg_and_package_json_too() -> None:
    merged = with_settings_of("setup.cfg", b"[mypy-a.*]\nx = 1\n", b"[mypy]\nignore_errors = True\n", {"mypy"})
    assert merged is not None
    assert merged.strip() == b"[mypy-a.*]\nx = 1"
    now = json.dumps({"name": "a", "eslintConfig": {"rules": {}}}).encode()
    merged = with_settings_of("package.json", b'{"name": "b"}', now, {"eslint"})
    assert merged is not None
    assert json.loads(merged) == {"name": "a"}


def test_what_is_the_same_is_left_alone() -> None:
    before, now = b"[tool.ruff]\nselect = []\n", b'[project]\nname = "a"\n\n[tool.ruff]\nselect = []\n'
    assert with_settings_of("pyproject.toml", before, now, RUFF) is None
    assert with_settings_of("package.json", b"{}", b"{ broken", RUFF) is None
    assert with_settings_of("ruff.toml", b"", b"[tool.ruff]\n", RUFF) is None

"""Criteria inferred from a workspace: only where there are tests and what runs them."""

from pathlib import Path

import pytest
from arreio_contracts.task import criterion_text

from services.tool_loop.inferring import infer


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A search path on which every runner is installed."""
    folder = tmp_path_factory.mktemp("bin")
    for name in ("pytest", "npm", "pnpm", "yarn", "cargo", "go", "make"):
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    return str(folder)


def inferred(place: Path, files: dict[str, str], search_path: str) -> list[str]:
    for name, text in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    return [criterion_text(criterion) for criterion in infer(place, search_path)]


@pytest.mark.parametrize(
    ("files", "criteria"),
    [
        ({}, []),
        ({"README.md": "hello", "main.py": "print(1)"}, []),
        ({"pyproject.toml": "[tool.pytest.ini_options]\n"}, []),
        ({"tests/test_a.py": "def test_a(): pass"}, ["tests: pytest -q"]),
        ({"a_test.py": "def test_a(): pass"}, ["tests: pytest -q"]),
        ({".gitignore": "old/\n", "old/test_a.py": "def test_a(): pass"}, []),
        ({"package.json": '{"scripts": {"test": "node --test"}}'}, ["tests: npm test"]),
        ({"package.json": '{"scripts": {"test": "jest"}, "devDependencies": {"jest": "1"}}'}, []),
        (
            {"package.json": '{"scripts": {"test": "jest"}, "devDependencies": {"jest": "1"}}', "node_modules/a": ""},
            ["tests: npm test"],
        ),
        ({"package.json": '{"scripts": {"test": "node --test"}}', "yarn.lock": ""}, ["tests: yarn test"]),
        ({"package.json": '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}'}, []),
        ({"package.json": '{"scripts": {"build": "tsc"}}'}, []),
        ({"package.json": "not JSON"}, []),
        ({"Cargo.toml": "[package]", "src/lib.rs": "#[test]\nfn a() {}"}, ["tests: cargo test"]),
        ({"Cargo.toml": "[package]", "src/lib.rs": "fn a() {}"}, []),
        ({"go.mod": "module a", "a_test.go": "package a"}, ["tests: go test ./..."]),
        ({"go.mod": "module a", "a.go": "package a"}, []),
        ({"Makefile": "all:\n\ttrue\ncheck:\n\ttrue\n"}, ["tests: make check"]),
        ({"Makefile": "test := x\nall:\n\ttrue\n"}, []),
        ({"Makefile": "test:\n\tpytest\n", "test_a.py": "def test_a(): pass"}, ["tests: pytest -q"]),
        (
            {"package.json": '{"scripts": {"test": "node --test"}}', "test_a.py": "def test_a(): pass"},
            ["tests: pytest -q", "tests: npm test"],
        ),
    ],
)
def test_criteria_follow_from_tests_that_are_there(
    tmp_path: Path, programs: str, files: dict[str, str], criteria: list[str]
) -> None:
    assert inferred(tmp_path, files, programs) == criteria


def test_nothing_is_inferred_that_cannot_be_run(tmp_path: Path) -> None:
    files = {"test_a.py": "def test_a(): pass", "Makefile": "test:\n\ttrue\n"}
    assert inferred(tmp_path, files, "/nonexistent") == []

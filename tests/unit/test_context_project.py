"""What is told of a project: from real files, the same each time, bounded, and whatever the files hold."""

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.context_builder.agents import DEFAULT_AGENT, ROSTER, UnknownAgent, identity
from services.context_builder.building import MANIFESTS, facts
from services.context_builder.collectors import MAX_ENTRIES, README_BYTES, project_context
from services.context_builder.languages import languages
from services.context_builder.render import DEFAULT_BUDGETS
from services.context_builder.tokenizers import Approximate
from shared.walk import Walker


def told(place: Path) -> str:
    unit = project_context(place, Walker(place, "AGENTS.md").walk())
    return unit.text if unit else ""


def write(place: Path, text: str | bytes = "") -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text if isinstance(text, bytes) else text.encode())


def test_a_python_project_says_what_it_is_and_how_it_is_tested(tmp_path: Path) -> None:
    pyproject = '[project]\nname = "shop"\ndescription = "Sells things."\n[tool.pytest.ini_options]\n[tool.ruff]\n'
    write(tmp_path / "pyproject.toml", pyproject)
    write(tmp_path / "Makefile", "VERSION := 3\n.PHONY: test\ntest: lint\n\tpytest\nlint:\n\truff check\n%.o: %.c\n")
    write(tmp_path / "README.md", "# Shop\r\n\r\nSells things, olá.\r\n")
    for name in ("src/shop/__init__.py", "src/shop/cart.py", "tests/test_cart.py", "web/app.ts", ".git/x.py"):
        write(tmp_path / name)
    assert told(tmp_path) == "\n\n".join(
        [
            "Project: shop — Sells things.",
            "Languages: Python (3 files), Markdown (1 file), TypeScript (1 file)",
            "How to build and test:\n- test: python -m pytest\n- check: ruff check\n- make: test, lint",
            "Manifests: pyproject.toml, Makefile",
            "Files:\nMakefile\nREADME.md\npyproject.toml\ntests/test_cart.py\nweb/app.ts\n"
            "src/shop/__init__.py\nsrc/shop/cart.py",
            "README.md begins:\n# Shop\n\nSells things, olá.",
        ]
    )


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            {"package.json": '{"scripts": {"test": "x", "build": "y", "odd one": "z", "test:e2e": "w"}}'},
            ["build: npm run build", "test: npm test", "test: npm run test:e2e"],
        ),
        ({"package.json": '{"scripts": {"test": "x"}}', "pnpm-lock.yaml": ""}, ["test: pnpm test"]),
        ({"Cargo.toml": '[package]\nname = "x"'}, ["build: cargo build", "test: cargo test"]),
        ({"go.mod": "module example.com/x"}, ["build: go build ./...", "test: go test ./..."]),
        ({"pom.xml": "", "mvnw": ""}, ["build: ./mvnw package", "test: ./mvnw test"]),
        ({"build.gradle.kts": "", "gradlew": ""}, ["build: ./gradlew build", "test: ./gradlew test"]),
        ({"pyproject.toml": 'dependencies = ["pytest>=9"]', "uv.lock": ""}, ["test: uv run pytest"]),
        ({"composer.json": '{"scripts": {"test": "phpunit"}}'}, ["test: composer test"]),
        ({"justfile": "build target:\n  x\ntest:\n  y\nname := 'z'\n"}, ["just: build, test"]),
        ({"mix.exs": ""}, ["build: mix compile", "test: mix test"]),
        ({"Rakefile": ""}, ["test: rake"]),
        ({"tox.ini": ""}, ["test: tox"]),
    ],
)
def test_each_kind_of_manifest_says_how_to_build_and_test(files: dict[str, str], expected: list[str]) -> None:
    assert list(facts(files, files.keys()).commands) == expected


@given(
    st.dictionaries(st.sampled_from(MANIFESTS), st.text() | st.just('{"scripts": [1]}') | st.just("[project]\nname=3"))
)
def test_no_manifest_is_ever_an_error_and_every_line_is_one(texts: dict[str, str]) -> None:
    found = facts(texts, texts.keys())
    for line in (found.about, *found.commands):
        assert len(line) <= 160 and len(f"x{line}".splitlines()) == 1


@given(st.dictionaries(st.sampled_from([*MANIFESTS, "README.md", "readme.rst"]), st.binary(max_size=300), max_size=5))
@settings(max_examples=60)
def test_no_content_of_files_is_ever_an_error(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]
) -> None:
    place = tmp_path_factory.mktemp("project")
    for name, content in files.items():
        write(place / name, content)
    text = told(place)
    assert text.encode().decode() == text and "\x00" not in text and text == told(place)


def test_what_is_told_is_bounded_however_large_the_project_is(tmp_path: Path) -> None:
    for number in range(30):
        for file in range(50):
            write(tmp_path / f"part{number}" / f"file{file}.py")
    write(tmp_path / "README.md", "words " * 10_000)
    write(tmp_path / "package.json", json.dumps({"scripts": {f"test:{n}": "x" for n in range(900)}}))
    write(tmp_path / "Makefile", "".join(f"target{number}:\n" for number in range(900)))
    text = told(tmp_path)
    assert len(text.encode()) < 8_000
    assert text.count("\n") < MAX_ENTRIES + 60
    readme = text.partition("README.md begins:\n")[2]
    assert 0 < len(readme.encode()) <= README_BYTES


def test_ignored_directories_and_links_out_are_not_told(tmp_path: Path) -> None:
    write(tmp_path / "place/.gitignore", "secret/\n")
    write(tmp_path / "place/secret/key.py")
    write(tmp_path / "place/main.py")
    write(tmp_path / "outside.md", "not ours")
    (tmp_path / "place/README.md").symlink_to("../outside.md")
    text = told(tmp_path / "place")
    assert "secret" not in text and "not ours" not in text and "Python (1 file)" in text


def test_an_empty_or_missing_workspace_says_nothing(tmp_path: Path) -> None:
    assert told(tmp_path) == "" and told(tmp_path / "none") == ""


@given(st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_the_order_in_which_the_system_lists_files_makes_no_difference(
    tmp_path_factory: pytest.TempPathFactory, chance: random.Random
) -> None:
    place = tmp_path_factory.mktemp("order")
    for name in ("b.py", "a.py", "c/x.ts", "c/d/y.go", "Makefile", "pyproject.toml", "README.md", "readme.txt"):
        write(place / name, "test:\n")
    once = told(place)
    scandir = os.scandir

    def shuffled(path: Any) -> Any:
        entries = list(scandir(path))
        chance.shuffle(entries)
        return iter(entries)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "scandir", shuffled)
        assert told(place) == once


def test_languages_are_those_with_the_most_files() -> None:
    assert languages([]) == ""
    assert languages(["a.PY", "b.py", "c.rs", "noend", ".hidden.py", "d.unknown"]) == "Python (2 files), Rust (1 file)"


@pytest.mark.parametrize("slug", ["developer", "reviewer", "writer", "support", "creative"])
def test_the_roster_holds_an_identity_that_fits_its_layer_whole(slug: str) -> None:
    unit = identity(slug)
    assert unit.id == f"agent:{slug}"
    assert 0 < Approximate().count(unit.text).tokens <= min(500, *DEFAULT_BUDGETS.values())


def test_an_unknown_agent_is_refused_by_name() -> None:
    assert DEFAULT_AGENT in ROSTER
    with pytest.raises(UnknownAgent, match="developer"):
        identity("nobody")

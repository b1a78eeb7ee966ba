"""What a project's manifests say of it: its name, how it is built, and how it is tested. Pure: texts in, lines out."""

import json
import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

_LINE: Final = 160
_LISTED: Final = 12
_SCRIPTS: Final[tuple[str, ...]] = ("build", "test", "lint", "typecheck", "check", "format", "dev", "start")
_TARGET: Final = re.compile(r"^([A-Za-z0-9][A-Za-z0-9_./-]*)[ \t]*:(?![=:])", re.M)
_RECIPE: Final = re.compile(r"^([A-Za-z0-9][A-Za-z0-9_-]*)(?:[ \t][^:=\n]*)?:(?!=)", re.M)
_SCRIPT_NAME: Final = re.compile(r"[A-Za-z0-9:_.-]{1,60}")


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known: `about` names the project, `commands` build, test and check it, best known first."""

    about: str = ""
    commands: tuple[str, ...] = ()


def facts(texts: Mapping[str, str], names: Collection[str]) -> Facts:
    """From the texts of the manifests in the root, and the names of all that is there.

    A manifest that cannot be parsed says nothing here; the model sees its name in the tree.
    """
    about = ""
    commands: list[str] = []
    for name, read in _READERS.items():
        if name in names:
            found = read(texts.get(name, ""), names)
            about = about or found.about
            commands += [command for command in found.commands if command not in commands]
    return Facts(_line(about), tuple(map(_line, commands)))


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LINE else f"{line[: _LINE - 1]}…"


def _named(table: Mapping[str, Any]) -> str:
    name, described = table.get("name"), table.get("description")
    parts = [part for part in (name, described) if isinstance(part, str) and part.strip()]
    return " — ".join(parts) if isinstance(name, str) else ""


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _json(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _table(of: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = of.get(key)
    return found if isinstance(found, dict) else {}


def _pyproject(text: str, names: Collection[str]) -> Facts:
    parsed = _toml(text)
    project, tool = _table(parsed, "project"), _table(parsed, "tool")
    prefix = "uv run " if "uv.lock" in names else "poetry run " if "poetry.lock" in names else ""
    commands = []
    if "pytest" in tool or re.search(r"""["']pytest\b""", text):
        commands.append(f"test: {prefix}python -m pytest" if not prefix else f"test: {prefix}pytest")
    if "tox" in tool:
        commands.append("test: tox")
    for checker, command in (("ruff", "ruff check"), ("mypy", "mypy")):
        if checker in tool:
            commands.append(f"check: {prefix}{command}")
    return Facts(_named(project) or _named(_table(tool, "poetry")), tuple(commands))


def _package(text: str, names: Collection[str]) -> Facts:
    parsed = _json(text)
    locks = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lockb": "bun", "bun.lock": "bun"}
    runner = next((tool for lock, tool in locks.items() if lock in names), "npm")
    scripts = [name for name in _table(parsed, "scripts") if _SCRIPT_NAME.fullmatch(name)]
    wanted = [name for name in _SCRIPTS if name in scripts]
    wanted += [name for name in sorted(scripts) if name not in wanted and name.split(":")[0] in _SCRIPTS]
    commands = [f"{_kind(name)}: {runner} {'test' if name == 'test' else f'run {name}'}" for name in wanted[:_LISTED]]
    return Facts(_named(parsed), tuple(commands))


def _kind(script: str) -> str:
    head = script.split(":")[0]
    return head if head in ("build", "test") else "check" if head in ("lint", "typecheck", "check") else "run"


def _makefile(text: str, _names: Collection[str]) -> Facts:
    targets = list(dict.fromkeys(_TARGET.findall(text)))
    return Facts("", (f"make: {', '.join(targets[:_LISTED])}",) if targets else ())


def _justfile(text: str, _names: Collection[str]) -> Facts:
    recipes = list(dict.fromkeys(_RECIPE.findall(text)))
    return Facts("", (f"just: {', '.join(recipes[:_LISTED])}",) if recipes else ())


def _cargo(text: str, _names: Collection[str]) -> Facts:
    return Facts(_named(_table(_toml(text), "package")), ("build: cargo build", "test: cargo test"))


def _go(text: str, _names: Collection[str]) -> Facts:
    module = re.search(r"^module\s+(\S+)", text, re.M)
    return Facts(module[1] if module else "", ("build: go build ./...", "test: go test ./..."))


def _maven(_text: str, names: Collection[str]) -> Facts:
    tool = "./mvnw" if "mvnw" in names else "mvn"
    return Facts("", (f"build: {tool} package", f"test: {tool} test"))


def _gradle(_text: str, names: Collection[str]) -> Facts:
    tool = "./gradlew" if "gradlew" in names else "gradle"
    return Facts("", (f"build: {tool} build", f"test: {tool} test"))


def _composer(text: str, _names: Collection[str]) -> Facts:
    parsed = _json(text)
    scripts = [name for name in _table(parsed, "scripts") if _SCRIPT_NAME.fullmatch(name) and name in _SCRIPTS]
    return Facts(_named(parsed), tuple(f"{_kind(name)}: composer {name}" for name in sorted(scripts)))


def _plain(*commands: str) -> Callable[[str, Collection[str]], Facts]:
    return lambda _text, _names: Facts("", commands)


_READERS: Final[dict[str, Callable[[str, Collection[str]], Facts]]] = {
    "pyproject.toml": _pyproject,
    "package.json": _package,
    "Cargo.toml": _cargo,
    "go.mod": _go,
    "pom.xml": _maven,
    "build.gradle": _gradle,
    "build.gradle.kts": _gradle,
    "composer.json": _composer,
    "mix.exs": _plain("build: mix compile", "test: mix test"),
    "Rakefile": _plain("test: rake"),
    ".rspec": _plain("test: bundle exec rspec"),
    "pytest.ini": _plain("test: python -m pytest"),
    "tox.ini": _plain("test: tox"),
    "noxfile.py": _plain("test: nox"),
    "CMakeLists.txt": _plain("build: cmake -B build && cmake --build build", "test: ctest --test-dir build"),
    "Makefile": _makefile,
    "makefile": _makefile,
    "justfile": _justfile,
}
MANIFESTS: Final = tuple(_READERS)
"""The names of the files that say something here, in the order in which they are told."""

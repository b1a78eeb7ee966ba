"""The files that judge a task (tests, their configuration): their hashes when it begins, and what changed since."""

import configparser
import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from pathspec import GitIgnoreSpec

from shared.canonical import sha256_hex
from shared.walk import Walker

MAX_FILES: Final = 5_000
MAX_BYTES: Final = 4 << 20

_NAMES: Final = re.compile(
    r"test_.*\.py|.*_tests?\.py|conftest\.py|pytest\.ini|\.pytest\.ini|tox\.ini|\.coveragerc"
    r"|.*\.(?:test|spec)\.[cm]?[jt]sx?|(?:jest|vitest|playwright|karma)\.config\..*|\.mocharc.*"
    r"|.*_test\.go|.*_spec\.rb|.*Tests?\.(?:java|kt|cs|php)"
)
_FOLDERS: Final = frozenset({"tests", "test", "__tests__", "spec", "specs"})
_CODE: Final = re.compile(r".*\.(?:py|[cm]?[jt]sx?|go|rb|rs|java|kt|cs|php|sh|snap)")


def snapshot(workspace: Path) -> dict[str, str]:
    """SHA-256 of every file that judges, by its path; of a shared file (`pyproject.toml`) only the part that judges.

    At most `MAX_FILES` files are looked at, in the order of depth and path; what git ignores is left out.
    """
    found: dict[str, str] = {}
    for directory in Walker(workspace, "").walk():
        if directory.ignored:
            continue
        in_tests = not _FOLDERS.isdisjoint(directory.path.split("/"))
        for name in directory.files:
            if len(found) >= MAX_FILES:
                return found
            path = directory.child(name)
            if name in _SECTIONS:
                for section, digest in _sections(workspace / path, name).items():
                    found[f"{path}#{section}"] = digest
            elif _NAMES.fullmatch(name) or (in_tests and _CODE.fullmatch(name)):
                found.update(_digest(workspace / path, path))
    return found


def differences(before: Mapping[str, str], now: Mapping[str, str], *, editable: Sequence[str] = ()) -> list[str]:
    """What was deleted or changed, a line each; what `editable` (patterns as in gitignore) names may change.

    What is new is no difference: adding tests is fine.
    """
    open_paths = GitIgnoreSpec.from_lines(editable)
    lines = []
    for path in sorted(before):
        if now.get(path) == before[path] or open_paths.match_file(path.partition("#")[0]):
            continue
        lines.append(f"{path} was {'changed' if path in now else 'deleted'}; put it back as it was")
    return lines


def _digest(file: Path, path: str) -> dict[str, str]:
    try:
        return {path: sha256_hex(file.read_bytes())} if file.stat().st_size <= MAX_BYTES else {}
    except OSError:
        return {}


def _pyproject(text: str) -> dict[str, Any]:
    tool = tomllib.loads(text).get("tool", {})
    return {f"tool.{name}": tool[name] for name in ("pytest", "coverage") if name in tool}


def _setup_cfg(text: str) -> dict[str, Any]:
    parser = configparser.RawConfigParser()
    parser.read_string(text)
    return {name: dict(parser[name]) for name in ("tool:pytest", "coverage:run") if parser.has_section(name)}


def _package_json(text: str) -> dict[str, Any]:
    package = json.loads(text)
    found: dict[str, Any] = {}
    scripts = package.get("scripts")
    if isinstance(scripts, dict):
        found.update({f"scripts.{name}": body for name, body in scripts.items() if re.search("test|lint|check", name)})
    found.update({name: package[name] for name in ("jest", "mocha", "vitest") if name in package})
    return found


_SECTIONS: Final[dict[str, Callable[[str], dict[str, Any]]]] = {
    "pyproject.toml": _pyproject,
    "setup.cfg": _setup_cfg,
    "package.json": _package_json,
}


def _sections(file: Path, name: str) -> dict[str, str]:
    """The judging sections of a shared file; a file that cannot be read as what it is has none."""
    try:
        sections = _SECTIONS[name](file.read_text("utf-8"))
    except (OSError, ValueError, AttributeError, configparser.Error):
        return {}
    return {
        section: sha256_hex(json.dumps(content, sort_keys=True, default=str)) for section, content in sections.items()
    }

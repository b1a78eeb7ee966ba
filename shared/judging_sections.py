"""What of a file that says many things says how tests are run, so that the rest of it may change."""

import configparser
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

_MOST_BYTES: Final = 4 << 20
_TEST_BLOCK: Final = re.compile(r"""(?:^|[\s,{("'.])test(?:["']?\s*:|["')\w<> (]{0,200})\s*\{""")
_ALIAS_BLOCK: Final = re.compile(r"""\balias["']?\s*:\s*[\[{]""")
_GRADLE: Final = re.compile(r"ignoreFailures|\benabled\b|\bexclude|\binclude|onlyIf|failOnNo|[Ff]ilter")
_MAVEN: Final = re.compile(
    r"<(skipTests|skipITs|skip|maven\.test\.skip|testFailureIgnore|maven\.test\.failure\.ignore|failIfNoTests)>.*?</\1>"
    r"|<artifactId>maven-(?:surefire|failsafe)-plugin</artifactId>.*?</plugin>",
    re.DOTALL,
)
_NPMRC: Final = re.compile(
    r"^[^\S\n]*+(?:node[-_]options|(?:script[-_])?shell|shell[-_]emulator|ignore[-_]scripts|if[-_]present|dry[-_]run"
    r"|usage|workspaces?|(?:user|global)config|use[-_]node[-_]version|pnpmfile)(?:\[\])?\s*=.*$",
    re.MULTILINE,
)
_YARNRC: Final = re.compile(
    r"^[^\S\n]*+[\"']?(?:script-shell\b|yarn-?[pP]ath\b(?![\"':\s]*(?:\./)?\.yarn/releases/)).*$", re.MULTILINE
)
"""But for where `yarn set version` puts what it fetched."""
_PNPM: Final = re.compile(
    r"^[\"']?(?:scriptShell|shellEmulator|nodeOptions|useNodeVersion|pnpmfile)\b.*$", re.MULTILINE
)


def judging_sections(workspace: Path, path: str) -> Mapping[str, str] | None:
    """The judging sections of a shared file, by name; None for a file that is none.

    A file that cannot be read as what it is has none.
    """
    read = _reader_of(path)
    if read is None:
        return None
    try:
        file = workspace / path
        sections = read(file.read_text("utf-8")) if file.stat().st_size <= _MOST_BYTES else {}
    except (OSError, ValueError, AttributeError, TypeError, configparser.Error):
        return {}
    return {name: json.dumps(content, sort_keys=True, default=str) for name, content in sections.items() if content}


def _reader_of(path: str) -> Callable[[str], dict[str, Any]] | None:
    name = path.rsplit("/", 1)[-1]
    if re.fullmatch(r"vite\.config\.[cm]?[jt]s", name):
        return _vite
    if re.search(r"(?:^|/)\.cargo/config(?:\.toml)?$", path):
        return _cargo_config
    if re.search(r"(?:^|/)\.mvn/(?:maven|jvm)\.config$", path):
        return lambda text: {"options": text}
    return _READERS.get(name)


def _pyproject(text: str) -> dict[str, Any]:
    read = tomllib.loads(text)
    tool, points = read.get("tool", {}), read.get("project", {}).get("entry-points", {})
    plugins = {"project.entry-points.pytest11": points["pytest11"]} if "pytest11" in points else {}
    return {f"tool.{name}": tool[name] for name in ("pytest", "coverage") if name in tool} | plugins


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


def _cargo(text: str) -> dict[str, Any]:
    """What keeps tests from being run; a new target for tests is none of it."""
    manifest = tomllib.loads(text)
    targets = [manifest.get("lib", {}), *manifest.get("test", []), *manifest.get("bin", [])]
    off = [target for target in targets if target.get("test") is False or target.get("harness") is False]
    members = manifest.get("workspace", {})
    narrowed = {name: members[name] for name in ("exclude", "default-members") if name in members}
    return {"autotests": manifest.get("package", {}).get("autotests") is False, "test": off, "workspace": narrowed}


def _cargo_config(text: str) -> dict[str, Any]:
    config = tomllib.loads(text)
    runners = {name: one["runner"] for name, one in config.get("target", {}).items() if "runner" in one}
    build = {name: one for name, one in config.get("build", {}).items() if name.startswith("rustc") or name == "target"}
    return {"alias": config.get("alias"), "target.runner": runners, "build": build}


def _vite(text: str) -> dict[str, Any]:
    """Also what says which file an import reads: tests import through it too."""
    return {"test": [*_blocks(text, _TEST_BLOCK)], "alias": [*_blocks(text, _ALIAS_BLOCK)]}


def _gradle(text: str) -> dict[str, Any]:
    lines = [
        line.strip() for block in _blocks(text, _TEST_BLOCK) for line in block.splitlines() if _GRADLE.search(line)
    ]
    return {"test": lines}


def _blocks(text: str, opening: re.Pattern[str]) -> Iterator[str]:
    """What stands in brackets after what opens them."""
    for begin in opening.finditer(text):
        depth = 1
        for place in range(begin.end(), len(text)):
            depth += (text[place] in "{[") - (text[place] in "}]")
            if depth == 0:
                yield text[begin.end() : place]
                break


_READERS: Final[dict[str, Callable[[str], dict[str, Any]]]] = {
    "pyproject.toml": _pyproject,
    "setup.cfg": _setup_cfg,
    "package.json": _package_json,
    "Cargo.toml": _cargo,
    "pom.xml": lambda text: {"tests": [found[0] for found in _MAVEN.finditer(text)]},
    "build.gradle": _gradle,
    "build.gradle.kts": _gradle,
    "gradle.properties": lambda text: {"test": re.findall(r"(?m)^.*[tT]est.*$", text)},
    ".npmrc": lambda text: {"options": _NPMRC.findall(text)},
    ".yarnrc": lambda text: {"options": _YARNRC.findall(text)},
    ".yarnrc.yml": lambda text: {"options": _YARNRC.findall(text)},
    "pnpm-workspace.yaml": lambda text: {"options": _PNPM.findall(text)},
    "bunfig.toml": lambda text: {"test": tomllib.loads(text).get("test")},
}

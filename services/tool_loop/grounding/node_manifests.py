"""What a JavaScript project says of itself: packages, workspaces, compilers' paths and bundlers' aliases."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from shared.yaml_text import load_yaml

from .bundler_aliases import CONFIGURED, told
from .listings import Remembered, entries, text_of

_NOT_JSON = re.compile(r'("(?:\\.|[^"\\])*+"?)|//[^\n]*|/\*.*?\*/|(/\*.*)', re.DOTALL)
"""A string, or a comment. What is opened and never closed stays, to the end, and is no JSON."""
_TRAILING = re.compile(r'("(?:\\.|[^"\\])*+"?)|,(?=\s*[}\]])')
_DEPENDENCIES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies", "bundledDependencies")
_ENTRIES = ("main", "module", "types", "typings")
_RUNS = ("main", "module", "exports", "browser", "bin")


@dataclass(frozen=True, slots=True)
class NodePackage:
    """A `package.json`: its name, what it declares, and what it lets one import; `imports`: its own names with `#`."""

    name: str = ""
    declared: frozenset[str] = frozenset()
    workspaces: tuple[str, ...] = ()
    exports: Any = None
    imports: Mapping[str, Any] = field(default_factory=dict)
    main: str = ""
    typed: bool = False
    """It names files of types, and no other."""


@dataclass(frozen=True, slots=True)
class CompilerPaths:
    """`paths` of a tsconfig or jsconfig: patterns and the places that they stand for; `base`: where bare names lead."""

    paths: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    base: str | None = None


def json_with_comments(text: str) -> Any:
    """JSON as compilers' configurations are written. Raises ValueError."""
    bare = _NOT_JSON.sub(lambda found: found[1] or found[2] or "", text)
    return json.loads(_TRAILING.sub(lambda found: found.group(1) or "", bare))


def _read_package(path: str) -> NodePackage:
    whole = json.loads(text_of(path))
    if not isinstance(whole, dict):
        return NodePackage()
    declared: set[str] = set()
    for key in _DEPENDENCIES:
        declared.update(whole.get(key) or ())
    spaces = whole.get("workspaces") or ()
    spaces = spaces.get("packages") or () if isinstance(spaces, dict) else spaces
    return NodePackage(
        name=str(whole.get("name") or ""),
        declared=frozenset(declared),
        workspaces=tuple(map(str, spaces)),
        exports=whole.get("exports"),
        imports=imports if isinstance(imports := whole.get("imports"), dict) else {},
        main=str(next((whole[key] for key in _ENTRIES if whole.get(key)), "")),
        typed=bool(whole.get("types") or whole.get("typings")) and not any(whole.get(key) for key in _RUNS),
    )


package_file = Remembered(_read_package)


def _read_pnpm(path: str) -> tuple[str, ...]:
    try:
        whole = load_yaml(text_of(path))
    except yaml.YAMLError:
        return ()
    return tuple(map(str, whole.get("packages") or ())) if isinstance(whole, dict) else ()


pnpm_file = Remembered(_read_pnpm)


def workspace_packages(root: Path) -> dict[str, str]:
    """The packages of a workspace by name, with their folders."""
    found: dict[str, str] = {}
    own = package_file(f"{root}/package.json")
    for pattern in (*(own.workspaces if own else ()), *(pnpm_file(f"{root}/pnpm-workspace.yaml") or ())):
        if pattern.startswith(("!", "/")) or ".." in pattern:
            continue
        for folder in root.glob(pattern.removeprefix("./").rstrip("/")):
            inner = package_file(f"{folder}/package.json") if "node_modules" not in folder.parts else None
            if inner is not None and inner.name:
                found[inner.name] = str(folder)
    return found


def compiler_paths(folder: str) -> list[CompilerPaths]:
    """What each compiler's configuration of one folder says, and each bundler's of where modules lie."""
    names = sorted(name for name in entries(folder) or () if re.fullmatch(r"[tj]sconfig([.-]\w+)*\.json", name))
    found = [config for name in names if (config := _config(f"{folder}/{name}", 0)) is not None]
    for each in told(folder):
        paths = {name: (str(Path(folder, place)),) for name, place in each.aliases}
        below = {f"{name}/*": (f"{places[0]}/*",) for name, places in paths.items()}
        found += [CompilerPaths({**below, **paths})] if paths else []
        found += [CompilerPaths(base=str(Path(folder, root))) for root in each.roots if root != "node_modules"]
    return found


def _config(path: str, deep: int) -> CompilerPaths | None:
    try:
        whole = json_with_comments(text_of(path))
    except (OSError, ValueError):
        return None
    if not isinstance(whole, dict) or deep > 5:
        return None
    folder = path.rpartition("/")[0]
    options = whole.get("compilerOptions") or {}
    paths: dict[str, tuple[str, ...]] = {}
    base: str | None = None
    for extended in _extended(whole.get("extends")):
        above = _config(f"{folder}/{extended}", deep + 1)
        if above is not None:
            paths.update(above.paths)
            base = above.base or base
    if isinstance(options.get("baseUrl"), str):
        base = str(Path(folder, options["baseUrl"]))
    for pattern, places in (options.get("paths") or {}).items():
        paths[pattern] = tuple(str(Path(base or folder, place)) for place in places)
    return CompilerPaths(paths, base)


def _extended(value: Any) -> Iterator[str]:
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, str) and each.startswith("."):
            yield each if each.endswith(".json") else f"{each}.json"


def configured(folder: str, name: str) -> bool:
    """Whether a bundler's or test runner's configuration of a folder speaks of a name: it may be an alias."""
    # An alias may look like a scope: `@components`, `^@components/(.*)$`.
    scope = re.escape(name.partition("/")[0]) if name.startswith("@") else re.escape(name)
    quoted = re.compile(
        rf"""["'`^(]{re.escape(name)}["'`/($*]|\b{re.escape(name)}\s*:|["'`^(]{scope}/?(?:["'`($*]|\.\*)"""
    )
    for each in entries(folder) or ():
        if CONFIGURED.fullmatch(each):
            try:
                text = text_of(f"{folder}/{each}")
            except (OSError, ValueError):
                continue
            if quoted.search(text):
                return True
    return False

"""The modules that a workspace's JavaScript and TypeScript can import, found by files and manifests alone."""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any, Final

from ..rules.grounding.javascript_uses import Source, javascript_source
from ..rules.grounding.javascript_verdicts import Standing
from .listings import Remembered, entries, text_of
from .node_manifests import NodePackage, compiler_paths, configured, package_file, workspace_packages

SUFFIXES: Final = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte")
_TRIED: Final = ("", ".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json", ".vue", ".svelte")
_TRIED_ALSO: Final = (".native.tsx", ".native.ts", ".native.js", ".web.ts", ".web.js", ".ios.js", ".node", ".d.mts")
_WRITTEN_AS: Final = {".js": (".ts", ".tsx", ".d.ts"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
_DECLARATIONS: Final = {"js": ".d.ts", "jsx": ".d.ts", "mjs": ".d.mts", "cjs": ".d.cts"}
"""What a compiled file's types are declared in, beside it."""
_MOST_DECLARATIONS: Final = 60


def _read_source(path: str) -> Source:
    return javascript_source(text_of(path), path)


_source = Remembered(_read_source)


class NodeWorld:
    """Fulfils `JavaScriptWorld` for one workspace."""

    def __init__(self, root: Path) -> None:
        self._root = str(root)

    def file(self, module: str, start: str) -> str | None:
        folder = os.path.normpath(os.path.join(self._root, str(PurePosixPath(start).parent), module))  # noqa: PTH118
        found = _resolved(folder)
        return None if found is None else os.path.relpath(found, self._root)

    def source(self, path: str) -> Source | None:
        if not path.endswith(SUFFIXES):
            return None
        found = _source(f"{self._root}/{path}")
        stem, _, written = path.rpartition(".")
        declared = _source(f"{self._root}/{stem}{_DECLARATIONS[written]}") if written in _DECLARATIONS else None
        if found is None or declared is None:
            return found
        exports, stars = found.exports | declared.exports, (*found.stars, *declared.stars)
        return replace(found, exports=exports, stars=stars, open=found.open or declared.open)

    def package(self, name: str, start: str) -> Standing | None:
        folders = list(self._folders(start))
        if any(_is_folder(f"{folder}/node_modules/{name}") for folder in folders):
            return "installed"
        manifests = [found for folder in folders if (found := package_file(f"{folder}/package.json")) is not None]
        if name in workspace_packages(Path(self._root)) or any(found.name == name for found in manifests):
            return "workspace"
        types = "@types/" + name.removeprefix("@").replace("/", "__")
        if any(_is_folder(f"{folder}/node_modules/{types}") for folder in folders):
            return "types"
        if any(name in found.declared or types in found.declared for found in manifests):
            return "declared"
        if any(configured(folder, name) for folder in folders) or self._is_ambient(name):
            return "alias"
        return None

    def subpath(self, name: str, below: str, start: str) -> bool | None:
        for folder in self._folders(start):
            place = f"{folder}/node_modules/{name}"
            if not _is_folder(place):
                continue
            manifest = package_file(f"{place}/package.json")
            if manifest is None:
                return None
            if manifest.exports is not None:
                return _exported(manifest, f"./{below}")
            return _resolved(f"{place}/{below}") is not None
        return None

    def alias(self, module: str, start: str) -> bool | None:
        if module.startswith(("@/", "~", "$", "#")):
            covered: bool | None = None
        else:
            covered = False
        for folder in self._folders(start):
            for config in compiler_paths(folder):
                for pattern, places in config.paths.items():
                    rest = _matched(pattern, module)
                    if rest is not None:
                        covered = None
                        if any(_resolved(place.replace("*", rest)) for place in places):
                            return True
                if config.base is not None and _resolved(f"{config.base}/{module}") is not None:
                    return True
            manifest = package_file(f"{folder}/package.json")
            if manifest is not None and any(_matched(key, module) is not None for key in manifest.imports):
                return True
        return covered

    def known(self, start: str) -> Iterator[str]:
        for folder in self._folders(start):
            manifest = package_file(f"{folder}/package.json")
            yield from manifest.declared if manifest is not None else ()
            for name in entries(f"{folder}/node_modules") or ():
                if name.startswith("@"):
                    yield from (f"{name}/{inner}" for inner in entries(f"{folder}/node_modules/{name}") or ())
                elif not name.startswith("."):
                    yield name

    def _folders(self, start: str) -> Iterator[str]:
        """The folders from a file's own up to the workspace."""
        for parent in PurePosixPath(start).parents:
            yield self._root if str(parent) == "." else f"{self._root}/{parent}"

    def _is_ambient(self, name: str) -> bool:
        """Whether a declaration file of the project declares a module of this name."""
        declared = re.compile(rf"""declare\s+module\s+["']({re.escape(name)}["'/]|\*)""")
        for path in _declarations(self._root):
            try:
                if declared.search(text_of(path)):
                    return True
            except (OSError, ValueError):
                continue
        return False


def _declarations(root: str) -> Iterable[str]:
    found: list[str] = []
    for folder in (root, *(f"{root}/{name}" for name in ("src", "types", "typings", "@types", "src/types", "app"))):
        found += (f"{folder}/{name}" for name in entries(folder) or () if name.endswith(".d.ts"))
    return found[:_MOST_DECLARATIONS]


def _is_folder(path: str) -> bool:
    return entries(path) is not None


def _resolved(path: str) -> str | None:
    """The file that a path without its suffix, or a folder, stands for."""
    parent, _, name = path.rpartition("/")
    names = entries(parent)
    if names is None:
        return None
    for suffix in (*_TRIED, *_TRIED_ALSO):
        if names.get(name + suffix) is False:
            return path + suffix
    stem, dot, written = name.rpartition(".")
    for suffix in _WRITTEN_AS.get(dot + written, ()):
        if names.get(stem + suffix) is False:
            return f"{parent}/{stem}{suffix}"
    inside = entries(path) if names.get(name) else None
    if inside is None:
        return None
    for suffix in _TRIED[1:]:
        if inside.get("index" + suffix) is False:
            return f"{path}/index{suffix}"
    return f"{path}/package.json" if "package.json" in inside else None


def _matched(pattern: str, module: str) -> str | None:
    """What the star of a pattern stands for in a module; empty where there is no star."""
    head, star, tail = pattern.partition("*")
    if not star:
        return "" if module == pattern else None
    if module.startswith(head) and module.endswith(tail) and len(module) >= len(head) + len(tail):
        return module[len(head) : len(module) - len(tail)]
    return None


def _exported(manifest: NodePackage, below: str) -> bool | None:
    """Whether a package's `exports` open a path below it."""
    exports: Any = manifest.exports
    if not isinstance(exports, dict) or not any(str(key).startswith(".") for key in exports):
        return False
    best = ""
    for key in map(str, exports):
        covers = key == below or ("*" in key and _matched(key, below) is not None)
        if covers or (key.endswith("/") and below.startswith(key)):
            best = max(best, key, key=len)
    if not best:
        return None if below == "./package.json" else False
    return exports[best] is not None

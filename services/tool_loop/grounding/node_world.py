"""The modules that a workspace's JavaScript and TypeScript can import, found by files and manifests alone."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final

from ..rules.grounding.javascript_uses import Source, ambient_modules, declares, javascript_source
from ..rules.grounding.javascript_verdicts import Standing
from .bundler_aliases import told
from .listings import Remembered, entries, text_of
from .node_manifests import compiler_paths, configured, package_file, workspace_packages
from .package_exports import closes, exported, matched, opens_itself, own_files, own_import, targets_of

SUFFIXES: Final = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte")
_TYPED: Final = (".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte")
_TRIED: Final = ("", ".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json", ".vue", ".svelte")
_TRIED_ALSO: Final = (".native.tsx", ".native.ts", ".native.js", ".web.ts", ".web.js", ".ios.js", ".node", ".d.mts")
_WRITTEN_AS: Final = {".js": (".ts", ".tsx", ".d.ts"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
_DECLARATIONS: Final = {"js": ".d.ts", "jsx": ".d.ts", "mjs": ".d.mts", "cjs": ".d.cts"}
"""What a compiled file's types are declared in, beside it."""
_MOST_DECLARATIONS: Final = 200
_MOST_FOLDERS: Final = 1_000
_NO_SOURCES: Final = frozenset({"node_modules", "dist", "build", "out", "coverage"})


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
        manifests = [found for folder in folders if (found := package_file(f"{folder}/package.json")) is not None]
        if name in workspace_packages(Path(self._root)) or any(found.name == name for found in manifests):
            return "workspace"
        place = next((each for folder in folders if _is_folder(each := f"{folder}/node_modules/{name}")), None)
        if place is not None:
            return "types" if not start.endswith(_TYPED) and _only_types(place) else "installed"
        types = "@types/" + name.removeprefix("@").replace("/", "__")
        if any(_is_folder(f"{folder}/node_modules/{types}") for folder in folders):
            return "types"
        if any(name in found.declared or types in found.declared for found in manifests):
            return "declared"
        if any(configured(folder, name) for folder in folders) or self._is_ambient(name):
            return "alias"
        return None

    def subpath(self, name: str, below: str, start: str) -> bool | None:
        for place in self._places(name, start):
            manifest = package_file(f"{place}/package.json")
            if manifest is None:
                return None if below else True
            if manifest.exports is None:
                return not below or _resolved(f"{place}/{below}") is not None
            if below:
                return exported(manifest.exports, place, f"./{below}")
            # What resolves as compilers did before there were exports still finds its main file.
            return opens_itself(manifest.exports) or (None if manifest.main else False)
        return None

    def closed(self, name: str, below: str, start: str) -> bool:
        place = next(self._places(name, start), "")
        manifest = package_file(f"{place}/package.json") if place else None
        there = _resolved(f"{place}/{below}") is not None
        return manifest is not None and bool(below) and closes(manifest.exports, f"./{below}", there=there)

    def _places(self, name: str, start: str) -> Iterator[str]:
        """The folders of a package, that of the workspace first."""
        own = workspace_packages(Path(self._root)).get(name)
        if own is not None:
            yield own
        for folder in self._folders(start):
            manifest = package_file(f"{folder}/package.json")
            if manifest is not None and manifest.name == name:
                yield folder
            if _is_folder(f"{folder}/node_modules/{name}"):
                yield f"{folder}/node_modules/{name}"

    def alias(self, module: str, start: str) -> bool | None:
        covered: bool | None = None if module.startswith(("@/", "~", "$")) else False
        for folder in self._folders(start):
            if any(pattern.search(module) for each in told(folder) for pattern in each.mapped):
                covered = None
            for config in compiler_paths(folder):
                for pattern, places in config.paths.items():
                    rest = matched(pattern, module)
                    if rest is not None:
                        covered = None
                        if any(_resolved(place.replace("*", rest)) for place in places):
                            return True
                if config.base is not None and _resolved(f"{config.base}/{module}") is not None:
                    return True
        return covered

    def inner(self, module: str, start: str) -> bool | None:
        for folder in self._folders(start):
            manifest = package_file(f"{folder}/package.json")
            if manifest is None:
                continue
            # Only the nearest one counts.
            if not manifest.imports:
                return None
            return own_import(manifest.imports, folder, module)
        return None

    def sources(self, module: str, start: str) -> tuple[str, ...]:
        if module.startswith("#"):
            return self._own_sources(*self._own_imports(module, start))
        for folder in self._folders(start):
            for config in compiler_paths(folder):
                for pattern, places in config.paths.items():
                    rest = matched(pattern, module)
                    tried = (_resolved(place.replace("*", rest)) for place in places) if rest is not None else ()
                    if found := next(filter(None, tried), None):
                        return self._own_sources(found)
        for name, folder in (*workspace_packages(Path(self._root)).items(), *self._itself(start)):
            if module == name:
                return self._own_sources(*_entry(folder))
            if module.startswith(f"{name}/"):
                return self._own_sources(*_below(folder, module.removeprefix(f"{name}/")))
        return ()

    def _itself(self, start: str) -> Iterator[tuple[str, str]]:
        """The package that a file belongs to, which may import itself by its name where it says what it exports."""
        for folder in self._folders(start):
            manifest = package_file(f"{folder}/package.json")
            if manifest is not None and manifest.name and manifest.exports is not None:
                yield manifest.name, folder
                return

    def _own_imports(self, module: str, start: str) -> Iterator[str | None]:
        """The files that a name with `#` may lead to."""
        for folder in self._folders(start):
            manifest = package_file(f"{folder}/package.json")
            if manifest is not None:
                yield from map(_resolved, own_files(manifest.imports, folder, module))
                return

    def _own_sources(self, *found: str | None) -> tuple[str, ...]:
        """Paths in the workspace of those files that are sources of it."""
        own = (os.path.relpath(each, self._root) for each in found if each is not None and each.endswith(SUFFIXES))
        return tuple(path for path in dict.fromkeys(own) if not path.startswith(".."))

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
        """Whether a declaration file of the project declares this module, or one below it."""
        for path in _declarations(self._root):
            try:
                found = ambient_modules(text_of(path))
            except (OSError, ValueError):
                continue
            if declares(found, name):
                return True
        return False


def _declarations(root: str) -> list[str]:
    """The declaration files of a project's own folders."""
    found: list[str] = []
    queue, looked = [root], 0
    while queue and looked < _MOST_FOLDERS and len(found) < _MOST_DECLARATIONS:
        folder = queue.pop(0)
        looked += 1
        for name, is_folder in (entries(folder) or {}).items():
            if is_folder and name not in _NO_SOURCES and not name.startswith("."):
                queue.append(f"{folder}/{name}")
            elif name.endswith((".d.ts", ".d.mts", ".d.cts")):
                found.append(f"{folder}/{name}")
    return found


def _entry(folder: str) -> Iterator[str | None]:
    """The files that importing a package of the workspace by its name may lead to."""
    manifest = package_file(f"{folder}/package.json")
    if manifest is None:
        return
    exports = manifest.exports
    told = exports.get(".", exports) if isinstance(exports, dict) else exports
    named = [*targets_of(told), manifest.main]
    found = [
        place for each in named if each and (place := _resolved(f"{folder}/{each.removeprefix('./')}")) is not None
    ]
    yield from found or (_resolved(f"{folder}/index"), _resolved(f"{folder}/src/index"))


def _below(folder: str, path: str) -> Iterator[str | None]:
    """The files that a path below a package of the workspace may lead to."""
    manifest = package_file(f"{folder}/package.json")
    opened = own_files(manifest.exports, folder, f"./{path}") if manifest and isinstance(manifest.exports, dict) else []
    yield from map(_resolved, opened or [f"{folder}/{path}"])


def _only_types(place: str) -> bool:
    """Whether a package that is there has nothing that could run."""
    manifest = package_file(f"{place}/package.json")
    files = set(entries(place) or ()) - {"package.json"}
    runs = any(name.endswith((".js", ".cjs", ".mjs", ".node", ".json", ".wasm")) for name in files)
    return manifest is not None and manifest.typed and not runs


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

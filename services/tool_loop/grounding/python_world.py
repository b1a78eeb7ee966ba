"""The modules that a workspace's Python can import, found as Python would find them, without importing any."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from ..rules.grounding.python_lookup import Module, Origin
from ..rules.grounding.python_module import OPAQUE, ModuleNames, module_names
from .interpreter import Interpreter, find_interpreter, source_paths
from .listings import Remembered, entries, text_of
from .local_names import local_names
from .manifests import Manifest, manifest_of, together
from .site_folders import imported_as, provided, site
from .standard_library import EXTENSIONS, built_in, is_compiled, listed, own_version


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a module's file or folders lie; `file` is empty for a namespace."""

    origin: Origin
    file: str = ""
    folders: tuple[str, ...] = ()


class Workspace:
    """The Python of one workspace: its interpreter, manifests and roots. `at` gives the world of one of its files."""

    def __init__(self, root: Path, commands: Sequence[str] = (), expected: Iterable[str] = ()) -> None:
        self.root = root
        self.interpreter = find_interpreter(root, commands)
        self._paths = [str(path) for path in source_paths(root, commands)]
        self._expected = frozenset(expected)

    def at(self, path: str) -> "World":
        """The world as a file at this path, relative to the workspace, sees it."""
        folders = [self.root, *(self.root / part for part in reversed(PurePosixPath(path).parents) if part.name)]
        manifests = [manifest_of(folder) for folder in folders]
        roots: list[str] = [str(self.root)]
        for folder, manifest in zip(folders, manifests, strict=True):
            roots += [str(folder / source) for source in (*manifest.sources, "src", "lib", "python", "tests")]
        roots += self._paths
        declared = together((*manifests, Manifest(own=self._expected)))
        beside = [str(folder) for folder in reversed(folders[1:])]
        return World(self.root, list(dict.fromkeys(roots)), beside, self.interpreter, declared)


class World:
    """Fulfils `PythonWorld` for one file. `beside` are the folders above it: on the path if it is run as a script."""

    def __init__(
        self,
        root: Path,
        roots: Sequence[str],
        beside: Sequence[str],
        interpreter: Interpreter | None,
        manifest: Manifest,
    ) -> None:
        self._root = root
        self._manifest = manifest
        self._version = interpreter.version if interpreter else ""
        self._search: list[tuple[Origin, str]] = [("local", path) for path in roots]
        self._search += [("stdlib", str(path)) for path in (interpreter.standard if interpreter else ())]
        self._mapped: dict[str, str] = {}
        self._sites: list[str] = []
        for folder in interpreter.sites if interpreter else ():
            self._add_site(str(folder))
        self._beside: list[tuple[Origin, str]] = [("local", path) for path in beside]
        self._search += self._beside
        self._found: dict[str, _Place | None] = {}

    def _add_site(self, folder: str) -> None:
        found = site(folder)
        if found is None:
            return
        self._search += [("environment", path) for path in (folder, *found.folders)]
        self._mapped |= found.mapped
        self._sites.append(folder)

    @property
    def declared(self) -> frozenset[str]:
        return self._manifest.declared

    @property
    def unnamed(self) -> bool:
        return self._manifest.unnamed

    def find(self, dotted: str) -> Module | None:
        place = self._place(dotted)
        if place is None:
            return None
        if place.origin in ("stubs", "metadata") or place.file.endswith(".pyi"):
            return Module("metadata" if place.origin == "metadata" else "stubs", None)
        if not place.file:
            return Module(place.origin, ModuleNames(frozenset()), namespace=True)
        if place.file == "built-in":
            return Module("stdlib", built_in(dotted, self._version), compiled=True)
        compiled = not place.file.endswith(".py")
        names = _names(place.file, dotted)
        if place.origin == "stdlib" and names is not None and self._version == own_version():
            found = listed(dotted, place.file) if names.dynamic or names.shared_path else None
            if found is not None:
                names, compiled = ModuleNames(names.names | found, names.modules), True
        return Module(place.origin, names, compiled=compiled, package=bool(place.folders))

    def top_level(self) -> Iterator[str]:
        for _, folder in self._search:
            for name, is_folder in (entries(folder) or {}).items():
                stem = name if is_folder else name.partition(".")[0]
                if stem.isidentifier() and (is_folder or name.endswith((".py", *EXTENSIONS))):
                    yield stem
        yield from self._mapped

    def imported_as(self, distribution: str) -> frozenset[str]:
        told = (found[distribution] for folder in self._sites if distribution in (found := imported_as(folder) or {}))
        return next(told, frozenset())

    def is_local(self, name: str) -> bool:
        return name in self._manifest.own or name in local_names(str(self._root))

    def shadowed(self, name: str) -> bool:
        own = [(origin, folder) for origin, folder in self._search if origin == "local"]
        roots = own[: len(own) - len(self._beside)]
        others = [(origin, folder) for origin, folder in self._search if origin != "local"]
        found = {_identity(each) for search in (roots, others, self._beside) if (each := _first(name, search))}
        # A folder of a package is only where a script of it looks.
        packages = [each for each in self._beside if "__init__.py" in (entries(each[1]) or ())]
        return len(found) > 1 or _first(name, packages) is not None

    def elsewhere(self, name: str) -> bool:
        return name in sys.stdlib_module_names

    def set_up(self) -> Iterator[str]:
        folders = dict.fromkeys((str(self._root), *(folder for _, folder in self._beside)))
        for path in (f"{folder}/{name}" for folder in folders for name in ("conftest.py", "__init__.py")):
            with suppress(OSError, ValueError):
                yield text_of(path)

    def _place(self, dotted: str) -> _Place | None:
        if dotted not in self._found:
            self._found[dotted] = self._look(dotted)
        return self._found[dotted]

    def _look(self, dotted: str) -> _Place | None:
        parent, _, name = dotted.rpartition(".")
        if not name:
            return None
        if mapped := self._mapped.get(dotted):
            return _mapped_place(mapped)
        if not parent:
            return self._top(name)
        above = self._place(parent)
        if above is not None and above.folders:
            found = _first(name, [(above.origin, folder) for folder in above.folders])
            if found is not None:
                return found
        # Parts of a namespace may lie below several folders, and only the metadata may tell of one.
        return self._elsewhere_below(dotted, above)

    def _top(self, name: str) -> _Place | None:
        if name in sys.builtin_module_names:
            return _Place("stdlib", "built-in")
        found = _first(name, self._search)
        if found is not None:
            return found
        if name in sys.stdlib_module_names and is_compiled(name):
            return _Place("stdlib", "built-in")
        for _, folder in self._search:
            if f"{name}-stubs" in (entries(folder) or ()):
                return _Place("stubs")
        return self._by_metadata(name)

    def _elsewhere_below(self, dotted: str, above: _Place | None) -> _Place | None:
        if above is None:
            return None
        if above.origin == "metadata" or not above.file or _shares_path(above, dotted.rpartition(".")[0]):
            parts = dotted.split(".")
            for origin, folder in self._search:
                inner = "/".join((folder, *parts[:-1]))
                found = _first(parts[-1], [(origin, inner)])
                if found is not None:
                    return found
            return self._by_metadata(dotted)
        return None

    def _by_metadata(self, dotted: str) -> _Place | None:
        if any(dotted in (provided(folder) or ()) for folder in self._sites):
            return _Place("metadata")
        return None


def _first(name: str, search: Iterable[tuple[Origin, str]]) -> _Place | None:
    """The first package or module of this name, else the namespace that all folders of this name make up."""
    portions: list[str] = []
    origin: Origin = "local"
    stub: _Place | None = None
    for kind, folder in search:
        names = entries(folder)
        if not names:
            continue
        inner = f"{folder}/{name}"
        if names.get(name):
            held = entries(inner) or {}
            if "__init__.py" in held:
                return _Place(kind, f"{inner}/__init__.py", (inner,))
            compiled = next((each for each in held if each.startswith("__init__.") and each.endswith(EXTENSIONS)), None)
            if compiled or "__init__.pyc" in held:
                return _Place(kind, f"{inner}/{compiled or '__init__.pyc'}", (inner,))
            if "__init__.pyi" in held:
                stub = stub or _Place(kind, f"{inner}/__init__.pyi", (inner,))
        if f"{name}.py" in names:
            return _Place(kind, f"{inner}.py")
        compiled = next((each for each in names if each.startswith(f"{name}.") and each.endswith(EXTENSIONS)), None)
        if compiled or f"{name}.pyc" in names:
            return _Place(kind, f"{folder}/{compiled or name + '.pyc'}")
        if f"{name}.pyi" in names:
            stub = stub or _Place(kind, f"{inner}.pyi")
        if names.get(name) and _may_hold_code(inner):
            origin = origin if portions else kind
            portions.append(inner)
    return stub or (_Place(origin, "", tuple(portions)) if portions else None)


def _identity(place: _Place) -> tuple[str, ...]:
    """What tells one module from another, by whatever way it is found."""
    return tuple(os.path.realpath(each) for each in (place.file, *place.folders) if each)


def _may_hold_code(folder: str) -> bool:
    return any(
        is_folder or name.endswith((".py", ".pyi", *EXTENSIONS)) for name, is_folder in (entries(folder) or {}).items()
    )


def _mapped_place(path: str) -> _Place:
    if path.endswith(".py"):
        return _Place("environment", path)
    inside = entries(path) or {}
    if "__init__.py" in inside:
        return _Place("environment", f"{path}/__init__.py", (path,))
    if entries(path) is None and Path(f"{path}.py").is_file():
        return _Place("environment", f"{path}.py")
    return _Place("environment", "", (path,))


def _shares_path(place: _Place, dotted: str) -> bool:
    names = _names(place.file, dotted) if place.file.endswith(".py") else None
    return names is not None and names.shared_path


def _read_names(path: str) -> dict[str, ModuleNames]:
    return {}


_by_file: Remembered[dict[str, ModuleNames]] = Remembered(_read_names)


def _names(path: str, dotted: str) -> ModuleNames | None:
    """The names of a module's file under one dotted name; what stubs beside it say is taken in. None: compiled."""
    known = _by_file(path)
    if known is None:
        return None
    if dotted not in known:
        known[dotted] = _parsed(path, dotted)
    return None if known[dotted] is OPAQUE else known[dotted]


def _parsed(path: str, dotted: str) -> ModuleNames:
    package = path.rpartition("/")[2].startswith("__init__.")
    if not path.endswith((".py", ".pyi")):
        if "/lib-dynload/" in path and dotted in sys.stdlib_module_names:
            return built_in(dotted, _version_of(path))
        return OPAQUE
    try:
        found = module_names(text_of(path), dotted, package=package)
        stub = path.removesuffix(".py") + ".pyi"
        if path.endswith(".py") and Path(stub).is_file():
            typed = module_names(text_of(stub), dotted, package=package)
            # What only its stub has may be there for type checkers alone.
            told = typed.names | typed.doubtful
            names = found.names | (told if found.dynamic else frozenset())
            doubtful = (found.doubtful | told) - names
            return replace(found, names=names, doubtful=doubtful, stars=found.stars + typed.stars)
        return found
    except (OSError, ValueError):
        return OPAQUE


def _version_of(path: str) -> str:
    return path.partition("/lib/python")[2].partition("/")[0]

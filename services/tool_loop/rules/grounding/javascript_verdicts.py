"""Verdicts on what a JavaScript or TypeScript source imports, over a world that knows files and packages."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, Protocol

from arreio_contracts.grounding import NameVerdict, Package, PackageVerdict

from .javascript_uses import Import, Source, declares, javascript_source
from .near_miss import POPULAR, alike, near_misses
from .node_names import NODE_NAMES

_BUILT_IN = (
    "assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain "
    "events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline "
    "repl stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib"
)
BUILT_IN: Final = frozenset(_BUILT_IN.split())
_ONLY_WITH_PREFIX: Final = frozenset({"test", "sea", "sqlite", "ffi"})
_BELOW: Final = {
    "fs": {"promises"},
    "dns": {"promises"},
    "stream": {"promises", "web", "consumers"},
    "timers": {"promises"},
    "path": {"posix", "win32"},
    "util": {"types"},
    "assert": {"strict"},
    "readline": {"promises"},
    "inspector": {"promises"},
    "test": {"reporters"},
}
_OF_NODE: Final = "built into Node.js"
_NAME = re.compile(r"(@[a-z0-9~-][\w.~-]*/)?[a-z0-9~_-][\w.~-]*", re.IGNORECASE)
_DEEPEST: Final = 8

Standing = Literal["installed", "workspace", "types", "declared", "alias"]


class JavaScriptWorld(Protocol):
    """Where a source's imports are looked for. Nothing is run."""

    def file(self, module: str, start: str) -> str | None:
        """The file of the workspace that a relative module leads to from a file, by its path there."""
        ...

    def source(self, path: str) -> Source | None:
        """A file of the workspace as it is read; None: it is no source."""
        ...

    def package(self, name: str, start: str) -> Standing | None:
        """What is known of a package by its name, as a file sees it."""
        ...

    def subpath(self, name: str, below: str, start: str) -> bool | None:
        """Whether a package that is there lets one import what is below it, or, where that is empty, itself; None: it
        cannot be told.
        """
        ...

    def closed(self, name: str, below: str, start: str) -> bool:
        """Whether a package of the workspace keeps to itself what is below it, by `null` or by not opening its file."""
        ...

    def inner(self, module: str, start: str) -> bool | None:
        """Whether the nearest package's own `imports` have a name with `#`; None: it cannot be told, or is no file."""
        ...

    def alias(self, module: str, start: str) -> bool | None:
        """Whether a compiler's or bundler's alias covers a module: True with a file behind it, None without."""
        ...

    def sources(self, module: str, start: str) -> tuple[str, ...]:
        """The files of the workspace that a bare module may lead to: by an alias, or as a package of the workspace."""
        ...

    def known(self, start: str) -> Iterable[str]:
        """The names of packages that can be imported, for candidates."""
        ...


class _Judge:
    def __init__(self, world: JavaScriptWorld, path: str, registry: Mapping[Package, PackageVerdict]) -> None:
        self._world = world
        self._path = path
        self._registry = registry
        self.asked: list[Package] = []
        self._ambient: tuple[str, ...] = ()

    def verdicts(self, code: str) -> list[NameVerdict]:
        found: dict[str, NameVerdict] = {}
        source = javascript_source(code, self._path)
        self._ambient = source.ambient
        for one in source.imports:
            for verdict in self._judged(one):
                known = found.get(verdict.name)
                if known is None or (known.verdict == "MISSING" and verdict.verdict != "MISSING"):
                    found[verdict.name] = verdict
        return list(found.values())

    def _judged(self, one: Import) -> Iterator[NameVerdict]:
        module = one.module.partition("?")[0]
        if not module or "!" in module or "${" in module:
            yield _say(one.module, "UNKNOWN", "a loader makes it")
        elif module.startswith("."):
            yield from self._relative(one, module)
        else:
            verdict = self._bare(module)
            if verdict.verdict == "MISSING" and one.conditional:
                verdict = _say(module, "UNKNOWN", "not found; the code copes with its absence")
            yield verdict.model_copy(update={"name": one.module})
            if verdict.why == _OF_NODE:
                yield from _of_node(one, module)
            elif verdict.verdict != "MISSING":
                yield from self._taken(one, self._world.sources(module, self._path))

    def _relative(self, one: Import, module: str) -> Iterator[NameVerdict]:
        path = self._world.file(module, self._path)
        if path is None:
            yield _say(one.module, "UNKNOWN", "a file of this project that is not written yet")
            return
        yield _say(one.module, "EXISTS", "of this project")
        yield from self._taken(one, (path,))

    def _taken(self, one: Import, paths: Sequence[str]) -> Iterator[NameVerdict]:
        """On the names that are taken from what may be any of these files, as far as none has them."""
        for name in one.names if paths and not one.conditional and not one.of_default else ():
            if all(self._exports(path, name) is False for path in paths):
                near = alike(name, {each for path in paths for each in self._all_exports(path)})
                yield _say(f"{one.module}#{name}", "MISSING", f"{paths[0]} does not export {name}", near)

    def _exports(self, path: str, name: str, deep: int = 0) -> bool | None:
        source = self._world.source(path)
        if source is None or source.open or deep > _DEEPEST:
            return None
        if name in source.exports:
            return True
        told: list[bool | None] = [False]
        for star in source.stars if name != "default" else ():
            inner = self._world.file(star, path) if star.startswith(".") else None
            told.append(self._exports(inner, name, deep + 1) if inner is not None else None)
        return True if True in told else None if None in told else False

    def _all_exports(self, path: str, deep: int = 0) -> Iterator[str]:
        source = self._world.source(path)
        if source is None or deep > _DEEPEST:
            return
        yield from source.exports
        for star in source.stars:
            inner = self._world.file(star, path) if star.startswith(".") else None
            if inner is not None:
                yield from self._all_exports(inner, deep + 1)

    def _bare(self, module: str) -> NameVerdict:
        if module.startswith("node:") or _is_built_in(module):
            return _built_in(module)
        if ":" in module or module.startswith("/"):
            return _say(module, "UNKNOWN", "another kind of address than a package")
        covered = self._world.alias(module, self._path)
        if covered is not False:
            why = "an alias of this project" if covered else "an alias of this project, with no file behind it yet"
            return _say(module, "EXISTS" if covered else "UNKNOWN", why)
        if module.startswith("#"):
            return self._inner(module)
        name, below = _split(module)
        if not _NAME.fullmatch(name):
            return _say(module, "UNKNOWN", "no package's name")
        match self._world.package(name, self._path):
            case "installed":
                return self._installed(module, name, below)
            case "workspace":
                return self._of_workspace(module, name, below)
            case "types":
                return _say(module, "UNKNOWN", "only its types are installed")
            case "declared":
                return _say(module, "UNKNOWN", f"{name} is declared and not installed")
            case "alias":
                return _say(module, "UNKNOWN", "a configuration of this project speaks of it")
        if declares(self._ambient, module) or declares(self._ambient, name):
            return _say(module, "UNKNOWN", "declared in this file")
        return self._ask(module, name)

    def _inner(self, module: str) -> NameVerdict:
        """On a name that only the package itself may import."""
        found = self._world.inner(module, self._path)
        if found:
            return _say(module, "EXISTS", "of this package's imports")
        if found is None or self._world.package(_split(module)[0], self._path) == "alias":
            return _say(module, "UNKNOWN", "an alias of this project, with no file behind it yet")
        return _say(module, "MISSING", "not among the imports of this package's package.json")

    def _of_workspace(self, module: str, name: str, below: str) -> NameVerdict:
        found = self._world.subpath(name, below, self._path)
        if found:
            return _say(module, "EXISTS", "of this workspace")
        if found is False and self._world.closed(name, below, self._path):
            return _say(module, "MISSING", f"the exports of {name} do not open {below}")
        return _say(module, "UNKNOWN", f"{name} is of this workspace, and what is below it is not there yet")

    def _installed(self, module: str, name: str, below: str) -> NameVerdict:
        match self._world.subpath(name, below, self._path):
            case True:
                return _say(module, "EXISTS", "installed")
            case False:
                return _say(module, "MISSING", f"{name} lets one import no {below or 'module of its bare name'}")
            case _:
                return _say(module, "UNKNOWN", f"{name} is installed; whether it has {below or module} cannot be told")

    def _ask(self, module: str, name: str) -> NameVerdict:
        where = "in no manifest and no node_modules"
        if name.lower() in POPULAR["npm"]:
            return _say(module, "UNKNOWN", f"{name} is not installed, and in no manifest")
        _, below = _split(module)
        if name in BUILT_IN and (near := alike(below, _BELOW.get(name, ()))):
            return _say(module, "MISSING", "not built into Node.js", tuple(f"{name}/{each}" for each in near))
        package = Package(ecosystem="npm", name=name.lower())
        self.asked.append(package)
        answer = self._registry.get(package)
        slip = near_misses("npm", name)
        if answer is None or answer.verdict == "UNKNOWN":
            return _say(module, "UNKNOWN", f"{where}; the registry was not reached", slip)
        if answer.verdict == "EXISTS":
            return _say(module, "UNKNOWN", f"{where}; the registry has it, and it is not installed", slip)
        near = alike(name, {*self._world.known(self._path), *POPULAR["npm"]} - {name})
        return _say(module, "MISSING", f"{where}, and in no registry", near)


def javascript_questions(code: str, path: str, world: JavaScriptWorld) -> tuple[Package, ...]:
    """The packages that a registry must be asked about before every verdict on a source can be given."""
    judge = _Judge(world, path, {})
    judge.verdicts(code)
    return tuple(dict.fromkeys(judge.asked))


def javascript_verdicts(
    code: str, path: str, world: JavaScriptWorld, registry: Mapping[Package, PackageVerdict] | None = None
) -> list[NameVerdict]:
    """A verdict on each module that a source imports, and on each name that a file of the project does not export."""
    return _Judge(world, path, registry or {}).verdicts(code)


def _split(module: str) -> tuple[str, str]:
    """A package and what is below it: `@scope/name/sub/file`."""
    size = 2 if module.startswith("@") else 1
    parts = module.split("/")
    return "/".join(parts[:size]), "/".join(parts[size:])


def _is_built_in(module: str) -> bool:
    top, _, below = module.partition("/")
    return top in BUILT_IN and (not below or below in _BELOW.get(top, set()))


def _built_in(module: str) -> NameVerdict:
    bare = module.removeprefix("node:")
    top, _, below = bare.partition("/")
    known = top in BUILT_IN or top in _ONLY_WITH_PREFIX
    if known and (not below or below in _BELOW.get(top, set())):
        return _say(module, "EXISTS", _OF_NODE)
    near = tuple(f"node:{each}" for each in alike(top, BUILT_IN | _ONLY_WITH_PREFIX))
    return _say(module, "MISSING", "not built into Node.js", near)


def _of_node(one: Import, module: str) -> Iterator[NameVerdict]:
    """On the names that are taken from a module of Node.js itself."""
    known = NODE_NAMES.get(module.removeprefix("node:"))
    if known is None or one.conditional:
        return
    for name in one.names:
        if name not in known:
            yield _say(f"{one.module}#{name}", "MISSING", f"{module} of Node.js has no {name}", alike(name, known))


def _say(
    name: str, verdict: Literal["EXISTS", "MISSING", "UNKNOWN"], why: str, candidates: tuple[str, ...] = ()
) -> NameVerdict:
    return NameVerdict(name=name, verdict=verdict, why=why, candidates=candidates)

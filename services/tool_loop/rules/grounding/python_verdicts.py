"""Verdicts on what a Python source uses, over a world that knows where modules are."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import PurePosixPath
from typing import Literal

from arreio_contracts.grounding import NameVerdict, Package, PackageVerdict

from .distributions import distributions_of, import_names, may_provide, normalised
from .import_names import HOSTED, IMPORT_NAMES
from .module_paths import leads_away
from .near_miss import POPULAR, alike, near_misses, one_slip
from .python_bindings import BoundNames
from .python_lookup import Module, Origin, PythonWorld, may_be_elsewhere
from .python_uses import Use, Uses, python_uses

_GENERATED = re.compile(r"_pb2(_grpc)?(\.|$)|(^|\.)_version$")
"""Modules that builds make, by their names: of protocol buffers, and with the version that version control tells."""
_MADE_WHILE_RUNNING = frozenset({"os.path", "typing.io", "typing.re"})
"""Modules of the standard library that another one makes."""


def registry_questions(code: str, path: str, world: PythonWorld) -> tuple[Package, ...]:
    """The packages that a registry must be asked about before every verdict on a source can be given."""
    judge = _Judge(world, path, {})
    judge.verdicts(code)
    return tuple(dict.fromkeys(judge.asked))


def python_verdicts(
    code: str, path: str, world: PythonWorld, registry: Mapping[Package, PackageVerdict] | None = None
) -> list[NameVerdict]:
    """A verdict on each name that a source imports or takes from a module, and on each undefined function it calls.

    `path` is relative to the workspace. `registry` holds what registries said; a package that is not in it was not
    asked about.
    """
    return _Judge(world, path, registry or {}).verdicts(code)


class _Judge:
    def __init__(self, world: PythonWorld, path: str, registry: Mapping[Package, PackageVerdict]) -> None:
        self._world = world
        self._bound = BoundNames(world)
        self._folder = [part for part in PurePosixPath(path).parent.parts if part not in (".", "/")]
        self._registry = registry
        self.asked: list[Package] = []
        self._paths_changed = False
        self._imported: frozenset[str] = frozenset()

    def verdicts(self, code: str) -> list[NameVerdict]:
        uses = python_uses(code)
        self._paths_changed = any(leads_away(each, len(self._folder)) for each in (code, *self._world.set_up()))
        self._imported = frozenset(self._imports(uses))
        found: dict[str, NameVerdict] = {}
        for use in (*uses.imports, *uses.attributes):
            verdict = self._names(use) if use.names else self._module(use)
            if verdict is None:
                continue
            known = found.get(verdict.name)
            # The same name may be imported twice, once where its absence is coped with.
            if known is None or (known.verdict == "MISSING" and verdict.verdict != "MISSING"):
                found[verdict.name] = verdict
        if not any(self._opaque_star(star) for star in uses.stars):
            for verdict in self._called(uses):
                found.setdefault(verdict.name, verdict)
        return list(found.values())

    def _imports(self, uses: Uses) -> Iterator[str]:
        """Every module that the source imports, with those above it."""
        for use in (*uses.imports, *uses.stars):
            start = self._absolute(use)
            parts = [*(start.split(".") if start else ()), *use.names]
            yield from (".".join(parts[:size]) for size in range(1, len(parts) + 1))

    def _absolute(self, use: Use) -> str | None:
        """The dotted name from the workspace's root; None where dots lead out of it."""
        if not use.level:
            return use.module
        if use.level - 1 > len(self._folder):
            return None
        base = self._folder[: len(self._folder) - use.level + 1]
        return ".".join((*base, *filter(None, (use.module,))))

    def _module(self, use: Use) -> NameVerdict | None:
        said = use.said
        dotted = self._absolute(use)
        if dotted is None:
            return _say(said, "UNKNOWN", "leads out of the workspace")
        module = self._world.find(dotted)
        if module is not None:
            return _say(said, *_FOUND[module.origin])
        if use.level:
            return _say(said, "UNKNOWN", "a module of this project that is not written yet")
        if use.conditional:
            return _say(said, "UNKNOWN", "not found; the code copes with its absence")
        return self._absent(dotted)

    def _absent(self, dotted: str) -> NameVerdict:
        top, _, below = dotted.partition(".")
        parent = self._parent(dotted)
        if parent is not None:
            verdict = self._below(dotted, *parent)
            if verdict is not None:
                return verdict
        elif self._world.elsewhere(top):
            return _say(dotted, "UNKNOWN", "of the standard library, but not of this Python's")
        if self._world.is_local(top) and (parent is None or not below):
            return _say(dotted, "UNKNOWN", "a module of this project that is not written yet")
        if parent is None and (verdict := self._misnamed(dotted, top)):
            return verdict
        if top in HOSTED:
            return _say(dotted, "UNKNOWN", "comes with a program that runs Python, or with the system")
        if _GENERATED.search(dotted):
            return _say(dotted, "UNKNOWN", "may be generated when the project is built")
        for distribution in self._world.declared:
            if may_provide(distribution, dotted):
                there = self._world.imported_as(distribution)
                why = "and what is installed of it does not have this" if there else "and not installed"
                return _say(dotted, "UNKNOWN", f"{distribution} is declared {why}")
        return self._ask(dotted)

    def _misnamed(self, dotted: str, top: str) -> NameVerdict | None:
        """On a module that is called like a distribution whose modules are known to have other names."""
        distribution = normalised(top)
        known = self._world.imported_as(distribution) or _known_imports(distribution)
        if not known or top in known:
            return None
        names = tuple(sorted(known, key=lambda each: (each.startswith("_"), each)))[:3]
        return _say(dotted, "MISSING", f"{distribution} is imported as {names[0]}", names)

    def _parent(self, dotted: str) -> tuple[str, Module] | None:
        """The longest part of a name that is a module."""
        name = dotted.rpartition(".")[0]
        while name:
            module = self._world.find(name)
            if module is not None:
                return name, module
            name = name.rpartition(".")[0]
        return None

    def _below(self, dotted: str, parent: str, module: Module) -> NameVerdict | None:
        """On a submodule that its parent does not hold; None where another distribution may bring it."""
        name = dotted.removeprefix(f"{parent}.").partition(".")[0]
        if module.origin == "local":
            return _say(dotted, "UNKNOWN", "a module of this project that is not written yet")
        if module.namespace or (module.names is not None and module.names.shared_path):
            return None
        if dotted in _MADE_WHILE_RUNNING:
            return _say(dotted, "EXISTS", "a module")
        has = self._bound.has(parent, name)
        if module.names is None or has is None or module.names.dynamic:
            slips = tuple(each for each in self._bound.near(parent, name) if one_slip(name, each))
            return _say(dotted, "UNKNOWN", f"{parent} may provide it while it runs", slips)
        if self._world.shadowed(dotted.partition(".")[0]):
            return _say(dotted, "UNKNOWN", "more than one module is called so")
        if has:
            return _say(dotted, "MISSING", f"{name} is no module: it is taken by from {parent} import {name}")
        return _say(dotted, "MISSING", f"{parent} has no module {name}", self._bound.near(parent, name))

    def _ask(self, dotted: str) -> NameVerdict:
        names = distributions_of(dotted)
        known = next((name for name in names if name in POPULAR["pypi"]), None)
        if known is not None:
            there = bool(self._world.imported_as(known))
            why = (
                "is installed and lacks it; another package may have it"
                if there
                else "is not installed, and in no manifest"
            )
            return _say(dotted, "UNKNOWN", f"{known} {why}")
        near = any(near_misses("pypi", name) for name in names)
        if (doubt := self._doubt()) and not near:
            return _say(dotted, "UNKNOWN", doubt)
        packages = [Package(ecosystem="pypi", name=name) for name in names]
        self.asked += packages
        answers = [self._registry.get(package) for package in packages]
        where = "in no module, environment or manifest"
        for package, answer in zip(packages, answers, strict=True):
            if answer is not None and answer.verdict == "EXISTS":
                why = f"{where}; the registry has {package.name}, which is not installed"
                return _say(dotted, "UNKNOWN", why, near_misses("pypi", package.name))
        if any(answer is None or answer.verdict == "UNKNOWN" for answer in answers):
            slips = dict.fromkeys(slip for name in names for slip in near_misses("pypi", name))
            return _say(dotted, "UNKNOWN", f"{where}; the registry was not reached", tuple(slips))
        return _say(dotted, "MISSING", f"{where}, and in no registry", self._similar(dotted))

    def _doubt(self) -> str:
        """Why a module that nothing here knows, and that is no slip in a popular name, may yet be there; empty: no."""
        if self._world.unnamed:
            return "not found; a manifest asks for something that it does not name"
        return "not found; the code changes where modules are looked for" if self._paths_changed else ""

    def _similar(self, dotted: str) -> tuple[str, ...]:
        top = dotted.partition(".")[0]
        known = {*self._world.top_level(), *_popular()} - {top}
        return alike(top, [each for each in known if not each.startswith("_") or top.startswith("_")])

    def _names(self, use: Use) -> NameVerdict | None:
        """On `names` taken from a module, one below the other, as far as they are modules."""
        start = self._absolute(use)
        if start is None:
            return None
        places = self._bound.places(start)
        taken: list[str] = []
        loaded = True
        for name in use.names:
            said = Use(use.module, (*taken, name), use.level).said
            known = [place for place in places if self._world.find(place) is not None]
            if not known:
                # What is said of the module itself says it all.
                return None if taken or use.module else self._unwritten(use, said)
            has = [self._bound.has(place, name) for place in known]
            taken.append(name)
            if True not in has:
                if None in has or use.conditional or self._world_may_hold(known, name):
                    slips = tuple(each for each in self._bound.near(known[0], name) if one_slip(name, each))
                    return _say(said, "UNKNOWN", "may be there while it runs", slips)
                return self._lacking(said, known, name)
            attribute = len(taken) > use.imported
            loaded = loaded and (not attribute or any(self._is_loaded(place, name) for place in known))
            places = {below for place in known for below in self._bound.modules(place, name)}
            if not places:
                return self._there(said, f"{said.rpartition('.')[0]} has it", loaded)
        return self._there(Use(use.module, tuple(taken), use.level).said, "a module", loaded)

    def _there(self, said: str, why: str, loaded: bool) -> NameVerdict:
        if loaded:
            return _say(said, "EXISTS", why)
        return _say(said, "UNKNOWN", "below a module that this file does not import")

    def _is_loaded(self, place: str, name: str) -> bool:
        """Whether what a module has is there by now: a module below it must be imported by something."""
        below = f"{place}.{name}"
        return self._world.find(below) is None or below in self._imported or self._bound.loads(place, name)

    def _unwritten(self, use: Use, said: str) -> NameVerdict:
        return _say(said, "UNKNOWN", "a module of this project that is not written yet")

    def _world_may_hold(self, places: Iterable[str], name: str) -> bool:
        """Whether a name that a namespace or a local package lacks may be a module to come."""
        for place in places:
            module = self._world.find(place)
            if module is None or module.origin in ("stubs", "metadata"):
                return True
            if module.namespace:
                wanted = f"{place}.{name}"
                if module.origin == "local" or any(may_provide(each, wanted) for each in self._world.declared):
                    return True
        return False

    def _lacking(self, said: str, places: Sequence[str], name: str) -> NameVerdict:
        module = self._world.find(places[0])
        if module is not None and module.namespace:
            return self._ask(f"{places[0]}.{name}").model_copy(update={"name": said})
        if any(self._world.shadowed(place.partition(".")[0]) for place in places):
            return _say(said, "UNKNOWN", "more than one module is called so")
        near = self._bound.near(places[0], name)
        made = _GENERATED.search(name) is not None
        own = module is not None and module.package and module.origin == "local"
        if own and name.islower() and (made or not near):
            return _say(said, "UNKNOWN", "a module of this project that is not written yet")
        if module is not None and module.compiled and may_be_elsewhere(places[0], name, alike=bool(near)):
            return _say(said, "UNKNOWN", "the module has other names on other platforms")
        return _say(said, "MISSING", f"{said.rpartition('.')[0]} has no {name}", near)

    def _opaque_star(self, star: Use) -> bool:
        dotted = self._absolute(star)
        return dotted is None or any(self._bound.has(place, "?") is not False for place in self._bound.places(dotted))

    def _called(self, uses: Uses) -> Iterator[NameVerdict]:
        dotted = [each for star in uses.stars if (each := self._absolute(star))]
        stars = [place for each in dotted for place in self._bound.places(each)]
        for name in uses.undefined:
            if all(self._bound.gives(star, name) is False for star in stars):
                yield _say(name, "MISSING", "is called and defined nowhere", alike(name, uses.in_scope))


def _known_imports(distribution: str) -> set[str]:
    """The top-level names of a distribution, where they are known for certain."""
    names = IMPORT_NAMES.get(distribution) or ((distribution,) if distribution in POPULAR["pypi"] else ())
    return {name.partition(".")[0] for name in names if "-" not in name}


@cache
def _popular() -> frozenset[str]:
    return frozenset(name for each in POPULAR["pypi"] for name in import_names(each) if "." not in name)


_FOUND: Mapping[Origin, tuple[Literal["EXISTS", "UNKNOWN"], str]] = {
    "stdlib": ("EXISTS", "of the standard library"),
    "local": ("EXISTS", "of this project"),
    "environment": ("EXISTS", "installed"),
    "metadata": ("EXISTS", "installed, by its distribution's metadata"),
    "stubs": ("UNKNOWN", "only its stubs are installed"),
}


def _say(
    name: str, verdict: Literal["EXISTS", "MISSING", "UNKNOWN"], why: str, candidates: tuple[str, ...] = ()
) -> NameVerdict:
    return NameVerdict(name=name, verdict=verdict, why=why, candidates=candidates)

"""Which names the modules of a world bind, also through stars and re-exports."""

from collections.abc import Iterator
from types import ModuleType
from typing import Final

from .near_miss import alike
from .python_lookup import PythonWorld
from .python_module import ModuleNames

_ALWAYS_THERE: Final = frozenset({*dir(ModuleType), *vars(ModuleType("")), "__file__", "__builtins__", "__cached__"})
_ASKED_DEEP: Final = 8


class BoundNames:
    """Answers over one world. A module is named by its dotted name from a root."""

    def __init__(self, world: PythonWorld) -> None:
        self._world = world

    def places(self, dotted: str) -> set[str]:
        """The modules that a dotted name stands for: `os.path` is another one's attribute."""
        parent, _, name = dotted.rpartition(".")
        if self._world.find(dotted) is not None or not parent:
            return {dotted}
        return {below for place in self.places(parent) for below in self.modules(place, name)} or {dotted}

    def modules(self, place: str, name: str) -> set[str]:
        """The modules that an attribute of a module stands for."""
        below = f"{place}.{name}"
        if self._world.find(below) is not None:
            return {below}
        module = self._world.find(place)
        if module is None or module.names is None:
            return set()
        targets = {".".join(filter(None, pair)) for pair in module.names.modules.get(name, ())}
        return targets if targets and all(self._world.find(target) for target in targets) else set()

    def loads(self, place: str, name: str) -> bool:
        """Whether importing a package also imports what is below it, so that it is there as an attribute."""
        module = self._world.find(place)
        if module is None or module.namespace:
            return False
        if module.names is None or name in module.names.names:
            return True
        below = f"{place}.{name}"
        taken = (source for targets in module.names.modules.values() for source, _ in targets)
        known = any(source == below or source.startswith(f"{below}.") for source in (*taken, *module.names.stars))
        return known or any(self.gives(star, name) is True for star in module.names.stars)

    def has(self, place: str, name: str, deep: int = 0) -> bool | None:
        """Whether a module binds a name; None: it cannot be told."""
        module = self._world.find(place)
        if module is None or deep > _ASKED_DEEP:
            return None
        if name in _ALWAYS_THERE or self._world.find(f"{place}.{name}") is not None:
            return True
        if name == "__path__" and (module.namespace or module.package):
            return True
        if module.namespace:
            return False
        if module.names is None:
            return None
        if name in module.names.names:
            return True
        told: list[bool | None] = [None if _may_bind(module.names, name) else False]
        told += [self.gives(star, name, deep + 1) for star in module.names.stars if star != place]
        return True if True in told else None if None in told else False

    def gives(self, star: str, name: str, deep: int = 0) -> bool | None:
        """Whether `from star import *` binds a name: what `__all__` lists, else every name without an underscore; None:
        it cannot be told.
        """
        module = self._world.find(star)
        if module is None or module.names is None or deep > _ASKED_DEEP:
            return None
        if module.names.exported is not None:
            return name in module.names.exported and (self.has(star, name, deep) or None)
        if name.startswith("_"):
            return None if module.names.dynamic else False
        if name in module.names.names:
            return True
        # A module below it is taken along only if something has imported it.
        loaded = self._world.find(f"{star}.{name}") is not None
        told: list[bool | None] = [None if loaded or _may_bind(module.names, name) else False]
        told += [self.gives(each, name, deep + 1) for each in module.names.stars if each != star]
        return True if True in told else None if None in told else False

    def _all_names(self, place: str, deep: int = 0) -> Iterator[str]:
        module = self._world.find(place)
        if module is None or module.names is None or deep > _ASKED_DEEP:
            return
        yield from module.names.names
        for star in module.names.stars:
            yield from self._all_names(star, deep + 1)

    def near(self, place: str, name: str) -> tuple[str, ...]:
        names = set(self._all_names(place))
        return alike(name, [each for each in names if not each.startswith("_") or name.startswith("_")])


def _may_bind(names: ModuleNames, name: str) -> bool:
    return names.dynamic or names.shared_path or name in names.doubtful

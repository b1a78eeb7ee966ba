"""What decides on tests, as it is before anything of the workspace was imported, and what of it was replaced since.

Of a function its code counts, so that another one in its place is seen, and so is other code in itself. It keeps to
what Python 3.7 has.
"""

from __future__ import annotations

import builtins
import sys
import types
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    Place = tuple[str, ...]

INTERCEPTING = ("__call__", "__getattr__", "__getattribute__", "__init_subclass__", "__new__", "__setattr__")
"""Methods by which a class may come before all of its others."""
USED = ("AssertionError", "BaseException", "Exception", "abs", "all", "any", "bool", "dict", "float", "getattr",
        "hasattr", "int", "isinstance", "issubclass", "iter", "len", "list", "max", "min", "next", "range", "repr",
        "round", "set", "setattr", "sorted", "str", "sum", "tuple", "type", "zip")  # fmt: skip
"""Builtins that assertions use."""

CWD = Path.cwd()


class Anatomy:
    """The parts of modules whose names begin with some texts; the tests' own code may replace those of `lenient`."""

    def __init__(self, modules: Sequence[str], lenient: Sequence[str] = ()) -> None:
        self.lenient = tuple(lenient)
        self.before: dict[Place, Any] = dict(_parts((*modules, *lenient)))
        self.builtins = {name: getattr(builtins, name) for name in USED}

    def replaced(self) -> list[str]:
        """What is not what it was, by whole names; but not where a package that is installed put it there.

        Of classes that have a function of one another it is told for the first alone.
        """
        places = (place for place, before in self.before.items() if self._is_replaced(place, before))
        found = {(place[-1], id(_code(place))): ".".join(place) for place in reversed([*places])}
        other = (f"builtins.{name}" for name, was in self.builtins.items() if getattr(builtins, name, None) is not was)
        return [*reversed([*found.values()]), *other]

    def _is_replaced(self, place: Place, before: Any) -> bool:
        now = _code(place)
        if now is before:
            return False
        if not isinstance(now, types.CodeType):
            return True
        own = place[0].startswith(self.lenient) and is_of_tests(now.co_filename)
        return not (own or is_installed(now.co_filename))


def is_installed(file: str) -> bool:
    """Whether a file belongs to an installed package."""
    return not {"site-packages", "dist-packages"}.isdisjoint(Path(file).parts)


def is_of_tests(file: str) -> bool:
    """Whether a file is of tests, by its name or its folder below the one that tests were started in."""
    path = Path(file)
    if CWD in path.parents:
        path = path.relative_to(CWD)
    named = path.name.startswith(("test_", "conftest.", "tests.")) or path.stem.endswith(("_test", "_tests"))
    return named or not {"test", "tests"}.isdisjoint(path.parts)


def _parts(modules: tuple[str, ...]) -> Iterator[tuple[Place, Any]]:
    """Each function of the modules, and of their classes with what those inherit, with its code."""
    for name, module in list(sys.modules.items()):
        if module is None or not name.startswith(modules):
            continue
        for key, value in list(vars(module).items()):
            if getattr(value, "__module__", "") != name:
                continue
            if not isinstance(value, type):
                yield from _part((name, key))
                continue
            held = {part for one in value.__mro__[:-1] for part in vars(one)}
            for part in sorted(held.union(INTERCEPTING)):
                yield from _part((name, key, part))


def _part(place: Place) -> Iterator[tuple[Place, Any]]:
    code = _code(place)
    if isinstance(code, types.CodeType) or place[-1] in INTERCEPTING:
        yield place, code


def _code(place: Place) -> Any:
    """The code of what a place holds, or else itself; None where there is nothing."""
    value: Any = vars(sys.modules[place[0]]).get(place[1]) if place[0] in sys.modules else None
    if len(place) > 2:
        found = (vars(one)[place[2]] for one in getattr(value, "__mro__", ()) if place[2] in vars(one))
        value = next(found, None)
    value = getattr(value, "fget", value)
    value = getattr(value, "__func__", value)
    return getattr(value, "__code__", value)

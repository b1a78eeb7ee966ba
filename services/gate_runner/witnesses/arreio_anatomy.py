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
    Owner = tuple[str, str]

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
        self.before = {owner: dict(_parts(owner)) for owner in _owners((*modules, *lenient))}
        self.builtins = {name: getattr(builtins, name) for name in USED}

    def replaced(self) -> list[str]:
        """What is not what it was, by whole names; but not where a package that is installed put it there.

        Of classes that have a function of one another it is told for the first alone.
        """
        found: dict[tuple[str, int], str] = {}
        for (module, key), before in self.before.items():
            now = dict(_parts((module, key)))
            for name, was in before.items():
                code = now.get(name)
                if code is not was and not self._may_be_there(module, code):
                    found.setdefault((name or key, id(code)), ".".join(filter(None, (module, key, name))))
        other = (f"builtins.{name}" for name, was in self.builtins.items() if getattr(builtins, name, None) is not was)
        return [*found.values(), *other]

    def _may_be_there(self, module: str, code: Any) -> bool:
        if not isinstance(code, types.CodeType):
            return False
        own = module.startswith(self.lenient) and is_of_tests(code.co_filename)
        return own or is_installed(code.co_filename)


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


def _owners(modules: tuple[str, ...]) -> Iterator[Owner]:
    """What the modules define: functions and classes, by the module's name and their own."""
    for name, module in list(sys.modules.items()):
        if module is not None and name.startswith(modules):
            own = [key for key, value in vars(module).items() if getattr(value, "__module__", "") == name]
            yield from ((name, key) for key in own)


def _parts(owner: Owner) -> Iterator[tuple[str, Any]]:
    """The code of a function under an empty name; of a class that of each of its methods, as inherited too."""
    value: Any = vars(sys.modules[owner[0]]).get(owner[1]) if owner[0] in sys.modules else None
    if not isinstance(value, type):
        held = {"": value}
    else:
        held = dict.fromkeys(INTERCEPTING)
        for one in reversed(value.__mro__[:-1]):
            held.update(vars(one))
    for name, part in held.items():
        code = _code(part)
        if isinstance(code, types.CodeType) or name in INTERCEPTING:
            yield name, code


def _code(value: Any) -> Any:
    """The code of a function, method or property; else the value itself."""
    if type(value) is not types.FunctionType:
        value = getattr(value, "fget", value)
        value = getattr(value, "__func__", value)
    return getattr(value, "__code__", value)

"""What this harness's own Python tells of its standard library where a source does not tell it."""

import importlib
import importlib.util
import re
import sys
import warnings
from functools import cache
from typing import Final

from ..rules.grounding.python_module import ModuleNames
from .listings import text_of

EXTENSIONS: Final = (".so", ".pyd", ".dylib")
_NEVER_IMPORTED: Final = frozenset(["antigravity", "this", "idlelib", "turtle", "turtledemo", "tkinter", "test"])
"""Importing these does something."""


def own_version() -> str:
    """The version of this harness's own Python, such as "3.12"."""
    return f"{sys.version_info[0]}.{sys.version_info[1]}"


@cache
def is_compiled(name: str) -> bool:
    """Whether a module of this harness's own standard library is compiled, so that another may have it built in."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return False
    return spec is not None and (spec.origin == "built-in" or str(spec.origin).endswith(EXTENSIONS))


@cache
def built_in(name: str, version: str) -> ModuleNames:
    """The names of a compiled module of the standard library, as this harness's own Python has it."""
    same = version == own_version()
    if name not in sys.stdlib_module_names or not is_compiled(name):
        return ModuleNames(frozenset(), dynamic=True)
    try:
        with warnings.catch_warnings(action="ignore"):
            return ModuleNames(frozenset(dir(importlib.import_module(name))), dynamic=not same)
    except ImportError:
        return ModuleNames(frozenset(), dynamic=True)


@cache
def listed(name: str, path: str) -> frozenset[str] | None:
    """All names of a module of the standard library whose source makes some while it runs, with those that its source
    has as strings; None: it must not be imported.
    """
    if name not in sys.stdlib_module_names or name in _NEVER_IMPORTED:
        return None
    try:
        with warnings.catch_warnings(action="ignore"):
            names = dir(importlib.import_module(name))
        return frozenset((*names, *re.findall(r"""["'](\w+)["']""", text_of(path))))
    except (ImportError, OSError, ValueError):
        return None

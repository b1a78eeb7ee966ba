"""The names that a workspace's own files may be imported under, wherever they lie."""

from collections.abc import Iterator
from typing import Final

from .listings import entries
from .standard_library import EXTENSIONS

_NO_PROJECT: Final = frozenset({"node_modules", "__pycache__", ".git", ".venv", "venv", "env", "dist", "site-packages"})
_LOOKED_AT: Final = 4_000
"""Folders of the workspace that are looked at for a module's name."""
_LOOKED_DEEP: Final = 8
_GENERATED: Final = {
    "proto": ("{}_pb2", "{}_pb2_grpc", "{}_grpc", "{}_pb", "{}_connect"),
    "thrift": ("{}", "{}_thrift"),
    "fbs": ("{}", "{}_generated"),
    "g4": ("{}", "{}Lexer", "{}Parser", "{}Listener", "{}Visitor"),
    "ui": ("ui_{}", "{}_ui"),
    "qrc": ("{}_rc", "rc_{}"),
    "i": ("{}",),
}
"""Modules by the suffix of what they are generated from."""


def local_names(root: str) -> frozenset[str]:
    """The names of all modules and folders with code of a workspace."""
    found: set[str] = set()
    queue = [(root, 0)]
    looked = 0
    while queue and looked < _LOOKED_AT:
        folder, depth = queue.pop(0)
        looked += 1
        for name, is_folder in (entries(folder) or {}).items():
            if is_folder:
                if name not in _NO_PROJECT and not name.startswith(".") and depth < _LOOKED_DEEP:
                    found.add(name)
                    queue.append((f"{folder}/{name}", depth + 1))
            elif name.endswith((".py", ".pyi", ".pyx", *EXTENSIONS)):
                found.add(name.partition(".")[0])
            else:
                found.update(_generated(name))
    return frozenset(found)


def _generated(name: str) -> Iterator[str]:
    """The modules that tools make of a source that is no Python."""
    stem, _, suffix = name.rpartition(".")
    yield from (made.format(stem) for made in _GENERATED.get(suffix, ()))

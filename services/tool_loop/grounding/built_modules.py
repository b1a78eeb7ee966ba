"""The modules that a workspace has only once something else than Python made them: a native build, or git."""

import re
from collections.abc import Callable, Mapping
from typing import Final

_CMAKE: Final = re.compile(
    r"\b(?:pybind11_add_module|nanobind_add_module|cython_add_module|python_add_module"
    r"|(?:pybind11|Python3?)_add_(?:library|module))\s*\(\s*([A-Za-z_]\w*)",
    re.IGNORECASE,
)
_MESON: Final = re.compile(r"\bextension_module\(\s*['\"]([A-Za-z_]\w*)")
_MESON_FOLDER: Final = re.compile(r"\bsubdir\s*:\s*['\"]([A-Za-z_]\w*)")
_PATH: Final = re.compile(r"^[^\S\n]*+path\s*=\s*+(.+)$", re.MULTILINE)


def cmake_modules(text: str) -> frozenset[str]:
    """The extension modules that a `CMakeLists.txt` builds."""
    return frozenset(_CMAKE.findall(text))


def meson_modules(text: str) -> frozenset[str]:
    """The extension modules that a `meson.build` builds, and the packages that it installs sources into."""
    return frozenset((*_MESON.findall(text), *_MESON_FOLDER.findall(text)))


def submodules(text: str) -> frozenset[str]:
    """What a `.gitmodules` would check out, each as the package that its folder may be."""
    folders = (path.strip().strip('"').rstrip("/").rpartition("/")[2] for path in _PATH.findall(text))
    return frozenset(re.sub(r"[-.]", "_", folder) for folder in folders)


BUILT: Final[Mapping[str, Callable[[str], frozenset[str]]]] = {
    "CMakeLists.txt": cmake_modules,
    "meson.build": meson_modules,
    ".gitmodules": submodules,
}
"""What reads each file, by its name."""

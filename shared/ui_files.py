"""Which files make what people see. Pure."""

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Final

from shared.named_files import named_files

_SUFFIXES: Final = frozenset(
    {".html", ".htm", ".xhtml", ".css", ".scss", ".sass", ".less", ".jsx", ".tsx", ".vue", ".svelte", ".astro"}
)


def ui_file(paths: Iterable[str]) -> str | None:
    """The first path, by name, of a file that makes what people see; None where there is none."""
    return min((path for path in paths if PurePosixPath(path).suffix.lower() in _SUFFIXES), default=None)


def named_ui_file(text: str) -> str | None:
    """A file that makes what people see, named in a text."""
    return ui_file(named_files(text))

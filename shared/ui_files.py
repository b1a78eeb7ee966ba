"""Which files make what people see. Pure."""

import re
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Final

_SUFFIXES: Final = frozenset(
    {".html", ".htm", ".xhtml", ".css", ".scss", ".sass", ".less", ".jsx", ".tsx", ".vue", ".svelte", ".astro"}
)
_NAMED: Final = re.compile(r"[\w./-]*\w\.[A-Za-z]{2,6}\b")


def ui_file(paths: Iterable[str]) -> str | None:
    """The first path, by name, of a file that makes what people see; None where there is none."""
    return min((path for path in paths if PurePosixPath(path).suffix.lower() in _SUFFIXES), default=None)


def named_ui_file(text: str) -> str | None:
    """A file that makes what people see, named in a text."""
    return ui_file(_NAMED.findall(text))

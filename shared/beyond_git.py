"""What judges and lies where git ignores it, or beside the code: tests of Python's in ignored folders, and the metadata
of packages by which pytest finds plugins."""

import os
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Final

_TESTS: Final = re.compile(r"test_.*\.py|.*_tests?\.py|conftest\.py")
_LEFT_OUT: Final = re.compile(
    r"\..*|node_modules|site-packages|__pycache__|build|dist|target|out|venv|env|vendor|.*\.egg(?:-info)?|bower_components"
)
"""Folders that pytest does not enter, or that hold what was installed or built."""
_MOST_FOLDERS: Final = 2_000
_PLUGINS: Final = re.compile(rb"^[^\S\n]*+\[\s*pytest11\s*\]", re.MULTILINE)
_METADATA: Final = ("*.egg-info", "*.dist-info")


def ignored_tests(workspace: Path, folders: Iterable[str]) -> Iterator[str]:
    """The tests and conftests of Python's below some folders that git ignores, by their paths."""
    budget = iter(range(_MOST_FOLDERS))
    for folder in folders:
        if any(_LEFT_OUT.fullmatch(part) for part in folder.split("/")):
            continue
        for place, below, files in os.walk(workspace / folder):
            if next(budget, None) is None or "pyvenv.cfg" in files:
                below.clear()
                continue
            below[:] = sorted(one for one in below if not _LEFT_OUT.fullmatch(one))
            path = Path(place).relative_to(workspace).as_posix()
            yield from (f"{path}/{name}" for name in sorted(files) if _TESTS.fullmatch(name))


def plugin_metadata(workspace: Path) -> Iterator[str]:
    """The files at the top, and one folder below it, that name plugins of pytest wherever `sys.path` leads there."""
    places = chain.from_iterable((*workspace.glob(one), *workspace.glob(f"*/{one}")) for one in _METADATA)
    for place in sorted(places):
        file = place / "entry_points.txt"
        if file.is_file() and not file.is_symlink() and _PLUGINS.search(_text(file).encode()):
            yield file.relative_to(workspace).as_posix()


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace") if file.is_file() else ""
    except OSError:
        return ""

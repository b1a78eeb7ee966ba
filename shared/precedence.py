"""Files of one use, of which a runner reads the first that is there: a new one takes the place of the others."""

import posixpath
import re
from collections.abc import Callable
from typing import Final

FAMILIES: Final = (
    (re.compile(r"\bg?make\b"), ("GNUmakefile", "makefile", "Makefile")),
    (re.compile(r"\bjust\b"), ("justfile", "Justfile", ".justfile")),
    (
        re.compile(r"\b(?:go-)?task\b"),
        tuple(f"{name}.{ending}" for ending in ("yml", "yaml", "dist.yml") for name in ("Taskfile", "taskfile")),
    ),
    (re.compile(r"\brake\b"), ("rakefile", "Rakefile", "rakefile.rb", "Rakefile.rb")),
)
"""How a command names its runner, and the files that it looks for, in that order."""


def is_of_a_family(path: str) -> bool:
    """Whether a file bears a name that a runner looks for among others."""
    name = posixpath.basename(path)
    return any(name in names for _, names in FAMILIES)


def displacing(
    text: str, folders: set[str], was_there: Callable[[str], bool], is_there: Callable[[str], bool]
) -> list[str]:
    """The files, there now and not then, that runners named in a text read before one that was there, in their place.

    `folders` are where they are looked for (empty: the top).
    """
    found = []
    for folder in sorted(folders):
        for named, names in FAMILIES:
            paths = [posixpath.join(folder, name) for name in names]
            held = [place for place, path in enumerate(paths) if was_there(path)]
            if held and named.search(text):
                found += [path for path in paths[: held[0]] if is_there(path)]
    return found

"""What the lines of a requirements file ask for: packages of registries, other files, projects, or no names at all."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from .distributions import normalised, required_name

_OPTION = re.compile(r"(-r|--requirement|-e|--editable)(?:\s+|=|(?<=^-r)|(?<=^-e))(.+)")
_EGG = re.compile(r"[#&]egg=([\w.-]+)")
_ARCHIVE = re.compile(r"([A-Za-z0-9][\w.]*(?:[-_][A-Za-z][\w.]*)*?)-v?\d[^/]*\.(?:whl|tar\.gz|tar\.bz2|tgz|zip|egg)$")
_ENDINGS: Final = (".whl", ".tar.gz", ".tar.bz2", ".tgz", ".zip", ".egg")
_LONGEST_NAME: Final = 1_000
_PATH = re.compile(r"(\.{1,2}(/|$)|/|~|file:|\.\[)|[^@\s]*/")
_REMOTE = re.compile(r"\w[\w+.-]*://|(git|hg|svn|bzr)\+")
_NAMED_URL = re.compile(r"[A-Za-z0-9][\w.-]*\s*(\[[^\]]*\])?\s*@\s*\S")


@dataclass(frozen=True, slots=True)
class Requirements:
    """`registry`: names that a registry must have. `declared`: these, and names that URLs, files and paths tell of.

    `files`: other files of requirements; `folders`: projects by their paths. `unnamed`: something is asked for whose
    name cannot be told.
    """

    registry: tuple[str, ...] = ()
    declared: frozenset[str] = frozenset()
    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    unnamed: bool = False


def requirements(lines: Iterable[str]) -> Requirements:
    """Read the lines of a requirements file or of a manifest's list. What is no requirement says nothing."""
    found = [_line(line) for line in "\n".join(lines).replace("\\\n", " ").split("\n")]
    return Requirements(
        registry=tuple(dict.fromkeys(name for each in found for name in each.registry)),
        declared=frozenset(name for each in found for name in each.declared),
        files=tuple(dict.fromkeys(path for each in found for path in each.files)),
        folders=tuple(dict.fromkeys(path for each in found for path in each.folders)),
        unnamed=any(each.unnamed for each in found),
    )


def _line(line: str) -> Requirements:
    line = re.sub(r"(^|\s)#.*", "", line.removeprefix("\ufeff")).strip()
    option = _OPTION.fullmatch(line)
    if option is not None and option[1] in ("-r", "--requirement"):
        return Requirements(files=(option[2].strip("\"' "),))
    if option is not None:
        return _source(option[2].strip("\"' "))
    if not line or line.startswith("-"):
        return Requirements()
    name = required_name(line)
    if name is not None and _NAMED_URL.match(line):
        return Requirements(declared=frozenset({name}))
    if "$" in line or _REMOTE.match(line) or _PATH.match(line) or _archive(line.split()[0]):
        return _source(line)
    return Requirements(registry=(name,), declared=frozenset({name})) if name else Requirements()


def _archive(word: str) -> re.Match[str] | None:
    """An archive that carries its distribution's name; no file has so long a name as is not looked at."""
    return _ARCHIVE.search(word[-_LONGEST_NAME:]) if word.endswith(_ENDINGS) else None


def _source(line: str) -> Requirements:
    """A distribution by where it lies: its archive or its fragment may tell its name, a folder's manifests do."""
    place = line.split(" ;", 1)[0].split()[0] if line.split() else ""
    bare = re.sub(r"(?<=.)\[[^\]]*\]$", "", place.partition("#")[0])
    told = _EGG.search(line) or _archive(bare.rpartition("/")[2])
    if told is not None:
        return Requirements(declared=frozenset({normalised(told[1])}))
    if not _REMOTE.match(place) and "$" not in place:
        return Requirements(folders=(bare.removeprefix("file:"),))
    guessed = re.sub(r"(\.git)?(@[^/]*)?$", "", bare.rstrip("/").rpartition("/")[2])
    return Requirements(declared=frozenset({normalised(guessed)} if guessed else ()), unnamed=True)

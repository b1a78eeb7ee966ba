"""One directory of a workspace: what is in it, and how its path is told."""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, overload

MAX_DIRECTORIES: Final = 20_000
"""Directories looked at in one workspace, and in one ignored tree; that there are more is reported."""
TOO_MANY: Final = f"more than {MAX_DIRECTORIES} directories; from this one on they were not looked at"
_NEVER: Final = ".git"


class Directory(NamedTuple):
    """One directory: `path` relative to the workspace ("" for itself) and the names in it, each list sorted.

    `links` are symbolic links, whatever they lead to. `ignored` directories (by git's rules, and environments of other
    people's code) are named, not entered, unless the walker was told to: `found` lists the files asked for in the tree
    below them. Names are as the system gives them: what is not UTF-8 in them are surrogates.
    """

    path: str
    dirs: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    ignored: bool = False
    found: tuple[str, ...] = ()
    problem: str | None = None

    @property
    def depth(self) -> int:
        """0 for the workspace itself."""
        return self.path.count("/") + 1 if self.path else 0

    def child(self, name: str) -> str:
        """The path of an entry, relative to the workspace."""
        return f"{self.path}/{name}" if self.path else name


class Walked(Sequence[Directory]):
    """The directories of a walk. One in which there is nothing is kept as its path: of those there are many."""

    def __init__(self) -> None:
        self._kept: list[Directory | str] = []
        self.keep = self._kept.append

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[Directory]:
        return (Directory(kept) if isinstance(kept, str) else kept for kept in self._kept)

    @overload
    def __getitem__(self, index: int) -> Directory: ...

    @overload
    def __getitem__(self, index: slice) -> list[Directory]: ...

    def __getitem__(self, index: int | slice) -> Directory | list[Directory]:
        return list(self)[index]


def shown(path: str) -> str:
    """A path as it may stand in a prompt or a report: one line of UTF-8, and different for different paths."""
    if path.isascii() and path.isprintable() and "\\" not in path:
        return path
    return "".join(map(_shown_character, path))


def _shown_character(character: str) -> str:
    if character == "\\":
        return "\\\\"
    if character.isprintable():
        return character
    if "\udc80" <= character <= "\udcff":
        return f"\\x{ord(character) - 0xDC00:02x}"
    return character.encode("unicode_escape").decode()


def like(wanted: str, names: Iterable[str]) -> bool:
    """Whether one of the names is the wanted one, or differs from it by capitals only."""
    length, folded = len(wanted), wanted.casefold()
    return any(len(name) == length and name.casefold() == folded for name in names)


def sorted_out(entries: list[os.DirEntry[str]], wanted: str) -> tuple[dict[str, int], list[str], list[str]]:
    """Directories with their inodes, files and links; what is neither is left out, unless it has the wanted name."""
    dirs: list[tuple[str, int]] = []
    files: list[str] = []
    links: list[str] = []
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            if entry.name != _NEVER:
                dirs.append((entry.name, entry.inode()))
        elif entry.is_symlink():
            links.append(entry.name)
        elif entry.is_file(follow_symlinks=False) or entry.name == wanted:
            files.append(entry.name)
    dirs.sort()
    files.sort()
    links.sort()
    return dict(dirs), files, links


def search(root: str, ignored_root: str, wanted: str) -> Directory:
    """An ignored directory with the wanted files in the tree below it.

    It is searched again when its own listing changes: what such a tree holds is reported, never used.
    """
    found: list[str] = []
    problem = None
    waiting = [ignored_root]
    for path in waiting:
        if len(waiting) > MAX_DIRECTORIES:
            problem = TOO_MANY
            break
        try:
            entries = sorted(os.scandir(root + path), key=lambda entry: entry.name) if wanted else []
        except OSError:
            continue
        for entry in entries:
            if entry.name == wanted:
                found.append(f"{path}/{wanted}")
            elif entry.is_dir(follow_symlinks=False) and entry.name != _NEVER:
                waiting.append(f"{path}/{entry.name}")
    return Directory(ignored_root, ignored=True, found=tuple(sorted(found)), problem=problem)

"""The files of a workspace that a person would show: without .git and without what git ignores."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from shared.ignoring import Rules, ignored, own_rules
from shared.walk import Directory, Walker


@dataclass(frozen=True, slots=True)
class Shown:
    """One directory and its files that are not ignored; a directory that is ignored itself is named, not entered."""

    directory: Directory
    files: tuple[str, ...]


def shown_tree(workspace: Path, below: str = "") -> Iterator[Shown]:
    """Directories in order of depth and path, `below` one of them; file names are relative to the workspace."""
    rules: dict[str, Rules] = {}
    prefix = f"{below}/" if below else ""
    for directory in _walker(workspace).walk():
        parent = rules.get(directory.path.rpartition("/")[0], ()) if directory.path else ()
        rules[directory.path] = (*parent, *_own_rules(workspace, directory))
        if directory.path == below or directory.path.startswith(prefix):
            yield Shown(directory, _shown_files(directory, rules[directory.path]))


@lru_cache(maxsize=16)
def _walker(workspace: Path) -> Walker:
    """Kept, since it lists again only what changed; no file of an empty name is found in ignored places."""
    return Walker(workspace, "")


def _own_rules(workspace: Path, directory: Directory) -> Rules:
    if directory.ignored or ".gitignore" not in directory.files:
        return ()
    return own_rules(f"{workspace}/{directory.child('.gitignore')}", directory.path)


def _shown_files(directory: Directory, rules: Rules) -> tuple[str, ...]:
    hidden = frozenset(ignored(directory.child(""), directory.files, rules, directories=False))
    return tuple(directory.child(name) for name in directory.files if name not in hidden)

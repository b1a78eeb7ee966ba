"""The files of a workspace that a person would show: without .git and without what git ignores."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pathspec import GitIgnoreSpec

from shared.ignoring import spec_of
from shared.walk import Directory, Walker

Rules = tuple[tuple[str, GitIgnoreSpec], ...]


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
        own = _own_rules(workspace, directory)
        rules[directory.path] = (*parent, (directory.path, own)) if own else parent
        if directory.path == below or directory.path.startswith(prefix):
            names = (directory.child(name) for name in directory.files)
            yield Shown(directory, tuple(name for name in names if not _ignored(name, rules[directory.path])))


@lru_cache(maxsize=16)
def _walker(workspace: Path) -> Walker:
    """Kept, since it lists again only what changed; no file of an empty name is found in ignored places."""
    return Walker(workspace, "")


def _own_rules(workspace: Path, directory: Directory) -> GitIgnoreSpec | None:
    if directory.ignored or ".gitignore" not in directory.files:
        return None
    try:
        text = (workspace / directory.path / ".gitignore").read_text("utf-8", "replace")
    except OSError:
        return None
    return spec_of(text.splitlines())


def _ignored(name: str, rules: Rules) -> bool:
    for base, spec in reversed(rules):
        verdict = spec.check_file(name.removeprefix(base).lstrip("/")).include
        if verdict is not None:
            return verdict
    return False

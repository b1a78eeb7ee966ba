"""The files of a workspace that a person would show: without .git and without what git ignores."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from shared.directories import Directory
from shared.ignoring import NO_OUTER_RULES, NO_RULES, Rules, ignored_files, outer_rules, own_rules
from shared.rule_files import Work
from shared.walk import Walker


@dataclass(frozen=True, slots=True)
class Shown:
    """One directory and its files that are not ignored; a directory that is ignored itself is named, not entered."""

    directory: Directory
    files: tuple[str, ...]


def shown_tree(workspace: Path, below: str = "") -> Iterator[Shown]:
    """Directories in order of depth and path, `below` one of them; file names are relative to the workspace."""
    rules: dict[str, Rules] = {"": outer_rules(workspace, NO_OUTER_RULES).rules}
    prefix = f"{below}/" if below else ""
    work = Work()
    for directory in _walker(workspace).walk():
        path = directory.path
        here = rules[""] if not path else rules.get(path.rpartition("/")[0], NO_RULES)
        if ".gitignore" in directory.files and not directory.ignored:
            here += own_rules(f"{workspace}/{directory.child('.gitignore')}", path, work)
        rules[path] = here
        if path == below or path.startswith(prefix):
            start = f"{path}/" if path else ""
            ignored = ignored_files(start, directory.files, here, work)
            yield Shown(directory, tuple(start + name for name in directory.files if name not in ignored))


@lru_cache(maxsize=16)
def _walker(workspace: Path) -> Walker:
    """Kept, since it lists again only what changed; no file of an empty name is found in ignored places."""
    return Walker(workspace, "")

"""A workspace made to hold what a snapshot holds: planned first, so that nothing is lost and nothing is half done."""

import contextlib
import os
import stat
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

from shared.workspace.changes import Change
from shared.workspace.files import write_atomic


def in_the_way(root: Path, changes: Sequence[Change], held: Collection[str]) -> list[str]:
    """The paths that these changes would overwrite or remove though no snapshot has what they hold.

    `held` are the paths whose present content a snapshot keeps.
    """
    written = [change.path for change in changes if change.after is not None]
    return sorted({one for path in written for one in _occupying(root, path) if one not in held})


def not_writable(root: Path, changes: Sequence[Change]) -> list[str]:
    """The folders in which these changes cannot be made."""
    folders = {next(one for one in (root / change.path).parents if one.is_dir()) for change in changes}
    return sorted(str(one) for one in folders if not os.access(one, os.W_OK | os.X_OK))


def put_back(root: Path, changes: Sequence[Change], content: Callable[[str], bytes]) -> None:
    """Make the changes; `content` gives a blob's."""
    for change in changes:
        if change.after is None:
            _remove(root, change.path)
    for change in changes:
        if change.after is not None:
            _write(root, change, content(change.after))


def _occupying(root: Path, path: str) -> Iterator[str]:
    """What stands where a file shall be written: itself, a file in place of its folder, or the files of a folder."""
    for parent in reversed([*_parents(root, root / path)]):
        if parent.is_symlink() or not parent.is_dir():
            if os.path.lexists(parent):
                yield str(parent.relative_to(root))
            return
    place = root / path
    if place.is_dir() and not place.is_symlink():
        for folder, folders, files in os.walk(place):
            links = [name for name in folders if Path(folder, name).is_symlink()]
            yield from (str(Path(folder, name).relative_to(root)) for name in [*files, *links])
    elif os.path.lexists(place):
        yield path


def _remove(root: Path, path: str) -> None:
    """Remove a file, and the directories that are empty then. What lies behind a link is not the workspace's."""
    place = root / path
    if any(parent.is_symlink() for parent in _parents(root, place)):
        return
    with contextlib.suppress(FileNotFoundError, NotADirectoryError, IsADirectoryError):
        place.unlink()
    for parent in _parents(root, place):
        try:
            parent.rmdir()
        except OSError:
            return


def _write(root: Path, change: Change, content: bytes) -> None:
    place = root / change.path
    for parent in reversed([*_parents(root, place)]):
        if parent.is_symlink() or (parent.exists() and not parent.is_dir()):
            parent.unlink()
    if place.is_dir() and not place.is_symlink():
        _remove_empty(place)
    if stat.S_ISLNK(change.mode_after):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.unlink(missing_ok=True)
        place.symlink_to(os.fsdecode(content))
        return
    if place.is_symlink():
        place.unlink()
    write_atomic(place, content)
    mode = stat.S_IMODE(place.stat().st_mode)
    place.chmod(mode | 0o111 if change.mode_after & 0o111 else mode & ~0o111)


def _remove_empty(folder: Path) -> None:
    for inner, _, _ in os.walk(folder, topdown=False):
        Path(inner).rmdir()


def _parents(root: Path, place: Path) -> Iterator[Path]:
    """The folders between a place and the workspace, the nearest first."""
    return (parent for parent in place.parents if parent != root and parent.is_relative_to(root))

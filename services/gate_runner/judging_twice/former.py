"""What is put back, and what is taken away, so that a workspace is judged by the files that it began with."""

import ast
import stat
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePosixPath

from shared.named_blocks import with_blocks
from shared.workspace.changes import Change

from ..cheating import names_in, only_adds, with_named, without_lost_marks
from .linting import with_settings_of
from .merging import with_tests_of
from .moving import Moves, moved
from .renaming import Renames, renamed
from .which import Which

Contents = Callable[[Collection[str]], Mapping[str, bytes]]
"""The contents of blobs, by their ids."""
Content = Callable[[str], bytes | None]
_PLAIN = 0o100644
"""The mode of a file that was not there."""


@dataclass(frozen=True, slots=True)
class Put:
    """A file as it was: its path, content (of a link: where it leads) and mode as in git."""

    path: str
    content: bytes
    mode: int

    @property
    def is_link(self) -> bool:
        """Whether it is a symbolic link."""
        return stat.S_ISLNK(self.mode)


@dataclass(frozen=True, slots=True)
class Former:
    """Files to put back, and paths to take away before that."""

    put: tuple[Put, ...] = ()
    gone: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.put or self.gone)

    def but(self, kept: Collection[str]) -> "Former":
        """The same with these paths as they are."""
        put = tuple(one for one in self.put if one.path not in kept)
        return Former(put, tuple(path for path in self.gone if path not in kept))


def former(
    changes: Sequence[Change],
    which: Which,
    contents: Contents,
    now: Content,
    renames: Renames = (),
    moves: Moves = (),
    opened: Collection[str] = (),
) -> Former:
    """What judges as it was when the task began, where it differs; empty where nothing that judges changed.

    A file of Rust that holds code and tests gets back its tests alone. A test that could not be read as Python stays as
    it was mended. What `renames` asks to be named otherwise is so named, and what `moves` moved is looked for there.
    Single tests that are `opened` by their names (`PATH::NAME`) are as they are now.
    """
    wanted = [one for one in changes if one.before is not None and which.put_back(one.path)]
    mixed = [one for one in changes if one.kind != "added" and one.path.endswith(".rs") and one not in wanted]
    shared = [one for one in changes if which.linters and one.after is not None and one not in wanted]
    held = contents({one.before for one in (*wanted, *mixed, *shared) if one.before is not None})
    put = [one for one in _as_they_were(wanted, held) if not _is_broken(one)]
    for one in mixed:
        merged = with_tests_of(held.get(one.before or "", b""), now(one.path) or b"")
        if merged is not None and not which.opened(one.path):
            put.append(Put(one.path, merged, one.mode_before))
    for one in shared:
        old = held.get(one.before or "", b"")
        settings = with_settings_of(one.path, old, now(one.path) or b"", which.linters)
        if settings is not None and not which.opened(one.path):
            put.append(Put(one.path, settings, one.mode_before or _PLAIN))
    gone = [one.path for one in changes if one.kind == "added" and which.taken_away(one.path)]
    gone = [path for path in gone if not (path.endswith("__init__.py") and not (now(path) or b"").strip())]
    gone += _snapshots_of({*gone, *(one.path for one in put)}, changes)
    put = _but_named(put, opened, now)
    put = [replace(one, content=_with_marks_of(now(one.path), one)) for one in put]
    put = [replace(one, content=moved(renamed(one.content, renames), one.path, moves)) for one in put]
    return _made(put, gone, changes)


def _snapshots_of(tests: Collection[str], changes: Sequence[Change]) -> list[str]:
    """New snapshots of tests that are not there, or are as they were: runners call these obsolete and fail."""
    added = [one.path for one in changes if one.kind == "added" and "__snapshots__/" in one.path]
    return [path for path in added if any(_is_snapshot_of(path, test) for test in tests)]


def _is_snapshot_of(path: str, test: str) -> bool:
    folder, _, name = path.rpartition("__snapshots__/")
    beside, _, owner = test.rpartition("/")
    stem = name.rpartition(".")[0]
    return folder.rstrip("/") == beside and stem in (owner, owner.rpartition(".")[0])


def all_former(
    changes: Sequence[Change], contents: Contents, now: Content = lambda _: None, opened: Collection[str] = ()
) -> Former:
    """Everything as it was when the task began, but for single tests that are `opened` by their names."""
    there = [one for one in changes if one.before is not None]
    held = contents({one.before for one in there if one.before is not None})
    put = _but_named(_as_they_were(there, held), opened, now)
    return _made(put, [one.path for one in changes if one.before is None], changes)


def _but_named(put: Sequence[Put], opened: Collection[str], now: Content) -> list[Put]:
    """Files as they were, with the tests that are opened by their names as they are now; without those of no others."""
    found = []
    for one in put:
        names = names_in(opened, one.path) if not one.is_link else ()
        there = (now(one.path) or b"").decode("utf-8", "replace")
        with_tests = with_named if one.path.endswith(".py") else partial(with_blocks, one.path)
        text = with_tests(one.content.decode("utf-8", "replace"), there, names) if names else None
        if text is None:
            found.append(one)
        elif text and not (_says_the_same(text, there) or only_adds(one.path, text, there)):
            found.append(replace(one, content=text.encode()))
    return found


def _says_the_same(one: str, other: str) -> bool:
    try:
        return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other))
    except (SyntaxError, ValueError, RecursionError):
        return False


def _as_they_were(changes: Sequence[Change], held: Mapping[str, bytes]) -> list[Put]:
    found = ((one, held.get(one.before or "")) for one in changes)
    return [Put(one.path, content, one.mode_before) for one, content in found if content is not None]


def _made(put: Sequence[Put], gone: Iterable[str], changes: Sequence[Change]) -> Former:
    """With what stands in the way of the folders of what is put back."""
    folders = {str(parent) for one in put for parent in PurePosixPath(one.path).parents}
    below = tuple(f"{one.path}/" for one in put)
    added = [one.path for one in changes if one.kind == "added"]
    in_the_way = [path for path in added if path in folders or path.startswith(below)]
    return Former(tuple(put), tuple(dict.fromkeys([*gone, *in_the_way])))


def _with_marks_of(now: bytes | None, one: Put) -> bytes:
    """Tests as they were, without marks that are gone: those set tests aside, and judge nothing."""
    if now is None or one.is_link or not one.path.endswith(".py"):
        return one.content
    text = without_lost_marks(one.content.decode("utf-8", "replace"), now.decode("utf-8", "replace"))
    return one.content if text is None else f"{text}\n".encode()


def _is_broken(one: Put) -> bool:
    if not one.path.endswith(".py") or one.is_link:
        return False
    try:
        compile(one.content, one.path, "exec", dont_inherit=True, flags=0x400)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    return False

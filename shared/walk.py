"""A deterministic walk over a workspace that knows what git ignores, and looks again only at what changed."""

import os
import time
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Final, NamedTuple

from shared.directories import MAX_DIRECTORIES, TOO_MANY, Directory, Walked, like, search, sorted_out
from shared.ignoring import (
    NO_OUTER_RULES,
    NO_RULES,
    OuterRules,
    Rules,
    emptied,
    ignored,
    ignored_files,
    outer_rules,
    own_rules,
    unheeded,
)
from shared.rule_files import Work

_FIRST: Final = itemgetter(0)
MAX_DEPTH: Final = 128
"""Directories one in another that are looked at; that there are more is reported."""

_FOREIGN: Final = frozenset({"node_modules"})
_ENVIRONMENT: Final = "pyvenv.cfg"
_RACY_NS: Final = 50_000_000
_TOO_DEEP: Final = f"more than {MAX_DEPTH} directories one in another; those in this one were not looked at"
_TOO_MUCH: Final = (
    "the rules of .gitignore files take too long; from this one on, wildcards and further files do not count"
)
Signature = tuple[int, ...]
UNSIGNED: Final[Signature] = (0, 0)


class _Read(NamedTuple):
    """A directory as it was read, with the rules of its own `.gitignore` and the inodes of its subdirectories."""

    directory: Directory
    notable: bool = False
    rules: Rules = NO_RULES
    ignore_file: Signature = UNSIGNED
    inodes: tuple[int, ...] = ()
    work: int = 0
    """What reading the rules cost."""


class _Signed(NamedTuple):
    """What was read (None: an empty directory), and what says whether it still holds.

    `outside`: the rules above it ignored it.
    """

    signature: Signature
    outside: bool
    read: _Read | None


@dataclass(slots=True)
class _Memory:
    """What one walk saw, for the next one. `whole`: any change since would show in a signature.

    `looked` and `inodes` are the directories of a walk that signed none.
    """

    outer: OuterRules = NO_OUTER_RULES
    began: int = 0
    work: Work = field(default_factory=Work)
    signed: dict[str, _Signed] = field(default_factory=dict)
    looked: dict[str, _Read | None] = field(default_factory=dict)
    inodes: dict[str, int] = field(default_factory=dict)
    found: Walked = field(default_factory=Walked)
    notable: list[Directory] = field(default_factory=list)
    whole: bool = False
    exhausted: bool = False
    """Whether it was said that the rules were too much work."""

    def note(self, read: _Read, here: Directory) -> None:
        """Keep what is to be told of a directory, which was read, and is here."""
        note = self.notable.append
        if read.notable:
            note(here)
        if read.rules and (problem := unheeded(read.rules)) is not None:
            note(Directory(here.child(".gitignore"), problem=problem))
        if here.dirs and here.depth >= MAX_DEPTH:
            note(Directory(here.path, problem=_TOO_DEEP))
        if self.work.exhausted and not self.exhausted:
            self.exhausted = True
            note(Directory(here.path, problem=_TOO_MUCH))

    def forget(self) -> None:
        """Have the next walk look at everything: what rules were not heeded is not known by signatures."""
        self.signed, self.looked, self.inodes, self.whole = {}, {}, {}, False


@dataclass(slots=True)
class Walker:
    """Walks one workspace again and again.

    The first walk only looks. From the second on, directories are signed (inode, size, mtime, ctime), and only what
    changed is listed anew. What changed within the clock's tick of a look is never remembered.
    """

    workspace: Path
    wanted: str
    enter_ignored: bool = False
    _walks: int = 0
    _before: _Memory = field(default_factory=_Memory)

    def walk(self) -> Walked:
        """Every directory, by depth and then path; `.git` is left out and symbolic links are not followed.

        The result is the very same object when nothing changed.
        """
        if not self._unchanged():
            self._before = self._walk(signing=self._walks > 0)
            self._walks += 1
            if self._before.exhausted:
                self._before.forget()
        return self._before.found

    @property
    def notable(self) -> list[Directory]:
        """Of the last walk: directories with the wanted name or a link in them, ignored and unreadable ones."""
        return self._before.notable

    def _unchanged(self) -> bool:
        before, root = self._before, f"{self.workspace}/"
        if not before.whole or outer_rules(self.workspace, before.outer) is not before.outer:
            return False
        return all(
            signature(root + path) == signed.signature and _rules_hold(root, path, signed.read)
            for path, signed in before.signed.items()
        )

    def _walk(self, *, signing: bool) -> _Memory:
        now = _Memory(outer_rules(self.workspace, self._before.outer), time.time_ns(), whole=signing)
        root, settled = f"{self.workspace}/", now.began - _RACY_NS
        keep, look = now.found.keep, self._look
        level: list[tuple[str, bool, Rules]] = [("", False, now.outer.rules)]
        if (problem := unheeded(now.outer.rules)) is not None:
            now.notable.append(Directory("../.gitignore", problem=problem))
        while level:
            level.sort()
            room = MAX_DIRECTORIES - len(now.found)
            below: list[tuple[str, bool, Rules]] = []
            for path, outside, rules in level[:room]:
                if signing:
                    read = self._look_again(root, path, outside, now, settled)
                else:
                    read = now.looked[path] = look(root, path, outside, now.work)
                if read is None:
                    keep(path)
                    continue
                here = self._own(read, rules, now.work)
                keep(here)
                if here.dirs and here.depth < MAX_DEPTH:
                    children = _children(root, here, rules + read.rules, now.work)
                    below += children
                    if not signing:
                        now.inodes.update(zip(map(_FIRST, children), read.inodes, strict=True))
                now.note(read, here)
            if len(level) > room:
                now.whole = False
                now.notable.append(Directory(level[room][0], problem=TOO_MANY))
                keep(now.notable[-1])
                return now
            level = below
        return now

    def _own(self, read: _Read, above: Rules, work: Work) -> Directory:
        """The directory; where rules above ignore all that is in it, and its own do not take it back, without that."""
        here = read.directory
        if not read.rules or self.wanted not in here.files or here.ignored or self.enter_ignored:
            return here
        parent, slash, name = here.path.rpartition("/")
        gone = emptied(parent + slash, [name], above, work) and ignored_files(
            f"{here.path}/", [self.wanted], above + read.rules, work
        )
        if not gone:
            return here
        kept = tuple(one for one in here.files if one != self.wanted)
        return here._replace(files=kept, found=(here.child(self.wanted),))

    def _look_again(self, root: str, path: str, outside: bool, now: _Memory, settled: int) -> _Read | None:
        """A directory as it was known, if nothing changed, else as it is."""
        own = signature(root + path)
        known = self._before.signed.get(path) or self._looked_at(path, outside, own)
        holds = known is not None and known[:2] == (own, outside) and _rules_hold(root, path, known.read)
        if known is None or not holds or not (known.read is None or now.work.affords(known.read.work)):
            known = _Signed(own, outside, self._look(root, path, outside, now.work))
        read = known.read
        if own[-1] > settled or own[-2] > settled or (read is not None and max(read.ignore_file[-2:]) > settled):
            now.whole = False
        else:
            now.signed[path] = known
        return read

    def _looked_at(self, path: str, outside: bool, own: Signature) -> _Signed | None:
        """What the first walk saw of the same directory, where its time stamps say that nothing changed since."""
        before = self._before
        if before.inodes.get(path) != own[0] or max(own[-2:]) > before.began - _RACY_NS:
            return None
        read = before.looked[path]
        return _Signed(own, outside, read) if outside == (read is not None and read.directory.ignored) else None

    def _look(self, root: str, path: str, outside: bool, work: Work) -> _Read | None:
        """A directory as it is; None where there is nothing in it, which most directories of a large tree are."""
        if outside and not self.enter_ignored:
            return _Read(search(root, path, self.wanted), notable=True)
        try:
            entries = list(os.scandir(root + path))
        except OSError as error:
            return _unreadable(path, error)
        return self._sort_out(root, path, entries, outside, work) if entries or outside else None

    def _sort_out(self, root: str, path: str, entries: list[os.DirEntry[str]], outside: bool, work: Work) -> _Read:
        try:
            dirs, files, links = sorted_out(entries, self.wanted)
            inodes = tuple(dirs.values())
        except OSError as error:
            return _unreadable(path, error)
        if path and _ENVIRONMENT in files:
            if not self.enter_ignored:
                return _Read(search(root, path, self.wanted), notable=True)
            outside = True
        here = Directory(path, tuple(dirs), tuple(files), tuple(links), outside)
        notable = bool(links) or like(self.wanted, files) or like(self.wanted, dirs)
        if ".gitignore" not in files:
            return _Read(here, notable, inodes=inodes)
        place, left = f"{root}{path}/.gitignore", work.left
        rules = own_rules(place, path, work)
        return _Read(here, notable, rules, signature(place), inodes, left - work.left)


def _unreadable(path: str, error: OSError) -> _Read:
    return _Read(Directory(path, problem=f"cannot be read: {error.strerror}"), notable=True)


def signature(place: str) -> Signature:
    """What changes when a file or a listing does: inode, size, mtime and ctime; of what cannot be seen, the error."""
    try:
        seen = os.stat(place)  # noqa: PTH116 - pathlib costs more than the call itself
    except OSError as error:
        return (error.errno or 0, 0, 0)
    return (seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)


def racy(seen: Signature) -> bool:
    """A change in the clock tick of the look would leave the signature as it is: such a look is not remembered."""
    return max(seen[-2:]) > time.time_ns() - _RACY_NS


def _children(root: str, here: Directory, rules: Rules, work: Work) -> list[tuple[str, bool, Rules]]:
    """The subdirectories, each with whether it is ignored; in an ignored one that was entered, all are.

    One in which everything is ignored is too: git enters it, and finds nothing but its own rules, if it has any.
    """
    prefix = f"{here.path}/" if here.path else ""
    if here.ignored:
        return [(prefix + name, True, rules) for name in here.dirs]
    empty = emptied(prefix, here.dirs, rules, work)
    empty = frozenset(name for name in empty if not os.path.lexists(f"{root}{prefix}{name}/.gitignore"))
    outside = _FOREIGN.union(ignored(prefix, here.dirs, rules, work), empty)
    return [(prefix + name, name in outside, rules) for name in here.dirs]


def _rules_hold(root: str, path: str, read: _Read | None) -> bool:
    """Whether the `.gitignore` of a directory is as it was."""
    if read is None or read.ignore_file is UNSIGNED:
        return True
    return signature(f"{root}{path}/.gitignore") == read.ignore_file

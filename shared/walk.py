"""A deterministic walk over a workspace that knows what git ignores, and looks again only at what changed."""

import os
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pathspec import GitIgnoreSpec

MAX_DIRECTORIES: Final = 20_000
_NEVER: Final = frozenset({".git"})
_FOREIGN: Final = frozenset({"node_modules"})
_RACY_NS: Final = 50_000_000

Signature = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Directory:
    """One directory: `path` relative to the workspace ("" for itself) and the names in it, each list sorted.

    `links` are symbolic links, whatever they lead to. `ignored` directories (by git's rules, and environments of other
    people's code) are named, not entered: `found` lists the files asked for in the tree below them.
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


@dataclass(frozen=True, slots=True)
class _Listing:
    dirs: tuple[str, ...]
    files: tuple[str, ...]
    links: tuple[str, ...]
    rules: GitIgnoreSpec | None
    problem: str | None = None


Rules = tuple[tuple[str, GitIgnoreSpec], ...]


@dataclass(slots=True)
class _Memory:
    """What one walk saw, for the next one."""

    listings: dict[str, tuple[Signature, _Listing]] = field(default_factory=dict)
    searched: dict[str, tuple[Signature, tuple[str, ...]]] = field(default_factory=dict)
    verdicts: dict[str, tuple[Rules, bool]] = field(default_factory=dict)


@dataclass(slots=True)
class Walker:
    """Walks one workspace again and again; a directory is listed anew only when its stat signature changed."""

    workspace: Path
    wanted: str
    enter_ignored: bool = False
    _before: _Memory = field(default_factory=_Memory)

    def walk(self) -> list[Directory]:
        """Every directory, by depth and then path; `.git` is left out and symbolic links are not followed."""
        now = _Memory()
        found = list(self._walk(now))
        self._before = now
        return found

    def _walk(self, now: _Memory) -> Iterator[Directory]:
        base = _rules(self.workspace / ".git" / "info" / "exclude")
        level: list[tuple[str, Rules]] = [("", (("", base),) if base else ())]
        seen = 0
        while level:
            below: list[tuple[str, Rules]] = []
            for path, inherited in sorted(level, key=lambda entry: entry[0]):
                seen += 1
                if seen > MAX_DIRECTORIES:
                    yield Directory(
                        path, problem=f"more than {MAX_DIRECTORIES} directories; this one was not looked at"
                    )
                    return
                if path and self._ignored(path, inherited, now):
                    yield Directory(path, ignored=True, found=self._search(path, now))
                    continue
                listing = self._list(path, now)
                if path and "pyvenv.cfg" in listing.files and not self.enter_ignored:
                    yield Directory(path, ignored=True, found=self._search(path, now))
                    continue
                here = Directory(path, listing.dirs, listing.files, listing.links, problem=listing.problem)
                yield here
                rules = (*inherited, (path, listing.rules)) if listing.rules else inherited
                below.extend((here.child(name), rules) for name in listing.dirs)
            level = below

    def _list(self, path: str, now: _Memory) -> _Listing:
        place = self.workspace / path
        own, rules = _signature(place), _signature(place / ".gitignore")
        known = self._before.listings.get(path)
        if known is None or known[0] != own + rules:
            known = (own + rules, _read(place))
        if not racy(own) and not racy(rules):
            now.listings[path] = known
        return known[1]

    def _ignored(self, path: str, rules: Rules, now: _Memory) -> bool:
        if self.enter_ignored:
            return False
        known = self._before.verdicts.get(path)
        if known is None or not _same(known[0], rules):
            known = (rules, path.rpartition("/")[2] in _FOREIGN or _ignored_by(path, rules))
        now.verdicts[path] = known
        return known[1]

    def _search(self, root: str, now: _Memory) -> tuple[str, ...]:
        """The wanted files below an ignored directory, looked for again only when its own listing changed."""
        signature = _signature(self.workspace / root)
        known = self._before.searched.get(root)
        if known is None or known[0] != signature:
            found: list[str] = []
            for folder, names, files in os.walk(self.workspace / root):
                names[:] = sorted(name for name in names if name not in _NEVER)
                if self.wanted in files:
                    found.append(_shown(str(Path(folder, self.wanted).relative_to(self.workspace))))
            known = (signature, tuple(sorted(found)))
        now.searched[root] = known
        return known[1]


def _same(one: Rules, other: Rules) -> bool:
    """The very same rules: a `.gitignore` that was read anew is another object."""
    return len(one) == len(other) and all(a[1] is b[1] for a, b in zip(one, other, strict=True))


def _read(place: Path) -> _Listing:
    dirs: list[str] = []
    files: list[str] = []
    links: list[str] = []
    try:
        with os.scandir(place) as entries:
            for entry in entries:
                if entry.is_symlink():
                    links.append(entry.name)
                elif entry.is_dir(follow_symlinks=False):
                    if entry.name not in _NEVER:
                        dirs.append(entry.name)
                elif entry.is_file(follow_symlinks=False) or entry.name == "AGENTS.md":
                    files.append(entry.name)
    except OSError as error:
        return _Listing((), (), (), None, f"cannot be read: {error.strerror}")
    return _Listing(tuple(sorted(dirs)), tuple(sorted(files)), tuple(sorted(links)), _rules(place / ".gitignore"))


def _rules(file: Path) -> GitIgnoreSpec | None:
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            return None
        return GitIgnoreSpec.from_lines(file.read_text("utf-8", "replace").splitlines())
    except (OSError, ValueError):
        return None


def _ignored_by(path: str, rules: Rules) -> bool:
    """Git's rule: the deepest `.gitignore` that says anything of this directory decides."""
    for base, spec in reversed(rules):
        verdict = spec.check_file(f"{path.removeprefix(base).lstrip('/')}/").include
        if verdict is not None:
            return verdict
    return False


def _signature(place: Path) -> Signature:
    try:
        seen = place.stat()
    except OSError as error:
        return (0, error.errno or 0)
    return (seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)


def racy(signature: Signature) -> bool:
    """A change in the clock tick of the look would leave the signature as it is: such a look is not remembered."""
    return max(signature[-2:]) > time.time_ns() - _RACY_NS


def _shown(path: str) -> str:
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")

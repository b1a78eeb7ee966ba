"""Tells whether what a workspace's snapshots leave out changed: ignored, large and special files, empty folders."""

import hashlib
import json
import os
import stat
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final, Literal

from shared.workspace.changes import Change, Kind

MOST_ENTRIES: Final = 300_000
MOST_HASHED: Final = 4 << 20
"""Size of a file above which its size and times stand for its content."""
MOST_HASHED_IN_ALL: Final = 256 << 20
_UNREAD: Final = "?"


@dataclass(frozen=True, slots=True)
class Inventory:
    """What lies beside a snapshot. `entries`: by path, `MODE SIZE` and the id of the git blob that the file would be,
    or `?` and its times where it was not read; a folder that cannot be read ends in `/`. `whole`: nothing else does.
    """

    entries: Mapping[str, str] = field(default_factory=dict)
    folders: Collection[str] = ()
    empty: Collection[str] = ()
    whole: bool = True

    def dump(self) -> bytes:
        """As bytes, for `load`."""
        return json.dumps(asdict(self)).encode()

    @staticmethod
    def load(content: bytes) -> "Inventory":
        """The inventory that `dump` wrote."""
        return Inventory(**json.loads(content))


@dataclass(frozen=True, slots=True)
class Beyond:
    """What changed between two states, by path; of `untold` paths it cannot be said."""

    changes: tuple[Change, ...]
    untold: tuple[str, ...] = ()


def take_inventory(workspace: Path, kept: Collection[str]) -> Inventory:
    """What of a workspace is not `kept` in its snapshot, as it is now. Repositories' own `.git` are no part of it."""
    entries: dict[str, str] = {}
    folders: list[str] = []
    empty: list[str] = []
    left = MOST_HASHED_IN_ALL
    for path, found in _walk(workspace.resolve()):
        if len(entries) + len(folders) >= MOST_ENTRIES:
            return Inventory(entries, folders, empty, whole=False)
        if isinstance(found, OSError):
            entries[f"{path}/"] = _unread(workspace / path)
        elif isinstance(found, int):
            folders.append(path)
            empty += [] if found else [path]
        elif path not in kept:
            entries[path], read = _entry(found, left)
            left -= read
    return Inventory(entries, folders, empty)


def beyond(
    before: Inventory,
    after: Inventory,
    kept_before: Collection[str],
    kept_after: Collection[str],
    changes: Sequence[Change],
) -> Beyond:
    """What changed in all, from what changed between two snapshots and from the inventories taken beside them."""
    found: list[Change] = []
    untold: list[str] = []

    def note(path: str, was: str | None, now: str | None) -> None:
        kind = _compared(was, now)
        if kind == "untold":
            untold.append(path)
        elif kind != "same":
            found.append(Change(path, kind, None, None, 0, 0))

    for change in changes:
        was = before.entries.get(change.path) if change.before is None else None
        now = after.entries.get(change.path) if change.after is None else None
        if was is None and now is None:
            found.append(change)
        else:
            # One side lies in a snapshot and the other beside it: a rule came or went, and the content may be the same.
            note(change.path, was or _kept(change.before, now), now or _kept(change.after, was))
    for path in sorted({*before.entries, *after.entries} - {change.path for change in changes}):
        if path not in kept_before and path not in kept_after:
            note(path, before.entries.get(path), after.entries.get(path))
    known = set(before.folders)
    found += [Change(f"{one}/", "added", None, None, 0, 0) for one in after.empty if one not in known]
    if not (before.whole and after.whole):
        untold.append(f"… (> {MOST_ENTRIES})")
    return Beyond(tuple(sorted(found, key=lambda one: one.path)), tuple(untold))


def _compared(was: str | None, now: str | None) -> Kind | Literal["same", "untold"]:
    """How an entry changed, as far as that can be told."""
    if was is None or now is None:
        return "deleted" if now is None else "added"
    if was == now:
        return "same"
    if _UNREAD in (was.split()[2], now.split()[2]) and was.split()[:2] == now.split()[:2]:
        return "untold"
    return "changed"


def _kept(blob: str | None, beside: str | None) -> str | None:
    """An entry for what a snapshot keeps, of which only the content counts."""
    return None if blob is None or beside is None else f"{' '.join(beside.split()[:2])} {blob}"


def _walk(root: Path) -> Iterator[tuple[str, os.DirEntry[str] | int | OSError]]:
    """Each file with its entry, each folder with how many entries it has or why they cannot be listed."""
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        prefix = f"{folder}/" if folder else ""
        try:
            listed = sorted(os.scandir(root / folder), key=lambda one: one.name)
        except OSError as error:
            yield folder, error
            continue
        if folder:
            yield folder, len(listed)
        for one in listed:
            if one.name == ".git":
                continue
            if one.is_dir(follow_symlinks=False):
                waiting.append(prefix + one.name)
            else:
                yield prefix + one.name, one


def _entry(file: os.DirEntry[str], budget: int) -> tuple[str, int]:
    """The entry of a file, and how many bytes were read for it."""
    try:
        seen = file.stat(follow_symlinks=False)
        if stat.S_ISLNK(seen.st_mode):
            return f"120000 {seen.st_size} {_blob(os.fsencode(Path(file.path).readlink()))}", 0
        mode = f"{0o100755 if seen.st_mode & 0o100 else 0o100644:o} {seen.st_size}"
        if not stat.S_ISREG(seen.st_mode):
            return f"special {stat.S_IFMT(seen.st_mode):o} -", 0
        if seen.st_size > min(budget, MOST_HASHED):
            return f"{mode} {_UNREAD} {seen.st_mtime_ns} {seen.st_ctime_ns} {seen.st_ino}", 0
        return f"{mode} {_blob(Path(file.path).read_bytes())}", seen.st_size
    except OSError:
        return _unread(Path(file.path)), 0


def _unread(place: Path) -> str:
    try:
        seen = place.lstat()
    except OSError:
        return f"gone 0 {_UNREAD}"
    return f"closed 0 {_UNREAD} {seen.st_mtime_ns} {seen.st_ctime_ns} {seen.st_ino}"


def _blob(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()

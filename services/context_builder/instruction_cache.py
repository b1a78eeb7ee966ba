"""Loads the instruction files of a workspace, and remembers them while nothing changed.

`load` does the I/O in its caller; the cache only holds. What is held is used only while its stat signatures (inode,
size, mtime, ctime) say that it still holds, so that no watcher is needed and nothing stale is ever told:

- the files that were read, and the workspace's own listing, are looked at on every load;
- all directories too, unless that takes long (a tree of thousands): then only so often that looking costs at most
  a tenth of the time. A file that somebody adds there meanwhile is seen by the next look; `everything` looks at once.
"""

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from shared.directories import Directory, shown
from shared.walk import Walker, racy, signature

from .imitation import FILE_NAME
from .instruction_copies import covered, told_once
from .instruction_files import AgentInstructions, Ignored, Instruction, InstructionFiles, Skipped, instruction
from .instruction_reading import FileRead, Watched, read

_HELD: Final = 64
_LONG: Final = 0.005
_PAUSES: Final = 10
"""A look at everything that took longer than `_LONG` seconds is followed by a pause this many times as long."""


@dataclass(slots=True)
class _Held:
    """One workspace as it was last seen."""

    walker: Walker
    lock: threading.Lock = field(default_factory=threading.Lock)
    files: InstructionFiles | None = None
    walked: Sequence[Directory] = ()
    read: dict[str, FileRead] = field(default_factory=dict)
    watched: Watched = ()
    settled: bool = False
    next_look: float = 0.0


class InstructionCache:
    """What was loaded, by project and workspace. Safe to use from several threads."""

    def __init__(self, limit: int = _HELD) -> None:
        self._held: OrderedDict[tuple[str, str, Ignored], _Held] = OrderedDict()
        self._lock = threading.Lock()
        self._limit = limit

    def invalidate(self, project: str, workspace: Path) -> None:
        """Forget what was loaded: the next `load` reads everything anew."""
        place = _resolved(workspace)
        with self._lock:
            for key in [key for key in self._held if key[:2] == (project, str(place))]:
                del self._held[key]

    def held(self, project: str, workspace: Path, ignored: Ignored) -> _Held:
        """The place for a workspace; an empty one where nothing is held."""
        place = _resolved(workspace)
        key = (project, str(place), ignored)
        with self._lock:
            if key not in self._held:
                self._held[key] = _Held(Walker(place, FILE_NAME, enter_ignored=ignored == "load"))
            self._held.move_to_end(key)
            while len(self._held) > self._limit:
                self._held.popitem(last=False)
            return self._held[key]


@dataclass(frozen=True, slots=True)
class Loaded:
    """The instruction files, and the directories that were walked to find them."""

    files: InstructionFiles
    walked: Sequence[Directory]


def load(
    cache: InstructionCache,
    project: str,
    workspace: Path,
    rows: Iterable[AgentInstructions] = (),
    *,
    ignored: Ignored = "skip",
    everything: bool = False,
    clock: Callable[[], float] = time.monotonic,
) -> Loaded:
    """The instruction files as they are now: the root's, those of directories by depth and then path, last the rows."""
    held = cache.held(project, workspace, ignored)
    with held.lock:
        quick = held.settled and not everything and clock() < held.next_look
        if held.files is None or not (quick and all(signature(place) == seen for place, seen in held.watched)):
            began = clock()
            _look(held)
            ended = clock()
            held.next_look = ended + _PAUSES * (ended - began) if ended - began > _LONG else 0.0
        assert held.files is not None
        return Loaded(held.files.with_rows(rows), held.walked)


def collect(workspace: Path, *, ignored: Ignored = "skip", rows: Iterable[AgentInstructions] = ()) -> InstructionFiles:
    """Load once, without remembering anything; what other files cover is among the skipped."""
    return told_once(load(InstructionCache(), "", workspace, rows, ignored=ignored).files)


def _look(held: _Held) -> None:
    """Look at every directory, and read again what changed."""
    walker = held.walker
    walked = walker.walk()
    if held.settled and walked is held.walked and all(one.still_holds() for one in held.read.values()):
        return
    files, now = _collected(walker.workspace, walker.notable, held.read)
    root = str(walker.workspace)
    watched = [(root, signature(root)), *(pair for one in now.values() for pair in one.watched)]
    held.files, held.walked, held.watched = files, walked, tuple(watched)
    held.read = {path: one for path, one in now.items() if not any(racy(seen) for _, seen in one.watched)}
    held.settled = not any(racy(seen) for _, seen in watched)


def _collected(
    workspace: Path, directories: Iterable[Directory], before: dict[str, FileRead]
) -> tuple[InstructionFiles, dict[str, FileRead]]:
    found: list[Instruction] = []
    skipped: list[Skipped] = []
    now: dict[str, FileRead] = {}
    for directory in directories:
        skipped.extend(_not_entered(directory))
        skipped.extend(_behind_links(workspace, directory))
        skipped.extend(_otherwise_written(directory))
        if FILE_NAME not in directory.files and FILE_NAME not in directory.links:
            continue
        path = directory.child(FILE_NAME)
        known = before.get(path)
        if known is None or not known.still_holds():
            known = read(workspace, path, link=FILE_NAME in directory.links)
        now[path] = known
        if known.why is not None:
            skipped.append(Skipped(shown(path), known.why))
        else:
            found.append(instruction(directory.path, known.text, known.identity, real=known.real))
            skipped.extend([Skipped(shown(path), known.note)] if known.note else [])
    return InstructionFiles(tuple(covered(found)), tuple(skipped)), now


def _not_entered(directory: Directory) -> list[Skipped]:
    where = shown(directory.path)
    found = [
        Skipped(shown(path), f"in {where}/, which git ignores or which holds other people's code")
        for path in directory.found
    ]
    return [*found, Skipped(where or ".", directory.problem)] if directory.problem else found


def _otherwise_written(directory: Directory) -> list[Skipped]:
    """What has the name with other capitals, or is a directory of that name."""
    found = [Skipped(shown(directory.child(FILE_NAME)), "a directory")] if FILE_NAME in directory.dirs else []
    for name in (*directory.files, *directory.links):
        if name != FILE_NAME and name.casefold() == FILE_NAME.casefold():
            found.append(Skipped(shown(directory.child(name)), f"only the name {FILE_NAME}, so written, is read"))
    return found


def _behind_links(workspace: Path, directory: Directory) -> list[Skipped]:
    """Links to directories lead to what the walk sees anyway, or out of the workspace: then they are named."""
    found = []
    for name in directory.links:
        place = f"{workspace}/{directory.child(name)}"
        if name == FILE_NAME or not os.path.isfile(f"{place}/{FILE_NAME}"):  # noqa: PTH113 - it never raises
            continue
        if not f"{os.path.realpath(place)}/".startswith(f"{workspace}/"):
            path = shown(f"{directory.child(name)}/{FILE_NAME}")
            found.append(Skipped(path, "behind a link that leads out of the workspace"))
    return found


def _resolved(workspace: Path) -> Path:
    return Path(os.path.realpath(workspace))

"""Snapshots of a workspace: git trees in a shadow repository of ours, which the user's own repository never notices.

Each workspace has a shadow repository under the data directory. Its index is the cache that makes a snapshot cost what
changed and one look at each file. What git ignores is left out, unless an earlier snapshot holds it; so are files above
`MOST_BYTES`, unreadable files and whatever is neither file nor link. Empty directories are not kept.
"""

import contextlib
import fcntl
import os
import shutil
import stat
import subprocess
import tempfile
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import structlog

from shared.canonical import sha256_hex
from shared.errors import ArreioError
from shared.workspace.changes import Change, Kind
from shared.workspace.putting_back import in_the_way, not_writable, put_back

MOST_BYTES: Final = 32 << 20
"""Size of a file above which a snapshot names it without keeping it."""
ONE_BY_ONE: Final = 100
"""Files up to which each becomes an object of its own; more go into one pack, which is faster and much smaller."""
ATTEMPTS: Final = 3
SHOWN: Final = 5
"""Paths that a message names."""

_CONFIG: Final = {
    "core.bare": "false",
    "core.autocrlf": "false",
    "core.safecrlf": "false",
    "core.fileMode": "true",
    "core.symlinks": "true",
    "core.ignoreCase": "false",
    "core.precomposeUnicode": "false",
    "core.quotePath": "false",
    "core.hooksPath": "/dev/null",
    "core.looseCompression": "1",
    "gc.auto": "0",
    "index.version": "4",
    "maintenance.auto": "false",
}
_ATTRIBUTES: Final = "* -text !eol -ident -filter -working-tree-encoding -export-subst -export-ignore\n"
"""Above every `.gitattributes` of the workspace: content is kept as it is, byte for byte."""

logger = structlog.get_logger()

_KINDS: Final[dict[str, Kind]] = {"A": "added", "D": "deleted", "M": "changed", "T": "changed"}


class SnapshotError(ArreioError):
    """A snapshot cannot be taken or read; the text holds what git said."""


class NotKeptError(SnapshotError):
    """To put a workspace back would lose what no snapshot keeps; nothing was changed."""

    def __init__(self, workspace: Path, paths: Sequence[str]) -> None:
        self.paths = tuple(paths)
        named = ", ".join(paths[:SHOWN]) + (f" and {len(paths) - SHOWN} more" if len(paths) > SHOWN else "")
        super().__init__(
            f"nothing was changed in {workspace}: no snapshot keeps what is there now at {named} (ignored or large)",
            "move it elsewhere, then restore again",
        )


@dataclass(frozen=True)
class Left:
    """A file that a snapshot does not hold, and why."""

    path: str
    why: Literal["too large", "unreadable"]


@dataclass(frozen=True)
class Snapshot:
    """A state of a workspace: the id of a git tree, and what it leaves out."""

    tree: str
    left: tuple[Left, ...] = ()


@dataclass(frozen=True)
class Plan:
    """How a folder comes to hold what a tree holds; `before` is the tree of what it holds now."""

    before: str
    target: Path
    changes: tuple[Change, ...]


def snapshots_work() -> str | None:
    """None where snapshots can be taken on this machine, else what is missing."""
    return None if shutil.which("git") else "git is not installed"


def tree_now(data_dir: Path, workspace: Path) -> str:
    """The tree of a workspace as it is now; empty where none can be had, which is logged: work goes on without."""
    try:
        return Snapshots(data_dir, workspace).take().tree
    except (SnapshotError, OSError) as error:
        logger.warning("workspace.not_kept", workspace=str(workspace), error=str(error))
        return ""


class Snapshots:
    """The snapshots of one workspace. Safe to use from several processes at once: they wait for each other.

    Raises `SnapshotError` from every method where git fails.
    """

    def __init__(self, data_dir: Path, workspace: Path) -> None:
        self._workspace = workspace.resolve()
        self._root = os.fsencode(self._workspace) + b"/"
        self._shadow = data_dir / "snapshots" / f"{sha256_hex(os.fsencode(self._workspace))[:24]}.git"

    def take(self) -> Snapshot:
        """The workspace as it is now."""
        with self._locked() as fd:
            for _ in range(ATTEMPTS):
                # A file that is replaced by a folder, or the other way, between two looks makes git give up.
                with contextlib.suppress(SnapshotError):
                    return self._take(fd)
            # What a power cut left half written is never mended by git: begin anew, and keep what was.
            self._set_aside()
            self._make(fd)
            return self._take(fd)

    def _take(self, fd: int) -> Snapshot:
        kept, gone, left = self._sorted_out([*self._expanded(fd, self._differing(fd))])
        if gone:
            self._git(fd, "update-index", "-z", "--force-remove", "--stdin", given=b"\0".join(gone))
        if kept:
            self._add(fd, kept)
        tree = self._git(fd, "write-tree").decode().strip()
        return Snapshot(tree, left)

    def _differing(self, fd: int) -> list[bytes]:
        """The paths that are new, and those that differ from the index; looked for at once, as neither look writes."""
        with ThreadPoolExecutor(1) as beside:
            new = beside.submit(self._git, fd, "ls-files", "-o", "-z", *self._ignoring())
            known = self._git(fd, "diff-files", "-z", "--name-only")
        return [*new.result().split(b"\0"), *known.split(b"\0")]

    def changes(self, before: str, after: str) -> list[Change]:
        """What differs between two trees, by path."""
        with self._locked() as fd:
            raw = self._git(fd, "diff-tree", "-r", "-z", "--no-renames", before, after).split(b"\0")
        return [_change(meta.decode(), os.fsdecode(path)) for meta, path in zip(raw[::2], raw[1::2], strict=False)]

    def patch(self, before: str, after: str, *, context: int = 3) -> str:
        """The difference of two trees as a unified diff; binary files are named alone."""
        with self._locked() as fd:
            raw = self._git(fd, "diff-tree", "-r", "-p", f"-U{context}", "--find-renames", before, after)
        return raw.decode("utf-8", "replace")

    def files(self, tree: str) -> dict[str, str]:
        """The blob id of each file of a tree, by path."""
        with self._locked() as fd:
            raw = self._git(fd, "ls-tree", "-r", "-z", tree).split(b"\0")
        entries = (entry.partition(b"\t") for entry in raw if entry)
        return {os.fsdecode(path): meta.split()[2].decode() for meta, _, path in entries}

    def read(self, tree: str, path: str) -> bytes | None:
        """A file's content in a tree; None where the tree does not hold it."""
        with self._locked() as fd:
            found = self._git(fd, "ls-tree", "-z", tree, "--", f":(literal){path}")
            return self._git(fd, "cat-file", "blob", found.split()[2].decode()) if found else None

    def content(self, blob: str) -> bytes:
        """The content of a blob id."""
        with self._locked() as fd:
            return self._git(fd, "cat-file", "blob", blob)

    def keep(self, content: bytes) -> str:
        """Keep some content beside the snapshots; its blob id."""
        with self._locked() as fd:
            return self._git(fd, "hash-object", "-w", "--stdin", given=content).decode().strip()

    def contents(self, blobs: Collection[str]) -> dict[str, bytes]:
        """The contents of blobs, by their ids; those that are not there are left out."""
        wanted = sorted(blobs)
        with self._locked() as fd:
            raw = self._git(fd, "cat-file", "--batch", given="".join(f"{one}\n" for one in wanted).encode())
        found: dict[str, bytes] = {}
        place = 0
        while place < len(raw):
            end = raw.index(b"\n", place)
            words = raw[place:end].decode("ascii", "replace").split()
            size = int(words[2]) if len(words) == 3 else -1
            if size >= 0:
                found[words[0]] = raw[end + 1 : end + 1 + size]
            place = end + size + 2
        return found

    def with_files(self, tree: str, files: Mapping[str, bytes]) -> str:
        """The tree with files written into it. A file that is there keeps its mode."""
        with self._locked() as fd, tempfile.TemporaryDirectory(dir=self._shadow) as folder:
            index = os.path.join(folder, "index")  # noqa: PTH118 - for the environment
            self._git(fd, "read-tree", tree, index=index)
            lines = []
            for path, content in files.items():
                blob = self._git(fd, "hash-object", "-w", "--stdin", given=content).decode().strip()
                held = self._git(fd, "ls-files", "-s", "-z", "--", f":(literal){path}", index=index)
                mode = held.split(b" ", 1)[0].decode() if held.startswith(b"1007") else "100644"
                lines.append(f"{mode} {blob}\t".encode() + os.fsencode(path) + b"\0")
            self._git(fd, "update-index", "-z", "--replace", "--index-info", given=b"".join(lines), index=index)
            return self._git(fd, "write-tree", index=index).decode().strip()

    def holds(self, tree: str) -> bool:
        """Whether the tree is there."""
        with self._locked() as fd:
            return self._run(fd, ("cat-file", "-e", f"{tree}^{{tree}}"), b"").returncode == 0

    def share(self, other: "Snapshots") -> None:
        """Have every tree that another workspace's snapshots hold: the same objects, linked, whatever becomes of it."""
        if other._shadow == self._shadow:
            return
        with other._locked(), self._locked():
            for source in (other._shadow / "objects").rglob("*"):
                target = self._shadow / "objects" / source.relative_to(other._shadow / "objects")
                if source.is_dir():
                    target.mkdir(parents=True, exist_ok=True)
                elif not target.exists():
                    os.link(source, target)

    def plan(self, tree: str, *, into: Path | None = None) -> Plan:
        """What would make the workspace (or the empty folder `into`) hold what a tree holds.

        Raises:
            NotKeptError: it would overwrite or remove what no snapshot keeps.
            SnapshotError: the tree's content is not there, or a folder cannot be written to.
        """
        target = self._workspace if into is None else into.resolve()
        before = self.take().tree if into is None else self._empty_tree()
        changes = tuple(self.changes(before, tree))
        lost = in_the_way(target, changes, self.files(before))
        if lost:
            raise NotKeptError(target, lost)
        closed = not_writable(target, changes)
        if closed:
            raise SnapshotError(f"{', '.join(closed[:SHOWN])} cannot be written to", "change the permissions")
        self._all_there({change.after for change in changes if change.after is not None})
        return Plan(before, target, changes)

    def carry_out(self, plan: Plan) -> None:
        """Change the files as planned."""
        put_back(plan.target, plan.changes, self.content)

    def restore(self, tree: str, *, into: Path | None = None) -> Plan:
        """Plan, and carry it out: files that snapshots leave out stay as they are. Raises what `plan` does."""
        plan = self.plan(tree, into=into)
        self.carry_out(plan)
        return plan

    def _all_there(self, blobs: Collection[str]) -> None:
        with self._locked() as fd:
            found = self._git(fd, "cat-file", "--batch-check", given="".join(f"{one}\n" for one in blobs).encode())
        if b" missing" in found:
            raise SnapshotError("the snapshot is damaged: some of its files are gone", f"look at {self._shadow}")

    def _add(self, fd: int, paths: Sequence[bytes]) -> None:
        packed = ("-c", "core.bigFileThreshold=1") if len(paths) > ONE_BY_ONE else ()
        add = ("update-index", "-z", "--add", "--remove", "--replace", "--stdin")
        self._git(fd, *packed, *add, given=b"\0".join(paths))

    def _empty_tree(self) -> str:
        with self._locked() as fd:
            return self._git(fd, "mktree").decode().strip()

    def _expanded(self, fd: int, listed: Iterable[bytes], prefix: bytes = b"") -> Iterator[bytes]:
        """The files of a listing; a repository inside, which git names as a folder, is walked like any other."""
        for path in listed:
            if not path.endswith(b"/"):
                if path:
                    yield prefix + path
                continue
            inside = prefix + path
            found = self._git(
                fd,
                "ls-files",
                "-o",
                "-z",
                "--exclude-standard",
                worktree=self._root + inside,
            )
            yield from self._expanded(fd, found.split(b"\0"), inside)

    def _sorted_out(self, listed: Sequence[bytes]) -> tuple[list[bytes], list[bytes], tuple[Left, ...]]:
        """What goes into the index, what leaves it, and what is named as left out."""
        kept: list[bytes] = []
        gone: list[bytes] = []
        left: list[Left] = []
        reached: dict[bytes, bool] = {b"": True}
        for path in dict.fromkeys(listed):
            inside = self._reached(path.rpartition(b"/")[0], reached)
            why = _why_left(self._root + path) if inside else "no file"
            (gone if why else kept).append(path)
            if why in ("too large", "unreadable"):
                left.append(Left(os.fsdecode(path), why))
        return kept, gone, tuple(left)

    def _reached(self, folder: bytes, known: dict[bytes, bool]) -> bool:
        """Whether a folder is reached without a link: what lies behind one is not the workspace's."""
        if folder not in known:
            parent = folder.rpartition(b"/")[0]
            known[folder] = self._reached(parent, known) and not Path(os.fsdecode(self._root + folder)).is_symlink()
        return known[folder]

    def _ignoring(self) -> list[str]:
        own = self._workspace / ".git" / "info" / "exclude"
        return ["--exclude-standard", *([f"--exclude-from={own}"] if own.is_file() else [])]

    @contextlib.contextmanager
    def _locked(self) -> Iterator[int]:
        """Hold the shadow repository, made where there is none. Children inherit the lock: an orphan keeps it."""
        problem = snapshots_work()
        if problem is not None:
            raise SnapshotError(problem, "install git")
        self._shadow.mkdir(parents=True, exist_ok=True, mode=0o700)
        fd = os.open(self._shadow / "arreio.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
            # Whoever held these is gone.
            for stale in ("index.lock", "config.lock", "HEAD.lock"):
                (self._shadow / stale).unlink(missing_ok=True)
            if not (self._shadow / "info" / "arreio").is_file():
                self._make(fd)
            yield fd
        finally:
            os.close(fd)

    def _set_aside(self) -> None:
        """Move everything but the lock out of the way."""
        aside = self._shadow / f"broken-{time.time_ns()}"
        aside.mkdir()
        for place in [*self._shadow.iterdir()]:
            if place.name != "arreio.lock" and not place.name.startswith("broken-"):
                place.rename(aside / place.name)

    def _make(self, fd: int) -> None:
        self._git(fd, "init", "--quiet", "--template=", "--initial-branch=none")
        for name, value in _CONFIG.items():
            self._git(fd, "config", name, value)
        info = self._shadow / "info"
        info.mkdir(exist_ok=True)
        (info / "attributes").write_text(_ATTRIBUTES)
        (info / "arreio").write_text("1\n")

    def _git(
        self, fd: int, *arguments: str, given: bytes = b"", worktree: bytes | None = None, index: str = ""
    ) -> bytes:
        done = self._run(fd, arguments, given, worktree, index)
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().replace("\n", "; ")
            raise SnapshotError(f"git {arguments[0]} failed in {self._workspace}: {said}", f"look at {self._shadow}")
        return done.stdout

    def _run(
        self, fd: int, arguments: Sequence[str], given: bytes, worktree: bytes | None = None, index: str = ""
    ) -> subprocess.CompletedProcess[bytes]:
        env: dict[str, str | bytes] = {
            "PATH": os.environ.get("PATH", os.defpath),
            "LC_ALL": "C",
            "HOME": "/nonexistent",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_DIR": str(self._shadow),
        }
        if arguments[0] not in ("init", "config"):
            env["GIT_WORK_TREE"] = worktree or str(self._workspace)
        if worktree is not None or index:
            env["GIT_INDEX_FILE"] = index or str(self._shadow / "no-index")
        where = os.fsdecode(worktree) if worktree is not None else self._workspace
        return subprocess.run(
            ["git", *arguments], cwd=where, env=env, input=given, capture_output=True, check=False, pass_fds=(fd,)
        )


def _change(meta: str, path: str) -> Change:
    mode_before, mode_after, before, after, letter = meta.lstrip(":").split()
    kind = _KINDS[letter[0]]
    return Change(
        path,
        kind,
        None if kind == "added" else before,
        None if kind == "deleted" else after,
        int(mode_before, 8),
        int(mode_after, 8),
    )


def _why_left(file: bytes) -> Literal["too large", "unreadable", "no file"] | None:
    try:
        info = os.lstat(file)
    except OSError:
        return "no file"
    if not stat.S_ISREG(info.st_mode):
        return None if stat.S_ISLNK(info.st_mode) else "no file"
    if info.st_size > MOST_BYTES:
        return "too large"
    return None if os.access(file, os.R_OK) else "unreadable"

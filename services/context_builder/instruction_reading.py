"""Reads one instruction file: through links inside the workspace only, and never half."""

import errno
import os
import re
import stat
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from shared.walk import Signature, signature

MAX_BYTES: Final = 1 << 20
_POINTER_BYTES: Final = 1024
_POINTERS: Final = 4
_LIKE_A_PATH: Final = re.compile(r"\S*(?:/\S*|\.\w{1,8})")
_BOMS: Final = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)

Watched = tuple[tuple[str, Signature], ...]
"""Places and their signatures: while they hold, what was read is what is there."""


@dataclass(frozen=True, slots=True)
class FileRead:
    """What a file says, or (`why`) why it says nothing.

    `identity` is the same for every name of one real file; `real`: it was reached by no link. `note`: what a person may
    take it for that it is not.
    """

    watched: Watched
    text: str = ""
    why: str | None = None
    identity: tuple[int, int] = (0, 0)
    real: bool = False
    note: str | None = None

    def still_holds(self) -> bool:
        """Whether none of the files that were looked at has changed."""
        return all(signature(place) == seen for place, seen in self.watched)


def read(workspace: Path, path: str, *, link: bool) -> FileRead:
    """Read `path` of `workspace` (which is resolved); `link` says that it is a symbolic link.

    Where links cannot be checked out, git leaves a file whose only line is the path that the link leads to: such a
    pointer is followed like the link.
    """
    place = f"{workspace}/{path}"
    watched: Watched = ()
    for _ in range(_POINTERS):
        real = _real(place) if link else place
        watched = (*watched, (place, signature(place)))
        problem = _out_of_bounds(workspace, real) if link else None
        if problem is not None:
            return FileRead(watched, why=problem)
        opened = _open(real, watched, link=link)
        target = _pointer(place, opened)
        if target is None:
            return opened
        seen = signature(target)
        watched = (*watched, (target, seen))
        if not _is_file(target):
            return replace(opened, watched=watched, note=_no_pointer(target, opened.text))
        place, link = target, True
    return FileRead(watched, why="points in a circle")


def decode(raw: bytes) -> tuple[str, str | None]:
    """The text of a file with `\\n` for line ends and no byte order mark, or why it is none.

    Nothing is guessed or replaced: a file is read whole, as UTF-8, or not at all.
    """
    for mark, name in _BOMS:
        if raw.startswith(mark):
            return "", f"it is {name}; save it as UTF-8"
    try:
        text = raw.decode().lstrip("\ufeff")
    except UnicodeDecodeError as error:
        return "", f"not UTF-8 (byte {error.start})"
    if "\x00" in text:
        return "", f"not text (NUL at character {text.index(chr(0))})"
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    return text, None if text else "empty"


def _open(real: str, watched: Watched, *, link: bool) -> FileRead:
    try:
        descriptor = os.open(real, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if link and not os.path.exists(real):  # noqa: PTH110 - the path may hold surrogates
            circle = error.errno == errno.ELOOP
            return FileRead(watched, why="a link in a circle" if circle else "a link that leads nowhere")
        return FileRead(watched, why=f"cannot be read: {error.strerror}")
    try:
        seen = os.fstat(descriptor)
        identity = (seen.st_dev, seen.st_ino)
        if not stat.S_ISREG(seen.st_mode):
            return FileRead(watched, why="not a regular file", identity=identity)
        raw = b""
        # It may grow while it is read; what is there at the end is read in one more piece.
        while len(raw) <= MAX_BYTES and (more := os.read(descriptor, min(seen.st_size, MAX_BYTES) + 1)):
            raw += more
    except OSError as error:
        return FileRead(watched, why=f"cannot be read: {error.strerror}")
    finally:
        os.close(descriptor)
    if len(raw) > MAX_BYTES:
        return FileRead(watched, why=f"larger than {MAX_BYTES} bytes", identity=identity)
    text, why = decode(raw)
    return FileRead(watched, text, why, identity, not link)


def _pointer(place: str, opened: FileRead) -> str | None:
    """Where a file points whose whole content could be a path beside it."""
    text = opened.text
    if opened.why is not None or not text or len(text) > _POINTER_BYTES or not text.isprintable():
        return None
    return os.path.normpath(os.path.join(os.path.dirname(place), text))  # noqa: PTH118, PTH120 - text, not a file yet


def _no_pointer(target: str, text: str) -> str | None:
    """Why a text that looks like a path is taken as what it says."""
    directory = os.path.isdir(target)  # noqa: PTH112 - it never raises
    beside = "/" in text and os.path.isdir(os.path.dirname(target))  # noqa: PTH112, PTH120
    if not (directory or beside or _LIKE_A_PATH.fullmatch(text)):
        return None
    found = "is a directory" if directory else "is not there"
    return f"it only names {text}, which {found}; so that is all it says"


def _is_file(place: str) -> bool:
    return os.path.isfile(place)  # noqa: PTH113 - it never raises


def _real(place: str) -> str:
    return os.path.realpath(place)


def _out_of_bounds(workspace: Path, real: str) -> str | None:
    inside = f"{workspace}/".replace("//", "/")
    if not real.startswith(inside):
        return "a link that leads out of the workspace"
    if ".git" in real[len(inside) :].split("/"):
        return "a link into .git"
    return None

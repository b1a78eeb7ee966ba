"""What the files of attachments are called in the workspace: names that a stranger chose, made harmless. Pure."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

FOLDER: Final = "attachments"
"""Where a task's attachments lie in its workspace, each task's in a folder of its own."""
_MOST_BYTES: Final = 100
_MOST_ENDING: Final = 16
_NAMELESS: Final = "file"
_UNSAFE: Final = re.compile(r'[<>:"|?*\s]+')
_SPOKEN_FOR: Final = frozenset({"agents.md", "claude.md", "skill.md"})
"""What would be taken for instructions of the operator's."""


def folder_of(task_id: str) -> str:
    """The folder of a task's attachments, relative to the workspace."""
    return f"{FOLDER}/{task_id[-8:]}"


def safe_names(names: Sequence[str]) -> list[str]:
    """A name of its own for each, in their order: one part of a path, without what a shell or a person could misread.

    Two never are the same where capitals make no difference.
    """
    taken: set[str] = set()
    found = []
    for name in map(_safe, names):
        number = 1
        one = name
        while one.casefold() in taken:
            number += 1
            one = numbered(name, number)
        taken.add(one.casefold())
        found.append(one)
    return found


def numbered(name: str, number: int) -> str:
    """The name with a number before its ending."""
    stem, ending = _parts(name)
    return _fitting(stem, f"-{number}{ending}")


def _safe(name: str) -> str:
    text = unicodedata.normalize("NFC", name.encode("utf-8", "replace").decode()).replace("\\", "/")
    last = text.rstrip("/").rpartition("/")[2]
    seen = "".join(
        " " if one.isspace() else one for one in last if unicodedata.category(one)[0] != "C" or one.isspace()
    )
    plain = _UNSAFE.sub("_", seen.strip(" .")).strip("_.") or _NAMELESS
    stem, ending = _parts(plain)
    kept = _fitting(stem, ending)
    return f"attached-{kept}" if kept.casefold() in _SPOKEN_FOR else kept


def _parts(name: str) -> tuple[str, str]:
    """The name before its ending, and the ending with its dot, where it has a short one."""
    stem, dot, ending = name.rpartition(".")
    return (stem, f".{ending}") if dot and stem and len(ending.encode()) < _MOST_ENDING else (name, "")


def _fitting(stem: str, ending: str) -> str:
    return stem.encode()[: _MOST_BYTES - len(ending.encode())].decode("utf-8", "ignore").rstrip(" .") + ending

"""Finds the skills in a workspace's folders and in the profile's. What cannot be read is told, and stops nothing.

A skill is a folder with a SKILL.md, directly in one of `PLACES` or one folder further down. Links are followed inside
the workspace only, and one real file counts once.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from shared.directories import shown
from shared.skills.skill import FILE_NAME, Broken, Problem, Skill, Source, read_skill
from shared.workspace import PathRefused, read_regular

PLACES: Final = (".agents/skills", ".claude/skills", "skills")
"""Where a workspace's skills lie, the first to be heeded first."""
MAX_SKILLS: Final = 500
MAX_FOLDERS: Final = 5_000
MAX_BYTES: Final = 1 << 20
"""Skills and folders that are looked at in one place, and bytes of one SKILL.md; that there is more is told."""
_DEEPEST: Final = 2
_SKIPPED: Final = frozenset({".git", "node_modules", "__pycache__"})


def folder_skills(
    workspace: Path | None, profile: Path | None = None, further: Iterable[Path] = ()
) -> tuple[list[Skill], list[Problem]]:
    """The skills of a workspace, of a profile's folder and of further ones, and what is wrong with files there."""
    found = _Found()
    if workspace is not None:
        root = os.path.realpath(workspace)
        for place in PLACES:
            found.look(root, place, "workspace")
    for folder in (*(() if profile is None else (profile,)), *further):
        found.look(os.path.realpath(folder), "", "profile")
    return found.skills, found.problems


@dataclass(slots=True)
class _Found:
    skills: list[Skill] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    seen: set[tuple[int, int]] = field(default_factory=set)

    def look(self, root: str, place: str, source: Source) -> None:
        """Take in what lies at one place below a root."""
        count = 0
        if place and (misplaced := _file_in(f"{root}/{place}")) is not None:
            self._say(root, f"{place}/{misplaced}", source, "a skill lies in a folder of its own, below this one")
        for folder, problem in _folders(root, place):
            if problem is not None:
                self._say(root, folder, source, problem)
                continue
            if count == MAX_SKILLS:
                self._say(root, folder, source, f"more than {MAX_SKILLS} skills; from this one on they are not read")
                return
            count += self._take(root, folder, source)

    def _take(self, root: str, folder: str, source: Source) -> bool:
        """Read the SKILL.md of a folder, if it has one; whether it has."""
        name = _file_in(f"{root}/{folder}")
        if name is None:
            return False
        path = f"{folder}/{name}".lstrip("/")
        try:
            text = self._text(root, path)
            if text is None:
                return True
            skill, said = read_skill(
                text,
                source=source,
                path=_named(root, path, source),
                beside=Path(folder).name,
                folder=str(Path(root, folder)),
            )
        except (Broken, PathRefused, OSError) as error:
            why = f"cannot be read: {error.strerror or error}" if isinstance(error, OSError) else str(error)
            self._say(root, path, source, why)
            return True
        self.skills.append(skill)
        self.problems.extend(Problem(skill.path, why, loaded=True) for why in said)
        return True

    def _text(self, root: str, path: str) -> str | None:
        """The text of a file; None where it was read under another name."""
        real = Path(os.path.realpath(f"{root}/{path}"))
        if not real.is_relative_to(root):
            raise Broken("it lies behind a link that leads out of the workspace")
        status = real.stat()
        if (status.st_dev, status.st_ino) in self.seen:
            return None
        self.seen.add((status.st_dev, status.st_ino))
        raw = read_regular(real, within=Path(root), most_bytes=MAX_BYTES)
        if raw is None:
            raise Broken("it is not there any more")
        try:
            text = raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise Broken(f"it is not UTF-8 (byte {error.start})") from None
        if "\0" in text:
            raise Broken("it is not text: it holds a NUL")
        return text

    def _say(self, root: str, path: str, source: Source, why: str) -> None:
        self.problems.append(Problem(_named(root, path, source), why))


def _folders(root: str, place: str) -> Iterator[tuple[str, str | None]]:
    """The folders at a place, by name, and those in them that hold no SKILL.md; with what is wrong, if anything is."""
    waiting = [(place, 0)]
    looked = 0
    while waiting:
        parent, depth = waiting.pop(0)
        try:
            names = sorted(entry.name for entry in os.scandir(f"{root}/{parent}") if entry.is_dir())
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            yield parent, f"cannot be read: {error.strerror}"
            continue
        for name in names:
            looked += 1
            if looked > MAX_FOLDERS:
                yield parent, f"more than {MAX_FOLDERS} folders; the rest is not looked at"
                return
            if name in _SKIPPED:
                continue
            folder = f"{parent}/{name}".lstrip("/")
            if _file_in(f"{root}/{folder}") is not None:
                yield folder, None
            elif depth + 1 < _DEEPEST and not Path(root, folder).is_symlink():
                waiting.append((folder, depth + 1))


def _file_in(folder: str) -> str | None:
    return next((name for name in (FILE_NAME, FILE_NAME.lower()) if os.path.lexists(f"{folder}/{name}")), None)


def _named(root: str, path: str, source: Source) -> str:
    return shown(path if source == "workspace" else f"{root}/{path}")

"""Instruction files: the AGENTS.md of a workspace and the agent's row in the database, in rising precedence."""

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Final, Literal

from shared.walk import Directory, Signature, Walker, racy

from .assembler import Unit

FILE_NAME: Final = "AGENTS.md"
MAX_BYTES: Final = 1 << 20

Ignored = Literal["skip", "load"]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was seen and not used."""

    path: str
    why: str


@dataclass(frozen=True, slots=True)
class InstructionFiles:
    """The units in rising precedence (the last wins), and what was skipped."""

    units: tuple[Unit, ...] = ()
    skipped: tuple[Skipped, ...] = ()

    def touched(self, paths: Iterable[str]) -> "InstructionFiles":
        """Keep only the files on the way from the root to one of `paths` (relative to the workspace)."""
        scopes = {"."}
        for path in paths:
            scopes.update(str(parent) for parent in PurePosixPath(path).parents)
        kept = tuple(
            unit
            for unit in self.units
            if not unit.id.endswith(FILE_NAME) or str(PurePosixPath(unit.id).parent) in scopes
        )
        return InstructionFiles(kept, self.skipped)


@dataclass(frozen=True, slots=True)
class AgentInstructions:
    """The row of `agent_instructions` of one agent."""

    agent: str
    text: str
    version: int


@dataclass(slots=True)
class Collector:
    """Collects the instruction files of one workspace; a file is read anew only when its stat signature changed.

    The I/O is done in the caller of `collect`; what is kept here only saves reading again what is unchanged.
    """

    workspace: Path
    ignored: Ignored = "skip"
    walker: Walker = field(init=False)
    _texts: dict[str, tuple[Signature, str | Skipped]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Resolve the workspace once, so that links can be compared with it."""
        self.workspace = self.workspace.resolve()
        self.walker = Walker(self.workspace, FILE_NAME, enter_ignored=self.ignored == "load")

    def collect(self, row: AgentInstructions | None = None, walked: list[Directory] | None = None) -> InstructionFiles:
        """The root's file, those of directories by depth and then path, and last the database's row."""
        units: list[Unit] = []
        skipped: list[Skipped] = []
        counted: dict[str, str] = {}
        texts: dict[str, tuple[Signature, str | Skipped]] = {}
        for directory in self.walker.walk() if walked is None else walked:
            skipped.extend(_not_entered(directory))
            skipped.extend(self._links_outside(directory))
            if FILE_NAME in directory.dirs:
                skipped.append(Skipped(directory.child(FILE_NAME), "not a regular file"))
            if FILE_NAME not in directory.files and FILE_NAME not in directory.links:
                continue
            path = directory.child(FILE_NAME)
            real = os.path.realpath(self.workspace / path)
            if real in counted:
                skipped.append(Skipped(path, f"the same file as {counted[real]}"))
                continue
            read = self._read(path, real, texts)
            if isinstance(read, Skipped):
                skipped.append(read)
                continue
            counted[real] = path
            units.append(_unit(directory, path, read))
        self._texts = texts
        if row is not None and row.text.strip():
            label = "[Instructions of the operator for this agent: they win over every file above]"
            units.append(Unit(f"db:{row.agent}", row.text.strip(), order=(2, row.agent), label=label))
        return InstructionFiles(tuple(units), tuple(skipped))

    def _read(self, path: str, real: str, texts: dict[str, tuple[Signature, str | Skipped]]) -> str | Skipped:
        try:
            seen = Path(real).stat()
        except OSError as error:
            why = (
                "a link that leads nowhere"
                if (self.workspace / path).is_symlink()
                else f"cannot be read: {error.strerror}"
            )
            return Skipped(path, why)
        signature = (seen.st_dev, seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)
        known = self._texts.get(path)
        if known is None or known[0] != signature:
            known = (signature, self._read_anew(path, Path(real), seen))
        if not racy(signature):
            texts[path] = known
        return known[1]

    def _read_anew(self, path: str, real: Path, seen: os.stat_result) -> str | Skipped:
        if not real.is_relative_to(self.workspace):
            return Skipped(path, "a link that leads out of the workspace")
        if not stat.S_ISREG(seen.st_mode):
            return Skipped(path, "not a regular file")
        if seen.st_size > MAX_BYTES:
            return Skipped(path, f"larger than {MAX_BYTES} bytes")
        try:
            text = real.read_bytes().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            return Skipped(path, f"not UTF-8 (byte {error.start})")
        except OSError as error:
            return Skipped(path, f"cannot be read: {error.strerror}")
        return text.strip() or Skipped(path, "empty")

    def _links_outside(self, directory: Directory) -> list[Skipped]:
        """Links to directories lead to what the walk sees anyway, or out of the workspace: then they are named."""
        found = []
        for name in directory.links:
            path = directory.child(name)
            if name != FILE_NAME and (self.workspace / path / FILE_NAME).is_file():
                real = Path(os.path.realpath(self.workspace / path))
                if not real.is_relative_to(self.workspace):
                    found.append(Skipped(f"{path}/{FILE_NAME}", "behind a link that leads out of the workspace"))
        return found


def collect(workspace: Path, *, ignored: Ignored = "skip", row: AgentInstructions | None = None) -> InstructionFiles:
    """Collect once, without remembering anything."""
    return Collector(workspace, ignored).collect(row)


def _unit(directory: Directory, path: str, text: str) -> Unit:
    if not directory.path:
        return Unit(path, text, order=(0, 0, ""), label=f"[{path}: for the whole workspace]")
    label = f"[{path}: for {directory.path}/, and there it wins over what stands above]"
    return Unit(path, text, order=(1, directory.depth, directory.path), label=label)


def _not_entered(directory: Directory) -> list[Skipped]:
    if directory.problem:
        return [Skipped(directory.path or ".", directory.problem)]
    return [
        Skipped(path, f"in {directory.path}/, which git ignores or which holds other people's code")
        for path in directory.found
    ]

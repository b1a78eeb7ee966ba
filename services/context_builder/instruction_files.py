"""Instruction files as units of the prompt, in rising precedence: files by depth and path, then the database's rows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final, Literal, NamedTuple

from shared.directories import shown

from .imitation import FILE_NAME, OPERATOR, marked
from .layers import Unit

Ignored = Literal["skip", "load"]
"""What becomes of files in directories that git ignores."""
Scope = Literal["all", "touched"]
"""Whether all files are told, or only those on the way to what the task touched."""

OUT_OF_SCOPE: Final = "not on the way to a file that the task touched"


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was seen and not used. `path` is on one line, as it may stand in a report."""

    path: str
    why: str


class Cover(NamedTuple):
    """The unit that says what a file says, and whether it is the very same file."""

    id: str
    same_file: bool


@dataclass(frozen=True, slots=True)
class Instruction:
    """One source of instructions. `scope` is its directory in the workspace ("": all of it); None: a database row.

    `identity` is the same for all names of one real file, `real` its own. While its cover is told, it says nothing of
    its own.
    """

    unit: Unit
    scope: str | None
    identity: tuple[int, int] | None = None
    real: bool = True
    cover: Cover | None = None


@dataclass(frozen=True, slots=True)
class InstructionFiles:
    """The sources in rising precedence (the last wins), and what was skipped."""

    found: tuple[Instruction, ...] = ()
    skipped: tuple[Skipped, ...] = ()

    @property
    def ids(self) -> frozenset[str]:
        """The ids of the units."""
        return frozenset(one.unit.id for one in self.found)

    @property
    def units(self) -> tuple[Unit, ...]:
        """The units of the layer, in the order of their keys."""
        return tuple(one.unit for one in self.found)

    def touched(self, paths: Iterable[str]) -> "InstructionFiles":
        """Keep only the files on the way from the root to one of `paths` (relative to the workspace), and the rows."""
        chain = {""}
        for path in paths:
            chain.update("" if str(parent) == "." else str(parent) for parent in PurePosixPath(path).parents)
        kept = tuple(one for one in self.found if one.scope is None or one.scope in chain)
        left = (Skipped(one.unit.id, OUT_OF_SCOPE) for one in self.found if one not in kept)
        return InstructionFiles(kept, (*self.skipped, *left))

    def with_rows(self, rows: "Iterable[AgentInstructions]") -> "InstructionFiles":
        """The same, and last the rows: those for every project before those for one."""
        last = sorted((row for row in rows if row.text.strip()), key=lambda row: (row.project, row.agent))
        return InstructionFiles((*self.found, *map(_row, last)), self.skipped)


@dataclass(frozen=True, slots=True)
class AgentInstructions:
    """A row of `agent_instructions`: what the operator says to one agent, in one project or ("") in every one."""

    agent: str
    text: str
    version: int
    project: str = ""


def instruction(directory: str, text: str, identity: tuple[int, int], *, real: bool) -> Instruction:
    """The file of a directory ("" for the workspace itself).

    A line in it that reads like a label or heading of ours gets a backslash: a file speaks for nobody else.
    """
    name = f"{shown(directory)}/{FILE_NAME}" if directory else FILE_NAME
    order = (1, directory.count("/") + 1, directory) if directory else (0, 0, "")
    return Instruction(Unit(name, marked(text), order, label=label(directory)), directory, identity, real)


def label(directory: str, also: Sequence[str] = ()) -> str:
    """What stands above a directory's file, which holds in the directories `also` too."""
    if not directory:
        return f"[{FILE_NAME}: for the whole workspace]"
    holds = ", ".join(f"{_in_label(place)}/" for place in (directory, *also))
    return f"[{_in_label(directory)}/{FILE_NAME}: for {holds}, and there it wins over what stands above]"


def _in_label(directory: str) -> str:
    return shown(directory).replace("[", "\\x5b").replace("]", "\\x5d")


def _row(row: AgentInstructions) -> Instruction:
    name = f"db:{row.project}/{row.agent}" if row.project else f"db:{row.agent}"
    where = f" in the project {row.project}" if row.project else ""
    label = f"{OPERATOR} for this agent{where}: they win over everything above]"
    return Instruction(Unit(name, row.text.strip(), (2, row.project, row.agent), label=label), None)

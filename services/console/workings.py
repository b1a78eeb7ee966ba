"""What the console needs of other services' code; the composition root gives it.

Where something is not there or cannot be done, every method raises an ArreioError that says so.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from shared.errors import ArreioError

Decision = Literal["approve", "reject", "rollback"]


class Busy(ArreioError):
    """So many wait for long work already that another one had better come again."""

    def __init__(self) -> None:
        super().__init__("the console has too much long work before it", "do it again in a minute")


@dataclass(frozen=True)
class Verified:
    """Whether a session verifies: `problem` None means that it does."""

    events: int
    decisions: int
    problem: dict[str, Any] | None


@dataclass(frozen=True)
class Forked:
    """A copy of a session, with the tasks in it that ask before they go on."""

    session_id: str
    events: int
    asking: tuple[str, ...]


@dataclass(frozen=True)
class FilesChanged:
    """What a task changed between two of its events, as a unified diff; `first` and `last` bound what may be asked."""

    workspace: str
    first: int
    last: int
    begin: int
    end: int
    patch: str


@dataclass(frozen=True)
class Told:
    """What a person says with a decision on a proposal."""

    by: str
    why: str = ""
    tainted: bool = False
    here_only: bool = False
    seen: str = ""
    """The digest of the diff that the person saw, of a persona or taste; empty where they saw none."""


class Workings(Protocol):
    """Replay, copies, prompts, files and proposals, as the command line has them."""

    async def states(self, session_id: str, at: int) -> Sequence[dict[str, Any]]:
        """The state of each task of a session after an event, folded from the log."""

    async def prompt(self, session_id: str, at: int) -> dict[str, Any]:
        """The last prompt up to an event: `layers`, `messages`, `skipped`, `seq`, `sha256`, and `differs`."""

    async def diff(self, task_id: str, begin: int | None, end: int | None) -> FilesChanged:
        """What a task changed between two events (None: its start, its end)."""

    async def verify(self, session_id: str) -> Verified:
        """Replay a session: its chain, contracts, decisions and prompts."""

    async def fork(self, session_id: str, at: int) -> Forked:
        """Copy a session up to an event into a new one."""

    async def proposals(self) -> Sequence[dict[str, Any]]:
        """Every proposal, the newest first."""

    async def proposal(self, proposal_id: str) -> dict[str, Any]:
        """One proposal with `diff`, `provenance` and `history`."""

    async def decide(self, proposal_id: str, decision: Decision, told: Told) -> str:
        """Carry out a person's decision; what came of it, in a line."""

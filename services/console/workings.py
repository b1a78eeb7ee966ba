"""What the console needs of other services' code; the composition root gives it.

Where something is not there or cannot be done, every method raises an ArreioError that says so. States, prompts, files
changed, verifying and forking are long work: they wait for their turn, and raise Busy where there is none.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

from shared.errors import ArreioError

Decision = Literal["approve", "reject", "rollback"]


class Busy(ArreioError):
    """So many wait for long work already, or this person has so many, that another one had better come again."""

    again_after: ClassVar[int] = 10
    """Seconds."""

    def __init__(
        self, problem: str = "the console has too much long work before it", hint: str = "do it again in a minute"
    ) -> None:
        super().__init__(problem, hint)


class Replaced(Busy):
    """The same person has asked for another moment by the same slider."""

    def __init__(self) -> None:
        super().__init__("a newer request of yours took its place", "load the page again")


class Ending(Busy):
    """The console is being stopped."""

    def __init__(self) -> None:
        super().__init__("the console is being stopped", "do it again in a moment")


@dataclass(frozen=True)
class Asker:
    """Who asks for long work. Of one `topic` (empty: none) only a person's newest work is done."""

    person: str
    topic: str = ""


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
    """What a task changed between two of its events, as a unified diff; `first` and `last` bound what may be asked.

    `problem` says why there is none: nothing is kept of its workspace by then. One that has no workspace has no name.
    """

    workspace: str
    first: int
    last: int
    begin: int
    end: int
    patch: str
    problem: str = ""


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

    def end(self) -> None:
        """Give up the long work under way and what waits for its turn; who asked is told `Ending`."""

    async def states(self, session_id: str, at: int, asker: Asker) -> Sequence[dict[str, Any]]:
        """The state of each task of a session after an event, folded from the log."""

    async def prompt(self, session_id: str, at: int, asker: Asker) -> dict[str, Any]:
        """The last prompt up to an event: `layers`, `messages`, `skipped`, `seq`, `sha256`, `differs`, `unfittable`."""

    async def diff(self, task_id: str, begin: int | None, end: int | None, asker: Asker) -> FilesChanged:
        """What a task changed between two events (None: its start, its end)."""

    async def verify(self, session_id: str, asker: Asker) -> Verified:
        """Replay a session: its chain, contracts, decisions and prompts."""

    async def fork(self, session_id: str, at: int, asker: Asker) -> Forked:
        """Copy a session up to an event into a new one."""

    async def proposals(self) -> Sequence[dict[str, Any]]:
        """Every proposal, the newest first."""

    async def proposal(self, proposal_id: str) -> dict[str, Any]:
        """One proposal with `diff`, `provenance` and `history`."""

    async def decide(self, proposal_id: str, decision: Decision, told: Told) -> str:
        """Carry out a person's decision; what came of it, in a line."""

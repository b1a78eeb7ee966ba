"""A task's events as the rules of learning read them. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from arreio_contracts.events import (
    EventData,
    Evidence,
    InputReceived,
    TaskBlocked,
    TaskCompleted,
    TaskCreated,
    TaskFailed,
    TaskProfiled,
)
from arreio_contracts.task import criterion_text

Kind = TypeVar("Kind", bound=EventData)
Ended = TaskCompleted | TaskBlocked | TaskFailed


@dataclass(frozen=True)
class Seen:
    """An event with where it stands."""

    session_id: str
    seq: int
    event_id: str
    data: EventData

    @property
    def evidence(self) -> Evidence:
        """The event as something that was learnt names it."""
        return Evidence(session_id=self.session_id, seq=self.seq, event_id=self.event_id, type=self.data.type)


@dataclass(frozen=True)
class TaskSeen:
    """All events of one task, in order; it was created, and has ended."""

    events: tuple[Seen, ...]
    created: TaskCreated
    ended: Ended

    @classmethod
    def of(cls, events: Sequence[Seen]) -> "TaskSeen | None":
        """The task, or None where it has not ended or its beginning is not there."""
        created = next((one.data for one in events if isinstance(one.data, TaskCreated)), None)
        ended = next((one.data for one in reversed(events) if isinstance(one.data, Ended)), None)
        return None if created is None or ended is None else cls(tuple(events), created, ended)

    def each(self, kind: type[Kind]) -> Iterator[tuple[Seen, Kind]]:
        """The events of one type, with their data."""
        return ((one, one.data) for one in self.events if isinstance(one.data, kind))

    @cached_property
    def profiled(self) -> TaskProfiled | None:
        """With what the task ran; None: it never came to that."""
        return next((data for _, data in self.each(TaskProfiled)), None)

    @property
    def language(self) -> str:
        """The task's language: en or pt."""
        return self.profiled.language if self.profiled is not None else "en"

    @property
    def agent(self) -> str:
        """Who did it."""
        return self.profiled.agent if self.profiled is not None else self.created.contract.agent or ""

    @property
    def workspace(self) -> str | None:
        """Where it was done: of a worktree its repository, where the next task has a worktree of its own."""
        if self.created.contract.worktree is not None:
            return self.created.contract.worktree.repository
        return self.profiled.workspace if self.profiled is not None else self.created.contract.workspace

    @cached_property
    def criteria(self) -> tuple[str, ...]:
        """What its completion was judged by, as a person writes it."""
        found = self.profiled.criteria if self.profiled is not None else self.created.contract.criteria or ()
        return tuple(criterion_text(one) for one in found)

    @property
    def criterion_kinds(self) -> tuple[str, ...]:
        """The kinds among them that a machine judges, each once."""
        kinds = (text.partition(":")[0] for text in self.criteria)
        return tuple(sorted({kind for kind in kinds if kind != "answer"}))

    @cached_property
    def said(self) -> str:
        """What people said of the task: its goal, their answers, its criteria."""
        answers = (data.text for _, data in self.each(InputReceived))
        return "\n".join((self.created.goal, *answers, *self.criteria))


def one_line(text: str, limit: int = 120) -> str:
    """A text on one line, cut to `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"

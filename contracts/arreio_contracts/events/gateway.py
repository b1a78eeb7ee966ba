"""What the gateway writes: sessions, messages, and the tasks that come of them."""

from typing import Any, Literal

from pydantic import Field

from ..messages import Attachment, InboundMessage, SkippedFile
from ..task import Contract, TaskContract
from .base import EventData, event


@event
class SessionCreated(EventData):
    """A conversation was seen for the first time."""

    type = "session.created"
    writer = "gateway"
    channel: str
    account: str = ""
    conversation: str
    thread: str = ""
    sender: str | None = Field(default=None, description="Part of the key for direct messages.")


@event
class MessageReceived(EventData):
    """A person's message was accepted."""

    type = "message.received"
    writer = "gateway"
    channel: str
    message: InboundMessage


class RoutedSkill(Contract):
    """A skill that a task may use, as the router found it.

    `forced` ones are the contract's; `blob` is then the SHA-256 of the SKILL.md, kept as it was.
    """

    name: str
    description: str
    source: Literal["workspace", "profile", "learned"]
    path: str = Field(description="Its SKILL.md: in the workspace, or where else it lies.")
    version: int | None = Field(default=None, description="Of a learned one.")
    forced: bool = False
    relevant: bool = Field(default=False, description="The request seems to be about it.")
    score: float = 0.0
    blob: str | None = None


class SkillRouting(Contract):
    """Which skills the router found for a task, the most relevant first, and by which rule."""

    rule: str = Field(description="Name and version of what judged the relevance.")
    skills: tuple[RoutedSkill, ...] = ()
    unlisted: int = Field(default=0, description="Skills that there are beside these.")
    problems: tuple[SkippedFile, ...] = Field(default=(), description="Files that are no skills, and why.")


class GivenProfile(Contract):
    """The profile that a task was made with; what it gave stands in the task's contract too."""

    name: str
    version: str = Field(description="SHA-256 of its file.")
    why: str = Field(default="", description="Which of its patterns fitted, or that it was named.")
    gave: dict[str, Any] = Field(default_factory=dict, description="The fields of the contract that are its own.")


@event
class TaskCreated(EventData):
    """A message became a task; it is PENDING."""

    type = "task.created"
    writer = "gateway"
    goal: str
    contract: TaskContract
    channel: str
    message_id: str
    attachments: tuple[Attachment, ...] = ()
    at_ms: int
    skills: SkillRouting | None = Field(default=None, description="None: there were none.")
    ui: str = Field(default="", description="Why it counts as a task that makes what people see; empty: it does not.")
    profile: GivenProfile | None = Field(default=None, description="None: no profile's file had a part in it.")


@event
class InputReceived(EventData):
    """A person answered the question of a task: NEEDS_INPUT → IN_PROGRESS."""

    type = "input.received"
    writer = "gateway"
    text: str
    message_id: str


@event
class TaskCancelRequested(EventData):
    """A person asked to end a task."""

    type = "task.cancel_requested"
    writer = "gateway"
    by: str
    text: str = ""


@event
class ReplyQueued(EventData):
    """What is said on the channel; sent through the outbox, once."""

    type = "reply.queued"
    writer = "gateway"
    kind: Literal["reply", "question", "notice"]
    channel: str
    account: str = ""
    conversation: str
    thread: str = ""
    reply_to: str | None = None
    text: str
    state: str

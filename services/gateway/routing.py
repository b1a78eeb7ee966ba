"""What an accepted message becomes: a new task, the answer to a question, or a word of control."""

from dataclasses import dataclass
from typing import Final

from arreio_contracts.messages import InboundMessage
from arreio_contracts.task import TaskState

from .control_words import Control, control


@dataclass(frozen=True)
class OpenTask:
    """The session's earliest task that has not ended."""

    task_id: str
    state: TaskState


@dataclass(frozen=True)
class NewTask:
    """Make a task of the message; behind an open one it waits its turn."""


@dataclass(frozen=True)
class Answer:
    """Hand the text to the task that asked."""

    task_id: str


@dataclass(frozen=True)
class Cancel:
    """End a task; None: there is none to end."""

    task_id: str | None
    text: str


@dataclass(frozen=True)
class Status:
    """Say how things stand."""


@dataclass(frozen=True)
class Help:
    """Say which words of control there are."""


Route = NewTask | Answer | Cancel | Status | Help
HELP: Final = (
    "Write what is to be done; one request of a conversation is worked on at a time. "
    "/status says how it stands, /cancel ends it (/cancel TASK another one), /help shows this. In Slack write ! for /."
)


def route(message: InboundMessage, open_task: OpenTask | None) -> Route:
    """Decide on one message. `/cancel [TASK]`, `/status` and `/help` pass at once, whatever the session is doing."""
    match control(message.text):
        case Control("cancel", named):
            return Cancel(named or (open_task.task_id if open_task else None), "cancelled on request")
        case Control("status"):
            return Status()
        case Control("help"):
            return Help()
    if open_task is not None and open_task.state is TaskState.NEEDS_INPUT and message.contract is None:
        return Answer(open_task.task_id)
    return NewTask()


def answer_text(message: InboundMessage) -> str:
    """An answer as the task is told it. Files reach a task with the message that it begins with, and no other."""
    if not message.attachments:
        return message.text
    names = ", ".join(" ".join(one.name.split()) for one in message.attachments)
    return f"{message.text}\n\n[Attached here, but files can only come with a new request: {names}]"

"""What of the channel's outbound subject is said to people, and where."""

from dataclasses import dataclass
from typing import Final

from arreio_contracts.messages import OutboundMessage, Receipt
from pydantic import BaseModel

SENDER_FIELD: Final = "data.sender"
"""The field of a refusal whose reason is written for the sender."""


@dataclass(frozen=True)
class Saying:
    """A text for a conversation; `reply_to` is the id, as the adapter made it, of the message that it answers."""

    conversation: str
    thread: str
    reply_to: str | None
    text: str


def saying_of(said: BaseModel) -> Saying | None:
    """What to say; None for receipts of messages that were taken.

    A receipt names no thread: an adapter whose platform has threads puts it into the ids of its messages.
    """
    match said:
        case OutboundMessage():
            return Saying(said.conversation, said.thread, said.reply_to, said.text.strip() or "Done.")
        case Receipt(status="refused"):
            reason = said.reason or "no reason was given"
            text = reason if said.field == SENDER_FIELD else f"I could not take that message: {reason}."
            return Saying(said.conversation, "", said.message_id, text)
        case _:
            return None

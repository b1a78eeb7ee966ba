"""What the console writes: what a person asked for by it, and what came of it."""

from typing import Literal

from pydantic import Field

from .base import EventData, event

OperatorAct = Literal[
    "session.verify",
    "session.fork",
    "dead.resend",
    "dead.skip",
    "proposal.approve",
    "proposal.reject",
    "proposal.rollback",
]
"""What a person can have done by the console."""


@event
class OperatorActed(EventData):
    """A person asked for something by the console; recorded before it is carried out."""

    type = "operator.acted"
    writer = "console"
    by: str = Field(min_length=1, max_length=128, description="The name under which the person had signed in.")
    act: OperatorAct
    target: str = Field(description="What it was done to: a session, a proposal, the number of a dead letter.")
    details: dict[str, str] = Field(default_factory=dict, description="What else the person said.")


@event
class OperatorActEnded(EventData):
    """What came of what a person asked for. One without it was cut off, and may have been carried out or not."""

    type = "operator.act_ended"
    writer = "console"
    by: str = Field(min_length=1, max_length=128)
    act: OperatorAct
    acted: str = Field(description="The id of the event `operator.acted`.")
    done: bool
    result: str = Field(default="", description="What came of it in a line, or why it could not be done.")

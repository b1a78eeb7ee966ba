"""What learning writes: proposals, and what became of what was learnt."""

from typing import Annotated, Literal

from pydantic import Field

from ..task import Contract
from .base import EventData, event

LearntKind = Literal["skill", "rule", "persona", "taste"]
"""What can be learnt. A persona is an agent's instructions, taste a file of rules; the others are learning's own."""


class Preconditions(Contract):
    """For which tasks something learnt is meant; what is empty asks nothing."""

    criteria: tuple[str, ...] = Field(default=(), description="Kinds of exit criteria, one of which the task has.")
    workspace: str | None = Field(default=None, description="The folder that the task works in.")


class Evidence(Contract):
    """An event that something learnt rests on; `arreio events show SESSION` shows it."""

    session_id: str
    seq: int = Field(ge=1)
    event_id: str
    type: str


class Taint(Contract):
    """A part of a proposal's text that a person must see before it is in force, and which event it came with.

    A tool's output, a web page, words that a person quoted from another, or a secret, masked, that somebody said.
    """

    source: Literal["tool_output", "web", "quoted", "secret"]
    event_id: str
    excerpt: str


class Learnt(Contract):
    """One version of something that was approved."""

    kind: LearntKind
    name: str
    version: int = Field(ge=1)


@event
class ProposalCreated(EventData):
    """Something that may be worth learning, for a person to approve."""

    type = "proposal.created"
    writer = "learning"
    proposal_id: str
    kind: LearntKind
    title: str
    text: str = Field(description="A rule; a SKILL.md; or what is added to an agent's instructions or a file of taste.")
    source_session: str
    source_task: str
    provenance: Annotated[tuple[str, ...], Field(min_length=1, description="Ids of the events that it rests on.")]
    name: str = Field(default="", description="What it is called once it is approved.")
    target: str = Field(default="", description="Of a persona: the agent; of taste: the rules' name.")
    gist: str = Field(default="", description="The words by which near-duplicates are found.")
    evidence: tuple[Evidence, ...] = ()
    preconditions: Preconditions = Preconditions()
    expires_days: int = Field(default=30, ge=1, description="Counted from its approval.")
    taint: tuple[Taint, ...] = ()
    updates: str = Field(default="", description="The proposal that it is a newer wording of, in force or waiting.")
    similarity: float | None = Field(default=None, description="How alike the two are, 0 to 1.")
    rule: str = Field(default="", description="Name and version of the rules that distilled and compared it.")


@event
class ProposalSupported(EventData):
    """Another task taught the same as a proposal that there is: no new one is made, and the text stays as it is.

    `text` is a newer wording in events of before; nothing follows from it any more, since whoever approves a proposal
    has seen the text that it was made with.
    """

    type = "proposal.supported"
    writer = "learning"
    proposal_id: str
    source_session: str
    source_task: str
    text: str = ""
    evidence: Annotated[tuple[Evidence, ...], Field(min_length=1)]
    taint: tuple[Taint, ...] = ()
    similarity: float
    rule: str


@event
class ProposalApproved(EventData):
    """A person let a proposal be in force, as one version."""

    type = "proposal.approved"
    writer = "learning"
    proposal_id: str
    by: str
    learnt: Learnt
    text: str
    preconditions: Preconditions = Preconditions()
    expires_ms: int | None = Field(default=None, description="None: not by itself.")
    diff: str = Field(default="", description="Of a persona or taste: the change that the person saw.")
    tainted: bool = Field(
        default=False, description="It holds text of tools or web pages, and the person said yes to it."
    )


@event
class ProposalRejected(EventData):
    """A person does not want it; the same is not proposed again."""

    type = "proposal.rejected"
    writer = "learning"
    proposal_id: str
    by: str
    why: str = ""


@event
class LearntRolledBack(EventData):
    """A person took a version out of force; the version before it is in force again, if there is one."""

    type = "learnt.rolled_back"
    writer = "learning"
    proposal_id: str
    learnt: Learnt
    to_version: int | None
    by: str
    why: str = ""


@event
class LearntScored(EventData):
    """How a task ended, and what of the learnt it had before it: `neutral` ends say nothing of the work."""

    type = "learnt.scored"
    writer = "learning"
    source_session: str
    source_task: str
    outcome: Literal["success", "failure", "neutral"]
    code: str = ""
    agent: str = ""
    workspace: str | None = None
    criteria: tuple[str, ...] = ()
    used: tuple[Learnt, ...] = ()
    rule: str


class Score(Contract):
    """Tasks that ended, with one version and without any of it."""

    successes: int = Field(ge=0)
    failures: int = Field(ge=0)
    successes_without: int = Field(ge=0)
    failures_without: int = Field(ge=0)


@event
class LearntPromoted(EventData):
    """A version on trial did well in enough tasks: it is established, and stays in force for longer."""

    type = "learnt.promoted"
    writer = "learning"
    learnt: Learnt
    score: Score
    expires_ms: int
    rule: str


@event
class LearntDemoted(EventData):
    """The tasks that had a version before them did worse: it is out of force."""

    type = "learnt.demoted"
    writer = "learning"
    learnt: Learnt
    to_version: int | None
    score: Score
    rule: str


@event
class LearntExpired(EventData):
    """A version's time was over."""

    type = "learnt.expired"
    writer = "learning"
    learnt: Learnt

"""The messages that are not events: what adapters send and read, wake-up commands, and requests between services."""

import base64
import hashlib
from typing import Any, Literal

from pydantic import Field, field_validator

from . import subjects
from .task import Contract, Criterion, InstructionOptions, TaskContract, TaskState

EXCERPT_BYTES = 32 * 1024
"""Values larger than this are kept as blobs; a message or event holds their hash and an excerpt."""


class Attachment(Contract):
    """A file that came with a message: small ones inline, large ones as a blob already stored."""

    name: str = Field(min_length=1)
    media_type: str = "application/octet-stream"
    sha256: str | None = Field(default=None, pattern=r"^[0-9a-f]{64}$", description="A blob already stored.")
    content: str | None = Field(default=None, description="The bytes in base64.")


class InboundMessage(Contract):
    """A person's message, as a channel's adapter publishes it.

    `message_id` is the idempotency key: within (channel, account, conversation) it is accepted once.
    """

    channel: str | None = Field(default=None, description="Must equal the channel of the subject, if given.")
    account: str = ""
    conversation: str = Field(min_length=1)
    thread: str = ""
    message_id: str = Field(min_length=1, max_length=512)
    sender: str = Field(min_length=1)
    direct: bool = Field(default=False, description="A direct message: the sender is part of the session's key.")
    text: str = ""
    attachments: tuple[Attachment, ...] = ()
    reply_to: str | None = None
    contract: TaskContract | None = None

    @field_validator("channel")
    @classmethod
    def _token(cls, value: str | None) -> str | None:
        return value if value is None else subjects.token(value, "channel")


def _digest(kind: str, *parts: str) -> str:
    # A length before each part makes the encoding injective: ("ab", "c") and ("a", "bc") differ.
    text = "".join(f"{len(part.encode('utf-8', 'surrogatepass'))}:{part}" for part in (kind, *parts))
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return base64.b32encode(digest[:20]).decode().lower()


def session_id(channel: str, message: InboundMessage) -> str:
    """The session that a message belongs to: one subject token, the same for the same conversation always."""
    person = message.sender if message.direct else ""
    return "s_" + _digest("session", channel, message.account, message.conversation, message.thread, person)


def task_id(channel: str, message: InboundMessage) -> str:
    """The task that a message makes, if it makes one."""
    return "t_" + _digest("task", channel, message.account, message.conversation, message.message_id)


def inbox_id(channel: str, message: InboundMessage) -> str:
    """The idempotency key of a message, across all channels."""
    return _digest("inbox", channel, message.account, message.conversation, message.message_id)


class Receipt(Contract):
    """What became of an inbound message; published on the channel's outbound subject after commit."""

    kind: Literal["receipt"] = "receipt"
    conversation: str
    message_id: str
    status: Literal["accepted", "duplicate", "refused"]
    session_id: str | None = None
    task_id: str | None = None
    field: str | None = Field(default=None, description="What is wrong, when refused.")
    reason: str | None = Field(default=None, description="Why, when refused.")


class OutboundMessage(Contract):
    """What Arreio says on a channel: the reply of a task, or its question; progress only where the channel wants it."""

    kind: Literal["reply", "question", "notice", "progress"]
    account: str = ""
    conversation: str
    thread: str = ""
    reply_to: str | None = Field(default=None, description="The id of the message that is answered.")
    text: str
    state: TaskState
    session_id: str
    task_id: str | None = Field(default=None, description="None for a notice that is about no task.")


class RunTask(Contract):
    """A wake-up: this task may run. Losing it costs time, never the task."""

    session_id: str
    task_id: str


class JudgeClaim(Contract):
    """A wake-up: this claim of completion waits for a judgement."""

    session_id: str
    task_id: str
    claim_id: str


class PendingEvent(Contract):
    """An event of a task as the tool-loop tells it: not committed yet, or just committed."""

    event_id: str
    type: str
    data: dict[str, Any]


class AssembleContext(Contract):
    """Ask the context-builder for the prompt of a task's next turn."""

    session_id: str
    task_id: str
    seq: int = Field(ge=0, description="The last committed event that the prompt must know.")
    pending: tuple[PendingEvent, ...] = Field(default=(), description="What follows it and is not committed.")
    recent: tuple[PendingEvent, ...] = Field(
        default=(), description="The last events up to `seq`, without a gap: they need not be read."
    )
    workspace: str | None
    agent: str
    budgets: dict[str, int] = Field(default_factory=dict, description="Tokens per layer; unset ones have defaults.")
    tokenizer: str = "approx"
    correction: float = Field(default=1.0, gt=0, description="Factor on estimated counts.")
    instructions: InstructionOptions = InstructionOptions()
    changes: int = Field(default=0, description="How often the task changed the workspace so far.")
    summaries: bool = Field(default=False, description="Keep the texts of history that is left out, to be summed up.")


class UnitRef(Contract):
    """One unit of the prompt: its text is the blob `sha256`."""

    id: str
    sha256: str


class DroppedUnit(Contract):
    """A unit that did not fit."""

    id: str
    tokens: int
    why: str
    sha256: str | None = Field(default=None, description="Its blob, where its text is kept all the same.")


class LayerManifest(Contract):
    """What one layer of the prompt holds and what was cut."""

    name: str
    strategy: str
    budget: int
    tokens: int
    estimated: bool
    units: tuple[UnitRef, ...] = ()
    dropped: tuple[DroppedUnit, ...] = ()
    truncated: bool = False
    whole: UnitRef | None = Field(default=None, description="Of a truncated layer: its text before the cut.")


class SkippedFile(Contract):
    """A file that was seen and not loaded."""

    path: str
    why: str


class InstructionChange(Contract):
    """Instructions that changed since the session's last prompt for this agent in this workspace.

    `old` and `new` are the blobs of the unit; None: there was none, or there is none any more.
    """

    path: str
    old: str | None
    new: str | None


class ContextManifest(Contract):
    """A prompt as its parts: rebuilt from the blobs, it has the SHA-256 `prompt_sha256`, byte for byte.

    `unfittable` says why no prompt could be made; then there are no layers to send.
    """

    layers: tuple[LayerManifest, ...] = ()
    skipped: tuple[SkippedFile, ...] = ()
    changed: tuple[InstructionChange, ...] = ()
    tokenizer: str = Field(default="", description="What counted the tokens.")
    prompt_sha256: str = ""
    tokens: int = 0
    estimated: bool = True
    unfittable: str | None = None


Verdict = Literal["PASS", "FAIL", "NOT_RUN"]


class TestCounts(Contract):
    """How many tests a run had."""

    __test__ = False

    passed: int = 0
    failed: int = 0
    skipped: int = 0


TASTE = "taste"
"""How the taste critic's result calls itself among those of criteria."""


class CriterionResult(Contract):
    """How one criterion was judged."""

    criterion: str = Field(description="As a person writes it: `tests: pytest -q`.")
    verdict: Verdict
    expected: str = ""
    seen: str = Field(default="", description="An excerpt of what was seen instead.")
    blob: str | None = Field(default=None, description="SHA-256 of the whole output, where it was cut.")
    environment: bool = Field(default=False, description="NOT_RUN for a cause that the model cannot mend.")
    let_pass: bool = Field(
        default=False, description="PASS in spite of what was seen: it may send the claim back no more."
    )
    uncounted: bool = Field(default=False, description="Judged by exit status alone: no test was counted.")
    counts: TestCounts | None = None
    seconds: float | None = Field(default=None, description="How long its command ran.")
    changed: tuple[str, ...] = Field(
        default=(), description="Paths that judging changed, where no overlay could be had."
    )

    @property
    def word(self) -> str:
        """How a person is told the verdict: what was let pass in spite of what was seen is no plain PASS."""
        return "LET_PASS" if self.let_pass else self.verdict


class ProbeCriteria(Contract):
    """Ask the gate-runner how the cheap criteria stand."""

    workspace: str
    criteria: tuple[Criterion, ...]
    network: bool = Field(default=False, description="Whether commands may use the network.")
    sandbox: Literal["bubblewrap", "none"] = "bubblewrap"


class ProbeResult(Contract):
    """The standing of each cheap criterion, in the order asked; None where a criterion is not cheap."""

    verdicts: tuple[Verdict | None, ...]
    counts: tuple[TestCounts | None, ...] = Field(default=(), description="How many tests ran, where any did.")


class SetInstructions(Contract):
    """Ask the gateway to keep what the operator says to an agent, in one project or in every one; None removes it.

    A workspace names its project; a text for one that has none makes it, called `project` or else after the folder.
    """

    agent: str
    project: str | None = None
    workspace: str | None = Field(default=None, description="An absolute folder.")
    text: str | None = Field(default=None, min_length=1, max_length=256 * 1024)

    @field_validator("agent", "project")
    @classmethod
    def _token(cls, value: str | None) -> str | None:
        return value if value is None else subjects.token(value)

    @field_validator("workspace")
    @classmethod
    def _absolute(cls, value: str | None) -> str | None:
        if value is not None and not (value.startswith("/") and "\x00" not in value):
            raise ValueError("the workspace must be an absolute path")
        return value

    @field_validator("text")
    @classmethod
    def _text(cls, value: str | None) -> str | None:
        if value is not None and (not value.strip() or "\x00" in value):
            raise ValueError("instructions are text that is not blank and holds no NUL")
        return value


class InstructionsKept(Contract):
    """What became of `SetInstructions`. `version` grows with each change of the text; None: there is no text now."""

    version: int | None
    changed: bool
    project: str | None = Field(default=None, description="The project that they hold in; None: in every one.")


class DecideProposal(Contract):
    """Ask learning to approve or reject what it proposed, or to roll back what was approved."""

    act: Literal["approve", "reject", "rollback"]
    proposal_id: str
    by: str = Field(min_length=1, max_length=128, description="Who decides.")
    why: str = Field(default="", max_length=2000)
    tainted: bool = Field(default=False, description="The person says yes to text that came from tools or web pages.")
    here_only: bool = Field(default=False, description="Approve it for the workspace that it was learnt in.")
    diff: str = Field(default="", max_length=512 * 1024, description="Of a persona or taste: the change that was seen.")

    @field_validator("proposal_id")
    @classmethod
    def _token(cls, value: str) -> str:
        return subjects.token(value)


class ProposalDecided(Contract):
    """What became of `DecideProposal`."""

    proposal_id: str
    kind: str
    state: str
    name: str = ""
    version: int | None = Field(default=None, description="What the decision put into force, or took out of it.")
    in_force: int | None = Field(default=None, description="The version that is in force now; None: none.")


class DeadLetter(Contract):
    """A message that a consumer gave up, and why. It can be listed and resent."""

    consumer: str
    subject: str
    code: str
    field: str | None = None
    problem: str
    headers: dict[str, str] = Field(default_factory=dict)
    body: str = Field(
        description="The bytes of the message in base64; empty, as are the headers, where that were too large to send."
    )
    deliveries: int = Field(default=1, ge=1)


class AskModel(Contract):
    """Ask the tool-loop, which holds keys and local models, to put one question to a model."""

    model: str
    api_base: str | None = None
    messages: tuple[dict[str, str], ...] = Field(min_length=1, description="`role` and `content`.")
    response_format: dict[str, Any] | None = Field(default=None, description="Left out where a model takes none.")
    max_tokens: int = Field(ge=1)
    seconds: float = Field(gt=0, le=600, description="How long the exchange may take.")
    seed: int = 0


class ModelAnswer(Contract):
    """What the model said, or why it said nothing."""

    content: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    estimated: bool = False
    cost_usd: float = 0.0
    requests: int = Field(default=1, description="How many were needed.")
    problem: str = Field(default="", description="Why there is no reply, in one line.")

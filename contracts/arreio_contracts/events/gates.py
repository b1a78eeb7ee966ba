"""What the gate-runner writes: how a claim was judged."""

from pydantic import Field

from ..messages import CriterionResult, Verdict
from ..task import Contract
from .base import EventData, event
from .turns import Usage


@event
class GateStarted(EventData):
    """The gate-runner began to judge a claim."""

    type = "gate.started"
    writer = "gate_runner"
    claim_id: str


@event
class GateRendered(EventData):
    """A page as a browser showed it while a claim was judged; `problem` tells why it could not be shown."""

    type = "gate.rendered"
    writer = "gate_runner"
    claim_id: str
    page: str = Field(description="Its path in the workspace.")
    width: int = Field(description="Of the screen, in CSS pixels.")
    height: int
    screenshot: str | None = Field(default=None, description="SHA-256 of the blob, a PNG.")
    measures: str | None = Field(default=None, description="SHA-256 of the blob: what was measured, JSON.")
    browser: str = Field(default="", description="Its name and version.")
    problem: str = ""


class TasteViolation(Contract):
    """What a model has against a file: it quotes a line that stands there."""

    rule: str
    path: str
    line: int = Field(ge=1)
    quote: str
    why: str = ""


@event
class GateTasted(EventData):
    """A model judged the rules of taste that need a reader; `problem` tells why it did not."""

    type = "gate.tasted"
    writer = "gate_runner"
    claim_id: str
    model: str
    api_base: str | None = None
    request_blob: str | None = Field(default=None, description="SHA-256 of what it was asked: its messages, as JSON.")
    reply_blob: str | None = Field(default=None, description="SHA-256 of its reply.")
    violations: tuple[TasteViolation, ...] = ()
    dropped: tuple[str, ...] = Field(default=(), description="What it said and is not so, a line each.")
    asked: bool = Field(default=True, description="False: the same had been asked before, or nobody was asked.")
    usage: Usage = Usage()
    cost_usd: float = 0.0
    problem: str = ""
    rule: str = Field(default="", description="Name and version of what read the reply.")


@event
class GateJudged(EventData):
    """The judgement of a claim, criterion by criterion."""

    type = "gate.judged"
    writer = "gate_runner"
    claim_id: str
    verdict: Verdict
    results: tuple[CriterionResult, ...]
    missing: str = Field(default="", description="The exact list of what is missing, in the task's language.")
    missing_blob: str | None = Field(default=None, description="SHA-256 of the whole list, where `missing` is cut.")
    snapshot: str = Field(default="", description="The workspace that was judged: a git tree in its shadow repository.")
    snapshot_after: str = Field(default="", description="The workspace when the judgement was done.")

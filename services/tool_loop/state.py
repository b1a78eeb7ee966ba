"""What the log says of one task, as `fold.evolve` folds it event by event."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from arreio_contracts.events import (
    CompletionClaimed,
    ContextBuilt,
    EventData,
    GateJudged,
    LadderClimbed,
    LoopVerdict,
    ModelFailed,
    ModelProbed,
    ModelReplied,
    ModelRequested,
    Rung,
    TaskBlocked,
    TaskCancelRequested,
    TaskCompleted,
    TaskCreated,
    TaskFailed,
    TaskNeedsInput,
    TaskParked,
    TaskProfiled,
    ToolCall,
    ToolStarted,
)
from arreio_contracts.messages import Verdict
from arreio_contracts.task import TaskState

from .grounding.state import GroundingState
from .hooks.state import HookState
from .machine import MACHINE
from .plan import Plan
from .progress import Progress
from .replacing import replace

SIGNALS = ("task_complete", "task_blocked", "need_input")
"""The terminal signals, which end a turn without touching anything."""

ABSTAIN = "abstain"
"""The tool by which a model says that it does not know."""

RETRIED_FAILURES = frozenset({"rate_limit", "timeout", "unavailable"})
"""The failures of a provider after which the same request is made again, later."""

Phase = Literal[
    "admit",  # nothing is known of model and workspace yet
    "ready",  # the next turn needs its prompt
    "built",  # the prompt is there
    "asking",  # the model has been asked
    "acting",  # the reply's calls are being carried out
    "judging",  # a claim waits for its gates
    "waiting",  # a person has been asked
    "ended",
]


class Stamped(NamedTuple):
    """An event as the fold needs it: its id, its data, and the writer's clock (milliseconds; None if unknown)."""

    id: str
    data: EventData
    at_ms: int | None = None
    machine: int | None = None


@dataclass(frozen=True)
class Climbed:
    """A rung of the ladder that a task took."""

    data: LadderClimbed
    event_id: str

    @property
    def rung(self) -> Rung:
        """Which one."""
        return self.data.rung


@dataclass(frozen=True)
class Forbidden:
    """Why a call is not made again, and when it was made or tried last: the number of the model's reply."""

    verdict: LoopVerdict
    step: int


@dataclass(frozen=True)
class LoopRefusal:
    """A forbidden call that was tried all the same."""

    verdict: LoopVerdict
    step: int
    event_id: str


@dataclass(frozen=True)
class LoopState:
    """One task, as far as the log tells. Counters are sums over the log, so that a restart changes none of them."""

    task_id: str
    machine: int = MACHINE
    state: TaskState = TaskState.PENDING
    phase: Phase = "admit"
    created: TaskCreated | None = None
    profile: TaskProfiled | None = None
    profile_event: str = ""
    cancel: TaskCancelRequested | None = None
    cancel_event: str = ""

    steps: int = 0
    attempt: int = 0
    tool_calls: int = 0
    calls_by_tool: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0
    worked_ms: int = 0
    last_ms: int | None = None

    context: ContextBuilt | None = None
    request: ModelRequested | None = None
    failure: ModelFailed | None = None
    failure_event: str = ""
    failures_in_a_row: int = 0
    probed: ModelProbed | None = None
    callless: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """Replies without a call by call mode, while it is not known which the model can do."""
    lacking: frozenset[str] = frozenset()
    """Call modes that the provider refused."""
    failed_at_ms: int = 0
    overflow: int | None = None
    """Tokens of the last prompt that the model's window did not hold."""
    history_room: int | None = None
    """Tokens that the history may have since then."""
    summed_up: frozenset[str] = frozenset()
    """The units of which a summary was asked for last, whatever came of it."""
    failed_summaries: int = 0

    reply: ModelReplied | None = None
    queue: tuple[ToolCall, ...] = ()
    signal: ToolCall | None = None
    open_call: ToolStarted | None = None
    executed_in_turn: int = 0
    failed_in_turn: int = 0
    worked_in_turn: int = 0
    """Calls of the turn that were carried out: not refused, before or by their tool."""
    rejected_in_a_row: int = 0
    rejections: tuple[str, ...] = ()
    causes: tuple[str, ...] = ()
    """Why each of those turns came to nothing, for a person."""
    abstained: tuple[str, ...] = ()
    """What the model did not know, one after the other with nothing done between."""

    forbidden: Mapping[str, Forbidden] = field(default_factory=lambda: MappingProxyType({}))
    """The calls, by fingerprint, that are refused until something changes."""
    loop: LoopVerdict | None = None
    """A loop that has to climb the ladder."""
    loop_refusals: tuple[LoopRefusal, ...] = ()
    """The last refusals of forbidden calls since something changed."""

    seen: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    outdated: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """What the task saw of files that a command changed afterwards: it holds again once they are as they were."""
    changes: int = 0
    probed_at_change: int = 0
    probe: tuple[Verdict | None, ...] | None = None

    claims: int = 0
    claim: CompletionClaimed | None = None
    claim_changes: int = -1
    judged: GateJudged | None = None
    judged_event: str = ""
    refused_at_change: int | None = None
    unchanged_claims: int = 0
    not_taken: str = ""
    """Why the last claim was refused before any gate was asked: the code."""
    unrun_claims: int = 0
    """Claims of the model in a row that the gates could not judge."""
    refusals: tuple[str, ...] = ()

    skills_loaded: frozenset[str] = frozenset()
    """The skills that stood before the model whole."""
    hooks: HookState = field(default_factory=HookState)
    progress: Progress = field(default_factory=Progress)
    climbed: tuple[Climbed, ...] = ()
    """The rungs since the last progress or input."""
    climbs: int = 0
    """All rungs that this task ever took."""
    missing: str = ""
    """What the last judgement found missing."""
    plan: Plan | None = None
    plans: int = 0
    replanning: bool = False
    escalating: bool = False
    escalation_problem: str = ""
    models: tuple[str, ...] = ()
    """The models that the task was taken from."""
    unheard: bool = False
    """The model that took over has not answered yet."""

    grounding: GroundingState = field(default_factory=GroundingState)
    takeovers_in_a_row: int = 0
    takeover_events: tuple[str, ...] = ()
    question: TaskNeedsInput | None = None
    unread_input: bool = False
    parked: TaskParked | None = None
    asks_before_going_on: bool = False
    ending: TaskCompleted | TaskBlocked | TaskFailed | None = None

    @property
    def observed(self) -> Mapping[str, str]:
        """The last content, by its hash, that the task saw of each path."""
        return {**self.outdated, **self.seen}

    @property
    def begun_ms(self) -> int:
        """From when the task's age counts: its creation, or the moment at which it was copied."""
        assert self.created is not None
        return self.parked.at_ms if self.parked else self.created.at_ms

    @property
    def tokens(self) -> int:
        """Prompt and completion tokens so far."""
        return self.prompt_tokens + self.completion_tokens

    @property
    def interruptible(self) -> bool:
        """Nothing of this task is under way outside the log."""
        return self.phase != "asking" and self.open_call is None


_UNTOLD: Final = LoopState("")


def untold(task_id: str) -> LoopState:
    """A task of which the log has told nothing yet: `LoopState(task_id)`, whose many fields take long to fill."""
    return replace(_UNTOLD, task_id=task_id)

"""What the log says of one task: `evolve` folds an event into the state, and nothing else changes it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from arreio_contracts.events import (
    CompletionClaimed,
    CompletionRefused,
    ContextBuilt,
    CriteriaProbed,
    EventData,
    GateJudged,
    HistorySummarised,
    InputReceived,
    ModelFailed,
    ModelReplied,
    ModelRequested,
    TaskBlocked,
    TaskCancelRequested,
    TaskCompleted,
    TaskCreated,
    TaskFailed,
    TaskNeedsInput,
    TaskParked,
    TaskProfiled,
    TaskResumed,
    TaskStarted,
    ToolCall,
    ToolFinished,
    ToolRefused,
    ToolStarted,
    TurnRejected,
)
from arreio_contracts.messages import Verdict
from arreio_contracts.task import TaskState

from .compaction import history_room
from .machine import MACHINE

if TYPE_CHECKING:
    from dataclasses import replace
else:

    def replace(state: Any, /, **changes: Any) -> Any:
        """`dataclasses.replace` without the constructor, which takes 25 µs where a state has this many fields."""
        found = object.__new__(type(state))
        found.__dict__.update(state.__dict__, **changes)
        return found


SIGNALS = ("task_complete", "task_blocked", "need_input")
"""The terminal signals, which end a turn without touching anything."""

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


@dataclass(frozen=True)
class Stamped:
    """An event as the fold needs it: its id, its data, and the writer's clock (milliseconds; None if unknown)."""

    id: str
    data: EventData
    at_ms: int | None = None
    machine: int | None = None


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
    failed_at_ms: int = 0
    overflow: int | None = None
    """Tokens of the last prompt that the model's window did not hold."""
    history_room: int | None = None
    """Tokens that the history may have since then."""
    summed_up: frozenset[str] = frozenset()
    """The units of which a summary was asked for last, whatever came of it."""

    reply: ModelReplied | None = None
    queue: tuple[ToolCall, ...] = ()
    signal: ToolCall | None = None
    open_call: ToolStarted | None = None
    executed_in_turn: int = 0
    failed_in_turn: int = 0
    rejected_in_a_row: int = 0
    rejections: tuple[str, ...] = ()

    seen: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
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
    refusals: tuple[str, ...] = ()

    takeovers_in_a_row: int = 0
    takeover_events: tuple[str, ...] = ()
    question: TaskNeedsInput | None = None
    unread_input: bool = False
    parked: TaskParked | None = None
    asks_before_going_on: bool = False
    ending: TaskCompleted | TaskBlocked | TaskFailed | None = None

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


def evolve(state: LoopState, event: Stamped) -> LoopState:
    """Fold one event of the task into its state. Events that say nothing of the loop leave it as it is."""
    state = _clock(state, event)
    data = event.data
    match data:
        case TaskCreated():
            return replace(state, created=data)
        case TaskProfiled():
            return replace(state, profile=data, profile_event=event.id)
        case TaskStarted():
            return replace(state, state=TaskState.IN_PROGRESS, phase="ready")
        case TaskResumed():
            return _resumed(state, data, event.id)
        case ContextBuilt():
            return replace(state, phase="built", context=data, attempt=0)
        case HistorySummarised():
            return _summarised(state, data)
        case ModelRequested():
            return replace(state, phase="asking", request=data, attempt=data.attempt)
        case ModelReplied():
            return _replied(state, data)
        case ModelFailed():
            return _model_failed(state, data, event)
        case TurnRejected():
            return _rejected(replace(state, phase="ready"), event.id)
        case ToolStarted():
            return _tool_started(state, data)
        case ToolFinished():
            return _tool_finished(state, data)
        case ToolRefused():
            return _tool_refused(state, data, event.id)
        case CriteriaProbed():
            return replace(state, probe=data.verdicts, probed_at_change=state.changes)
        case CompletionClaimed():
            return replace(
                state,
                phase="judging",
                claim=data,
                claims=state.claims + 1,
                claim_changes=state.changes,
                signal=None,
                judged=None,
                probe=None,
            )
        case GateJudged():
            if state.claim is None or state.claim.claim_id != data.claim_id or state.judged is not None:
                return state
            return replace(state, judged=data, judged_event=event.id)
        case CompletionRefused():
            return replace(
                state,
                phase="ready",
                claim=None,
                judged=None,
                refused_at_change=state.claim_changes,
                refusals=(*state.refusals, event.id)[-8:],
            )
        case TaskNeedsInput():
            asked = replace(
                state, question=data, signal=None, rejected_in_a_row=0, rejections=(), asks_before_going_on=False
            )
            if state.unread_input:
                return replace(asked, phase="ready", unread_input=False)
            return replace(asked, phase="waiting", state=TaskState.NEEDS_INPUT)
        case InputReceived():
            return _input(state)
        case TaskParked():
            return _parked(state, data)
        case TaskCancelRequested():
            return state if state.cancel else replace(state, cancel=data, cancel_event=event.id)
        case TaskCompleted():
            return replace(state, state=TaskState.COMPLETE, phase="ended", ending=data)
        case TaskBlocked():
            return replace(state, state=TaskState.BLOCKED, phase="ended", ending=data)
        case TaskFailed():
            return replace(state, state=TaskState.FAILED, phase="ended", ending=data)
        case _:
            return state


def _clock(state: LoopState, event: Stamped) -> LoopState:
    """Add the time since the last event of the same run. Time in which nothing ran does not count."""
    if event.machine is not None and event.machine != state.machine:
        state = replace(state, machine=event.machine)
    if event.at_ms is None or state.state.terminal:
        return state
    if state.last_ms is None or isinstance(event.data, TaskResumed | TaskProfiled) or state.phase == "waiting":
        return replace(state, last_ms=event.at_ms)
    return replace(state, worked_ms=state.worked_ms + max(0, event.at_ms - state.last_ms), last_ms=event.at_ms)


def _resumed(state: LoopState, data: TaskResumed, event_id: str) -> LoopState:
    if state.phase == "asking":
        state = replace(state, phase="built")
    if data.cause != "takeover":
        return state
    return replace(
        state,
        takeovers_in_a_row=state.takeovers_in_a_row + 1,
        takeover_events=(*state.takeover_events, event_id)[-8:],
    )


def _summarised(state: LoopState, data: HistorySummarised) -> LoopState:
    """What it cost counts in any case; with a summary the prompt is built again, without one it stands as it is."""
    return replace(
        state,
        phase="built" if data.problem else "ready",
        summed_up=frozenset(data.covers),
        prompt_tokens=state.prompt_tokens + data.usage.prompt_tokens,
        completion_tokens=state.completion_tokens + data.usage.completion_tokens,
        cost_usd=state.cost_usd + data.cost_usd,
    )


def _replied(state: LoopState, data: ModelReplied) -> LoopState:
    signals = [call for call in data.calls if call.name in SIGNALS and call.problem is None]
    first = signals[0] if signals else None
    return replace(
        state,
        phase="acting",
        steps=state.steps + 1,
        attempt=0,
        prompt_tokens=state.prompt_tokens + data.usage.prompt_tokens,
        completion_tokens=state.completion_tokens + data.usage.completion_tokens,
        cost_usd=state.cost_usd + data.cost_usd,
        failure=None,
        failures_in_a_row=0,
        overflow=None,
        context=None,
        reply=data,
        queue=tuple(call for call in data.calls if call is not first),
        signal=first,
        executed_in_turn=0,
        failed_in_turn=0,
    )


def _model_failed(state: LoopState, data: ModelFailed, event: Stamped) -> LoopState:
    retried = data.kind in RETRIED_FAILURES
    too_large = data.kind == "context_overflow" and state.context is not None
    if too_large:
        # The prompt is built again, with less history.
        assert state.context is not None
        refused = state.context.manifest
        state = replace(state, overflow=refused.tokens, history_room=history_room(refused))
    return replace(
        state,
        phase="ready" if too_large else "built",
        failure=None if data.kind == "interrupted" else data,
        failure_event=event.id,
        failures_in_a_row=state.failures_in_a_row + (1 if retried else 0),
        failed_at_ms=event.at_ms or 0,
    )


def _rejected(state: LoopState, event_id: str) -> LoopState:
    return replace(
        state,
        rejected_in_a_row=state.rejected_in_a_row + 1,
        rejections=(*state.rejections, event_id)[-8:],
    )


def _tool_started(state: LoopState, data: ToolStarted) -> LoopState:
    counts = dict(state.calls_by_tool)
    counts[data.tool] = counts.get(data.tool, 0) + 1
    return replace(
        state,
        open_call=data,
        tool_calls=state.tool_calls + 1,
        calls_by_tool=MappingProxyType(counts),
        executed_in_turn=state.executed_in_turn + 1,
        rejected_in_a_row=0,
        rejections=(),
    )


def _tool_finished(state: LoopState, data: ToolFinished) -> LoopState:
    seen = state.seen
    if data.seen or data.changed:
        # A command's changes were not read by anybody: what it touched counts as not seen.
        kept = {path: digest for path, digest in seen.items() if path not in data.changed}
        seen = MappingProxyType({**kept, **data.seen})
    finished = data.status in ("ok", "error")
    return replace(
        _after_call(state, data.call_id),
        open_call=None,
        seen=seen,
        changes=state.changes + (1 if data.workspace_changed else 0),
        unchanged_claims=0 if data.workspace_changed else state.unchanged_claims,
        failed_in_turn=state.failed_in_turn + (0 if data.status == "ok" else 1),
        takeovers_in_a_row=0 if finished else state.takeovers_in_a_row,
        takeover_events=() if finished else state.takeover_events,
    )


def _tool_refused(state: LoopState, data: ToolRefused, event_id: str) -> LoopState:
    after = _after_call(state, data.call_id)
    if data.code == "superseded":
        return after
    after = replace(after, failed_in_turn=state.failed_in_turn + 1)
    if data.code == "signal_beside_failure":
        return after
    if data.code == "claim_unchanged":
        refusals = (*after.refusals, event_id)[-8:]
        return replace(after, unchanged_claims=after.unchanged_claims + 1, refusals=refusals)
    if after.queue or after.signal or after.executed_in_turn:
        return after
    # The whole turn came to nothing: it is one more rejected turn.
    return _rejected(after, event_id)


def _after_call(state: LoopState, call_id: str) -> LoopState:
    queue = tuple(call for call in state.queue if call.id != call_id)
    signal = None if state.signal is not None and state.signal.id == call_id else state.signal
    return replace(state, queue=queue, signal=signal)


def _input(state: LoopState) -> LoopState:
    fresh = replace(state, rejected_in_a_row=0, rejections=(), refused_at_change=None, unchanged_claims=0)
    if state.state is TaskState.NEEDS_INPUT:
        return replace(fresh, state=TaskState.IN_PROGRESS, phase="ready")
    return replace(fresh, unread_input=True)


def _parked(state: LoopState, data: TaskParked) -> LoopState:
    """A copy of an open task: it asks before it goes on, and a question that was asked already is asked anew."""
    fresh = replace(
        state, parked=data, asks_before_going_on=True, unread_input=False, takeovers_in_a_row=0, takeover_events=()
    )
    if state.question is None or state.profile is None or state.state is not TaskState.NEEDS_INPUT:
        return fresh
    expires = data.at_ms + int((state.profile.budgets.input_expires or 0.0) * 1000)
    return replace(
        fresh, asks_before_going_on=False, question=state.question.model_copy(update={"expires_ms": expires})
    )

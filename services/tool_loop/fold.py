"""The fold of a task's log: `evolve` takes one event into the state, and nothing else changes it."""

import dataclasses

from arreio_contracts.events import (
    CompletionClaimed,
    CompletionRefused,
    ContextBuilt,
    CriteriaProbed,
    GateJudged,
    GateTasted,
    HistorySummarised,
    HookJudged,
    InputReceived,
    LadderClimbed,
    ModelEscalated,
    ModelFailed,
    ModelProbed,
    ModelReplied,
    ModelRequested,
    PlanMade,
    SubtaskClosed,
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
from arreio_contracts.task import TaskState

from . import probing, progress, skills
from .compaction import history_room
from .fold_calls import completion_refused, tool_finished, tool_refused, tool_started, turn_rejected
from .fold_ladder import climbed, escalated, got_on, planned
from .fold_loops import unlooped
from .grounding.state import fold as fold_grounding
from .hooks.state import fold as fold_hooks
from .replacing import replace
from .state import RETRIED_FAILURES, SIGNALS, LoopState, Stamped


def evolve(state: LoopState, event: Stamped) -> LoopState:
    """Fold one event of the task into its state. Events that say nothing of the loop leave it as it is."""
    state = _clock(state, event)
    data = event.data
    known = fold_grounding(state.grounding, data)
    if known is not state.grounding:
        state = replace(state, grounding=known)
    if state.profile is not None and state.profile.hooks:
        state = _with_hooks(state, event)
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
            return replace(state, phase="built", context=data, attempt=0, skills_loaded=skills.shown(state, data))
        case HistorySummarised():
            return _summarised(state, data)
        case ModelRequested():
            return replace(state, phase="asking", request=data, attempt=data.attempt)
        case ModelReplied():
            return _replied(_callless(state, data), data)
        case ModelProbed():
            return replace(state, probed=data)
        case ModelFailed():
            return _model_failed(state, data, event)
        case TurnRejected():
            return turn_rejected(replace(state, phase="ready"), data, event.id)
        case ToolStarted():
            return tool_started(state, data)
        case ToolFinished():
            return tool_finished(state, data, event.id)
        case ToolRefused():
            return tool_refused(state, data, event.id)
        case CriteriaProbed():
            probed = replace(state, probe=data.verdicts, probed_at_change=state.changes)
            if state.plan is not None:
                probed = replace(probed, plan=dataclasses.replace(state.plan, own=data.subtask))
            return got_on(probed, progress.probed(state.progress, data.verdicts, data.counts))
        case LadderClimbed():
            return climbed(state, data, event.id)
        case PlanMade():
            return planned(state, data)
        case SubtaskClosed():
            assert state.plan is not None
            return replace(state, plan=state.plan.closed(data.outcome))
        case ModelEscalated():
            return escalated(state, data)
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
        case GateTasted():
            return replace(
                state,
                prompt_tokens=state.prompt_tokens + data.usage.prompt_tokens,
                completion_tokens=state.completion_tokens + data.usage.completion_tokens,
                cost_usd=state.cost_usd + data.cost_usd,
            )
        case GateJudged():
            if state.claim is None or state.claim.claim_id != data.claim_id or state.judged is not None:
                return state
            judged = replace(state, judged=data, judged_event=event.id, missing=data.missing)
            return got_on(judged, progress.judged(state.progress, data.results))
        case CompletionRefused():
            return completion_refused(state, data, event.id)
        case TaskNeedsInput():
            asked = replace(
                state,
                question=data,
                signal=None,
                rejected_in_a_row=0,
                rejections=(),
                causes=(),
                abstained=(),
                asks_before_going_on=False,
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


def _with_hooks(state: LoopState, event: Stamped) -> LoopState:
    assert state.profile is not None
    found = fold_hooks(state.hooks, state.profile.hooks, event.data, event.id)
    if isinstance(event.data, HookJudged) and event.data.phase == "post_tool_use" and event.data.refuses:
        state = replace(state, failed_in_turn=state.failed_in_turn + 1)
    return state if found is state.hooks else replace(state, hooks=found)


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
        failed_summaries=state.failed_summaries + (data.problem is not None),
        prompt_tokens=state.prompt_tokens + data.usage.prompt_tokens,
        completion_tokens=state.completion_tokens + data.usage.completion_tokens,
        cost_usd=state.cost_usd + data.cost_usd,
    )


def _callless(state: LoopState, data: ModelReplied) -> LoopState:
    """Count a reply that shows that its model cannot do the call mode."""
    if state.profile is None or not state.profile.probe or state.request is None or data.finish_reason == "length":
        return state
    if probing.executable(data, state.profile):
        return state
    mode = state.request.mode
    return replace(state, callless={**state.callless, mode: state.callless.get(mode, 0) + 1})


def _replied(state: LoopState, data: ModelReplied) -> LoopState:
    signals = [call for call in data.calls if _is_signal(call, state.machine)]
    first = signals[0] if signals else None
    plan = state.plan and dataclasses.replace(state.plan, steps=state.plan.steps + 1)
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
        worked_in_turn=0,
        failed_in_turn=0,
        plan=plan,
        unheard=False,
    )


def _is_signal(call: ToolCall, machine: int) -> bool:
    """Whether a call ends the turn. One whose arguments do not fit says just as clearly what it means."""
    readable = call.problem is None or (machine >= 2 and call.arguments is not None)
    return call.name in SIGNALS and readable


def _model_failed(state: LoopState, data: ModelFailed, event: Stamped) -> LoopState:
    retried = data.kind in RETRIED_FAILURES
    too_large = data.kind == "context_overflow" and state.context is not None
    if too_large:
        # The prompt is built again, with less history.
        assert state.context is not None
        refused = state.context.manifest
        state = replace(state, overflow=refused.tokens, history_room=history_room(refused))
    if data.lacks is not None and state.request is not None:
        state = replace(state, lacking=state.lacking | {state.request.mode})
    return replace(
        state,
        phase="ready" if too_large else "built",
        failure=None if data.kind == "interrupted" else data,
        failure_event=event.id,
        failures_in_a_row=state.failures_in_a_row + (1 if retried else 0),
        failed_at_ms=event.at_ms or 0,
    )


def _input(state: LoopState) -> LoopState:
    fresh = replace(
        unlooped(state),
        loop=None,
        rejected_in_a_row=0,
        rejections=(),
        causes=(),
        abstained=(),
        refused_at_change=None,
        unchanged_claims=0,
        unrun_claims=0,
        climbed=(),
        escalation_problem="",
    )
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

"""The fold of a task's log: `evolve` takes one event into the state, and nothing else changes it."""

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, Final

from arreio_contracts.events import (
    CompletionClaimed,
    CompletionRefused,
    ContextBuilt,
    CriteriaProbed,
    EventData,
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
from .replacing import changed, replace
from .state import RETRIED_FAILURES, SIGNALS, LoopState, Stamped


def evolve(state: LoopState, event: Stamped) -> LoopState:
    """Fold one event of the task into its state. Events that say nothing of the loop leave it as it is."""
    data = event.data
    if event.machine is not None and event.machine != state.machine:
        state = replace(state, machine=event.machine)
    # No fold of an event looks at these two, so they come along in one copy of the state.
    aside = _clock(state, event)
    known = fold_grounding(state.grounding, data)
    if known is not state.grounding:
        aside["grounding"] = known
    if state.profile is not None and state.profile.hooks:
        state = _with_hooks(state, event)
    fold = _FOLDS.get(type(data))
    return changed(state, state if fold is None else fold(state, data, event), aside)


def _clock(state: LoopState, event: Stamped) -> dict[str, Any]:
    """The time since the last event of the same run is added. Time in which nothing ran does not count."""
    if event.at_ms is None or state.state.terminal:
        return {}
    if state.last_ms is None or type(event.data) in _BEGINNINGS or state.phase == "waiting":
        return {"last_ms": event.at_ms}
    return {"worked_ms": state.worked_ms + max(0, event.at_ms - state.last_ms), "last_ms": event.at_ms}


def _with_hooks(state: LoopState, event: Stamped) -> LoopState:
    assert state.profile is not None
    found = fold_hooks(state.hooks, state.profile.hooks, event.data, event.id)
    if isinstance(event.data, HookJudged) and event.data.phase == "post_tool_use" and event.data.refuses:
        state = replace(state, failed_in_turn=state.failed_in_turn + 1)
    return state if found is state.hooks else replace(state, hooks=found)


def _created(state: LoopState, data: TaskCreated, _event: Stamped) -> LoopState:
    return replace(state, created=data)


def _profiled(state: LoopState, data: TaskProfiled, event: Stamped) -> LoopState:
    return replace(state, profile=data, profile_event=event.id)


def _started(state: LoopState, _data: TaskStarted, _event: Stamped) -> LoopState:
    return replace(state, state=TaskState.IN_PROGRESS, phase="ready")


def _resumed(state: LoopState, data: TaskResumed, event: Stamped) -> LoopState:
    if state.phase == "asking":
        state = replace(state, phase="built")
    if data.cause != "takeover":
        return state
    return replace(
        state,
        takeovers_in_a_row=state.takeovers_in_a_row + 1,
        takeover_events=(*state.takeover_events, event.id)[-8:],
    )


def _built(state: LoopState, data: ContextBuilt, _event: Stamped) -> LoopState:
    return replace(state, phase="built", context=data, attempt=0, skills_loaded=skills.shown(state, data))


def _summarised(state: LoopState, data: HistorySummarised, _event: Stamped) -> LoopState:
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


def _requested(state: LoopState, data: ModelRequested, _event: Stamped) -> LoopState:
    return replace(state, phase="asking", request=data, attempt=data.attempt)


def _replied(state: LoopState, data: ModelReplied, _event: Stamped) -> LoopState:
    state = _callless(state, data)
    signals = [call for call in data.calls if _is_signal(call, state.machine)]
    # Who says beside it that he is blocked, or asks, has not completed the task, whatever the order.
    open_ended = [call for call in signals if call.name != "task_complete"]
    first = next(iter(open_ended or signals), None)
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


def _probed(state: LoopState, data: ModelProbed, _event: Stamped) -> LoopState:
    return replace(state, probed=data)


def _turn_rejected(state: LoopState, data: TurnRejected, event: Stamped) -> LoopState:
    return turn_rejected(replace(state, phase="ready"), data, event.id)


def _criteria_probed(state: LoopState, data: CriteriaProbed, _event: Stamped) -> LoopState:
    probed = replace(state, probe=data.verdicts, probed_at_change=state.changes)
    if state.plan is not None:
        probed = replace(probed, plan=dataclasses.replace(state.plan, own=data.subtask))
    return got_on(probed, progress.probed(state.progress, data.verdicts, data.counts))


def _subtask_closed(state: LoopState, data: SubtaskClosed, _event: Stamped) -> LoopState:
    assert state.plan is not None
    return replace(state, plan=state.plan.closed(data.outcome))


def _claimed(state: LoopState, data: CompletionClaimed, _event: Stamped) -> LoopState:
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


def _tasted(state: LoopState, data: GateTasted, _event: Stamped) -> LoopState:
    return replace(
        state,
        prompt_tokens=state.prompt_tokens + data.usage.prompt_tokens,
        completion_tokens=state.completion_tokens + data.usage.completion_tokens,
        cost_usd=state.cost_usd + data.cost_usd,
    )


def _judged(state: LoopState, data: GateJudged, event: Stamped) -> LoopState:
    if state.claim is None or state.claim.claim_id != data.claim_id or state.judged is not None:
        return state
    judged = replace(state, judged=data, judged_event=event.id, missing=data.missing)
    return got_on(judged, progress.judged(state.progress, data.results))


def _asked(state: LoopState, data: TaskNeedsInput, _event: Stamped) -> LoopState:
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


def _input(state: LoopState, _data: InputReceived, _event: Stamped) -> LoopState:
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


def _parked(state: LoopState, data: TaskParked, _event: Stamped) -> LoopState:
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


def _cancelled(state: LoopState, data: TaskCancelRequested, event: Stamped) -> LoopState:
    return state if state.cancel else replace(state, cancel=data, cancel_event=event.id)


def _completed(state: LoopState, data: TaskCompleted, _event: Stamped) -> LoopState:
    return replace(state, state=TaskState.COMPLETE, phase="ended", ending=data)


def _blocked(state: LoopState, data: TaskBlocked, _event: Stamped) -> LoopState:
    return replace(state, state=TaskState.BLOCKED, phase="ended", ending=data)


def _failed(state: LoopState, data: TaskFailed, _event: Stamped) -> LoopState:
    return replace(state, state=TaskState.FAILED, phase="ended", ending=data)


_BEGINNINGS: Final = frozenset((TaskResumed, TaskProfiled))
"""The events before which nothing ran."""

_FOLDS: Final[Mapping[type[EventData], Callable[[LoopState, Any, Stamped], LoopState]]] = {
    TaskCreated: _created,
    TaskProfiled: _profiled,
    TaskStarted: _started,
    TaskResumed: _resumed,
    ContextBuilt: _built,
    HistorySummarised: _summarised,
    ModelRequested: _requested,
    ModelReplied: _replied,
    ModelProbed: _probed,
    ModelFailed: _model_failed,
    TurnRejected: _turn_rejected,
    ToolStarted: tool_started,
    ToolFinished: tool_finished,
    ToolRefused: tool_refused,
    CriteriaProbed: _criteria_probed,
    LadderClimbed: climbed,
    PlanMade: planned,
    SubtaskClosed: _subtask_closed,
    ModelEscalated: escalated,
    CompletionClaimed: _claimed,
    GateTasted: _tasted,
    GateJudged: _judged,
    CompletionRefused: completion_refused,
    TaskNeedsInput: _asked,
    InputReceived: _input,
    TaskParked: _parked,
    TaskCancelRequested: _cancelled,
    TaskCompleted: _completed,
    TaskBlocked: _blocked,
    TaskFailed: _failed,
}
"""What each event changes, by its type: to go through thirty of them one by one took longer than most changes."""

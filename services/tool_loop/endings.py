"""How a task, or a turn of it, ends: its totals, its typed reason, and a result for each call that never ran."""

from collections.abc import Sequence

from arreio_contracts.events import EventData, TaskBlocked, TaskFailed, TaskProfiled, ToolCall, ToolRefused, Totals
from arreio_contracts.task import BlockedCode, FailedCode, Reason

from . import nudges
from .state import LoopState


def profile_of(state: LoopState) -> TaskProfiled:
    """With what the task runs; it must have been found out."""
    assert state.profile is not None
    return state.profile


def language(state: LoopState) -> str:
    """The language in which the task was asked."""
    return state.profile.language if state.profile else "en"


def totals(state: LoopState) -> Totals:
    """What the task has used so far."""
    return Totals(
        steps=state.steps,
        tool_calls=state.tool_calls,
        prompt_tokens=state.prompt_tokens,
        completion_tokens=state.completion_tokens,
        cost_usd=round(state.cost_usd, 9),
        seconds=state.worked_ms / 1000,
    )


def input_expires_ms(state: LoopState, at_ms: int) -> int:
    """Until when a question that is asked now waits for a person."""
    return at_ms + int((profile_of(state).budgets.input_expires or 0.0) * 1000)


def refused(call: ToolCall, code: str, text: str) -> ToolRefused:
    """The one result of a call that is not run."""
    return ToolRefused.model_validate({"call_id": call.id, "tool": call.name, "code": code, "text": text})


def blocked(
    state: LoopState, code: BlockedCode, text: str, evidence: Sequence[str] = (), unblock: str = ""
) -> TaskBlocked:
    """The end of a task that cannot go on."""
    reason = Reason(code=code, text=text, evidence=tuple(filter(None, evidence)), unblock=unblock)
    return TaskBlocked(reason=reason, totals=totals(state))


def failed(
    state: LoopState,
    code: FailedCode,
    text: str,
    evidence: Sequence[str] = (),
    unblock: str = "raise the budget and send the task again",
) -> TaskFailed:
    """The end of a task whose budget ran out."""
    reason = Reason(code=code, text=text + hindered(state), evidence=tuple(evidence), unblock=unblock)
    return TaskFailed(reason=reason, totals=totals(state))


def hindered(state: LoopState) -> str:
    """What hooks refused on the way to an end that others decide, to be added to its text."""
    hooks = state.hooks
    if hooks.hindrance is None or state.machine < 2:
        return ""
    calls = "a call" if hooks.hindered == 1 else f"{hooks.hindered} calls"
    return (
        f"; the hook {hooks.hindrance.hook!r} refused {calls}, the last with: {hooks.hindrance.reason or 'no reason'}"
    )


def end(state: LoopState, ending: EventData) -> Sequence[EventData]:
    """End the task, or its turn; the calls that were never carried out get their one result first."""
    lang = language(state)
    left = (*state.queue, *([state.signal] if state.signal else []))
    if state.phase == "acting" and isinstance(ending, TaskBlocked) and ending.reason.code == "declared_by_model":
        left = state.queue
    running = state.open_call.call_id if state.open_call else None
    texts = [nudges.outcome_unknown(lang) if call.id == running else nudges.superseded(lang) for call in left]
    return (*(refused(call, "superseded", text) for call, text in zip(left, texts, strict=True)), ending)

"""What follows from hooks: which are still to be asked, what they refuse, and when they end a task. Pure."""

from dataclasses import dataclass
from typing import Final

from arreio_contracts.events import HookJudged, ToolCall
from arreio_contracts.task import BlockedCode, HookPhase

from ..state import LoopState
from .matching import matching

MAX_STOP_REFUSALS: Final = 3
"""How often hooks may refuse the end of a task before it is BLOCKED."""


@dataclass(frozen=True)
class Ending:
    """Why hooks end a task."""

    code: BlockedCode
    text: str
    unblock: str


def ending(state: LoopState) -> Ending | None:
    """Whether what hooks said ends the task."""
    for judged in state.hooks.judged:
        said = f"the hook {judged.hook!r}"
        if judged.unavailable:
            return Ending("hook_unavailable", f"{said} cannot be started: {judged.reason}", "mend or remove the hook")
        if judged.ends_task or (judged.phase == "session_start" and judged.refuses):
            text = f"{said} ended the task: {judged.reason or judged.verdict}"
            return Ending("hook_denied", text, "do what the hook asks for, or remove it")
    if state.hooks.stop_refusals >= MAX_STOP_REFUSALS:
        refusing = [one for one in state.hooks.judged if one.refuses]
        last = f"; the last: {refusing[-1].hook!r}: {refusing[-1].reason}" if refusing else ""
        text = f"hooks refused the end of the task {state.hooks.stop_refusals} times{last}"
        return Ending("hook_refuses_stop", text, "see why the hook refuses, or remove it")
    return None


def unasked(state: LoopState, phase: HookPhase, tool: str | None = None, about: str | None = None) -> bool:
    """Whether hooks are to be asked about a call or a claim before it goes on."""
    profile = state.profile
    if profile is None or not matching(profile.hooks, phase, tool):
        return False
    return not _judged(state, phase, about)


def refusal(state: LoopState, phase: HookPhase, about: str) -> HookJudged | None:
    """The judgement that refuses a call or a claim. One that asks a person refuses until the person has answered."""
    judged = _judged(state, phase, about)
    return next((one for one in judged if one.refuses or one.verdict == "ask"), None)


def _judged(state: LoopState, phase: HookPhase, about: str | None) -> list[HookJudged]:
    return [one for one in state.hooks.judged if one.phase == phase and (one.call_id or one.claim_id) == about]


def _to_be_told(state: LoopState) -> bool:
    """Whether hooks are to hear of an end that they were not asked about. A task that never began ends in silence."""
    if state.ending is None or state.ending.type == "task.completed":
        return False
    return state.profile is not None and state.profile.problem is None and unasked(state, "session_end")


def next_phase(state: LoopState) -> tuple[HookPhase, ToolCall | None] | None:
    """The hooks that must be asked now, once nothing more is decided, and the call that they are asked about."""
    hooks = state.hooks
    if state.state.terminal:
        return ("session_end", None) if _to_be_told(state) else None
    if hooks.post_due is not None and state.phase == "acting":
        call_id = hooks.post_due.call_id
        calls = state.reply.calls if state.reply else ()
        return "post_tool_use", next((call for call in calls if call.id == call_id), None)
    if state.phase == "acting" and state.open_call is None:
        call = state.queue[0] if state.queue else state.signal
        return ("pre_tool_use", call) if call and unasked(state, "pre_tool_use", call.name, call.id) else None
    if state.phase == "judging" and state.judged is not None and state.claim is not None:
        return ("session_end", None) if unasked(state, "session_end", about=state.claim.claim_id) else None
    return None

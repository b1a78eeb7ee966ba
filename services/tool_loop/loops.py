"""What follows from the verdicts against loops: a call is refused, or the task climbs."""

from collections.abc import Sequence
from typing import Final

from arreio_contracts.events import EventData, LoopVerdict, ToolCall

from . import nudges
from .endings import language
from .ladder import Trouble, climb
from .state import LoopState

REFUSED: Final = 2
"""Refusals of forbidden calls, with nothing changed between, before the next rung."""
_UNBLOCK: Final = (
    "see what the result says and mend what it depends on, use a stronger model or make the goal more exact"
)


def forbidden(state: LoopState, call: ToolCall) -> LoopVerdict | None:
    """Why a call is not made again before something changes; None: it may be made."""
    return state.forbidden.get(call.fingerprint) if call.fingerprint is not None else None


def break_loop(state: LoopState) -> Sequence[EventData]:
    """The next rung, where a loop was found that refusing a call does not break."""
    if state.loop is not None:
        return _climb(state, state.loop, state.loop.why, nudged=False)
    if state.refused_loop is not None and len(state.loop_refusals) >= REFUSED:
        text = f"{state.refused_loop.why}; it was tried {len(state.loop_refusals)} times more and refused"
        return _climb(state, state.refused_loop, text, nudged=True)
    return ()


def _climb(state: LoopState, verdict: LoopVerdict, text: str, *, nudged: bool) -> Sequence[EventData]:
    told = nudges.loop(verdict.kind, language(state))
    evidence = (*verdict.evidence, *state.loop_refusals)
    return climb(state, Trouble("loop", "loop", text, evidence, _UNBLOCK, told, nudged))

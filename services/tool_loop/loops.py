"""What follows from the verdicts against loops: a call is refused, or the task climbs."""

from collections.abc import Sequence
from typing import Final

from arreio_contracts.events import EventData, LoopVerdict, ToolCall

from . import nudges
from .endings import language, profile_of
from .ladder import Trouble, climb
from .rules.loops.rule import Limits
from .state import LoopState
from .summary import summary

REFUSED: Final = 2
"""Refusals of forbidden calls, with nothing changed between, before the next rung."""
_UNBLOCK: Final = (
    "see what the result says and mend what it depends on, use a stronger model or make the goal more exact"
)


def forbidden(state: LoopState, call: ToolCall) -> LoopVerdict | None:
    """Why a call is not made again before something changes; None: it may be made.

    A call that was not tried for a window of steps is no part of a loop any more.
    """
    found = state.forbidden.get(call.fingerprint) if call.fingerprint is not None else None
    return found.verdict if found is not None and _near(state, found.step) else None


def break_loop(state: LoopState) -> Sequence[EventData]:
    """The next rung, where a loop was found that refusing a call does not break."""
    if state.loop is not None:
        return _climb(state, state.loop, state.loop.why, (), nudged=False)
    refusals = [one for one in state.loop_refusals if _near(state, one.step)]
    if len(refusals) < REFUSED:
        return ()
    verdict = refusals[-1].verdict
    text = f"{verdict.why}; it was tried {len(refusals)} times more and refused"
    return _climb(state, verdict, text, [one.event_id for one in refusals], nudged=True)


def _near(state: LoopState, step: int) -> bool:
    limits: dict[str, int] = profile_of(state).capability.get("anti_loop", {})
    return state.steps - step <= limits.get("cycle_window", Limits().cycle_window)


def _climb(
    state: LoopState, verdict: LoopVerdict, text: str, refusals: Sequence[str], *, nudged: bool
) -> Sequence[EventData]:
    told = nudges.loop(verdict.kind, language(state))
    calls = state.reply.calls if state.reply else ()
    last = f" (last: {summary(calls[-1])})" if calls else ""
    evidence = (*verdict.evidence, *refusals)
    return climb(state, Trouble("loop", "loop", f"{text}{last}", evidence, _UNBLOCK, told, nudged))

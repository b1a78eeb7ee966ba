"""What keeps a task from getting on, found in its state: a trouble climbs the ladder, not knowing asks a person."""

from collections.abc import Sequence
from typing import Final

from arreio_contracts.events import EventData, TaskNeedsInput

from . import nudges, probing
from .endings import blocked, end, input_expires_ms, language, profile_of
from .fruitless import cause_of_claim, counted
from .ladder import Trouble, climb, next_rung
from .loops import break_loop
from .state import LoopState

MAX_ABSTENTIONS: Final = 3
"""Abstentions in a row before a person is asked, where the capability profile says nothing."""


def not_getting_on(state: LoopState) -> Sequence[EventData]:
    """The next rung, where something repeats that brings the task no further."""
    if state.machine < 2:
        return _gives_up(state)
    limit = _limit(state)
    if state.unchanged_claims >= limit:
        text = f"completion was claimed {state.unchanged_claims} times in a row with nothing changed, and not believed"
        text += f": {cause_of_claim(state.not_taken, state.missing)}"
        return climb(state, Trouble("unchanged_claims", "false_completion", text, state.refusals, nudged=True))
    if state.unrun_claims >= limit:
        text = f"completion was claimed {state.unrun_claims} times where no gate could judge it: {state.missing}"
        return climb(state, Trouble("unrun_claims", "false_completion", text, state.refusals, nudged=True))
    if stuck := break_loop(state):
        return stuck
    if _rejected_too_often(state, limit):
        text = f"{state.rejected_in_a_row} turns in a row brought neither an action nor an end: {counted(state.causes)}"
        # Whose calls ran and failed was told of each why, and not yet that it goes nowhere.
        nudged = not state.executed_in_turn
        return climb(state, Trouble("rejected_turns", "no_action", text, state.rejections, nudged=nudged))
    return ()


def _gives_up(state: LoopState) -> Sequence[EventData]:
    """Version 1 knew no ladder."""
    limit = _limit(state)
    unblock = "use a stronger model or make the goal more exact"
    if state.unchanged_claims >= limit:
        text = f"the gates refused completion, and it was claimed {state.unchanged_claims} times more, unchanged"
        return end(state, blocked(state, "false_completion", text, state.refusals, unblock))
    if state.rejected_in_a_row >= limit:
        text = f"{state.rejected_in_a_row} turns in a row brought neither an action nor an end"
        return end(state, blocked(state, "no_action", text, state.rejections, unblock))
    return ()


def unfinished_plan(state: LoopState) -> Sequence[EventData]:
    """A plan that was gone through in vain climbs while there is a rung; by itself it ends no task."""
    if state.plan is None or not state.plan.unfinished or state.replanning or state.escalating:
        return ()
    trouble = Trouble(
        "unfinished_plan", "no_progress", "a plan was gone through, and not all of it came out", nudged=True
    )
    return () if next_rung(state, trouble) is None else climb(state, trouble)


def abstains(state: LoopState, at_ms: int) -> Sequence[EventData]:
    """The question for a person, once the model has said often enough that it does not know."""
    most = int(profile_of(state).capability.get("abstentions") or MAX_ABSTENTIONS)
    if state.machine < 2 or len(state.abstained) < most:
        return ()
    question = nudges.abstained(state.abstained, language(state))
    return (TaskNeedsInput(question=question, expires_ms=input_expires_ms(state, at_ms)),)


def _rejected_too_often(state: LoopState, limit: int) -> bool:
    """Whether a model that is still probed (`probing.py`) has had its turns for that besides."""
    if state.machine < 3:
        return state.rejected_in_a_row >= limit and not probing.unfinished(state)
    return state.rejected_in_a_row >= limit + probing.turns_left(state)


def _limit(state: LoopState) -> int:
    """How often something may be in vain before the next rung."""
    return int(profile_of(state).capability["rejected_turns"])

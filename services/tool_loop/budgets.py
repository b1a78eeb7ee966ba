"""Which budget of a task has run out."""

from arreio_contracts.task import FailedCode

from .state import LoopState


def exhausted(state: LoopState, at_ms: int) -> tuple[FailedCode, str] | None:
    """The first budget that is used up, with the diagnosis, or None.

    A claim under judgement is not cut off by steps or tokens, since judging uses none.
    """
    assert state.profile is not None and state.created is not None
    budgets = state.profile.budgets
    age = (at_ms - state.begun_ms) / 1000
    worked = (state.worked_ms + max(0, at_ms - (state.last_ms or at_ms))) / 1000
    if budgets.max_age is not None and age >= budgets.max_age:
        return "max_age", f"the task is {age:.0f} s old; it may be {budgets.max_age:.0f}"
    if budgets.max_wall_clock is not None and worked >= budgets.max_wall_clock:
        return "max_wall_clock", f"the task was worked on for {worked:.0f} s; it may be {budgets.max_wall_clock:.0f}"
    if state.phase not in ("ready", "built"):
        return None
    if budgets.max_steps is not None and state.steps >= budgets.max_steps:
        return "max_steps", f"the model was asked {state.steps} times"
    if budgets.max_tokens is not None and state.tokens >= budgets.max_tokens:
        return "max_tokens", f"{state.tokens} tokens were used; {budgets.max_tokens} were allowed"
    if budgets.max_cost is not None and state.cost_usd >= budgets.max_cost:
        return "max_cost", f"{state.cost_usd:.4f} US dollars were spent; {budgets.max_cost:.4f} were allowed"
    return None


def seconds_left(state: LoopState, at_ms: int) -> float | None:
    """How long an effect that begins now may take before a time budget is over; None: no bound."""
    if state.profile is None or state.created is None:
        return None
    budgets = state.profile.budgets
    left = []
    if budgets.max_age is not None:
        left.append(budgets.max_age - (at_ms - state.begun_ms) / 1000)
    if budgets.max_wall_clock is not None:
        worked = state.worked_ms + max(0, at_ms - (state.last_ms or at_ms))
        left.append(budgets.max_wall_clock - worked / 1000)
    return max(0.0, min(left)) if left else None

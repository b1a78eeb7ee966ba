"""When a task is taken apart, and when a part of it is over."""

from collections.abc import Sequence
from typing import Final

from arreio_contracts.events import EventData, SubtaskClosed
from arreio_contracts.task import ContractCriterion, Criterion, FileContainsCriterion, FileExistsCriterion

from . import nudges
from .endings import language, profile_of
from .plan import DEFAULT_STEPS, has_parts, named, outcome, own_criterion, unmet
from .rules.loops.rule import Limits
from .state import LoopState

_CHEAP: Final = (FileExistsCriterion, FileContainsCriterion, ContractCriterion)
"""The kinds of criteria that are judged without running anything."""


def wants_plan(state: LoopState) -> bool:
    """Whether a plan is due before the next turn: at the start, where the model needs one, or because of a rung."""
    if state.replanning:
        return True
    profile = profile_of(state)
    if state.machine < 2 or state.steps or state.plans or not profile.capability.get("steps_per_subtask"):
        return False
    return has_parts(_goal(state), () if profile.inferred else named(profile.criteria))


def can_plan_anew(state: LoopState) -> bool:
    """Whether a new plan could say anything new: there are parts left, or a model that can find some."""
    left = left_over(state)
    return has_parts(_goal(state), left) or (bool(left) and plans_itself(state))


def plans_itself(state: LoopState) -> bool:
    """Whether the model is asked for its plan; for the weakest the harness makes one."""
    return bool(profile_of(state).capability.get("plans_itself", True))


def left_over(state: LoopState) -> list[Criterion]:
    """The criteria that are not known to hold."""
    return unmet(profile_of(state).criteria, state.progress)


def subtask_steps(state: LoopState) -> int:
    """How many replies a subtask may take."""
    return int(profile_of(state).capability.get("steps_per_subtask") or DEFAULT_STEPS)


def probe_due(state: LoopState, *, claims_by_itself: bool) -> bool:
    """Whether to look how the cheap criteria stand, now that the calls of a turn are done."""
    profile, plan = profile_of(state), state.plan
    measured = _budget_spent(state)
    following = plan is not None and plan.current is not None and plan.current.criterion is not None
    if not (claims_by_itself or following or measured) or not state.executed_in_turn or profile.workspace is None:
        return False
    own = own_criterion(plan, profile.criteria)
    unknown = plan is not None and own is not None and plan.own is None
    return state.probed_at_change != state.changes or unknown


def _budget_spent(state: LoopState) -> bool:
    """Whether as many changes as the progress budget has effects were made, and nobody looked what came of them."""
    profile = profile_of(state)
    limits: dict[str, int] = profile.capability.get("anti_loop", {})
    budget = limits.get("progress_budget", Limits().progress_budget)
    cheap = any(isinstance(one, _CHEAP) for one in profile.criteria)
    return cheap and not profile.inferred and state.changes - state.probed_at_change >= budget


def follow_plan(state: LoopState) -> Sequence[EventData]:
    """Close the current subtask when it is over."""
    plan = state.plan
    if plan is None:
        return ()
    how = outcome(plan, profile_of(state).criteria, state.progress)
    if how is None or plan.current is None:
        return ()
    after = plan.closed(how).current
    nudge = nudges.subtask_closed(how, plan.current.title, after.title if after else None, language(state))
    return (SubtaskClosed(number=plan.number, outcome=how, nudge=nudge),)


def _goal(state: LoopState) -> str:
    assert state.created is not None
    return state.created.goal

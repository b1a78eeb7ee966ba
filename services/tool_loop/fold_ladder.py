"""The fold of the ladder: progress, the rungs that were climbed, plans, and models that took over."""

from arreio_contracts.events import LadderClimbed, ModelEscalated, PlanMade

from . import progress
from .fold_loops import unlooped
from .plan import Plan
from .progress import Progress
from .replacing import replace
from .state import Climbed, LoopState, Stamped


def got_on(state: LoopState, best: Progress) -> LoopState:
    """Take in how the criteria stand. Real progress puts the task back on the ground of the ladder."""
    better = progress.improved(state.progress, best)
    return replace(state, progress=best, climbed=() if better else state.climbed)


def climbed(state: LoopState, data: LadderClimbed, event: Stamped) -> LoopState:
    """What led to the rung counts anew on it."""
    return replace(
        state,
        phase="ready",
        climbed=(*state.climbed, Climbed(data, event.id)),
        climbs=state.climbs + 1,
        rejected_in_a_row=0,
        rejections=(),
        causes=(),
        unchanged_claims=0,
        unrun_claims=0,
        replanning=data.rung == "redecompose",
        escalating=data.rung == "escalate",
        escalation_problem="",
        loop=None,
        loop_refusals=(),
    )


def planned(state: LoopState, data: PlanMade, _event: Stamped) -> LoopState:
    return replace(
        state,
        plan=Plan(data),
        plans=state.plans + 1,
        replanning=False,
        prompt_tokens=state.prompt_tokens + data.usage.prompt_tokens,
        completion_tokens=state.completion_tokens + data.usage.completion_tokens,
        cost_usd=state.cost_usd + data.cost_usd,
    )


def escalated(state: LoopState, data: ModelEscalated, _event: Stamped) -> LoopState:
    """Another model takes over: its window is another, and what the provider of the first one said is over."""
    assert state.profile is not None
    if data.problem is not None:
        return replace(state, escalating=False, escalation_problem=data.problem)
    changes = {name: getattr(data, name) for name in ("model", "api_base", "api_key", "capability", "budgets")}
    return replace(
        unlooped(state),
        profile=state.profile.model_copy(update={**changes, "probe": ()}),
        probed=None,
        models=(*state.models, state.profile.model),
        escalating=False,
        unheard=True,
        failure=None,
        failures_in_a_row=0,
        overflow=None,
        history_room=None,
    )

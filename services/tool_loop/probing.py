"""How a model that no capability family knows is asked: its own first turns show which call mode it can do. Pure.

Nothing is asked for the probe's sake. A mode is left when the provider refuses it, or when its turns brought no call
that could be executed; the first that brings one is recorded as `model.probed` and holds from then on, for later tasks
too. That a provider was away says nothing of what a model can do, nor does a reply that was cut off; but no more of
these are waited for than rejected turns of a model that is known (`troubles.py`).
"""

from collections.abc import Mapping
from typing import Final

from arreio_contracts.events import ModelProbed, ModelReplied, ProbedMode, ProbeOutcome, TaskProfiled

from .state import LoopState

RULE: Final = "call modes by use 1"
ORDER: Final[tuple[ProbedMode, ...]] = ("native", "json_schema", "text")
"""The best first."""
ORDER_HERE: Final[tuple[ProbedMode, ...]] = ("json_schema", "text")
"""The same for models that this machine serves: its server constrains, and small models are weak at native tools."""
_TURNS: Final[Mapping[str, int]] = {"native": 2}
"""Turns that a mode gets, where more than one: a nudge may do where the first reply was only prose."""


def mode(state: LoopState) -> str:
    """The call mode of the next request."""
    profile = _profile(state)
    if state.probed is not None:
        return state.probed.mode
    left = [one for one in profile.probe if not _spent(state, one)]
    if left:
        return left[0]
    # All were tried in vain: the one that asks most of nobody, unless the provider refused that too.
    willing = [one for one in profile.probe if one not in state.lacking]
    return willing[-1] if willing else str(profile.capability["tool_call_mode"])


def unfinished(state: LoopState) -> bool:
    """Whether there is a mode that this model has not been asked in."""
    return state.probed is None and any(not _spent(state, one) for one in _profile(state).probe)


def turns_left(state: LoopState) -> int:
    """How many turns without a call still belong to finding out; 0 once the mode is known, or none is left."""
    if state.probed is not None:
        return 0
    modes = (one for one in _profile(state).probe if one not in state.lacking)
    return sum(max(0, _TURNS.get(one, 1) - state.callless.get(one, 0)) for one in modes)


def refused(state: LoopState) -> bool:
    """Whether what the provider refused was the mode, and another one is left."""
    return state.failure is not None and state.failure.lacks is not None and unfinished(state)


def executable(replied: ModelReplied, profile: TaskProfiled) -> bool:
    """Whether a reply holds a call that can be executed."""
    names = {tool.name for tool in profile.tools}
    return any(call.problem is None and call.name in names for call in replied.calls)


def found(state: LoopState, replied: ModelReplied) -> ModelProbed | None:
    """What a reply shows of a model that was not known: None where nothing is to be found out, or nothing was."""
    profile, request = _profile(state), state.request
    if not profile.probe or state.probed is not None or request is None or not executable(replied, profile):
        return None
    tried: dict[ProbedMode, ProbeOutcome] = {}
    for one in profile.probe:
        if one == request.mode:
            tried[one] = "works"
            return ModelProbed(model=profile.model, api_base=profile.api_base, mode=one, results=tried, rule=RULE)
        tried[one] = "refused" if one in state.lacking else "no_call"
    return None


def _spent(state: LoopState, one: str) -> bool:
    return one in state.lacking or state.callless.get(one, 0) >= _TURNS.get(one, 1)


def _profile(state: LoopState) -> TaskProfiled:
    assert state.profile is not None
    return state.profile

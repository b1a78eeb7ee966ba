"""The fold of verdicts against loops: what is forbidden until something changes, and what has to climb the ladder."""

from types import MappingProxyType

from arreio_contracts.events import ToolCall, ToolFinished

from .replacing import replace
from .state import Forbidden, LoopRefusal, LoopState


def loop_judged(state: LoopState, data: ToolFinished) -> LoopState:
    """Take in the verdict of a step. A change of the workspace half-opens what was forbidden; notes are none."""
    if data.workspace_changed and not (data.digest is not None and data.digest.notes):
        state = unlooped(state)
    if data.digest is not None and data.digest.news:
        # Who goes on to something new is held up by no refusal of before.
        state = replace(state, loop_refusals=())
    verdict = data.loop
    if verdict is None:
        return state
    forbidden = state.forbidden
    if verdict.forbids is not None:
        forbidden = MappingProxyType({**forbidden, verdict.forbids: Forbidden(verdict, state.steps)})
    return replace(state, forbidden=forbidden, loop=verdict if verdict.level == "break" else state.loop)


def loop_refused(state: LoopState, call: ToolCall, event_id: str) -> LoopState:
    """A forbidden call was tried all the same, and refused."""
    name = call.fingerprint or ""
    known = state.forbidden.get(name)
    if known is None:
        return state
    verdict = known.verdict
    return replace(
        state,
        forbidden=MappingProxyType({**state.forbidden, name: Forbidden(verdict, state.steps)}),
        loop_refusals=(*state.loop_refusals, LoopRefusal(verdict, state.steps, event_id))[-8:],
    )


def unlooped(state: LoopState) -> LoopState:
    """Something changed: what was forbidden may be tried again."""
    if not (state.forbidden or state.loop_refusals):
        return state
    return replace(state, forbidden=MappingProxyType({}), loop_refusals=())

"""What a claim would say, and when it must first be found out what stands against it."""

from arreio_contracts.events import ToolCall

from .grounding.deciding import claim_unchecked
from .harness_claims import harness_may_claim
from .models.written_calls import without_marks
from .state import LoopState


def said_beside(state: LoopState) -> str:
    """The text that the model wrote beside its calls."""
    return without_marks(state.reply.content) if state.reply else ""


def final_text(state: LoopState, call: ToolCall) -> str:
    """The reply of a `task_complete`."""
    arguments = call.arguments or {}
    return str(arguments.get("reply") or arguments.get("summary") or said_beside(state))


def claim_to_check(state: LoopState) -> str | None:
    """The text of the claim that follows once it is known what stands against it; None: no claim follows."""
    if state.signal is None:
        return "" if harness_may_claim(state) and claim_unchecked(state, by_model=False) else None
    claims = state.signal.name == "task_complete" and not state.failed_in_turn
    if not claims or state.refused_at_change == state.changes or not claim_unchecked(state, by_model=True):
        return None
    return final_text(state, state.signal)

"""When the harness itself claims completion: once the cheap criteria hold, for models whose word is worth little."""

from collections.abc import Sequence

from arreio_contracts.events import CompletionClaimed, EventData
from arreio_contracts.task import AnswerCriterion

from . import nudges
from .endings import language, profile_of
from .grounding.deciding import claim_unchecked, names_missing
from .state import LoopState


def claims_by_itself(state: LoopState) -> bool:
    """Whether the harness claims completion as soon as the cheap criteria hold."""
    profile = profile_of(state)
    return bool(profile.capability.get("complete_on_criteria")) and not profile.inferred and bool(profile.criteria)


def harness_may_claim(state: LoopState) -> bool:
    """Whether a claim is due. What was refused is not claimed again before something changed."""
    refused = state.refused_at_change == state.changes
    return not refused and claims_by_itself(state) and probed_done(state) and not must_answer(state)


def harness_claim(state: LoopState) -> Sequence[EventData]:
    """The claim, where it is due and nothing stands against it that is known."""
    if not harness_may_claim(state) or claim_unchecked(state, by_model=False) or names_missing(state):
        return ()
    reply = nudges.harness_reply(profile_of(state).criteria, language(state))
    return (CompletionClaimed(claim_id=claim_id(state), by="harness", reply=reply),)


def probed_done(state: LoopState) -> bool:
    """Whether no cheap criterion speaks against a claim; where all cost something, a change is worth their price."""
    verdicts = state.probe or ()
    if state.probed_at_change != state.changes:
        return False
    cheap = [verdict for verdict in verdicts if verdict is not None]
    if not cheap and state.machine >= 2:
        return bool(verdicts) and state.changes not in (0, state.claim_changes)
    return bool(cheap) and all(verdict == "PASS" for verdict in cheap)


def must_answer(state: LoopState) -> bool:
    """Whether the claim must hold an answer, which only the model can give."""
    return state.machine >= 2 and any(isinstance(one, AnswerCriterion) for one in profile_of(state).criteria)


def claim_id(state: LoopState) -> str:
    """The id of the next claim of a task."""
    return f"{state.task_id}-c{state.claims + 1}"

"""What follows from verdicts on packages and claims: pure decisions over what is recorded."""

from collections.abc import Sequence
from typing import Final

from arreio_contracts.events import ToolCall
from arreio_contracts.grounding import FileNames, Package, PackageVerdict
from arreio_contracts.task import AnswerCriterion

from ..state import LoopState

MOST_RETURNED: Final = 2
"""How often a claim goes back for what its text names where gates judge more than the text; after that they do."""


def unchecked(state: LoopState, call: ToolCall) -> bool:
    """Whether the packages of a call are still to be looked up."""
    if call.installs is None:
        return False
    found = state.grounding.packages
    return found is None or found.call_id != call.id


def absent(state: LoopState, call: ToolCall) -> Sequence[PackageVerdict]:
    """The packages of a call that no registry has, or that a person did not want."""
    declined = state.grounding.declined
    return [each for each in _verdicts(state, call) if each.verdict == "MISSING" or each.package in declined]


def doubtful(state: LoopState, call: ToolCall) -> Sequence[PackageVerdict]:
    """The packages of a call for which a person has yet to say yes."""
    allowed = state.grounding.allowed
    return [each for each in _verdicts(state, call) if each.doubt is not None and each.package not in allowed]


def _verdicts(state: LoopState, call: ToolCall) -> Sequence[PackageVerdict]:
    found = state.grounding.packages
    return found.packages if found is not None and call.installs is not None and found.call_id == call.id else ()


def open_question(state: LoopState) -> tuple[Package, ...]:
    """The packages that an answer, which is not understood yet, is about."""
    return state.grounding.asked if state.grounding.answer is not None else ()


def claim_unchecked(state: LoopState, *, by_model: bool) -> bool:
    """Whether it is still to be found out what stands against a claim. The harness's own text names nothing."""
    if state.machine < 2 or state.profile is None or state.grounding.claim is not None:
        return False
    return by_model or (state.profile.workspace is not None and bool(state.grounding.touched))


def names_missing(state: LoopState) -> tuple[FileNames, ...]:
    """The files of the task that name something in vain, as far as was looked."""
    return state.grounding.claim.missing if state.grounding.claim is not None else ()


def goes_back(state: LoopState) -> tuple[str, ...]:
    """What a claim's text names and nobody observed, where the claim goes back for it."""
    found, profile = state.grounding.claim, state.profile
    if found is None or profile is None:
        return ()
    only_words = any(isinstance(criterion, AnswerCriterion) for criterion in profile.criteria)
    return found.ungrounded if only_words or state.grounding.returned < MOST_RETURNED else ()

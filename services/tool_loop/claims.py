"""Claims of completion: what becomes of the model's, and when the harness makes one itself."""

from collections.abc import Sequence

from arreio_contracts.events import CompletionClaimed, EventData, ToolCall
from arreio_contracts.task import AnswerCriterion

from . import nudges
from .endings import language, profile_of, refused
from .grounding import deciding as grounding
from .models.written_calls import without_marks
from .skills import not_loaded
from .state import LoopState


def claims_by_itself(state: LoopState) -> bool:
    """Whether the harness claims completion as soon as the cheap criteria hold."""
    profile = profile_of(state)
    return bool(profile.capability.get("complete_on_criteria")) and not profile.inferred and bool(profile.criteria)


def model_claim(state: LoopState, call: ToolCall) -> Sequence[EventData]:
    """What follows from `task_complete`; nothing while it is still to be found out what stands against it."""
    lang = language(state)
    if state.failed_in_turn:
        return (refused(call, "signal_beside_failure", nudges.signal_beside_failure(lang)),)
    if state.refused_at_change == state.changes:
        return (refused(call, "claim_unchanged", nudges.claim_unchanged(lang)),)
    if skills := not_loaded(state):
        return (refused(call, "skill_not_loaded", nudges.skill_not_loaded(skills, lang)),)
    if grounding.claim_unchecked(state, by_model=True):
        return ()
    if _words_count(state) and (objection := _against_words(state, call)):
        return (objection,)
    if names := grounding.names_missing(state):
        return (refused(call, "ungrounded", nudges.names_missing(names, lang)),)
    if unseen := grounding.goes_back(state):
        return (refused(call, "ungrounded", nudges.ungrounded(unseen, lang)),)
    return (CompletionClaimed(claim_id=claim_id(state), by="model", reply=_reply(state, call), call_id=call.id),)


def _against_words(state: LoopState, call: ToolCall) -> EventData | None:
    """What the words of an answer tell against it: no gate would look at more than them."""
    found, lang = state.grounding.claim, language(state)
    if found is None:
        return None
    if not found.answers:
        return refused(call, "no_answer", nudges.no_answer(lang))
    if found.promised:
        return refused(call, "promise", nudges.promise(found.promised, lang))
    if found.done and not state.grounding.acted:
        return refused(call, "claim_without_action", nudges.claim_without_action(found.done, lang))
    if found.settled and not state.grounding.called:
        return refused(call, "claim_without_action", nudges.claim_without_action(found.settled, lang))
    return None


def claim_to_check(state: LoopState) -> str | None:
    """The text of the claim that follows once it is known what stands against it; None: no claim follows."""
    if state.signal is None:
        return "" if _due(state) and grounding.claim_unchecked(state, by_model=False) else None
    claims = state.signal.name == "task_complete" and not state.failed_in_turn
    if not claims or state.refused_at_change == state.changes or not grounding.claim_unchecked(state, by_model=True):
        return None
    return _reply(state, state.signal)


def content(state: LoopState) -> str:
    """What the model said beside its calls, without the marks of calls that could not be read."""
    return without_marks(state.reply.content) if state.reply else ""


def _reply(state: LoopState, call: ToolCall) -> str:
    arguments = call.arguments or {}
    return said(state, str(arguments.get("reply") or arguments.get("summary") or "")) or content(state)


def said(state: LoopState, text: str) -> str:
    """What the model says to a person in a call, without marks of calls; version 1 passed them on."""
    return without_marks(text) if state.machine >= 2 else text


def harness_claim(state: LoopState) -> Sequence[EventData]:
    """The claim of the harness, where it is due."""
    if not _due(state) or not_loaded(state) or grounding.names_missing(state):
        return ()
    reply = nudges.harness_reply(profile_of(state).criteria, language(state))
    return (CompletionClaimed(claim_id=claim_id(state), by="harness", reply=reply),)


def _due(state: LoopState) -> bool:
    """What was refused is not claimed again before something changed."""
    again = state.refused_at_change == state.changes
    return not again and claims_by_itself(state) and probed_done(state) and not must_answer(state)


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


def _words_count(state: LoopState) -> bool:
    """Whether a claim is judged by its words: an answer was asked for, or nothing was changed that is tested."""
    return must_answer(state) or (state.machine >= 2 and profile_of(state).inferred and state.changes == 0)


def claim_id(state: LoopState) -> str:
    """The id of the next claim of a task."""
    return f"{state.task_id}-c{state.claims + 1}"

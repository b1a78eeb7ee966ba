"""What follows once a prompt is there: the model is asked, asked again later, or it cannot be asked."""

from collections.abc import Sequence
from typing import Final

from arreio_contracts.events import EventData, ModelRequested, TaskBlocked, TaskFailed

from . import probing, summaries
from .claims import must_answer, probed_done
from .compaction import shrank
from .endings import blocked, end, failed, profile_of
from .ladder import fallen
from .state import RETRIED_FAILURES, LoopState

MAX_PROVIDER_FAILURES: Final = 8
"""Failures of the provider in a row, each after a longer wait, before the task is BLOCKED."""
MAX_FAILURES_UNHEARD: Final = 3
"""The same for a stronger model that has not answered yet."""
SEEDS_APART: Final = 1000
"""Steps that a task can take before its sampling meets that of the contract's next seed."""
SAMPLED_TEMPERATURE: Final = 0.5
_LARGER: Final = "name a model with a larger window, or shorten the goal"
"""Samples of one reply are taken at least as warm, so that they can differ."""


def offered(state: LoopState) -> tuple[str, ...]:
    """The tools of the next request: a refused `task_complete` is not offered again until something changed.

    Where all that can be probed holds and only the answer is missing, nothing else is offered.
    """
    if state.refused_at_change is not None and state.refused_at_change == state.changes:
        return tuple(tool.name for tool in profile_of(state).tools if tool.name != "task_complete")
    if probed_done(state) and must_answer(state):
        return ("task_complete",)
    return tuple(tool.name for tool in profile_of(state).tools)


def ask(state: LoopState, at_ms: int) -> Sequence[EventData]:
    """Ask the model, unless it was asked and must be left alone for a while (nothing), or never (an end)."""
    profile = profile_of(state)
    assert state.context is not None
    manifest = state.context.manifest
    if manifest.unfittable or not shrank(state.overflow, manifest):
        return end(state, _unfittable(state, manifest.unfittable or "the prompt cannot be made smaller"))
    if summaries.due(state):
        return ()
    if state.failure is not None and state.failure.kind != "context_overflow" and not probing.refused(state):
        refused = _provider_refusal(state)
        if refused is not None and state.unheard and state.climbed:
            return fallen(state, refused.reason.text)
        if refused is not None:
            return end(state, refused)
        if at_ms < retry_at_ms(state):
            return ()
    attempt = state.attempt + 1
    capability = profile.capability
    samples = int(capability.get("self_consistency", 1)) if state.machine >= 2 else 1
    temperature = _temperature(state, float(capability["temperature"]))
    return (
        ModelRequested(
            step=state.steps + 1,
            attempt=attempt,
            model=profile.model,
            mode=probing.mode(state),
            offered=offered(state),
            temperature=temperature if samples == 1 else max(temperature, SAMPLED_TEMPERATURE),
            # Another seed each time: a weak model asked again in the same words would answer in the same words.
            seed=_seed(state),
            samples=samples,
        ),
    )


def _seed(state: LoopState) -> int:
    assert state.created is not None
    return state.created.contract.seed * SEEDS_APART + state.steps + 1


def _unfittable(state: LoopState, why: str) -> TaskFailed:
    if state.overflow is None:
        return failed(state, "context_unfittable", why, unblock=f"{_LARGER}, or give the layer a larger budget")
    said = f" ({state.failure.message})" if state.failure else ""
    text = f"the model's window does not hold {state.overflow} tokens{said}, and "
    if state.machine < 2:
        return failed(state, "context_unfittable", text + why, (state.failure_event,))
    # How the layer's budget came to be so small is no matter of its setting, so that `why` would mislead.
    text += "the prompt cannot be made smaller"
    return failed(state, "context_unfittable", text, (state.failure_event,), _LARGER)


def _temperature(state: LoopState, base: float) -> float:
    """Warmer after refusals with nothing changed, so that asking again is not asking the same."""
    refused = len(state.refusals) + state.rejected_in_a_row + len(state.climbed)
    return round(min(1.0, base + 0.1 * refused), 2) if refused else base


def _provider_refusal(state: LoopState) -> TaskBlocked | None:
    failure = state.failure
    assert failure is not None
    evidence = (state.failure_event,)
    match failure.kind:
        case "auth" | "missing_key":
            return blocked(state, "provider_auth", failure.message, evidence, "give the services a valid API key")
        case "unknown_model":
            return blocked(state, "unknown_model", failure.message, evidence, "name a model that the provider serves")
        case "bad_request":
            return blocked(state, "provider_rejected", failure.message, evidence, "see what the provider refused")
    most = MAX_FAILURES_UNHEARD if state.unheard else MAX_PROVIDER_FAILURES
    if failure.kind in RETRIED_FAILURES and state.failures_in_a_row >= most:
        text = f"{state.failures_in_a_row} requests in a row failed, the last with {failure.kind}: {failure.message}"
        return blocked(state, "provider_unavailable", text, evidence, "run it again when the provider answers")
    return None


def retry_at_ms(state: LoopState) -> int:
    """When the failed request is made again: the provider's wish, else 1, 2, 4 … at most 60 s after the failure."""
    assert state.failure is not None
    seconds = state.failure.retry_after
    if seconds is None:
        seconds = min(60.0, 2.0 ** (state.failures_in_a_row - 1))
    return state.failed_at_ms + int(min(max(seconds, 0.0), 300.0) * 1000)

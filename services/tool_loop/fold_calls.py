"""The fold of what became of calls and claims: done, refused, or a turn that came to nothing."""

import dataclasses
from types import MappingProxyType

from arreio_contracts.events import CompletionRefused, ToolFinished, ToolRefused, ToolStarted, TurnRejected

from .fold_loops import loop_judged, loop_refused
from .fruitless import cause_of_refusal, cause_of_rejection
from .replacing import replace
from .state import ABSTAIN, LoopState, Stamped

_CLAIMS_NOT_TAKEN = frozenset(
    {
        *("claim_unchanged", "signal_beside_failure", "ungrounded", "no_answer", "promise", "claim_without_action"),
        "skill_not_loaded",
    }
)
"""Why a `task_complete` is refused before any gate is asked."""


def _rejected(state: LoopState, event_id: str, cause: str) -> LoopState:
    return replace(
        state,
        rejected_in_a_row=state.rejected_in_a_row + 1,
        rejections=(*state.rejections, event_id)[-8:],
        causes=(*state.causes, cause)[-8:],
    )


def turn_rejected(state: LoopState, data: TurnRejected, event_id: str) -> LoopState:
    if data.code == "no_majority":
        said = state.reply.vote.said if state.reply and state.reply.vote else ()
        return replace(state, abstained=(*state.abstained, " / ".join(dict.fromkeys(said))))
    return _rejected(state, event_id, cause_of_rejection(data))


def tool_started(state: LoopState, data: ToolStarted, _event: Stamped) -> LoopState:
    counts = dict(state.calls_by_tool)
    counts[data.tool] = counts.get(data.tool, 0) + 1
    started = replace(
        state,
        open_call=data,
        tool_calls=state.tool_calls + 1,
        calls_by_tool=MappingProxyType(counts),
        executed_in_turn=state.executed_in_turn + 1,
    )
    # Since version 2 what a tool itself refuses is no action.
    return started if state.machine >= 2 else replace(started, rejected_in_a_row=0, rejections=(), causes=())


def tool_finished(state: LoopState, data: ToolFinished, event: Stamped) -> LoopState:
    seen, outdated = state.seen, state.outdated
    if data.seen or data.changed:
        # A command's changes were not read by anybody: what it touched counts as not seen, unless it is the same again.
        kept = {path: digest for path, digest in seen.items() if data.changed.get(path, digest) == digest}
        lost = {path: digest for path, digest in {**outdated, **seen}.items() if path not in kept}
        outdated = MappingProxyType({path: digest for path, digest in lost.items() if path not in data.seen})
        seen = MappingProxyType({**kept, **data.seen})
    finished = data.status in ("ok", "error")
    after = replace(
        _after_call(state, data.call_id),
        open_call=None,
        seen=seen,
        outdated=outdated,
        changes=state.changes + (1 if data.workspace_changed else 0),
        unchanged_claims=0 if data.workspace_changed else state.unchanged_claims,
        failed_in_turn=state.failed_in_turn + (0 if data.status == "ok" else 1),
        takeovers_in_a_row=0 if finished else state.takeovers_in_a_row,
        takeover_events=() if finished else state.takeover_events,
        skills_loaded=state.skills_loaded | {data.skill.name} if data.skill else state.skills_loaded,
    )
    return after if state.machine < 2 else _acted(state, loop_judged(after, data), data, event.id)


def _acted(before: LoopState, after: LoopState, data: ToolFinished, event_id: str) -> LoopState:
    """What a call that came to its end says of the model: it acts, it knows that it does not know, or neither."""
    if data.status == "refused":
        return _fruitless(after, event_id, f"{data.tool} was refused: {data.text.split(chr(10), 1)[0][:120]}")
    after = replace(after, worked_in_turn=after.worked_in_turn + 1)
    if data.tool != ABSTAIN:
        return replace(after, rejected_in_a_row=0, rejections=(), causes=(), abstained=())
    call = next((call for call in before.queue if call.id == data.call_id), None)
    told = (call.arguments or {}) if call else {}
    said = " — ".join(filter(None, (str(told.get("what") or ""), str(told.get("how_to_check") or ""))))
    return replace(after, abstained=(*after.abstained, said))


def tool_refused(state: LoopState, data: ToolRefused, event: Stamped) -> LoopState:
    after = _after_call(state, data.call_id)
    if data.code == "superseded":
        return after
    after = replace(after, failed_in_turn=state.failed_in_turn + 1)
    if data.code in _CLAIMS_NOT_TAKEN and (state.machine >= 2 or data.code == "claim_unchanged"):
        refusals = (*after.refusals, event.id)[-8:]
        return replace(after, unchanged_claims=after.unchanged_claims + 1, refusals=refusals, not_taken=data.code)
    if data.code == "signal_beside_failure":
        return after
    call = next((call for call in state.queue if call.id == data.call_id), None)
    if data.code == "loop" and call is not None:
        return loop_refused(after, call, event.id)
    return _fruitless(after, event.id, cause_of_refusal(data, call.problem if call else None))


def _fruitless(after: LoopState, event_id: str, cause: str) -> LoopState:
    """A call was refused. When that was the last of a turn that came to nothing, it is one more rejected turn."""
    worked = after.worked_in_turn if after.machine >= 2 else after.executed_in_turn
    return after if after.queue or after.signal or worked else _rejected(after, event_id, cause)


def completion_refused(state: LoopState, data: CompletionRefused, event: Stamped) -> LoopState:
    by_model = state.claim is not None and state.claim.by == "model"
    unrun = state.unrun_claims + 1 if by_model and data.verdict == "NOT_RUN" else 0
    return replace(
        state,
        phase="ready",
        claim=None,
        judged=None,
        # What a hook or taste refuses need not be mended in the workspace: it is judged again at the next claim.
        refused_at_change=state.claim_changes if data.by == "gates" else None,
        refusals=(*state.refusals, event.id)[-8:],
        unrun_claims=unrun,
        plan=state.plan and dataclasses.replace(state.plan, claimed=state.plan.claimed or by_model),
    )


def _after_call(state: LoopState, call_id: str) -> LoopState:
    queue = tuple(call for call in state.queue if call.id != call_id)
    signal = None if state.signal is not None and state.signal.id == call_id else state.signal
    return replace(state, queue=queue, signal=signal)

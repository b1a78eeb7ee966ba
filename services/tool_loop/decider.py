"""The state machine's decisions: `decide` says what follows from what is recorded, and what to tell the model.

Pure: it reads the state and the recorded clock, nothing else. The same log gives the same decisions: replay checks it.
"""

import difflib
from collections.abc import Sequence

from arreio_contracts.events import (
    CompletionClaimed,
    CompletionRefused,
    EventData,
    ModelRequested,
    TaskBlocked,
    TaskCompleted,
    TaskFailed,
    TaskNeedsInput,
    TaskProfiled,
    TaskStarted,
    ToolCall,
    ToolRefused,
    ToolStarted,
    Totals,
    TurnRejected,
)
from arreio_contracts.task import AnswerCriterion, BlockedCode, FailedCode, Reason, TaskState

from . import nudges
from .budgets import exhausted
from .compaction import shrank
from .state import RETRIED_FAILURES, LoopState

MAX_PROVIDER_FAILURES = 8
"""Failures of the provider in a row, each after a longer wait, before the task is BLOCKED."""
MAX_TAKEOVERS = 5
"""Workers that died with the task in a row, with no tool finished between, before it is a crash loop."""

SEEDS_APART = 1000
"""Steps that a task can take before its sampling meets that of the contract's next seed."""

BLOCKS_BEFORE_THE_START = frozenset({"unsatisfiable_gate", "hook_unavailable"})
"""What makes a task BLOCKED while it is still PENDING; every other problem is found once it is IN_PROGRESS."""

_STRONGER = "use a stronger model or make the goal more exact"


def decide(state: LoopState, at_ms: int) -> Sequence[EventData]:
    """The decisions that follow now; empty when the next thing is an effect (`steps.next_step`).

    The caller folds what comes back and asks again until nothing more follows.
    """
    if state.state.terminal or state.created is None:
        return ()
    if state.cancel is not None and state.interruptible:
        text = state.cancel.text or f"cancelled by {state.cancel.by}"
        return _end(state, _blocked(state, "cancelled", text, (state.cancel_event,)))
    match state.state:
        case TaskState.PENDING:
            return _admit(state)
        case TaskState.NEEDS_INPUT:
            return _expire(state, at_ms)
        case _:
            return _in_progress(state, at_ms)


def _in_progress(state: LoopState, at_ms: int) -> Sequence[EventData]:
    if state.takeovers_in_a_row >= MAX_TAKEOVERS:
        text = f"{state.takeovers_in_a_row} runs in a row ended with their worker"
        return _end(state, _blocked(state, "crash_loop", text, state.takeover_events, "see the tool-loop's log"))
    problem = _profile(state).problem
    if problem is not None:
        return _end(state, TaskBlocked(reason=problem, totals=totals(state)))
    if state.judged is not None:
        return _judgement(state)
    if not state.interruptible:
        return ()
    if state.asks_before_going_on and state.phase != "judging":
        return _end(state, _ask_before_going_on(state, at_ms))
    over = exhausted(state, at_ms)
    if over is not None:
        return _end(state, _failed(state, *over))
    match state.phase:
        case "built":
            return _ask(state, at_ms)
        case "acting":
            return _act(state, at_ms)
        case "ready":
            return _given_up(state)
        case _:
            return ()


def _admit(state: LoopState) -> Sequence[EventData]:
    if state.takeovers_in_a_row >= MAX_TAKEOVERS:
        return (TaskStarted(),)
    if state.profile is None:
        return ()
    problem = state.profile.problem
    if problem is not None and problem.code in BLOCKS_BEFORE_THE_START:
        return _end(state, TaskBlocked(reason=problem, totals=totals(state)))
    return (TaskStarted(),)


def _expire(state: LoopState, at_ms: int) -> Sequence[EventData]:
    if state.question is None or at_ms < state.question.expires_ms:
        return ()
    text = f"nobody answered in time: {state.question.question}"
    return _end(state, _blocked(state, "input_expired", text, (), "send the message again"))


def _ask_before_going_on(state: LoopState, at_ms: int) -> TaskNeedsInput:
    assert state.parked is not None
    question = nudges.parked(state.parked.why, language(state))
    return TaskNeedsInput(question=question, expires_ms=_expires_ms(state, at_ms))


def _judgement(state: LoopState) -> Sequence[EventData]:
    judged, claim = state.judged, state.claim
    assert judged is not None and claim is not None
    if judged.verdict == "PASS":
        return (TaskCompleted(claim_id=claim.claim_id, reply=claim.reply, totals=totals(state)),)
    environment = [result for result in judged.results if result.environment]
    if judged.verdict == "NOT_RUN" and environment:
        text = "; ".join(f"{result.criterion}: {result.seen or result.expected}" for result in environment)
        unblock = "install what is missing, then run it again"
        return _end(state, _blocked(state, "gate_environment", text, (state.judged_event,), unblock))
    nudge = nudges.completion_refused(judged.missing, language(state))
    return (CompletionRefused(claim_id=claim.claim_id, verdict=judged.verdict, nudge=nudge),)


def _given_up(state: LoopState) -> Sequence[EventData]:
    profile = _profile(state)
    if state.unchanged_claims >= rejected_limit(profile):
        text = f"the gates refused completion, and it was claimed {state.unchanged_claims} times more, unchanged"
        return _end(state, _blocked(state, "false_completion", text, state.refusals, _STRONGER))
    if state.rejected_in_a_row >= rejected_limit(profile):
        text = f"{state.rejected_in_a_row} turns in a row brought neither an action nor an end"
        return _end(state, _blocked(state, "no_action", text, state.rejections, _STRONGER))
    return ()


def _ask(state: LoopState, at_ms: int) -> Sequence[EventData]:
    profile = _profile(state)
    assert state.context is not None
    manifest = state.context.manifest
    if manifest.unfittable or not shrank(state.overflow, manifest):
        return _end(state, _unfittable(state, manifest.unfittable or "the prompt cannot be made smaller"))
    if state.failure is not None and state.failure.kind != "context_overflow":
        refused = _provider_refusal(state)
        if refused is not None:
            return _end(state, refused)
        if at_ms < retry_at_ms(state):
            return ()
    attempt = state.attempt + 1
    capability = profile.capability
    return (
        ModelRequested(
            step=state.steps + 1,
            attempt=attempt,
            model=profile.model,
            mode=str(capability["tool_call_mode"]),
            offered=offered(state),
            temperature=_temperature(state, float(capability["temperature"])),
            # Another seed each time: a weak model asked again in the same words would answer in the same words.
            seed=_seed(state),
        ),
    )


def _seed(state: LoopState) -> int:
    assert state.created is not None
    return state.created.contract.seed * SEEDS_APART + state.steps + 1


def _unfittable(state: LoopState, why: str) -> TaskFailed:
    if state.overflow is None:
        return _failed(state, "context_unfittable", why)
    said = f" ({state.failure.message})" if state.failure else ""
    text = f"the model's window does not hold {state.overflow} tokens{said}, and {why}"
    return _failed(state, "context_unfittable", text, (state.failure_event,))


def _temperature(state: LoopState, base: float) -> float:
    """Warmer after refusals with nothing changed, so that asking again is not asking the same."""
    if not state.refusals and not state.rejected_in_a_row:
        return base
    return round(min(1.0, base + 0.1 * (len(state.refusals) + state.rejected_in_a_row)), 2)


def _provider_refusal(state: LoopState) -> TaskBlocked | None:
    failure = state.failure
    assert failure is not None
    evidence = (state.failure_event,)
    match failure.kind:
        case "auth" | "missing_key":
            return _blocked(state, "provider_auth", failure.message, evidence, "give the services a valid API key")
        case "unknown_model":
            return _blocked(state, "unknown_model", failure.message, evidence, "name a model that the provider serves")
        case "bad_request":
            return _blocked(state, "provider_rejected", failure.message, evidence, "see what the provider refused")
    if failure.kind in RETRIED_FAILURES and state.failures_in_a_row >= MAX_PROVIDER_FAILURES:
        text = f"{state.failures_in_a_row} requests in a row failed, the last with {failure.kind}: {failure.message}"
        return _blocked(state, "provider_unavailable", text, evidence, "run it again when the provider answers")
    return None


def retry_at_ms(state: LoopState) -> int:
    """When the failed request is made again: the provider's wish, else 1, 2, 4 … at most 60 s after the failure."""
    assert state.failure is not None
    seconds = state.failure.retry_after
    if seconds is None:
        seconds = min(60.0, 2.0 ** (state.failures_in_a_row - 1))
    return state.failed_at_ms + int(min(max(seconds, 0.0), 300.0) * 1000)


def _act(state: LoopState, at_ms: int) -> Sequence[EventData]:
    reply = state.reply
    assert reply is not None
    if not reply.calls:
        return (_reject(state),)
    if state.queue:
        follows = _start_or_refuse(state, state.queue[0])
        return _end(state, follows) if isinstance(follows, TaskFailed) else (follows,)
    if state.signal is not None:
        return _signal(state, state.signal, at_ms)
    return _after_calls(state)


def _reject(state: LoopState) -> TurnRejected:
    reply = state.reply
    assert reply is not None
    promise = reply.promise
    lang = promise.lang if promise and reply.content.strip() else language(state)
    in_a_row = state.rejected_in_a_row + 1
    if reply.finish_reason == "length":
        return TurnRejected(code="truncated", nudge=nudges.truncated(lang), in_a_row=in_a_row)
    if promise is not None and promise.label == "PROMISE":
        quoted = reply.content[promise.span[0] : promise.span[1]] if promise.span else ""
        return TurnRejected(code="promise", nudge=nudges.promise(quoted, lang), in_a_row=in_a_row)
    if promise is not None and promise.question:
        return TurnRejected(code="question", nudge=nudges.question(lang), in_a_row=in_a_row)
    return TurnRejected(code="no_action", nudge=nudges.no_action(offered(state), lang), in_a_row=in_a_row)


def _start_or_refuse(state: LoopState, call: ToolCall) -> EventData:
    profile = _profile(state)
    effects = {tool.name: tool.effect for tool in profile.tools}
    lang = language(state)
    if call.name not in effects:
        near = difflib.get_close_matches(call.name, list(effects), n=5, cutoff=0.4) or list(effects)[:5]
        return _refuse(call, "unknown_tool", nudges.unknown_tool(call.name, near, lang))
    if call.problem is not None:
        return _refuse(call, "bad_arguments", nudges.bad_arguments(call.name, call.problem, lang))
    if effects[call.name] == "signal":
        return _refuse(call, "superseded", nudges.superseded(lang))
    cap = profile.budgets.max_calls_per_tool
    if cap is not None and state.calls_by_tool.get(call.name, 0) >= cap:
        return _refuse(call, "cap", nudges.cap(call.name, cap, lang))
    limit = profile.budgets.max_tool_calls
    if limit is not None and state.tool_calls >= limit:
        return _failed(state, "max_tool_calls", f"{limit} tool calls were made")
    return ToolStarted(call_id=call.id, tool=call.name, effect=effects[call.name], summary=summary(call))


def _refuse(call: ToolCall, code: str, text: str) -> ToolRefused:
    return ToolRefused.model_validate({"call_id": call.id, "tool": call.name, "code": code, "text": text})


def summary(call: ToolCall) -> str:
    """A call in one line of at most 120 characters: its name and its first telling argument."""
    arguments = call.arguments or {}
    telling = next((arguments[key] for key in ("path", "command", "pattern", "what") if key in arguments), "")
    line = f"{call.name} {telling}".split("\n", 1)[0].strip()
    return line if len(line) <= 120 else line[:119] + "…"


def _signal(state: LoopState, call: ToolCall, at_ms: int) -> Sequence[EventData]:
    arguments = call.arguments or {}
    lang = language(state)
    content = state.reply.content if state.reply else ""
    match call.name:
        case "task_complete":
            if state.failed_in_turn:
                return (_refuse(call, "signal_beside_failure", nudges.signal_beside_failure(lang)),)
            if state.refused_at_change == state.changes:
                return (_refuse(call, "claim_unchanged", nudges.claim_unchanged(lang)),)
            reply = str(arguments.get("reply") or arguments.get("summary") or content)
            return (CompletionClaimed(claim_id=claim_id(state), by="model", reply=reply, call_id=call.id),)
        case "task_blocked":
            text = str(arguments.get("reason") or content or "the model gave no reason")
            return _end(state, _blocked(state, "declared_by_model", text, (), str(arguments.get("unblock") or "")))
        case _:
            question = str(arguments.get("question") or content or "?")
            return (TaskNeedsInput(question=question, call_id=call.id, expires_ms=_expires_ms(state, at_ms)),)


def _expires_ms(state: LoopState, at_ms: int) -> int:
    return at_ms + int((_profile(state).budgets.input_expires or 0.0) * 1000)


def _after_calls(state: LoopState) -> Sequence[EventData]:
    given_up = _given_up(state)
    if given_up:
        return given_up
    if claims_by_itself(state) and _probed_done(state) and not _must_answer(state):
        reply = nudges.harness_reply(_profile(state).criteria, language(state))
        return (CompletionClaimed(claim_id=claim_id(state), by="harness", reply=reply),)
    return ()


def _probed_done(state: LoopState) -> bool:
    """Whether no cheap criterion speaks against a claim; where all cost something, a change is worth their price."""
    verdicts = state.probe or ()
    if state.probed_at_change != state.changes:
        return False
    cheap = [verdict for verdict in verdicts if verdict is not None]
    if not cheap and state.machine >= 2:
        return bool(verdicts) and state.changes not in (0, state.claim_changes)
    return bool(cheap) and all(verdict == "PASS" for verdict in cheap)


def _must_answer(state: LoopState) -> bool:
    """Whether the claim must hold an answer, which only the model can give."""
    return state.machine >= 2 and any(isinstance(one, AnswerCriterion) for one in _profile(state).criteria)


def claims_by_itself(state: LoopState) -> bool:
    """Whether the harness claims completion as soon as the cheap criteria hold."""
    profile = _profile(state)
    return bool(profile.capability.get("complete_on_criteria")) and not profile.inferred and bool(profile.criteria)


def offered(state: LoopState) -> tuple[str, ...]:
    """The tools of the next request: a refused `task_complete` is not offered again until something changed.

    Where all that can be probed holds and only the answer is missing, nothing else is offered.
    """
    if state.refused_at_change is not None and state.refused_at_change == state.changes:
        return tuple(tool.name for tool in _profile(state).tools if tool.name != "task_complete")
    if _probed_done(state) and _must_answer(state):
        return ("task_complete",)
    return tuple(tool.name for tool in _profile(state).tools)


def claim_id(state: LoopState) -> str:
    """The id of the next claim of a task."""
    return f"{state.task_id}-c{state.claims + 1}"


def totals(state: LoopState) -> Totals:
    """What the task has used so far."""
    return Totals(
        steps=state.steps,
        tool_calls=state.tool_calls,
        prompt_tokens=state.prompt_tokens,
        completion_tokens=state.completion_tokens,
        cost_usd=round(state.cost_usd, 9),
        seconds=state.worked_ms / 1000,
    )


def language(state: LoopState) -> str:
    """The language in which the task was asked."""
    return state.profile.language if state.profile else "en"


def rejected_limit(profile: TaskProfiled) -> int:
    """Rejected turns in a row before the next rung."""
    return int(profile.capability["rejected_turns"])


def _profile(state: LoopState) -> TaskProfiled:
    assert state.profile is not None
    return state.profile


def _blocked(
    state: LoopState, code: BlockedCode, text: str, evidence: Sequence[str] = (), unblock: str = ""
) -> TaskBlocked:
    reason = Reason(code=code, text=text, evidence=tuple(filter(None, evidence)), unblock=unblock)
    return TaskBlocked(reason=reason, totals=totals(state))


def _failed(state: LoopState, code: FailedCode, text: str, evidence: Sequence[str] = ()) -> TaskFailed:
    unblock = "raise the budget and send the task again"
    return TaskFailed(
        reason=Reason(code=code, text=text, evidence=tuple(evidence), unblock=unblock), totals=totals(state)
    )


def _end(state: LoopState, ending: EventData) -> Sequence[EventData]:
    """End the task, or its turn; the calls that were never carried out get their one result first."""
    lang = language(state)
    left = (*state.queue, *([state.signal] if state.signal else []))
    if state.phase == "acting" and isinstance(ending, TaskBlocked) and ending.reason.code == "declared_by_model":
        left = state.queue
    running = state.open_call.call_id if state.open_call else None
    texts = [nudges.outcome_unknown(lang) if call.id == running else nudges.superseded(lang) for call in left]
    return (*(_refuse(call, "superseded", text) for call, text in zip(left, texts, strict=True)), ending)

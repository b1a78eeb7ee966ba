"""The state machine's decisions: `decide` says what follows from what is recorded, and what to tell the model.

Pure: it reads the state and the recorded clock, nothing else. The same log gives the same decisions: replay checks it.
"""

from collections.abc import Sequence

from arreio_contracts.events import (
    CompletionRefused,
    EventData,
    TaskBlocked,
    TaskCompleted,
    TaskFailed,
    TaskNeedsInput,
    TaskStarted,
    ToolCall,
    ToolStarted,
    TurnRejected,
)
from arreio_contracts.messages import TASTE
from arreio_contracts.task import TaskState

from . import nudges
from .budgets import exhausted
from .claims import claim_to_check, claims_by_itself, content, harness_claim, model_claim, said
from .decomposing import follow_plan, probe_due
from .endings import blocked, end, failed, input_expires_ms, language, profile_of, refused, totals
from .grounding import deciding as grounding
from .hooks import deciding as hooks
from .ladder import fallen
from .loops import forbidden
from .models.names import candidates, shown
from .models.written_calls import marked
from .requesting import ask, offered
from .state import LoopState
from .summary import summary
from .troubles import abstains, not_getting_on, unfinished_plan

MAX_TAKEOVERS = 5
"""Workers that died with the task in a row, with no tool finished between, before it is a crash loop."""

BLOCKS_BEFORE_THE_START = frozenset({"unsatisfiable_gate", "hook_unavailable"})
"""What makes a task BLOCKED while it is still PENDING; every other problem is found once it is IN_PROGRESS."""


def decide(state: LoopState, at_ms: int) -> Sequence[EventData]:
    """The decisions that follow now; empty when the next thing is an effect (`steps.next_step`).

    The caller folds what comes back and asks again until nothing more follows.
    """
    if state.state.terminal or state.created is None:
        return ()
    if state.cancel is not None and state.interruptible:
        text = state.cancel.text or f"cancelled by {state.cancel.by}"
        return end(state, blocked(state, "cancelled", text, (state.cancel_event,)))
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
        return end(state, blocked(state, "crash_loop", text, state.takeover_events, "see the tool-loop's log"))
    if state.escalation_problem and state.climbed:
        return fallen(state, state.escalation_problem)
    problem = profile_of(state).problem
    if problem is not None:
        return end(state, TaskBlocked(reason=problem, totals=totals(state)))
    ended = hooks.ending(state)
    if ended is not None:
        return end(state, blocked(state, ended.code, ended.text, state.hooks.events, ended.unblock))
    if state.judged is not None:
        return _judgement(state)
    if not state.interruptible:
        return ()
    if state.asks_before_going_on and state.phase != "judging":
        return end(state, _ask_before_going_on(state, at_ms))
    if state.hooks.question is not None:
        question = nudges.hook_asks(state.hooks.question, language(state))
        return end(state, TaskNeedsInput(question=question, expires_ms=input_expires_ms(state, at_ms)))
    over = exhausted(state, at_ms)
    if over is not None:
        return end(state, failed(state, *over))
    match state.phase:
        case "built":
            return ask(state, at_ms)
        case "acting":
            return _act(state, at_ms)
        case "ready":
            return abstains(state, at_ms) or not_getting_on(state) or follow_plan(state) or unfinished_plan(state)
        case _:
            return ()


def _admit(state: LoopState) -> Sequence[EventData]:
    if state.takeovers_in_a_row >= MAX_TAKEOVERS:
        return (TaskStarted(),)
    if state.profile is None:
        return ()
    problem = state.profile.problem
    if problem is not None and problem.code in BLOCKS_BEFORE_THE_START:
        return end(state, TaskBlocked(reason=problem, totals=totals(state)))
    return (TaskStarted(),)


def _expire(state: LoopState, at_ms: int) -> Sequence[EventData]:
    if state.question is None or at_ms < state.question.expires_ms:
        return ()
    text = f"nobody answered in time: {state.question.question}"
    return end(state, blocked(state, "input_expired", text, (), "send the message again"))


def _ask_before_going_on(state: LoopState, at_ms: int) -> TaskNeedsInput:
    assert state.parked is not None
    question = nudges.parked(state.parked.why, language(state))
    return TaskNeedsInput(question=question, expires_ms=input_expires_ms(state, at_ms))


def _judgement(state: LoopState) -> Sequence[EventData]:
    judged, claim = state.judged, state.claim
    assert judged is not None and claim is not None
    if judged.verdict == "PASS":
        if hooks.unasked(state, "session_end", about=claim.claim_id):
            return ()
        stopped = hooks.refusal(state, "session_end", claim.claim_id)
        if stopped is not None:
            nudge = nudges.hook_refused_end(stopped.hook, stopped.reason, language(state))
            return (CompletionRefused(claim_id=claim.claim_id, verdict="FAIL", nudge=nudge, by="hook"),)
        return (TaskCompleted(claim_id=claim.claim_id, reply=claim.reply, totals=totals(state)),)
    environment = [result for result in judged.results if result.environment]
    if judged.verdict == "NOT_RUN" and environment:
        text = "; ".join(f"{result.criterion}: {result.seen or result.expected}" for result in environment)
        unblock = "install what is missing, then run it again"
        return end(state, blocked(state, "gate_environment", text, (state.judged_event,), unblock))
    if all(result.criterion == TASTE for result in judged.results if result.verdict != "PASS"):
        nudge = nudges.taste_refused(judged.missing, language(state))
        return (CompletionRefused(claim_id=claim.claim_id, verdict=judged.verdict, nudge=nudge, by="taste"),)
    nudge = nudges.completion_refused(judged.missing, language(state))
    return (CompletionRefused(claim_id=claim.claim_id, verdict=judged.verdict, nudge=nudge),)


def _act(state: LoopState, at_ms: int) -> Sequence[EventData]:
    reply = state.reply
    assert reply is not None
    if not reply.calls:
        return (_reject(state),)
    if state.hooks.post_due is not None:
        return ()
    if state.queue:
        follows = _start_or_refuse(state, state.queue[0], at_ms)
        if follows is None:
            return ()
        return end(state, follows) if isinstance(follows, TaskFailed | TaskNeedsInput) else (follows,)
    if state.signal is not None:
        return _signal(state, state.signal, at_ms)
    return _after_calls(state, at_ms)


def _reject(state: LoopState) -> TurnRejected:
    reply = state.reply
    assert reply is not None
    promise = reply.promise
    tools = offered(state)
    lang = promise.lang if promise and reply.content.strip() else language(state)
    in_a_row = state.rejected_in_a_row + 1
    if reply.vote is not None and not reply.vote.majority:
        nudge = nudges.no_majority(reply.vote.said, language(state))
        return TurnRejected(code="no_majority", nudge=nudge, in_a_row=len(state.abstained) + 1)
    if reply.finish_reason == "length":
        return TurnRejected(code="truncated", nudge=nudges.truncated(lang), in_a_row=in_a_row)
    if promise is not None and promise.label == "PROMISE":
        quoted = reply.content[promise.span[0] : promise.span[1]] if promise.span else ""
        return TurnRejected(code="promise", nudge=nudges.promise(quoted, lang), in_a_row=in_a_row)
    if promise is not None and promise.question:
        return TurnRejected(code="question", nudge=nudges.question(lang), in_a_row=in_a_row)
    misplaced = marked(reply.content, tools if state.machine >= 2 else ())
    format_error = nudges.misplaced(lang) + "\n" if misplaced else ""
    nudge = format_error + nudges.no_action(tools, lang)
    return TurnRejected(code="no_action", nudge=nudge, in_a_row=in_a_row)


def _start_or_refuse(state: LoopState, call: ToolCall, at_ms: int) -> EventData | None:
    """What becomes of a call; None while hooks are to be asked, or the packages that it would install looked up."""
    profile = profile_of(state)
    effects = {tool.name: tool.effect for tool in profile.tools}
    lang = language(state)
    if call.problem_code == "truncated":
        return refused(call, "truncated", nudges.truncated(lang))
    if call.problem_code == "malformed":
        return refused(call, "malformed", nudges.bad_arguments(shown(call.name), call.problem or "", lang))
    if call.name not in effects:
        near = candidates(call.name, effects)
        return refused(call, "unknown_tool", nudges.unknown_tool(shown(call.name), near, lang))
    if call.problem is not None:
        return refused(call, "bad_arguments", nudges.bad_arguments(call.name, call.problem, lang))
    if effects[call.name] == "signal":
        return refused(call, "superseded", nudges.superseded(lang))
    loop = forbidden(state, call)
    if loop is not None:
        return refused(call, "loop", nudges.refused_loop(loop.kind, lang))
    cap = profile.budgets.max_calls_per_tool
    if cap is not None and state.calls_by_tool.get(call.name, 0) >= cap:
        return refused(call, "cap", nudges.cap(call.name, cap, lang))
    limit = profile.budgets.max_tool_calls
    if limit is not None and state.tool_calls >= limit:
        return failed(state, "max_tool_calls", f"{limit} tool calls were made")
    if grounding.unchecked(state, call):
        return None
    if absent := grounding.absent(state, call):
        return refused(call, "unknown_package", nudges.unknown_package(absent, lang))
    if doubtful := grounding.doubtful(state, call):
        packages = tuple(each.package for each in doubtful)
        question = nudges.doubtful_package(doubtful, lang)
        return TaskNeedsInput(question=question, packages=packages, expires_ms=input_expires_ms(state, at_ms))
    if hooks.unasked(state, "pre_tool_use", call.name, call.id):
        return None
    stopped = hooks.refusal(state, "pre_tool_use", call.id)
    if stopped is not None:
        return refused(call, "hook", nudges.hook_refused(call.name, stopped.hook, stopped.reason, lang))
    return ToolStarted(call_id=call.id, tool=call.name, effect=effects[call.name], summary=summary(call))


def _signal(state: LoopState, call: ToolCall, at_ms: int) -> Sequence[EventData]:
    arguments = call.arguments or {}
    if hooks.unasked(state, "pre_tool_use", call.name, call.id):
        return ()
    stopped = hooks.refusal(state, "pre_tool_use", call.id)
    if stopped is not None:
        nudge = nudges.hook_refused(call.name, stopped.hook, stopped.reason, language(state))
        return (refused(call, "hook", nudge),)
    match call.name:
        case "task_complete":
            return model_claim(state, call)
        case "task_blocked":
            reason = said(state, str(arguments.get("reason") or ""))
            text = reason or content(state) or "the model gave no reason"
            return end(state, blocked(state, "declared_by_model", text, (), str(arguments.get("unblock") or "")))
        case _:
            question = said(state, str(arguments.get("question") or "")) or content(state) or "?"
            return (TaskNeedsInput(question=question, call_id=call.id, expires_ms=input_expires_ms(state, at_ms)),)


def _after_calls(state: LoopState, at_ms: int) -> Sequence[EventData]:
    stops = abstains(state, at_ms) or not_getting_on(state)
    if stops or probe_due(state, claims_by_itself=claims_by_itself(state)) or claim_to_check(state) is not None:
        return stops
    return harness_claim(state) or follow_plan(state) or unfinished_plan(state)

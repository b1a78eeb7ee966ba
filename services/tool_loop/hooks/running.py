"""Runs the hooks of one phase and says what each of them said. Commands and functions of this process are alike."""

import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import structlog
from arreio_contracts.events import HookJudged, TaskBlocked, TaskFailed, TaskProfiled, ToolCall, ToolFinished
from arreio_contracts.task import BlockedCode, Hook, HookPhase, Reason, TaskContract

from shared.canonical import canonical_json, sha256_hex
from shared.secrets import mask
from shared.settings import Settings

from .. import nudges
from ..rules import consent
from ..state import LoopState
from ..tools import registry
from ..tools.load_skill import LoadSkill
from . import command_hook
from .declared import HooksError, load_hooks
from .matching import ABOUT_CALLS, matching, means_none, unreadable
from .registry import Halt, Handler, Hooks
from .state import same_question
from .verdict import RULE, Judgement

logger = structlog.get_logger()

Payload = Mapping[str, Any]
Judge = Callable[[Payload], Awaitable[Judgement]]
"""A hook of this process: given what a command would read on standard input, it says what it thinks."""


@dataclass(frozen=True)
class InProcessHook:
    """A hook that is a function of this process. `hook.command` is only its name."""

    hook: Hook
    judge: Judge


@dataclass
class _Asking:
    """One chain: what its hooks are asked, and what they said so far."""

    phase: HookPhase
    state: LoopState
    payload: Payload
    call_id: str | None
    claim_id: str | None
    subject: str
    language: str
    judged: list[HookJudged] = field(default_factory=list)


class HookRunner:
    """The hooks that this process can run. It keeps nothing between two runs."""

    def __init__(self, settings: Settings, in_process: Iterable[InProcessHook] = ()) -> None:
        self._settings = settings
        self._in_process = {one.hook: one.judge for one in in_process}

    def declared(self, profiled: TaskProfiled, contract: TaskContract) -> TaskProfiled:
        """The task's profile with its hooks, and with the problem where one of them cannot be started."""
        if profiled.problem is not None:
            return profiled
        try:
            everywhere = load_hooks(self._settings.hooks) if self._settings.hooks is not None else ()
        except HooksError as error:
            return profiled.model_copy(update={"problem": _unavailable(error.message, error.hint)})
        active = (*self._in_process, *everywhere, *contract.hooks)
        for hook in active:
            problem = _matcher_problem(hook, profiled)
            if problem is None and hook not in self._in_process:
                problem = command_hook.problem(hook, _workspace(profiled))
            if problem is not None:
                text = f"the hook {hook.called!r} cannot be started: {problem}"
                return profiled.model_copy(
                    update={"hooks": active, "problem": _unavailable(text, "mend or remove the hook")}
                )
        return profiled.model_copy(update={"hooks": active})

    async def run(
        self, phase: HookPhase, session_id: str, state: LoopState, call: ToolCall | None, arguments: Payload
    ) -> list[HookJudged]:
        """Ask the hooks of a phase, in order, until one refuses."""
        profile = state.profile
        assert profile is not None
        asking = _asking(phase, session_id, state, call, arguments)
        tool = call.name if call is not None else None
        handlers = Hooks[_Asking]()
        for hook in matching(profile.hooks, phase, tool):
            handlers = handlers.on(phase, self._handler(hook, _workspace(profile)))
        await handlers.run(phase, asking)
        return asking.judged

    def _handler(self, hook: Hook, workspace: Path | None) -> Handler[_Asking]:
        judge = self._in_process.get(hook)

        async def handle(asking: _Asking) -> Halt | None:
            started = time.monotonic()
            if judge is None:
                said = await command_hook.judge(hook, asking.payload, workspace)
            else:
                said = await _called(judge, asking.payload)
            judged = _recorded(hook, said, asking, int((time.monotonic() - started) * 1000))
            asking.judged.append(judged)
            return Halt(judged.reason) if judged.refuses or judged.unavailable else None

        return handle


def _matcher_problem(hook: Hook, profiled: TaskProfiled) -> str | None:
    """Why a hook would never be asked. One that is no gate may be there in vain; that is only logged."""
    if hook.phase not in ABOUT_CALLS:
        return None
    if problem := unreadable(hook.matcher):
        return problem
    offered = [tool.name for tool in profiled.tools]
    if not means_none(hook.matcher, (*offered, LoadSkill.name, *registry())):
        return None
    problem = f"its matcher {hook.matcher!r} means no tool; the tools are {', '.join(offered)}"
    if hook.gate:
        return problem
    logger.warning("hook.matches_nothing", hook=hook.called, problem=problem)
    return None


async def _called(judge: Judge, payload: Payload) -> Judgement:
    try:
        return await judge(payload)
    except Exception as error:  # noqa: BLE001 - a hook that fails has given no verdict
        return Judgement("no_verdict", f"it failed: {type(error).__name__}: {error}")


def _recorded(hook: Hook, said: Judgement, asking: _Asking, ms: int) -> HookJudged:
    judged = HookJudged(
        phase=asking.phase,
        hook=hook.called,
        verdict=said.verdict,
        gate=hook.gate,
        call_id=asking.call_id,
        claim_id=asking.claim_id,
        subject=asking.subject,
        reason=mask(said.reason),
        ends_task=said.ends_task,
        unavailable=said.unavailable,
        told=mask(said.told),
        ms=ms,
        rule=RULE,
    )
    if judged.verdict == "ask" and not judged.ends_task:
        return _answered(judged, asking)
    if asking.phase == "post_tool_use" and judged.refuses:
        objection = nudges.hook_objects(judged.hook, judged.reason, asking.language)
        return judged.model_copy(update={"told": f"{objection}\n{judged.told}".strip()})
    return judged


def _answered(judged: HookJudged, asking: _Asking) -> HookJudged:
    """A hook that asks: what a person has answered to the same question decides, else the question is put."""
    hooks = asking.state.hooks
    if hooks.asked is None or hooks.answer is None or not same_question(hooks.asked, judged):
        about = asking.payload.get("tool_name") or "the end of the task"
        reason = f"The hook {judged.hook!r} asks about {about}: {judged.reason or 'may it be?'}"
        return judged.model_copy(update={"reason": reason})
    verdict = "allow" if consent.given(hooks.answer) else "deny"
    update = {"verdict": verdict, "reason": f"a person answered: {hooks.answer[:200]}", "rule": consent.RULE}
    return judged.model_copy(update=update)


def _asking(phase: HookPhase, session_id: str, state: LoopState, call: ToolCall | None, arguments: Payload) -> _Asking:
    profile = state.profile
    assert profile is not None
    claim = state.claim if phase == "session_end" and not state.state.terminal else None
    common = {"session_id": session_id, "task_id": state.task_id, "cwd": profile.workspace or "/"}
    return _Asking(
        phase=phase,
        state=state,
        payload={**common, **_about(phase, state, call, arguments)},
        call_id=call.id if call is not None else None,
        claim_id=claim.claim_id if claim is not None else None,
        subject=sha256_hex(canonical_json([call.name, arguments])) if call is not None else "",
        language=profile.language,
    )


def _about(phase: HookPhase, state: LoopState, call: ToolCall | None, arguments: Payload) -> Payload:
    """What a hook is told beside the ids, in the words that users of Claude Code know."""
    match phase:
        case "session_start":
            goal = state.created.goal if state.created else ""
            return {"hook_event_name": "SessionStart", "source": "startup", "goal": goal}
        case "session_end" if state.state.terminal:
            assert isinstance(state.ending, TaskBlocked | TaskFailed)
            reason = {"reason": state.state.value, "code": state.ending.reason.code}
            return {"hook_event_name": "SessionEnd", **reason}
        case "session_end":
            reply = state.claim.reply if state.claim else ""
            active = state.hooks.stop_refusals > 0
            return {"hook_event_name": "Stop", "stop_hook_active": active, "reply": reply}
    assert call is not None
    asked = {"tool_name": call.name, "tool_input": dict(arguments), "tool_use_id": call.id}
    if phase == "pre_tool_use":
        return {"hook_event_name": "PreToolUse", **asked}
    result = state.hooks.post_due
    return {"hook_event_name": "PostToolUse", **asked, "tool_response": _response(result) if result else {}}


def _response(result: ToolFinished) -> Payload:
    return result.model_dump(mode="json", include={"status", "text", "error_class", "exit_status", "changed"})


def _workspace(profile: TaskProfiled) -> Path | None:
    return Path(profile.workspace) if profile.workspace else None


def _unavailable(text: str, unblock: str) -> Reason:
    code: BlockedCode = "hook_unavailable"
    return Reason(code=code, text=text, unblock=unblock)

"""What the log says of a task's hooks: a part of the state of the loop, folded with it. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from arreio_contracts.events import (
    CompletionRefused,
    EventData,
    HookJudged,
    InputReceived,
    ModelReplied,
    TaskNeedsInput,
    ToolFinished,
    ToolRefused,
)
from arreio_contracts.task import Hook

from .matching import matching


@dataclass(frozen=True)
class HookState:
    """The last chain of judgements, and what follows from earlier ones."""

    judged: tuple[HookJudged, ...] = ()
    """What was said of the last thing that was asked about."""
    events: tuple[str, ...] = ()
    post_due: ToolFinished | None = None
    """The result that its hooks have not seen yet."""
    stop_refusals: int = 0
    """How often hooks refused the end of the task. Nothing sets it back."""
    hindrance: HookJudged | None = None
    """The last refusal of a call that was about to be made."""
    hindered: int = 0
    """How many calls were refused."""
    question: str | None = None
    """What a hook wants a person to be asked, until it is asked."""
    asked: HookJudged | None = None
    answer: str | None = None


def fold(hooks: HookState, active: Sequence[Hook], data: EventData, event_id: str) -> HookState:
    """Take in one event of the task. Without hooks nothing changes."""
    match data:
        case HookJudged():
            return _judged(hooks, data, event_id)
        case ToolFinished() if data.status in ("ok", "error") and matching(active, "post_tool_use", data.tool):
            return replace(hooks, post_due=data)
        case CompletionRefused(by="hook") | ToolRefused(code="hook", tool="task_complete"):
            return replace(hooks, stop_refusals=hooks.stop_refusals + 1)
        case ModelReplied() if hooks.post_due is not None:
            return replace(hooks, post_due=None)
        case TaskNeedsInput() if hooks.question is not None:
            return replace(hooks, question=None)
        case InputReceived() if hooks.asked is not None and hooks.question is None and hooks.answer is None:
            return replace(hooks, answer=data.text)
        case _:
            return hooks


def _judged(hooks: HookState, data: HookJudged, event_id: str) -> HookState:
    last = hooks.judged[-1] if hooks.judged else None
    same = last is not None and about(last) == about(data)
    hooks = replace(
        hooks,
        judged=(*hooks.judged, data) if same else (data,),
        events=(*hooks.events, event_id) if same else (event_id,),
        post_due=None if data.phase == "post_tool_use" else hooks.post_due,
    )
    if data.phase == "pre_tool_use" and data.refuses:
        hooks = replace(hooks, hindrance=data, hindered=hooks.hindered + 1)
    if data.verdict == "ask" and not data.refuses:
        return replace(hooks, question=data.reason, asked=data, answer=None)
    if data.verdict == "allow" and hooks.asked is not None and same_question(hooks.asked, data):
        # A person's yes is good for one time.
        return replace(hooks, asked=None, answer=None)
    return hooks


def about(judged: HookJudged) -> tuple[str, str | None, str | None]:
    """What a judgement is about."""
    return judged.phase, judged.call_id, judged.claim_id


def same_question(one: HookJudged, other: HookJudged) -> bool:
    """Whether a hook was asked about the same thing, though by another call."""
    return (one.hook, one.phase, one.subject) == (other.hook, other.phase, other.subject)

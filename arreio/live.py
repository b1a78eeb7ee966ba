"""A session's events as a person reads them while they happen: one short line for each thing that matters."""

from arreio_contracts.events import (
    CompletionClaimed,
    CompletionRefused,
    EventData,
    GateJudged,
    GateRendered,
    GateTasted,
    HookJudged,
    InputReceived,
    InstructionsChanged,
    LadderClimbed,
    Learnt,
    LearntDemoted,
    LearntPromoted,
    LearntRolledBack,
    ModelEscalated,
    ModelFailed,
    ModelReplied,
    ModelRequested,
    PlanMade,
    ProposalApproved,
    ProposalCreated,
    ProposalRejected,
    SubtaskClosed,
    TaskBlocked,
    TaskCancelRequested,
    TaskCompleted,
    TaskCreated,
    TaskFailed,
    TaskNeedsInput,
    TaskProfiled,
    TaskResumed,
    TaskStarted,
    ToolFinished,
    ToolRefused,
    ToolStarted,
    TurnRejected,
)
from arreio_contracts.task import AnswerCriterion, criterion_text
from pydantic import BaseModel
from rich.text import Text

from .terminal import visible_line

_STATE_STYLES = {
    "PENDING": "cyan",
    "IN_PROGRESS": "blue",
    "COMPLETE": "bold green",
    "BLOCKED": "bold yellow",
    "FAILED": "bold red",
    "NEEDS_INPUT": "bold magenta",
}


def _criteria(data: TaskProfiled) -> str:
    """How many criteria bind the task; the inferred ones, which nobody named, are told."""
    named = [criterion_text(criterion) for criterion in data.criteria if not isinstance(criterion, AnswerCriterion)]
    if data.inferred and named:
        return f"; inferred, if a file is changed: {', '.join(named)}"
    return f", {len(data.criteria)} criteria" if data.criteria else ""


class Narrator:
    """Turns events into lines; it remembers the running totals that the lines show."""

    def __init__(self) -> None:
        self._step = 0
        self._tokens = 0
        self._cost = 0.0

    def lines(self, data: EventData | BaseModel) -> list[Text]:
        """The lines to print for one event; none for events that only replay needs."""
        match data:
            case TaskCreated():
                return [_state("PENDING", _one(data.goal))]
            case TaskProfiled():
                mode = data.capability.get("tool_call_mode", "?")
                return [_dim(f"model {data.model} ({mode}), agent {data.agent}{_criteria(data)}")]
            case TaskStarted():
                return [_state("IN_PROGRESS", "")]
            case TaskResumed():
                return [
                    _note(
                        "↻", "yellow", "taken over from a worker that ended" if data.cause == "takeover" else "resumed"
                    )
                ]
            case ModelRequested():
                self._step = data.step
                again = f", attempt {data.attempt}" if data.attempt > 1 else ""
                return [_dim(f"step {data.step}{again} …")]
            case ModelReplied():
                self._tokens += data.usage.prompt_tokens + data.usage.completion_tokens
                self._cost += data.cost_usd
                cost = f", ${self._cost:.4f}" if self._cost else ""
                return [_dim(f"step {self._step} answered ({self._tokens} tokens so far{cost})")]
            case ModelFailed():
                return [_note("!", "yellow", f"model: {data.kind}: {_one(data.message)}")]
            case ToolStarted():
                return [_note("▸", "cyan", data.summary)]
            case ToolFinished():
                good = data.status == "ok"
                return [_note("✓" if good else "✗", "green" if good else "yellow", f"{data.status}: {_one(data.text)}")]
            case ToolRefused() | TurnRejected():
                said = data.text if isinstance(data, ToolRefused) else data.nudge
                return [_note("✗", "yellow", f"refused ({data.code}): {_one(said)}")]
            case LadderClimbed():
                return [_note("↑", "yellow", f"{data.rung} ({data.cause}): {_one(data.text)}")]
            case PlanMade():
                titles = [_dim(f"{number}. {_one(one.title)}") for number, one in enumerate(data.subtasks, 1)]
                return [_note("☰", "cyan", f"plan by the {data.by}"), *titles]
            case SubtaskClosed():
                return [_note("☰", "cyan", f"subtask {data.number + 1} {data.outcome}")]
            case ModelEscalated():
                return [_note("↑", "yellow", f"model {data.model} takes over" if not data.problem else data.problem)]
            case HookJudged():
                if data.verdict == "allow":
                    return []
                said = f"hook {data.hook}: {data.verdict}: {_one(data.reason)}"
                return [_note("✗" if data.refuses else "!", "yellow", said)]
            case CompletionClaimed():
                return [_note("?", "cyan", f"completion claimed by the {data.by}; the gates judge")]
            case GateRendered():
                shown = f"{data.page} at {data.width}×{data.height}"
                return [
                    _dim(f"{shown} was looked at" if not data.problem else f"{shown} was not: {_one(data.problem)}")
                ]
            case GateTasted():
                said = f"{len(data.violations)} violations" if not data.problem else _one(data.problem)
                return [_dim(f"taste read by {data.model}: {said}")]
            case GateJudged():
                return [
                    _note(
                        "!" if result.let_pass else "✓" if result.verdict == "PASS" else "✗",
                        "green" if result.word == "PASS" else "yellow",
                        f"gate {result.word}  {result.criterion}" + (f"  ({_one(result.seen)})" if result.seen else ""),
                    )
                    for result in data.results
                ]
            case CompletionRefused():
                return [_note("✗", "yellow", "claim refused; what is missing goes back to the model")]
            case InstructionsChanged():
                how = "is new" if data.old is None else "is gone" if data.new is None else "was edited"
                return [_note("✎", "cyan", f"instructions: {_one(data.path)} {how}")]
            case TaskNeedsInput():
                return [_state("NEEDS_INPUT", data.question)]
            case InputReceived():
                return [_note("«", "magenta", _one(data.text))]
            case TaskCancelRequested():
                return [_note("!", "yellow", f"cancellation requested by {data.by}")]
            case TaskCompleted():
                totals = data.totals
                return [
                    _state("COMPLETE", f"{totals.steps} steps, {totals.tool_calls} tool calls, {totals.seconds:.1f} s")
                ]
            case TaskBlocked() | TaskFailed():
                state = "BLOCKED" if isinstance(data, TaskBlocked) else "FAILED"
                way_out = f"  → {data.reason.unblock}" if data.reason.unblock else ""
                return [_state(state, f"{data.reason.code}: {data.reason.text}{way_out}")]
            case ProposalCreated():
                return [_note("✎", "cyan", f"proposal: {data.title}")]
            case ProposalApproved() | LearntRolledBack():
                done = "approved" if isinstance(data, ProposalApproved) else "rolled back"
                return [_note("✎", "cyan", f"{_learnt(data.learnt)} {done} by {data.by}")]
            case ProposalRejected():
                return [_note("✎", "cyan", f"{data.proposal_id} rejected by {data.by}")]
            case LearntPromoted() | LearntDemoted():
                done = "established" if isinstance(data, LearntPromoted) else "demoted"
                had = f"{data.score.successes} of {data.score.successes + data.score.failures} tasks with it succeeded"
                return [_note("✎", "cyan", f"{_learnt(data.learnt)} {done}: {had}")]
            case _:
                return []


def _learnt(learnt: Learnt) -> str:
    return f"{learnt.kind} {learnt.name}@{learnt.version}"


def _state(state: str, text: str) -> Text:
    return Text.assemble((f"● {state}", _STATE_STYLES[state]), f"  {_whole(text)}" if text else "")


def _note(mark: str, style: str, text: str) -> Text:
    return Text.assemble("  ", (mark, style), f" {_whole(text)}")


def _dim(text: str) -> Text:
    return Text(f"  {_whole(text)}", style="dim")


def _whole(text: str) -> str:
    return visible_line(" ".join(text.splitlines()))


def _one(text: str, limit: int = 100) -> str:
    """The first line of a text, cut to `limit` characters."""
    stripped = text.strip()
    line = visible_line((stripped.splitlines() or [""])[0])
    cut = line if len(line) <= limit else line[: limit - 1] + "…"
    return cut + (" …" if len(stripped.splitlines()) > 1 and not cut.endswith("…") else "")

"""What the events that this process has appended say to the metrics: each counts once, where it was written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from arreio_contracts import events

from shared.observing import metrics


class Written(Protocol):
    """The part of an appended event that is looked at."""

    @property
    def type(self) -> str:
        """The event's type."""
        ...

    @property
    def data(self) -> events.EventData | Any:
        """Its contract; anything else is counted by its type alone."""
        ...


def appended(written: Iterable[Written], seconds: float) -> None:
    """Count events that were committed by one append of so many seconds."""
    if not metrics.APPENDED.on:
        return
    metrics.APPEND.observe(seconds)
    for event in written:
        metrics.APPENDED.add(event.type)
        _count(event.data)


def _count(data: object) -> None:
    match data:
        case events.ModelReplied():
            metrics.MODEL_REQUESTS.add(amount=data.requests)
            _used(data.usage, data.cost_usd)
        case events.HistorySummarised() | events.PlanMade() | events.GateTasted():
            _used(data.usage, data.cost_usd)
        case events.ModelFailed():
            metrics.MODEL_ERRORS.add(data.kind)
        case events.ToolFinished():
            if data.loop is not None:
                metrics.LOOPS.add(data.loop.kind, data.loop.level)
        case events.ToolRefused():
            metrics.REFUSALS.add("call", data.code)
        case events.TurnRejected():
            metrics.REFUSALS.add("turn", data.code)
        case events.CompletionRefused():
            metrics.REFUSALS.add("claim", data.by)
        case events.LadderClimbed():
            metrics.LADDER.add(data.rung)
        case events.GateJudged():
            metrics.CLAIMS.add(data.verdict)
            for result in data.results:
                metrics.GATE_VERDICTS.add(_kind(result.criterion), result.verdict)
        case events.TaskCreated():
            metrics.TASKS_CREATED.add()
        case events.TaskResumed():
            metrics.TAKEOVERS.add(data.cause)
        case _:
            _count_end(data)


def _count_end(data: object) -> None:
    match data:
        case events.TaskCompleted():
            metrics.TASKS_ENDED.add("COMPLETE", "")
        case events.TaskNeedsInput():
            metrics.TASKS_ENDED.add("NEEDS_INPUT", "")
        case events.TaskBlocked():
            metrics.TASKS_ENDED.add("BLOCKED", data.reason.code)
        case events.TaskFailed():
            metrics.TASKS_ENDED.add("FAILED", data.reason.code)


def _used(usage: events.Usage, cost_usd: float) -> None:
    metrics.TOKENS.add("input", amount=max(0, usage.prompt_tokens))
    metrics.TOKENS.add("output", amount=max(0, usage.completion_tokens))
    metrics.COST.add(amount=max(0.0, cost_usd))


def _kind(criterion: str) -> str:
    """The kind of a criterion as a person writes it; a rule of taste is written without one."""
    kind = criterion.partition(":")[0]
    return kind if kind in metrics.GATES else "taste"

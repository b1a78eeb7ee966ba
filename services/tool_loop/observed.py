"""What the steps of a task show to metrics and traces. It changes nothing of what they do, and no decision reads it."""

import time
from collections.abc import Awaitable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Final

from arreio_contracts.events import EventData, ModelFailed, ModelReplied, ToolFinished

from shared.observing import metrics
from shared.observing.span import Span
from shared.observing.tracing import begin, span

from .steps import (
    AskModel,
    AwaitInput,
    AwaitJudgement,
    BuildContext,
    CheckClaim,
    CheckPackages,
    End,
    MakePlan,
    Pause,
    Probe,
    RunHooks,
    RunTool,
    Step,
    Summarise,
)

_PARTS: Final[dict[type[Step], str]] = {BuildContext: "context", AskModel: "model", RunTool: "tool"}
_SPANS: Final[dict[type[Step], str]] = {
    MakePlan: "plan.make",
    Summarise: "history.summarise",
    RunHooks: "hooks.run",
    CheckPackages: "packages.check",
    CheckClaim: "claim.check",
    Probe: "criteria.probe",
}
_ENDS_TURN: Final = (BuildContext, AwaitJudgement, AwaitInput, End)


class Turns:
    """The turns of one run of a task, one after the other: each from the request for its prompt to the next one's."""

    def __init__(self) -> None:
        self._turn: Span | None = None
        self._began = 0.0
        self._last: type[Step] | None = None

    async def observe(
        self, step: Step, around: str, steps: int, doing: Awaitable[Sequence[EventData]]
    ) -> Sequence[EventData]:
        """Await what a step does; `around` is the trace context of the task's run, `steps` its replies so far."""
        # A context-builder that was away is asked again: that is still the same turn.
        if isinstance(step, _ENDS_TURN) and not (isinstance(step, BuildContext) and self._last is BuildContext):
            self.end()
            if isinstance(step, BuildContext):
                self._begin(around, steps + 1)
        self._last = type(step)
        inside = self._turn.traceparent if self._turn is not None else around
        part = _PARTS.get(type(step))
        with metrics.TURN_PART.timed(part) if part else nullcontext(), _span(step, inside or around) as seen:
            facts = await doing
            if seen is not None:
                _note(seen, facts)
        if isinstance(step, RunTool):
            _count_call(step, facts)
        return facts

    def end(self) -> None:
        """The turn under way is over."""
        if self._turn is not None:
            metrics.TURN.observe(time.perf_counter() - self._began)
            self._turn.end()
            self._turn = None

    def _begin(self, around: str, step: int) -> None:
        self._began = time.perf_counter()
        self._turn = begin("turn", around, arreio__turn__step=step)


def _span(step: Step, parent: str) -> AbstractContextManager[Span | None]:
    match step:
        case BuildContext():
            return span("context.assemble", parent, "client")
        case AskModel(request):
            return span(
                f"chat {request.model}",
                parent,
                "client",
                gen_ai__operation__name="chat",
                gen_ai__provider__name=request.model.partition("/")[0],
                gen_ai__request__model=request.model,
                gen_ai__request__temperature=request.temperature,
                gen_ai__request__seed=request.seed,
                gen_ai__request__choice__count=request.samples,
                arreio__model__mode=request.mode,
                arreio__model__attempt=request.attempt,
            )
        case RunTool(started):
            return span(
                f"execute_tool {started.tool}",
                parent,
                gen_ai__operation__name="execute_tool",
                gen_ai__tool__name=started.tool,
                gen_ai__tool__call__id=started.call_id,
                arreio__tool__effect=started.effect,
            )
        case Pause() | AwaitJudgement() | AwaitInput() | End():
            return nullcontext()
        case _:
            return span(_SPANS.get(type(step), "task.prepare"), parent)


def _note(seen: Span, facts: Sequence[EventData]) -> None:
    for fact in facts:
        match fact:
            case ModelReplied():
                seen.note(
                    gen_ai__usage__input_tokens=fact.usage.prompt_tokens,
                    gen_ai__usage__output_tokens=fact.usage.completion_tokens,
                    gen_ai__response__finish_reasons=(fact.finish_reason,),
                    arreio__model__calls=len(fact.calls),
                    arreio__model__cost_dollars=fact.cost_usd,
                )
            case ModelFailed():
                seen.failed(fact.kind)
            case ToolFinished():
                seen.note(arreio__tool__status=fact.status)
                if fact.status != "ok":
                    seen.failed(fact.status)
            case _:
                pass


def _count_call(step: RunTool, facts: Sequence[EventData]) -> None:
    for fact in facts:
        if isinstance(fact, ToolFinished):
            metrics.TOOL_CALLS.add(step.started.effect, fact.status)

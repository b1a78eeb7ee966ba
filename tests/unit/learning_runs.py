"""Events of small tasks, for the rules of learning."""

from __future__ import annotations

from collections.abc import Sequence

from arreio_contracts.events import (
    CompletionRefused,
    EventData,
    GateJudged,
    ModelReplied,
    TaskBlocked,
    TaskCompleted,
    TaskCreated,
    TaskFailed,
    TaskProfiled,
    ToolCall,
    ToolFinished,
    ToolStarted,
    Totals,
)
from arreio_contracts.messages import CriterionResult, Verdict
from arreio_contracts.task import BlockedCode, Budgets, FailedCode, Reason, TaskContract, parse_criterion

from services.learning.seen import Seen, TaskSeen

TOTALS = Totals(steps=1, tool_calls=1, prompt_tokens=1, completion_tokens=1, cost_usd=0, seconds=1)
COMPLETED = TaskCompleted(claim_id="c2", reply="The reply of the model.", totals=TOTALS)


def created(goal: str = "Mend the parser") -> TaskCreated:
    return TaskCreated(goal=goal, contract=TaskContract(), channel="cli", message_id="m", at_ms=0)


def profiled(*criteria: str, language: str = "en") -> TaskProfiled:
    return TaskProfiled.model_validate(
        {
            "model": "m",
            "capability": {},
            "budgets": Budgets(),
            "agent": "developer",
            "workspace": "/srv/app",
            "criteria": [parse_criterion(one) for one in criteria],
            "tools": (),
            "language": language,
        }
    )


def judged(claim_id: str, verdict: Verdict, *criteria: str, seen: str = "") -> GateJudged:
    results = tuple(CriterionResult(criterion=one, verdict=verdict, seen=seen) for one in criteria)
    return GateJudged(claim_id=claim_id, verdict=verdict, results=results)


def refused(claim_id: str) -> CompletionRefused:
    return CompletionRefused(claim_id=claim_id, verdict="FAIL", nudge="AssertionError: 3 is not 4")


def blocked(code: BlockedCode, text: str = "why") -> TaskBlocked:
    return TaskBlocked(reason=Reason(code=code, text=text, evidence=("e2",)), totals=TOTALS)


def failed(code: FailedCode) -> TaskFailed:
    return TaskFailed(reason=Reason(code=code, text="why"), totals=TOTALS)


def ran(number: int, command: str, output: str = "", *, status: int = 0) -> tuple[EventData, ...]:
    """A command that the model called, and what came of it."""
    call_id = f"call{number}"
    replied = ModelReplied.model_validate(
        {
            "content": "",
            "calls": [ToolCall(id=call_id, name="run_command", arguments={"command": command})],
            "finish_reason": "tool_calls",
        }
    )
    started = ToolStarted(call_id=call_id, tool="run_command", effect="command", summary=f"run_command {command}")
    finished = ToolFinished(
        call_id=call_id, tool="run_command", status="error" if status else "ok", text=output, exit_status=status
    )
    return replied, started, finished


def events(*data: EventData) -> list[Seen]:
    return [Seen("s_1", number, f"e{number}", one) for number, one in enumerate(data, 1)]


def task(seen: Sequence[Seen]) -> TaskSeen:
    found = TaskSeen.of(seen)
    assert found is not None
    return found

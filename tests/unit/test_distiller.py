"""What learning takes from a task, and what it never does."""

from arreio_contracts.events import (
    CompletionRefused,
    EventData,
    TaskBlocked,
    TaskCompleted,
    TaskCreated,
    TaskFailed,
    Totals,
)
from arreio_contracts.task import BlockedCode, FailedCode, Reason, TaskContract

from services.learning.distiller import distil

TOTALS = Totals(steps=1, tool_calls=1, prompt_tokens=1, completion_tokens=1, cost_usd=0, seconds=1)
CREATED = TaskCreated(goal="mend it", contract=TaskContract(), channel="cli", message_id="m", at_ms=0)
REFUSED = CompletionRefused(claim_id="c1", verdict="FAIL", nudge="Missing: tests: pytest -q")
COMPLETED = TaskCompleted(claim_id="c2", reply="done", totals=TOTALS)


def events(*data: EventData) -> list[tuple[str, EventData]]:
    return [(f"e{number}", one) for number, one in enumerate((CREATED, *data))]


def blocked(code: BlockedCode) -> TaskBlocked:
    return TaskBlocked(reason=Reason(code=code, text="why", evidence=("e9",)), totals=TOTALS)


def test_a_claim_that_was_refused_before_success_is_a_rule_with_its_evidence() -> None:
    found = distil(events(REFUSED, COMPLETED))
    assert found is not None
    assert "pytest -q" in found.text and "mend it" in found.title
    assert found.provenance == ("e1", "e2")


def test_a_task_that_went_well_teaches_nothing() -> None:
    assert distil(events(COMPLETED)) is None


def test_a_failure_of_the_work_is_a_rule() -> None:
    found = distil(events(blocked("loop")))
    assert found is not None and found.provenance == ("e1", "e9")
    code: FailedCode = "max_steps"
    assert distil(events(TaskFailed(reason=Reason(code=code, text="why"), totals=TOTALS))) is not None


def test_a_failure_of_the_environment_is_never_learnt() -> None:
    codes: tuple[BlockedCode, ...] = ("cancelled", "gate_environment", "provider_auth", "crash_loop", "input_expired")
    assert [distil(events(blocked(code))) for code in codes] == [None] * len(codes)


def test_a_task_that_has_not_ended_teaches_nothing() -> None:
    assert distil(events(REFUSED)) is None

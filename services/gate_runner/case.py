"""What is known of a claim: read from a task's events, it is all that judging needs to know."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from arreio_contracts import events
from arreio_contracts.messages import JudgeClaim
from arreio_contracts.task import (
    CommandCriterion,
    ContractCriterion,
    Criterion,
    FileContainsCriterion,
    FileExistsCriterion,
    ScreenshotCriterion,
    TaskContract,
    TestsCriterion,
)

from shared.observing.trace_context import valid
from shared.store.events import RecordedEvent

from .taste import returned_before

TYPES: Final = (
    "task.created",
    "task.profiled",
    "tool.finished",
    "claim.checked",
    "completion.claimed",
    "gate.started",
    "gate.tasted",
    "gate.judged",
)


@dataclass(frozen=True, slots=True)
class Case:
    """A claim with what it is judged by."""

    claim: events.CompletionClaimed
    claim_event: str
    correlation: str
    traceparent: str
    contract: TaskContract
    profile: events.TaskProfiled
    beginnings: int
    goal: str = ""
    ungrounded: tuple[str, ...] = ()
    changed: bool = False
    """Whether a tool was seen to change the workspace."""
    returned: int = 0
    """How many earlier claims taste alone sent back."""
    tasted: tuple[events.GateTasted, ...] = ()
    """What a model was asked on taste so far, for this claim and for earlier ones."""


def case_of(found: JudgeClaim, history: Sequence[RecordedEvent]) -> Case | None:
    """What is known of a claim; None where there is nothing to judge, or it was judged before."""
    created: events.TaskCreated | None = None
    profile: events.TaskProfiled | None = None
    claim: RecordedEvent | None = None
    beginnings = 0
    changed = False
    tasted: list[events.GateTasted] = []
    judged: list[Sequence[dict[str, Any]]] = []
    checked: tuple[str, ...] = ()
    ungrounded: tuple[str, ...] = ()
    for event in history:
        if event.task_id != found.task_id:
            continue
        match event.type:
            case "task.created":
                created = events.TaskCreated.known_of(event.data)
            case "task.profiled":
                profile = events.TaskProfiled.known_of(event.data)
            case "tool.finished":
                changed = changed or bool(event.data.get("workspace_changed") or event.data.get("changed"))
            case "claim.checked":
                checked = events.ClaimChecked.known_of(event.data).ungrounded
            case "completion.claimed" if event.data["claim_id"] == found.claim_id:
                # What was found out last is about this claim, unless the harness itself speaks.
                claim, ungrounded = event, checked if event.data["by"] == "model" else ()
            case "gate.started" if event.data["claim_id"] == found.claim_id:
                beginnings += 1
            case "gate.tasted":
                tasted.append(events.GateTasted.known_of(event.data))
            case "gate.judged" if event.data["claim_id"] == found.claim_id:
                return None
            case "gate.judged":
                judged.append(event.data["results"])
    if created is None or profile is None or claim is None:
        return None
    said = events.CompletionClaimed.known_of(claim.data)
    return Case(
        claim=said,
        claim_event=claim.event_id,
        correlation=claim.metadata.correlation or claim.event_id,
        traceparent=valid(claim.metadata.traceparent),
        contract=created.contract,
        profile=profile,
        beginnings=beginnings,
        goal=created.goal,
        ungrounded=ungrounded,
        changed=changed,
        returned=returned_before(judged),
        tasted=tuple(tasted),
    )


def commands_of(criteria: Sequence[Criterion]) -> tuple[str, ...]:
    """The commands that criteria run."""
    return tuple(one.run for one in criteria if isinstance(one, CommandCriterion | TestsCriterion))


def artefacts_of(criteria: Sequence[Criterion]) -> tuple[str, ...]:
    """The files that criteria want to be written."""
    wanted = FileExistsCriterion | FileContainsCriterion | ContractCriterion | ScreenshotCriterion
    return tuple(one.path.removeprefix("./") for one in criteria if isinstance(one, wanted))

"""What the log says of a task's names, packages and claims: a part of the state of the loop, folded with it. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from arreio_contracts.events import (
    ClaimChecked,
    Effect,
    EventData,
    InputReceived,
    ModelReplied,
    PackagesChecked,
    TaskNeedsInput,
    ToolFinished,
    ToolRefused,
    ToolStarted,
)
from arreio_contracts.grounding import Package

from ..replacing import replace

ABSTAIN = "abstain"
"""The tool by which a model says that it does not know; its call tells nothing."""


@dataclass(frozen=True)
class GroundingState:
    """What was found out, and what a person said of it."""

    touched: Mapping[str, frozenset[str]] = field(default_factory=lambda: MappingProxyType({}))
    """The files that the task wrote, each with the names that stood for nothing before it did."""
    packages: PackagesChecked | None = None
    """What was found of the last call that would install something."""
    allowed: frozenset[Package] = frozenset()
    declined: frozenset[Package] = frozenset()
    asked: tuple[Package, ...] = ()
    """What a person was last asked to allow."""
    answer: str | None = None
    """What was said to that, until it is understood."""
    claim: ClaimChecked | None = None
    """What stands against a claim now; None: it was not looked at since something happened."""
    running: Effect | None = None
    """What the call that was started last may do."""
    called: bool = False
    """Whether a call came out well, so that something of the world was seen."""
    acted: bool = False
    """Whether one did that may change something outside the reply."""
    returned: int = 0
    """How often a claim went back for what its text names."""


def fold(known: GroundingState, data: EventData) -> GroundingState:
    """Take in one event of the task."""
    match data:
        case ModelReplied():
            return known if known.claim is None else replace(known, claim=None)
        case ToolStarted():
            return replace(known, running=data.effect)
        case ToolFinished():
            return _finished(_came_out(known, data), data)
        case PackagesChecked():
            return replace(
                known,
                packages=data,
                allowed=known.allowed | set(data.allowed),
                declined=(known.declined | set(data.declined)) - set(data.allowed),
                asked=() if known.answer is not None else known.asked,
                answer=None,
            )
        case TaskNeedsInput() if data.packages:
            return replace(known, asked=data.packages, answer=None)
        case InputReceived() if known.asked and known.answer is None:
            return replace(known, answer=data.text)
        case ClaimChecked():
            return replace(known, claim=data)
        case ToolRefused(code="ungrounded") if known.claim is not None and not known.claim.missing:
            return replace(known, returned=known.returned + 1)
        case _:
            return known


def _came_out(known: GroundingState, data: ToolFinished) -> GroundingState:
    if data.status != "ok" or data.tool == ABSTAIN or known.acted:
        return known
    return replace(known, called=True, acted=known.running in ("file", "command"))


def _finished(known: GroundingState, data: ToolFinished) -> GroundingState:
    if data.names is None and not data.created and not data.changed:
        return known if known.claim is None else replace(known, claim=None)
    touched = dict(known.touched)
    if data.names is not None:
        touched.setdefault(data.names.path, frozenset(data.names.before))
    for path in data.created:
        touched.setdefault(path, frozenset())
    for path, digest in data.changed.items():
        if digest is None:
            touched.pop(path, None)
    if touched == known.touched:
        return known if known.claim is None else replace(known, claim=None)
    return replace(known, touched=MappingProxyType(touched), claim=None)

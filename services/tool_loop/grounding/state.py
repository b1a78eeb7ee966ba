"""What the log says of a task's names, packages and claims: a part of the state of the loop, folded with it. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

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
    take = _FOLDS.get(type(data))
    return known if take is None else take(known, data)


def _replied(known: GroundingState, _data: ModelReplied) -> GroundingState:
    return known if known.claim is None else replace(known, claim=None)


def _started(known: GroundingState, data: ToolStarted) -> GroundingState:
    return known if known.running == data.effect else replace(known, running=data.effect)


def _tool_finished(known: GroundingState, data: ToolFinished) -> GroundingState:
    return _finished(_came_out(known, data), data)


def _checked(known: GroundingState, data: PackagesChecked) -> GroundingState:
    return replace(
        known,
        packages=data,
        allowed=known.allowed | set(data.allowed),
        declined=(known.declined | set(data.declined)) - set(data.allowed),
        asked=() if known.answer is not None else known.asked,
        answer=None,
    )


def _asked(known: GroundingState, data: TaskNeedsInput) -> GroundingState:
    return replace(known, asked=data.packages, answer=None) if data.packages else known


def _answered(known: GroundingState, data: InputReceived) -> GroundingState:
    return replace(known, answer=data.text) if known.asked and known.answer is None else known


def _claim_checked(known: GroundingState, data: ClaimChecked) -> GroundingState:
    return replace(known, claim=data)


def _refused(known: GroundingState, data: ToolRefused) -> GroundingState:
    back = data.code == "ungrounded" and known.claim is not None and not known.claim.missing
    return replace(known, returned=known.returned + 1) if back else known


def _came_out(known: GroundingState, data: ToolFinished) -> GroundingState:
    if data.status != "ok" or data.tool == ABSTAIN or known.acted:
        return known
    acted = known.running in ("file", "command")
    return known if known.called and not acted else replace(known, called=True, acted=acted)


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


_FOLDS: Final[Mapping[type[EventData], Callable[[GroundingState, Any], GroundingState]]] = {
    ModelReplied: _replied,
    ToolStarted: _started,
    ToolFinished: _tool_finished,
    PackagesChecked: _checked,
    TaskNeedsInput: _asked,
    InputReceived: _answered,
    ClaimChecked: _claim_checked,
    ToolRefused: _refused,
}

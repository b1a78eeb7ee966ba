"""The ladder: what follows when a task does not get on. Nothing else gives a task up for what its model does.

Rungs from the lowest: `nudge` (it is said), `redecompose` (the plan is made anew from what is unmet), `escalate` (a
stronger model is asked); above the last one the task is BLOCKED with a diagnosis. Each rung is tried once; one that a
task does not have is left out. Real progress (`progress.py`) or an input of a person puts a task back on the ground:
`state.evolve` folds that. However often that happens, a task climbs at most `MAX_CLIMBS` times in all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from arreio_contracts.events import EventData, LadderClimbed, Rung
from arreio_contracts.task import BlockedCode

from . import nudges
from .endings import blocked, end, language
from .state import LoopState

MAX_CLIMBS: Final = 12
"""Rungs that one task climbs in all, progress or not."""

RUNGS: Final[tuple[Rung, ...]] = get_args(Rung)

Kind = Literal["rejected_turns", "unchanged_claims", "refused_claims", "loop", "ungrounded"]
"""What does not get on: turns without an action, a claim made again unchanged, claims that the gates refuse one after
the other, the same thing over and over, claims about what was never seen."""

_STRONGER = "use a stronger model or make the goal more exact"


@dataclass(frozen=True)
class Trouble:
    """What keeps a task from getting on.

    `code` is what it is BLOCKED with in the end, `text` says for a person what repeated, `evidence` are ids of events,
    `unblock` what would let it go on. `told` says for the model, in the language of the task, what repeated; `nudged`:
    it was told that already, so that the nudge would say it again.
    """

    kind: Kind
    code: BlockedCode
    text: str
    evidence: tuple[str, ...] = ()
    unblock: str = _STRONGER
    told: str = ""
    nudged: bool = False


def climb(state: LoopState, trouble: Trouble) -> Sequence[EventData]:
    """The next rung of this task, or its end BLOCKED. Calls of the turn that were not run get their result first."""
    rung = next_rung(state, trouble)
    if rung is None:
        text, evidence = _diagnosis(state, trouble), _evidence(state, trouble)
        return end(state, blocked(state, trouble.code, text, evidence, trouble.unblock))
    nudge = nudges.ladder(rung, trouble.told, language(state))
    evidence = tuple(filter(None, trouble.evidence))
    return end(state, LadderClimbed(rung=rung, cause=trouble.kind, code=trouble.code, nudge=nudge, evidence=evidence))


def next_rung(state: LoopState, trouble: Trouble) -> Rung | None:
    """The lowest rung above those that were climbed since the last progress; None: there is none left."""
    if state.climbs >= MAX_CLIMBS:
        return None
    highest = max((RUNGS.index(one.rung) for one in state.climbed), default=-1)
    above = RUNGS[highest + 1 :]
    return next((rung for rung in above if _available(rung, trouble)), None)


def _available(rung: Rung, trouble: Trouble) -> bool:
    return rung == "nudge" and not trouble.nudged


def _diagnosis(state: LoopState, trouble: Trouble) -> str:
    """What repeated, and what was tried against it."""
    if not state.climbed:
        return trouble.text
    tried = ", then ".join(_TRIED[one.rung] for one in state.climbed)
    return f"{trouble.text}; tried before: {tried}"


_TRIED: Final[dict[Rung, str]] = {
    "nudge": "the model was told",
    "redecompose": "the plan was made anew",
    "escalate": "a stronger model was asked",
}


def _evidence(state: LoopState, trouble: Trouble) -> tuple[str, ...]:
    return (*trouble.evidence, *(one.event_id for one in state.climbed))

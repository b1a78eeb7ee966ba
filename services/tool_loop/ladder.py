"""The ladder: what follows when a task does not get on. Nothing else gives a task up for what its model does.

Rungs from the lowest: `nudge` (it is said), `redecompose` (the plan is made anew from what is unmet), `escalate` (a
stronger model is asked); above the last one the task is BLOCKED with a diagnosis. Each rung is tried once; one that a
task does not have is left out. Real progress (`progress.py`) or an input of a person puts a task back on the ground:
`fold_ladder.got_on` and `fold` say so. However often that happens, a task climbs at most `MAX_CLIMBS` times in all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from arreio_contracts.events import EventData, LadderClimbed, Rung
from arreio_contracts.task import BlockedCode

from . import nudges
from .decomposing import can_plan_anew
from .endings import blocked, end, hindered, language, profile_of
from .state import LoopState

MAX_CLIMBS: Final = 12
"""Rungs that one task climbs in all, progress or not."""

RUNGS: Final[tuple[Rung, ...]] = get_args(Rung)

Kind = Literal["rejected_turns", "unchanged_claims", "unrun_claims", "unfinished_plan", "loop", "ungrounded"]
"""What does not get on: turns without an action, claims made again with nothing changed, claims that no gate can judge,
a plan that was gone through in vain, the same thing over and over, claims about what was never seen."""

_STRONGER: Final = "use a stronger model or make the goal more exact"
_TRIED: Final[dict[Rung, str]] = {
    "nudge": "the model was told",
    "redecompose": "the plan was made anew",
    "escalate": "a stronger model was asked",
}


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
        by_hook = hindered(state)
        text = _diagnosis(trouble.text, state) + by_hook
        unblock = f"do what the hook asks for, or remove it; else {trouble.unblock}" if by_hook else trouble.unblock
        evidence = (*trouble.evidence, *(one.event_id for one in state.climbed))
        return end(state, blocked(state, trouble.code, text, evidence, unblock))
    climbed = LadderClimbed(
        rung=rung,
        cause=trouble.kind,
        code=trouble.code,
        text=trouble.text,
        nudge=nudges.ladder(rung, trouble.told, language(state)),
        evidence=tuple(filter(None, trouble.evidence)),
    )
    return end(state, climbed)


def next_rung(state: LoopState, trouble: Trouble) -> Rung | None:
    """The lowest rung above those that were climbed since the last progress; None: there is none left."""
    if state.climbs >= MAX_CLIMBS:
        return None
    highest = max((RUNGS.index(one.rung) for one in state.climbed), default=-1)
    return next((rung for rung in RUNGS[highest + 1 :] if _has(state, rung, trouble)), None)


def fallen(state: LoopState, why: str) -> Sequence[EventData]:
    """The end of a task whose stronger model cannot be asked: BLOCKED by the trouble that led to it."""
    last = state.climbed[-1].data
    text = f"{_diagnosis(last.text, state, upto=-1)}; the stronger model could not be asked: {why}"
    evidence = (*last.evidence, *(one.event_id for one in state.climbed), state.failure_event)
    unblock = "let the services reach the stronger model, or make the goal more exact"
    return end(state, blocked(state, last.code, text, evidence, unblock))


def _has(state: LoopState, rung: Rung, trouble: Trouble) -> bool:
    """Whether this task has that rung."""
    match rung:
        case "nudge":
            return not trouble.nudged
        case "redecompose":
            return can_plan_anew(state)
        case "escalate":
            profile = profile_of(state)
            stronger = profile.capability.get("escalates_to")
            return bool(stronger) and stronger not in (*state.models, profile.model)


def _diagnosis(repeated: str, state: LoopState, upto: int | None = None) -> str:
    """What repeated, and what was tried against it."""
    tried = [f"{_TRIED[one.rung]} ({one.data.text})" for one in state.climbed[:upto]]
    return f"{repeated}; tried before: {', then '.join(tried)}" if tried else repeated

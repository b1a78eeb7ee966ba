"""What a rule against loops is: it sees one step after the other, and says when a step is one too many."""

from dataclasses import dataclass
from typing import Protocol

from arreio_contracts.events import LoopKind, StepDigest

KEPT_REFS = 8
"""So many steps are named as evidence, the last ones."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When what a model does is taken for a loop; the fields are those of the capability profile."""

    n_repeat: int = 3
    polling_limit: int = 30
    cycle_window: int = 20
    cycle_repetitions: int = 2
    circuit_breaker: int = 5
    progress_budget: int = 25

    @property
    def failed_waits(self) -> int:
        """So often may a wait fail alike: more often than what is not waited for, less often than it may go on."""
        return self.polling_limit * 2 // 5


@dataclass(frozen=True, slots=True)
class Moment:
    """A step and when it was. `ref` names it in evidence; the counts are those from the beginning up to this step.

    `changes` counts changes of the workspace, but for a call that changed it just as the last one did; `inputs` what
    people said; `waits` steps that let time pass; `news` steps that brought something new. A call is tried afresh after
    a change or an input: `fresh`. `anew`: the step led the workspace to a content that it never had before. `excused`:
    it looked in vain for what may well be what was removed. `grown`: so many lines edits have put in until now.
    """

    seen: StepDigest
    ref: str
    at: int
    changes: int
    inputs: int
    waits: int
    news: int = 0
    anew: bool = False
    excused: bool = False
    grown: int = 0

    @property
    def fresh(self) -> int:
        """Differs from an earlier step's if the workspace changed, or somebody said something, between."""
        return self.changes + self.inputs

    @property
    def forbids(self) -> str | None:
        """What is refused where this call is one too many. A word is not: others have its fingerprint."""
        return None if self.seen.heard or self.seen.alike else self.seen.call


@dataclass(frozen=True, slots=True)
class Finding:
    """A step that is one too many. `forbids`: the call that is refused from now on, until something changes."""

    kind: LoopKind
    breaks: bool
    why: str
    refs: tuple[str, ...]
    forbids: str | None = None


class Rule(Protocol):
    """A fold over steps in their order. What it costs to observe one does not depend on how many came before.

    The same steps give the same findings, in one piece or in two: all that a rule knows lies in its attributes.
    """

    def observe(self, moment: Moment) -> Finding | None:
        """Take in one step; what is found, or None."""
        ...


def fails(seen: StepDigest) -> bool:
    """Whether the call failed, or its result tells of a failure. What a look shows may well be of failures."""
    return seen.error is not None or (seen.symptom is not None and not seen.probes)


def told(seen: StepDigest) -> str:
    """What a result tells: figures that were measured and ids that were made are all that may be new of it."""
    return seen.exact if seen.exact is not None and not seen.checks else seen.result


def patience(limits: Limits, seen: StepDigest, *, waited: bool) -> int | None:
    """How often what is waited for may come out alike; None: nothing is waited for.

    Less often where no pause is made, and that something goes on is told by the result alone.
    """
    failed = fails(seen)
    if waited:
        return limits.failed_waits if failed else limits.polling_limit
    if seen.pending:
        return limits.polling_limit // 4 if failed else limits.polling_limit
    return None


def polls(seen: StepDigest) -> bool:
    """Whether a call is known to be one that waits or polls, whatever its result says."""
    return seen.polling and not seen.pending


def how_it_failed(seen: StepDigest) -> str | None:
    """The class of a failure; None: it did not fail, or its result counts failing tests and says itself which."""
    if seen.error is not None:
        return seen.error
    return seen.symptom if fails(seen) and seen.failing is None else None


def kept(refs: tuple[str, ...], ref: str) -> tuple[str, ...]:
    """The evidence with one more step, the last few."""
    return (*refs, ref)[-KEPT_REFS:]

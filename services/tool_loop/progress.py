"""What counts as real progress of a task: a criterion holds that never held, or fewer tests fail than ever before.

Both only ever improve, so a task that goes to and fro makes no progress by it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from arreio_contracts.messages import CriterionResult, Verdict


@dataclass(frozen=True)
class Progress:
    """How far a task has come, by the number of the criterion: the best ever, and how each was last seen to stand."""

    met: frozenset[int] = frozenset()
    fewest_failing: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    standing: Mapping[int, Verdict] = field(default_factory=lambda: MappingProxyType({}))


def probed(known: Progress, verdicts: Sequence[Verdict | None]) -> Progress:
    """After a probe of the cheap criteria."""
    seen = {number: verdict for number, verdict in enumerate(verdicts) if verdict is not None}
    met = known.met | {number for number, verdict in seen.items() if verdict == "PASS"}
    return replace(known, met=met, standing=MappingProxyType({**known.standing, **seen}))


def judged(known: Progress, results: Sequence[CriterionResult]) -> Progress:
    """After a judgement of every criterion. The first count of failing tests is what later ones are measured by."""
    fewest = dict(known.fewest_failing)
    for number, result in enumerate(results):
        if result.counts is not None:
            fewest[number] = min(fewest.get(number, result.counts.failed), result.counts.failed)
    after = probed(known, [result.verdict for result in results])
    return replace(after, fewest_failing=MappingProxyType(fewest))


def improved(before: Progress, after: Progress) -> bool:
    """Whether the task got on."""
    fewer = any(
        count < before.fewest_failing[number]
        for number, count in after.fewest_failing.items()
        if number in before.fewest_failing
    )
    return fewer or not after.met <= before.met

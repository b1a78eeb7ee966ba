"""What counts as real progress of a task: a criterion holds that never held, or fewer tests fail than ever before.

Both only ever improve, so a task that goes to and fro makes no progress by it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from arreio_contracts.messages import CriterionResult, Verdict


@dataclass(frozen=True)
class Progress:
    """The best that a task has come to, by the number of the criterion."""

    met: frozenset[int] = frozenset()
    fewest_failing: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))


def probed(best: Progress, verdicts: Sequence[Verdict | None]) -> Progress:
    """After a probe of the cheap criteria."""
    met = {number for number, verdict in enumerate(verdicts) if verdict == "PASS"}
    return best if met <= best.met else replace(best, met=best.met | met)


def judged(best: Progress, results: Sequence[CriterionResult]) -> Progress:
    """After a judgement of every criterion. The first count of failing tests is what later ones are measured by."""
    after = probed(best, [result.verdict for result in results])
    fewest = dict(best.fewest_failing)
    for number, result in enumerate(results):
        if result.counts is not None:
            fewest[number] = min(fewest.get(number, result.counts.failed), result.counts.failed)
    if fewest == best.fewest_failing:
        return after
    return replace(after, fewest_failing=MappingProxyType(fewest))


def improved(before: Progress, after: Progress) -> bool:
    """Whether the task got on."""
    fewer = any(
        count < before.fewest_failing[number]
        for number, count in after.fewest_failing.items()
        if number in before.fewest_failing
    )
    return fewer or not after.met <= before.met

"""What counts as real progress of a task: a criterion holds that never held, or fewer tests fail than ever before.

Both only ever improve, so a task that goes to and fro makes no progress by it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from arreio_contracts.messages import CriterionResult, TestCounts, Verdict


@dataclass(frozen=True)
class Progress:
    """How far a task has come, by the number of the criterion: the best ever, and how each was last seen to stand."""

    met: frozenset[int] = frozenset()
    fewest_failing: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    standing: Mapping[int, Verdict] = field(default_factory=lambda: MappingProxyType({}))


def probed(known: Progress, verdicts: Sequence[Verdict | None], counts: Sequence[TestCounts | None] = ()) -> Progress:
    """After a look at the criteria. The first count of failing tests is what later ones are measured by."""
    seen = {number: verdict for number, verdict in enumerate(verdicts) if verdict is not None}
    met = known.met | {number for number, verdict in seen.items() if verdict == "PASS"}
    fewest = dict(known.fewest_failing)
    for number, count in enumerate(counts):
        if count is not None:
            fewest[number] = min(fewest.get(number, count.failed), count.failed)
    standing = MappingProxyType({**known.standing, **seen})
    return replace(known, met=met, standing=standing, fewest_failing=MappingProxyType(fewest))


def judged(known: Progress, results: Sequence[CriterionResult]) -> Progress:
    """After a judgement of every criterion."""
    return probed(known, [result.verdict for result in results], [result.counts for result in results])


def improved(before: Progress, after: Progress) -> bool:
    """Whether the task got on."""
    fewer = any(
        count < before.fewest_failing[number]
        for number, count in after.fewest_failing.items()
        if number in before.fewest_failing
    )
    return fewer or not after.met <= before.met

"""The verdict on a claim, from the results of its criteria."""

from collections.abc import Sequence

from arreio_contracts.messages import CriterionResult, Verdict


def aggregate(results: Sequence[CriterionResult], declared: int) -> Verdict:
    """Any FAIL fails; any criterion of the `declared` that is missing or NOT_RUN makes NOT_RUN; PASS needs every one.

    Nothing declared is nothing verified: NOT_RUN.
    """
    verdicts = [result.verdict for result in results]
    if "FAIL" in verdicts:
        return "FAIL"
    if declared == 0 or len(verdicts) < declared or "NOT_RUN" in verdicts:
        return "NOT_RUN"
    return "PASS"

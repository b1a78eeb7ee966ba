"""Real progress: only what was never reached before."""

from __future__ import annotations

from arreio_contracts.messages import CriterionResult, TestCounts
from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop.progress import Progress, improved, judged, probed


def result(failed: int) -> CriterionResult:
    counts = TestCounts(passed=1, failed=failed)
    return CriterionResult(criterion="tests: pytest", verdict="FAIL" if failed else "PASS", counts=counts)


@given(st.lists(st.integers(min_value=1, max_value=9), min_size=1, max_size=30))
def test_fewer_failing_tests_are_progress_only_below_the_fewest_ever(failing: list[int]) -> None:
    known, fewest = Progress(), None
    for failed in failing:
        after = judged(known, [result(failed)])
        assert improved(known, after) == (fewest is not None and failed < fewest)
        fewest = failed if fewest is None else min(fewest, failed)
        known = after


@given(st.lists(st.lists(st.sampled_from(["PASS", "FAIL", None]), min_size=3, max_size=3), max_size=30))
def test_criteria_are_progress_at_most_once_each(probes: list[list[str | None]]) -> None:
    known, steps = Progress(), 0
    for verdicts in probes:
        after = probed(known, verdicts)  # type: ignore[arg-type]
        steps += improved(known, after)
        known = after
    assert steps <= 3
    last = [next((one[number] for one in reversed(probes) if one[number] is not None), None) for number in range(3)]
    assert [known.standing.get(number) for number in range(3)] == last

"""What is said of tests that a goal opens, and how many of them must still run. Runs are told, not made."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from arreio_contracts.messages import CriterionResult, TestCounts
from arreio_contracts.task import TestsCriterion

from services.gate_runner.commands import Commands, Ran
from services.gate_runner.criteria.again import Judged, judged_twice
from services.gate_runner.criteria.base import Bench, passed
from services.gate_runner.judging_twice import Former
from services.gate_runner.reports import Report
from shared.sandbox import CommandResult
from shared.workspace.changes import Change
from tests.support.gate_workspaces import write_files

TEST = "def test_a():\n    assert 1\n\n\ndef test_b():\n    assert 1\n"
SKIPPED = "import pytest\n\n\n" + TEST.replace("def test_b", "@pytest.mark.skip\ndef test_b")
CRITERION = TestsCriterion(run="pytest -q")


def judged(place: Path, before: Mapping[str, str], now: Mapping[str, str], goal: str, *opened: str) -> CriterionResult:
    """The verdict where `pytest` skips what is marked, and leaves out what pytest.ini deselects."""
    write_files(place, now)

    def told(held: Mapping[str, str]) -> Judged:
        text = held["test_x.py"]
        skipped = text.count("mark.skip")
        ran = text.count("def test") - skipped - ("-k" in held.get("pytest.ini", ""))
        report = Report(TestCounts(passed=ran, failed=0, skipped=skipped), skipped=("test_x.py::test_b",) * skipped)
        return Judged(passed(CRITERION, f"{ran} passed"), Ran(CommandResult(0, "", False, False, None, 0.0)), report)

    async def run(former: Former | None) -> Judged:
        put = {one.path: one.content.decode() for one in former.put} if former else {}
        return told({**now, **put})

    changed = [path for path in now if now[path] != before.get(path)]
    changes = [Change(path, "changed", path, path, mode_before=0o100644, mode_after=0o100644) for path in changed]
    bench = Bench(
        place,
        cast(Commands, None),
        goal=goal,
        verifiers={},
        began=lambda path: before[path].encode() if path in before else None,
        opened=frozenset(opened),
        changes=lambda: changes,
        contents=lambda blobs: {blob: before[blob].encode() for blob in blobs},
    )
    return asyncio.run(judged_twice(told(now), CRITERION, bench, run))


def test_a_test_that_the_goal_has_skipped_may_be_skipped(tmp_path: Path) -> None:
    result = judged(tmp_path, {"test_x.py": TEST}, {"test_x.py": SKIPPED}, "Skip test_b.", "test_x.py::test_b")
    assert result.verdict == "PASS"
    assert "as the goal asks: test_x.py" in result.seen


def test_a_goal_that_opens_tests_for_something_else_has_none_skipped(tmp_path: Path) -> None:
    result = judged(tmp_path, {"test_x.py": TEST}, {"test_x.py": SKIPPED}, "Reword test_x.py.", "test_x.py")
    assert result.verdict == "FAIL"
    assert "test_x.py::test_b" in result.seen


def test_a_configuration_that_is_opened_keeps_no_test_from_being_run(tmp_path: Path) -> None:
    before = {"test_x.py": TEST, "pytest.ini": "[pytest]\n"}
    now = {**before, "pytest.ini": "[pytest]\naddopts = -k a\nmarkers = slow\n"}
    result = judged(tmp_path, before, now, "Register a marker slow in pytest.ini.", "pytest.ini")
    assert result.verdict == "FAIL"
    assert "2 tests ran" in result.seen
    honest = {**before, "pytest.ini": "[pytest]\nmarkers = slow\n"}
    result = judged(tmp_path, before, honest, "Register a marker slow in pytest.ini.", "pytest.ini")
    assert (result.verdict, "as the goal asks: pytest.ini" in result.seen) == ("PASS", True)
    assert judged(tmp_path, before, now, "Exclude test_b in pytest.ini.", "pytest.ini").verdict == "PASS"

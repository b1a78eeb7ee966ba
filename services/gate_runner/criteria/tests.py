"""`tests: CMD` holds when the test command ran at least one test and none failed, by the runner's own count."""

import re
from typing import ClassVar, Final

from arreio_contracts.messages import CriterionResult
from arreio_contracts.task import TestsCriterion

from shared import verifiers

from ..commands import CommandsUnavailable, Ran
from ..reports import Report, read_junit, read_summary
from .base import Bench, cheats, excerpt, failed, not_run, passed, with_output

_PYTEST: Final = re.compile(r"(?:^|[\s/;&|(])(?:pytest|py\.test)(?:$|[\s;&|)])")
_NO_PYTEST: Final = re.compile(r"No module named '?pytest\b")
_SHOWN_FAILURES: Final = 10


class TestsJudge:
    """Judges `tests`."""

    __test__ = False
    cheap: ClassVar[bool] = False

    async def judge(self, criterion: TestsCriterion, bench: Bench) -> CriterionResult:
        """See `Judge.judge`."""
        expected = _expected(criterion)
        tampered = _tampered(bench)
        if tampered:
            return failed(criterion, "the tests as they were when the task began", tampered)
        try:
            ran = await bench.commands.run(criterion.run, report=True)
        except CommandsUnavailable as error:
            return not_run(criterion, str(error), expected=expected, environment=True)
        report = read_junit(ran.report) if ran.report is not None else None
        report = report or read_summary(ran.result.output)
        result = judge_run(criterion, ran, report)
        changes = {"changed": ran.changed, "counts": report.counts if report is not None else None}
        return (await with_output(result, ran.result.output, bench)).model_copy(update=changes)


def judge_run(criterion: TestsCriterion, ran: Ran, report: Report | None) -> CriterionResult:
    """The verdict on a test run, by the table of spec/gates.md."""
    expected, status = _expected(criterion), ran.result.exit_status
    output = excerpt(ran.result.output)
    if ran.limit is not None:
        return failed(criterion, expected, f"{ran.limit}\n{output}")
    if report is None:
        return _uncounted(criterion, ran)
    if report.counts.failed:
        return failed(criterion, expected, _failures(report) or f"{_counted(report)}\n{output}")
    if report.ran == 0:
        return not_run(criterion, _nothing_ran(report), expected=expected)
    if status != 0:
        return failed(criterion, expected, f"{_counted(report)}, but exit status {status}\n{output}")
    if report.ran < criterion.min_tests:
        return failed(criterion, expected, _counted(report))
    return passed(criterion, _counted(report))


def _uncounted(criterion: TestsCriterion, ran: Ran) -> CriterionResult:
    expected, status, output = _expected(criterion), ran.result.exit_status, excerpt(ran.result.output)
    if ran.missing_program is not None:
        return not_run(criterion, f"{ran.missing_program} is not installed", expected=expected, environment=True)
    if _NO_PYTEST.search(ran.result.output):
        return not_run(criterion, "pytest is not installed", expected=expected, environment=True)
    if _PYTEST.search(criterion.run):
        return not_run(criterion, f"no report of the tests; exit status {status}\n{output}", expected=expected)
    if "no tests ran" in ran.result.output.lower() or "no test files" in ran.result.output:
        return not_run(criterion, f"no test was run; exit status {status}\n{output}", expected=expected)
    result = (
        passed(criterion, "exit status 0; no test was counted")
        if status == 0
        else failed(criterion, expected, f"exit status {status}\n{output}")
    )
    return result.model_copy(update={"uncounted": True})


def _tampered(bench: Bench) -> str:
    if bench.verifiers is None or bench.allow_test_changes:
        return ""
    now = verifiers.snapshot(bench.workspace, [path for path in bench.verifiers if "#" not in path])
    return cheats(bench, bench.verifiers, now)


def _expected(criterion: TestsCriterion) -> str:
    least = "at least 1 test" if criterion.min_tests <= 1 else f"at least {criterion.min_tests} tests"
    return f"{least} run and none failed"


def _counted(report: Report) -> str:
    counts = report.counts
    return f"{counts.passed} passed, {counts.failed} failed, {counts.skipped} skipped"


def _nothing_ran(report: Report) -> str:
    return f"all {report.counts.skipped} tests were skipped" if report.counts.skipped else "no test was found"


def _failures(report: Report) -> str:
    if not report.failures:
        return ""
    lines = [f"{failure.name}: {failure.why}" for failure in report.failures[:_SHOWN_FAILURES]]
    more = len(report.failures) - len(lines)
    return "\n".join([_counted(report), *lines, *([f"… and {more} more"] if more > 0 else [])])

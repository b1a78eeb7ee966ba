"""`tests: CMD` holds when the test command ran at least one test and none failed, by the runner's own count."""

import re
from typing import ClassVar, Final

from arreio_contracts.messages import CriterionResult
from arreio_contracts.task import TestsCriterion

from ..commands import CommandsUnavailable, Ran
from ..judging_twice import Former
from ..reports import Report
from ..runners import Runner, named_reports
from .again import Judged, judged_twice
from .base import Bench, excerpt, failed, not_run, passed, with_output
from .doctests import doctests_tampered
from .judging import tests_tampered
from .missing_program import missing_program
from .telling import CUT_OFF, run_told

_MASKED: Final = (
    "although tests failed the command ended with exit status 0: something hides how they ended (a pipe, `|| true`, "
    "code that ends the process when it exits)"
)
_SHOWN_FAILURES: Final = 10
_NOTHING: Final = re.compile(r"no tests ran|no test files|no tests? (?:found|to run)|missing script:", re.I)


class TestsJudge:
    """Judges `tests`."""

    __test__ = False
    cheap: ClassVar[bool] = False

    async def judge(self, criterion: TestsCriterion, bench: Bench) -> CriterionResult:
        """See `Judge.judge`."""
        tampered = tests_tampered(bench, criterion.run)
        if tampered:
            return failed(criterion, "the tests as they were when the task began", tampered)
        if examples := doctests_tampered(bench, criterion.run):
            return failed(criterion, "the examples that are run as tests as they were when the task began", examples)
        try:
            first = await _judged(criterion, bench, None)
            if first.result.verdict != "PASS":
                return first.result
            return await judged_twice(first, criterion, bench, lambda former: _judged(criterion, bench, former))
        except CommandsUnavailable as error:
            return not_run(criterion, str(error), expected=_expected(criterion), environment=True)


async def _judged(criterion: TestsCriterion, bench: Bench, former: Former | None) -> Judged:
    """The verdict by one run of the tests."""
    ran, runner, report = await run_told(criterion.run, bench, former, criterion.report)
    missing = missing_program(ran, bench) if ran.result.exit_status else None
    result = judge_run(criterion, ran, runner, report, old=_old_report(criterion, bench), missing=missing)
    output = f"{report.output if report is not None else ''}{ran.result.output}"
    changes = {"changed": ran.changed, "counts": report.counts if report is not None else None}
    told = (await with_output(result, output, bench)).model_copy(update={**changes, "seconds": ran.result.seconds})
    return Judged(told, ran, report)


def judge_run(
    criterion: TestsCriterion,
    ran: Ran,
    runner: Runner,
    report: Report | None,
    *,
    old: str | None = None,
    missing: str | None = None,
) -> CriterionResult:
    """The verdict on a test run, by the table of spec/gates.md.

    `old` is a report that lay there before the run, `missing` the program that the machine lacks.
    """
    expected, status = _expected(criterion), ran.result.exit_status
    if ran.limit is not None:
        return failed(criterion, expected, f"{ran.limit}\n{excerpt(ran.result.output)}")
    if report is not None and report.odd:
        return failed(criterion, f"{expected}, by an honest run", "\n".join([*report.odd, _counted(report)]))
    if not ran.signed_off and not (report is not None and report.counts.failed):
        return _cut_off(criterion, ran)
    if report is None:
        return _unreported(criterion, ran, runner, old, missing)
    output = excerpt(report.output + ran.result.output)
    if report.counts.failed:
        masked = [_MASKED] if status == 0 else []
        return failed(criterion, expected, "\n".join([_failures(report) or f"{_counted(report)}\n{output}", *masked]))
    if report.ran == 0:
        if criterion.min_tests == 0 and (status == 0 or status in runner.nothing):
            return passed(criterion, _nothing_ran(report))
        why = "" if status == 0 or status in runner.nothing else f"; {ran.ended}\n{output}"
        return not_run(criterion, f"{_nothing_ran(report)}{why}", expected=expected)
    if status != 0:
        return failed(criterion, expected, f"{_counted(report)}, but {ran.ended}\n{output}")
    if report.ran < criterion.min_tests:
        return failed(criterion, expected, _counted(report))
    return passed(criterion, _counted(report))


def _unreported(
    criterion: TestsCriterion, ran: Ran, runner: Runner, old: str | None, missing: str | None
) -> CriterionResult:
    """The verdict where nobody counted: never PASS where a report was due."""
    expected, status = _expected(criterion), ran.result.exit_status
    output = ran.result.output
    if missing is None and status != 0 and runner.absent is not None and runner.absent.search(output):
        missing = runner.name
    if missing is not None:
        return not_run(criterion, f"{missing} is not installed, or may not be run", expected=expected, environment=True)
    said = f"{ran.ended}\n{excerpt(output)}"
    if status in runner.nothing or _NOTHING.search(output):
        return not_run(criterion, f"no test was run; {said}", expected=expected)
    if status == 0 and old is not None:
        return not_run(criterion, f"the report {old} is older than the run; {said}", expected=expected)
    if status == 0 and runner.due:
        return not_run(criterion, f"no report of the tests by {runner.name}; {said}", expected=expected)
    if status != 0:
        return failed(criterion, expected, said).model_copy(update={"uncounted": not runner.due})
    if criterion.min_tests > 1:
        return not_run(criterion, f"no test was counted; {said}", expected=expected)
    return passed(criterion, "exit status 0; no test was counted").model_copy(update={"uncounted": True})


def _cut_off(criterion: TestsCriterion, ran: Ran) -> CriterionResult:
    """The verdict where a session of tests began and its runner never came to its own end."""
    seen = f"{CUT_OFF}\n{ran.ended}\n{excerpt(ran.result.output)}"
    if ran.result.exit_status == 0:
        return not_run(criterion, seen, expected=_expected(criterion))
    return failed(criterion, _expected(criterion), seen)


def _old_report(criterion: TestsCriterion, bench: Bench) -> str | None:
    """A report that the command names and that lies in the workspace already."""
    named = (criterion.report,) if criterion.report is not None else named_reports(criterion.run)
    return next((path for path in named if (bench.workspace / path).is_file()), None)


def _expected(criterion: TestsCriterion) -> str:
    least = "at least 1 test" if criterion.min_tests <= 1 else f"at least {criterion.min_tests} tests"
    return f"{least} run and none failed" if criterion.min_tests else "no test failed"


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

"""`command: CMD` holds when the command ends with status 0."""

import re
from typing import ClassVar, Final

from arreio_contracts.messages import CriterionResult
from arreio_contracts.task import CommandCriterion

from shared.run_files import is_check

from ..commands import CommandsUnavailable, Ran
from ..judging_twice import Former
from ..runners import marks_of, started_tests, watched_starts
from .again import Judged, judged_twice
from .base import Bench, excerpt, failed, not_run, passed, with_output
from .doctests import doctests_tampered
from .judging import has_tests, runs_tests, scripts_tampered, tests_tampered
from .missing_program import missing_program
from .overwriting import with_reads
from .telling import CUT_OFF, run_told

EXPECTED = "exit status 0"
_UP_TO_DATE: Final = re.compile(r"^make(?:\[\d+\])?: [`'‘]([^'’]+)['’] is up to date\.", re.M)


class CommandJudge:
    """Judges `command`."""

    cheap: ClassVar[bool] = False

    async def judge(self, criterion: CommandCriterion, bench: Bench) -> CriterionResult:
        """See `Judge.judge`."""
        try:
            result, started = await _held(criterion, bench, runs_tests(bench.workspace, criterion.run))
            # What runs tests in a way that no text told is held to their rules once it was seen to.
            return (await _held(criterion, bench, True))[0] if started else result
        except CommandsUnavailable as error:
            return not_run(criterion, str(error), expected=EXPECTED, environment=True)


async def _held(criterion: CommandCriterion, bench: Bench, tests: bool) -> tuple[CriterionResult, bool]:
    """The verdict, of `tests` by their rules; and whether it holds and was seen to start tests though it is of none."""
    tampered = tests_tampered(bench, criterion.run) if tests else scripts_tampered(bench, criterion.run)
    if tampered:
        return failed(criterion, "the scripts that judge as they were when the task began", tampered), False
    if examples := doctests_tampered(bench, criterion.run):
        return failed(criterion, "the examples that are run as tests as they were when the task began", examples), False
    first = await _judged(criterion, bench, None, tests)
    if first.result.verdict != "PASS":
        return first.result, False
    if not tests and started_tests(first.ran.found):
        return first.result, True
    twice = await judged_twice(
        first, criterion, bench, lambda former: _judged(criterion, bench, former, tests), tests=tests
    )
    return twice, False


async def _judged(criterion: CommandCriterion, bench: Bench, former: Former | None, tests: bool) -> Judged:
    """The verdict by one run of the command; of `tests` their runner must come to its own end, and be honest."""
    ran, wrong = await _run(criterion, bench, former, tests)
    output = ran.result.output
    if ran.limit is not None:
        result = failed(criterion, EXPECTED, f"{ran.limit}\n{excerpt(output)}")
    elif ran.result.exit_status == 0 and wrong:
        result = failed(criterion, f"{EXPECTED}, by an honest run", wrong)
    elif ran.result.exit_status == 0:
        idle = _idle(criterion, output)
        result = not_run(criterion, idle, expected=f"{EXPECTED}, with something checked") if idle else passed(criterion)
    elif (missing := missing_program(ran, bench)) is not None:
        seen = f"{missing} is not installed, or may not be run"
        result = not_run(criterion, seen, expected=EXPECTED, environment=True)
    else:
        result = failed(criterion, EXPECTED, f"{ran.ended}\n{excerpt(output)}")
    told = (await with_output(result, output, bench)).model_copy(
        update={"changed": ran.changed, "seconds": ran.result.seconds}
    )
    return Judged(told, ran)


async def _run(criterion: CommandCriterion, bench: Bench, former: Former | None, tests: bool) -> tuple[Ran, str]:
    """The run, and what is wrong with it whatever its exit status says."""
    if not tests:
        watched = watched_starts if former is None and has_tests(bench) else None
        tell = with_reads(watched, bench, criterion.run)
        return await bench.commands.run(criterion.run, tell=tell, former=former), ""
    ran, _, report = await run_told(criterion.run, bench, former, watched=True)
    odd = report.odd if report is not None else marks_of(ran.found)
    if odd:
        return ran, "\n".join(odd)
    return ran, "" if ran.signed_off else CUT_OFF


def _idle(criterion: CommandCriterion, output: str) -> str:
    """What make said where it ran nothing for a target that is called a check: a file has that name."""
    said = _UP_TO_DATE.search(output)
    return f"{said[0]} (nothing was checked: is there a file of that name?)" if said and is_check(said[1]) else ""

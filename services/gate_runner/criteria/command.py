"""`command: CMD` holds when the command ends with status 0."""

import re
from typing import ClassVar, Final

from arreio_contracts.messages import CriterionResult
from arreio_contracts.task import CommandCriterion

from shared.run_files import is_check

from ..commands import CommandsUnavailable
from ..judging_twice import Former
from .again import Judged, judged_twice
from .base import Bench, excerpt, failed, not_run, passed, with_output
from .judging import runs_tests, scripts_tampered, tests_tampered

EXPECTED = "exit status 0"
_UP_TO_DATE: Final = re.compile(r"^make(?:\[\d+\])?: [`'‘]([^'’]+)['’] is up to date\.", re.M)


class CommandJudge:
    """Judges `command`."""

    cheap: ClassVar[bool] = False

    async def judge(self, criterion: CommandCriterion, bench: Bench) -> CriterionResult:
        """See `Judge.judge`."""
        tests = runs_tests(bench.workspace, criterion.run)
        tampered = tests_tampered(bench) if tests else scripts_tampered(bench, criterion.run)
        if tampered:
            return failed(criterion, "the scripts that judge as they were when the task began", tampered)
        try:
            first = await _judged(criterion, bench, None)
            if first.result.verdict != "PASS":
                return first.result
            return await judged_twice(
                first, criterion, bench, lambda former: _judged(criterion, bench, former), tests=tests
            )
        except CommandsUnavailable as error:
            return not_run(criterion, str(error), expected=EXPECTED, environment=True)


async def _judged(criterion: CommandCriterion, bench: Bench, former: Former | None) -> Judged:
    """The verdict by one run of the command."""
    ran = await bench.commands.run(criterion.run, former=former)
    output = ran.result.output
    if ran.limit is not None:
        result = failed(criterion, EXPECTED, f"{ran.limit}\n{excerpt(output)}")
    elif ran.result.exit_status == 0:
        idle = _idle(criterion, output)
        result = not_run(criterion, idle, expected=f"{EXPECTED}, with something checked") if idle else passed(criterion)
    elif ran.missing_program is not None:
        seen = f"{ran.missing_program} is not installed, or may not be run"
        result = not_run(criterion, seen, expected=EXPECTED, environment=True)
    else:
        result = failed(criterion, EXPECTED, f"{ran.ended}\n{excerpt(output)}")
    told = (await with_output(result, output, bench)).model_copy(
        update={"changed": ran.changed, "seconds": ran.result.seconds}
    )
    return Judged(told, ran)


def _idle(criterion: CommandCriterion, output: str) -> str:
    """What make said where it ran nothing for a target that is called a check: a file has that name."""
    said = _UP_TO_DATE.search(output)
    return f"{said[0]} (nothing was checked: is there a file of that name?)" if said and is_check(said[1]) else ""

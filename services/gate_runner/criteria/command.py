"""`command: CMD` holds when the command ends with status 0."""

from typing import ClassVar

from arreio_contracts.messages import CriterionResult
from arreio_contracts.task import CommandCriterion

from shared import verifiers
from shared.run_files import named_tests, scripts_run

from ..commands import CommandsUnavailable
from .base import Bench, cheats, excerpt, failed, not_run, passed, with_output

EXPECTED = "exit status 0"


class CommandJudge:
    """Judges `command`."""

    cheap: ClassVar[bool] = False

    async def judge(self, criterion: CommandCriterion, bench: Bench) -> CriterionResult:
        """See `Judge.judge`."""
        tampered = _tampered(criterion, bench)
        if tampered:
            return failed(criterion, "the scripts that judge as they were when the task began", tampered)
        try:
            ran = await bench.commands.run(criterion.run)
        except CommandsUnavailable as error:
            return not_run(criterion, str(error), expected=EXPECTED, environment=True)
        output = ran.result.output
        if ran.limit is not None:
            result = failed(criterion, EXPECTED, f"{ran.limit}\n{excerpt(output)}")
        elif ran.result.exit_status == 0:
            result = passed(criterion)
        elif ran.missing_program is not None:
            seen = f"{ran.missing_program} is not installed, or may not be run"
            result = not_run(criterion, seen, expected=EXPECTED, environment=True)
        else:
            result = failed(criterion, EXPECTED, f"{ran.ended}\n{excerpt(output)}")
        return (await with_output(result, output, bench)).model_copy(
            update={"changed": ran.changed, "seconds": ran.result.seconds}
        )


def _tampered(criterion: CommandCriterion, bench: Bench) -> str:
    """What was done to the scripts that the command runs, as far as they judge this task."""
    if bench.verifiers is None:
        return ""
    judging = [*scripts_run(bench.workspace, criterion.run), *named_tests(criterion.run)]
    before = {path: bench.verifiers[path] for path in judging if path in bench.verifiers}
    now = verifiers.snapshot(bench.workspace, before)
    return cheats(bench, before, {path: now[path] for path in before if path in now})

"""Runs a command so that the test runner in it tells what it did."""

from typing import Final

from ..commands import Ran
from ..judging_twice import Former
from ..reports import Report
from ..runners import UNLOADED, Runner, runner_of
from .base import Bench
from .overwriting import with_reads

CUT_OFF: Final = (
    "the tests were begun and their runner never came to its end: something in the tests or in the code ended its "
    "process (os._exit, os.exec…, a crash), or two runs went on at once; whatever report there is was not made by it"
)


async def run_told(
    command: str, bench: Bench, former: Former | None, named: str | None = None, *, watched: bool = False
) -> tuple[Ran, Runner, Report | None]:
    """The run, the runner and what it reported; `named` is the JUnit XML that the command leaves in the workspace.

    Where no witness could be loaded, it is run again without. `watched`: what the command prints is for others to read.
    """
    runner = runner_of(command, bench.workspace, named)
    tell = runner.watch if watched and runner.watch is not None else runner.tell
    ran = await bench.commands.run(command, tell=with_reads(tell, bench, command), former=former)
    if runner.plain is not None and not any(one.signed for one in ran.found) and _unloaded(ran):
        runner = runner.plain
        ran = await bench.commands.run(command, tell=with_reads(runner.tell, bench, command), former=former)
    return ran, runner, runner.read(ran.found, ran.result.output)


def _unloaded(ran: Ran) -> bool:
    """Whether no witness could be loaded: the command gives Python a path or an environment of its own."""
    return ran.signed_off and ran.result.exit_status != 0 and UNLOADED.search(ran.result.output) is not None

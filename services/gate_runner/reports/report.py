"""What a test run says of itself, whatever the form in which it was said."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from arreio_contracts.messages import TestCounts

WHY_LENGTH: Final = 200
"""Characters of a test's reason that are kept."""


@dataclass(frozen=True, slots=True)
class Found:
    """A file that a run left for whoever judges it: its path, relative to the workspace or a bare name, and content.

    `signed`: a witness signed it.
    """

    path: str
    content: bytes
    signed: bool = False


@dataclass(frozen=True, slots=True)
class Failure:
    """A test that failed, and the first line of why."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of a test run. Errors count as failures; expected failures as skipped.

    `machine` says that it was read from a machine's report, not from lines for people; `output` is what the runner said
    where its output was the report, and `odd` are the lines on what no honest run does. `skipped` names the tests that
    were skipped and `skippers` the files (absolute) whose code skipped some, as far as the runner tells; `agreeing` are
    classes whose objects equal everything, by the files (absolute) that they come from and their names.
    """

    counts: TestCounts
    failures: tuple[Failure, ...] = ()
    machine: bool = False
    output: str = ""
    odd: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    skippers: tuple[str, ...] = ()
    agreeing: tuple[tuple[tuple[str, ...], str], ...] = ()

    @property
    def ran(self) -> int:
        """How many tests came to a verdict."""
        return self.counts.passed + self.counts.failed


def merged(reports: Iterable[Report | None]) -> Report | None:
    """The sum of several reports; None where there is none."""
    held = [report for report in reports if report is not None]
    if not held:
        return None
    counts = TestCounts(
        passed=sum(one.counts.passed for one in held),
        failed=sum(one.counts.failed for one in held),
        skipped=sum(one.counts.skipped for one in held),
    )
    failures = tuple(failure for one in held for failure in one.failures)
    odd = tuple(line for one in held for line in one.odd)
    return Report(
        counts,
        failures,
        all(one.machine for one in held),
        "".join(one.output for one in held),
        odd,
        skipped=tuple(name for one in held for name in one.skipped),
        skippers=tuple(path for one in held for path in one.skippers),
        agreeing=tuple(found for one in held for found in one.agreeing),
    )


def first_line(text: str) -> str:
    """The first line that says something, cut to the length of a reason."""
    lines = (line.strip() for line in text.splitlines())
    return next((line for line in lines if line), "no reason given")[:WHY_LENGTH]

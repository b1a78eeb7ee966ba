"""`cargo test`, whose stable releases have no report for machines: what it prints for people is read."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from arreio_contracts.messages import TestCounts

from ..reports import Found, Report, read_summary
from .base import Runner, Told

_BEGUN: Final = re.compile(r"^running (\d+) tests?$", re.M)
_ENDED: Final = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored; (\d+) measured", re.M)


def _read(_: Sequence[Found], output: str) -> Report | None:
    """The sum of all test binaries, of which each says how many tests it begins with and how they ended."""
    report = read_summary(output) or (Report(TestCounts()) if _BEGUN.search(output) else None)
    begun, ended = list(map(int, _BEGUN.findall(output))), [sum(map(int, line)) for line in _ENDED.findall(output)]
    if report is None or report.counts.failed or "bytes dropped" in output or sum(begun) == sum(ended):
        return report
    line = f"{sum(begun)} tests were begun and {sum(ended)} came to an end: the code ended their process"
    return replace(report, odd=(line,))


CARGO: Final = Runner(
    "cargo test",
    re.compile(r"(?:^|[;&|])(?>[^;&|]*?(?<![^\s/;&|(])cargo\s)(?:[^;&|]*\s)?(?:test|nextest)(?=$|[\s;&|)])"),
    lambda command, _: Told(command, {"RUST_BACKTRACE": "0", "CARGO_TERM_COLOR": "never"}),
    _read,
    nothing=frozenset({4}),
)

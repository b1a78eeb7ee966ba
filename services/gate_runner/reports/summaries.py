"""The summary lines that test runners print for people, and the failures that stand above them."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from typing import Final

from arreio_contracts.messages import TestCounts

from shared.patterns import INDENT

from .report import Failure, Report, first_line


def read_summary(output: str) -> Report | None:
    """Read the last summary line of a known runner in an output; None where there is none."""
    for read, failures in _SUMMARIES:
        counts = read(output)
        if counts is not None:
            return Report(counts, tuple(failures(output)) if counts.failed else ())
    return None


_PYTEST = re.compile(r"^=*+[^\S\n]*+((?:\d+ [a-z]+(?:, )?)+) in [\d.]+s.*$", re.M)
_PYTEST_PART = re.compile(r"(?<!\d)(\d++) (passed|failed|errors?|skipped|xfailed|xpassed)")
_UNITTEST = re.compile(r"^Ran (\d+) tests? in .*$\s+^(OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$", re.M)
_CARGO = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored", re.M)
_JEST = re.compile(INDENT + r"Tests:?\s+(.*\d (?:passed|failed|skipped|todo).*)$", re.M)
_JEST_PART = re.compile(r"(?<!\d)(\d++) (passed|failed|skipped|todo)")
_NODE = re.compile(r"^(?:#|ℹ) (pass|fail|skipped) (\d+)$", re.M)
_MOCHA = re.compile(r"^(?:[^\S\n]++\n?|\n)[^\S\n]*+(\d+) (passing|failing|pending)\b", re.M)
_GO = re.compile(r"^--- (PASS|FAIL|SKIP): ", re.M)
_NEXTEST = re.compile(INDENT + r"Summary \[(?>.*?\] ).*tests? run: (.*)$", re.M)
_MAVEN = re.compile(r"^(?:\[\w+\] )?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)\s*$", re.M)
_UNITTEST_BLOCK = re.compile(r"^={60,}\n(?:FAIL|ERROR): (.+)\n(?:.*\n)??-{60,}\n((?:(?!={60,}|-{60,}).*\n)*)", re.M)
_CARGO_SHOWN = re.compile(r"---- (\S+) stdout ----\n")
_CARGO_PANIC = re.compile(r"panicked at [^\n]*+(?:\n|\Z)")
_MOST_SAID: Final = 10_000
"""Characters of an output in which a reason is looked for."""
_CARGO_FAILED = re.compile(r"^test (\S+)(?: - should panic)? \.\.\. FAILED$", re.M)


def _pytest(output: str) -> TestCounts | None:
    lines = [line for line in _PYTEST.findall(output) if _PYTEST_PART.search(line)]
    if not lines:
        return None
    found = {
        kind.rstrip("s") if kind.startswith("error") else kind: int(number)
        for number, kind in _PYTEST_PART.findall(lines[-1])
    }
    return TestCounts(
        passed=found.get("passed", 0) + found.get("xpassed", 0),
        failed=found.get("failed", 0) + found.get("error", 0),
        skipped=found.get("skipped", 0) + found.get("xfailed", 0),
    )


def _unittest(output: str) -> TestCounts | None:
    lines = _UNITTEST.findall(output)
    if not lines:
        return None
    total, _, detail = lines[-1]
    parts = dict(re.findall(r"(?<![a-z ])([a-z ]++)=(\d+)", detail))
    named = {name.strip(): int(number) for name, number in parts.items()}
    bad = named.get("failures", 0) + named.get("errors", 0) + named.get("unexpected successes", 0)
    skipped = named.get("skipped", 0) + named.get("expected failures", 0)
    return TestCounts(passed=max(0, int(total) - bad - skipped), failed=bad, skipped=skipped)


def _cargo(output: str) -> TestCounts | None:
    lines = _CARGO.findall(output)
    if not lines:
        return None
    passed, failed, skipped = (sum(int(line[number]) for line in lines) for number in range(3))
    return TestCounts(passed=passed, failed=failed, skipped=skipped)


def _jest(output: str) -> TestCounts | None:
    lines = _JEST.findall(output)
    if not lines:
        return None
    found = {kind: int(number) for number, kind in _JEST_PART.findall(lines[-1])}
    skipped = found.get("skipped", 0) + found.get("todo", 0)
    return TestCounts(passed=found.get("passed", 0), failed=found.get("failed", 0), skipped=skipped)


def _node(output: str) -> TestCounts | None:
    found = {kind: int(number) for kind, number in _NODE.findall(output)}
    if "pass" not in found or "fail" not in found:
        return None
    return TestCounts(passed=found["pass"], failed=found["fail"], skipped=found.get("skipped", 0))


def _mocha(output: str) -> TestCounts | None:
    found = {kind: int(number) for number, kind in _MOCHA.findall(output)}
    if "passing" not in found:
        return None
    return TestCounts(passed=found["passing"], failed=found.get("failing", 0), skipped=found.get("pending", 0))


def _go(output: str) -> TestCounts | None:
    lines = _GO.findall(output)
    if not lines or ("FAIL" not in lines and re.search(r"^ok\s", output, re.M) is None):
        return None
    return TestCounts(passed=lines.count("PASS"), failed=lines.count("FAIL"), skipped=lines.count("SKIP"))


def _nextest(output: str) -> TestCounts | None:
    lines = _NEXTEST.findall(output)
    if not lines:
        return None
    found = {kind: int(number) for number, kind in re.findall(r"(?<!\d)(\d++) (passed|failed|skipped)", lines[-1])}
    return TestCounts(passed=found.get("passed", 0), failed=found.get("failed", 0), skipped=found.get("skipped", 0))


def _maven(output: str) -> TestCounts | None:
    lines = _MAVEN.findall(output)
    if not lines:
        return None
    total, failures, errors, skipped = (int(number) for number in lines[-1])
    return TestCounts(passed=max(0, total - failures - errors - skipped), failed=failures + errors, skipped=skipped)


def _unittest_failures(output: str) -> Iterable[Failure]:
    for name, body in _UNITTEST_BLOCK.findall(output):
        lines = [line for line in body.splitlines() if line.strip() and not line.startswith((" ", "Traceback"))]
        yield Failure(name, first_line("\n".join(lines)))


def _cargo_failures(output: str) -> Iterable[Failure]:
    shown = {found[1]: found.end() for found in reversed([*_CARGO_SHOWN.finditer(output)])}
    panics = [found.span() for found in _CARGO_PANIC.finditer(output)]
    for name in _CARGO_FAILED.findall(output):
        panic = bisect_left(panics, (shown.get(name, len(output)), 0))
        begin = panics[panic][1] if panic < len(panics) else len(output)
        yield Failure(name, first_line(output[begin : begin + _MOST_SAID]))


def _unnamed(_: str) -> Iterable[Failure]:
    return ()


_SUMMARIES: Final[tuple[tuple[Callable[[str], TestCounts | None], Callable[[str], Iterable[Failure]]], ...]] = (
    (_pytest, _unnamed),
    (_unittest, _unittest_failures),
    (_cargo, _cargo_failures),
    (_nextest, _unnamed),
    (_maven, _unnamed),
    (_jest, _unnamed),
    (_node, _unnamed),
    (_mocha, _unnamed),
    (_go, _unnamed),
)

"""Reads how many tests ran, which failed and why, from a JUnit report or the summary line of a known runner."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree

from arreio_contracts.messages import TestCounts

_WHY_LENGTH: Final = 200


@dataclass(frozen=True, slots=True)
class Failure:
    """A test that failed, and the first line of why."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Report:
    """What a test run says of itself. Errors count as failures; expected failures as skipped."""

    counts: TestCounts
    failures: tuple[Failure, ...] = ()
    machine: bool = False

    @property
    def ran(self) -> int:
        """How many tests came to a verdict."""
        return self.counts.passed + self.counts.failed


def read_junit(content: bytes) -> Report | None:
    """Read a JUnit XML report; None where it is none."""
    if b"<!DOCTYPE" in content[:4096]:
        return None
    try:
        root = ElementTree.fromstring(content)
    except ElementTree.ParseError:
        return None
    if root.tag not in ("testsuites", "testsuite"):
        return None
    passed = skipped = 0
    failures: dict[str, Failure] = {}
    for case in root.iter("testcase"):
        name = _name(case)
        problem = next((child for child in case if child.tag in ("failure", "error")), None)
        if problem is not None:
            failures.setdefault(name, Failure(name, _why(problem)))
        elif any(child.tag == "skipped" for child in case):
            skipped += 1
        else:
            passed += 1
    counts = TestCounts(passed=passed, failed=len(failures), skipped=skipped)
    return Report(counts, tuple(failures.values()), machine=True)


def read_summary(output: str) -> Report | None:
    """Read the last summary line of a known runner in an output; None where there is none."""
    for read in _SUMMARIES:
        counts = read(output)
        if counts is not None:
            return Report(counts)
    return None


def _name(case: ElementTree.Element) -> str:
    file, name = case.get("file") or case.get("classname", "").replace(".", "/"), case.get("name", "?")
    return f"{file}::{name}" if file else name


def _why(problem: ElementTree.Element) -> str:
    message = problem.get("message") or problem.text or ""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    detail = next((line[1:].strip() for line in (problem.text or "").splitlines() if line.startswith("E ")), None)
    return ((detail if problem.tag == "error" and detail else None) or (lines[0] if lines else "no reason given"))[
        :_WHY_LENGTH
    ]


_PYTEST = re.compile(r"^=*\s*((?:\d+ [a-z]+(?:, )?)+)(?: in [\d.]+s.*)=*\s*$", re.M)
_PYTEST_PART = re.compile(r"(\d+) (passed|failed|errors?|skipped|xfailed|xpassed)")
_UNITTEST = re.compile(r"^Ran (\d+) tests? in .*$\s+^(OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$", re.M)
_CARGO = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored", re.M)
_JEST = re.compile(r"^\s*Tests:?\s+(.*\d+ (?:passed|failed|skipped|todo).*)$", re.M)
_JEST_PART = re.compile(r"(\d+) (passed|failed|skipped|todo)")
_NODE = re.compile(r"^(?:#|ℹ) (pass|fail|skipped) (\d+)$", re.M)
_MOCHA = re.compile(r"^\s+(\d+) (passing|failing|pending)\b", re.M)
_GO = re.compile(r"^--- (PASS|FAIL|SKIP): ", re.M)


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
    parts = dict(re.findall(r"([a-z ]+)=(\d+)", detail))
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


_SUMMARIES: Final[tuple[Callable[[str], TestCounts | None], ...]] = (
    _pytest,
    _unittest,
    _cargo,
    _jest,
    _node,
    _mocha,
    _go,
)

"""JUnit XML, as pytest, node, Maven Surefire, Gradle and many others write it."""

import re
from typing import Final
from xml.etree import ElementTree

from arreio_contracts.messages import TestCounts

from .report import WHY_LENGTH, Failure, Report, first_line

_DECLARES: Final = re.compile(rb"(?:\s+|<\?.*?\?>|<!--.*?-->)*+<!DOCTYPE", re.S)
"""A document type, which may stand for a text without end; a report has none, but a test may print one."""


def read_junit(content: bytes) -> Report | None:
    """Read a JUnit XML report; None where it is none, or not a whole one."""
    content = content.removeprefix(b"\xef\xbb\xbf").lstrip()
    wide = content[:2] in (b"\xff\xfe", b"\xfe\xff")
    if not (content.startswith(b"<") or wide) or _DECLARES.match(content.replace(b"\0", b"") if wide else content):
        return None
    try:
        root = ElementTree.fromstring(content)
    except (ElementTree.ParseError, LookupError, ValueError):
        return None
    if root.tag not in ("testsuites", "testsuite"):
        return None
    passed = 0
    skipped: list[str] = []
    failures: dict[str, Failure] = {}
    for case in root.iter("testcase"):
        name = _name(case)
        problem = next((child for child in case if child.tag in ("failure", "error")), None)
        if problem is not None:
            failures.setdefault(name, Failure(name, _why(problem)))
        elif any(child.tag == "skipped" for child in case):
            skipped.append(name)
        else:
            passed += 1
    for suite in root.iter("testsuite"):
        for problem in suite.findall("error"):
            name = suite.get("name", "?")
            failures.setdefault(name, Failure(name, _why(problem)))
    said = max(map(_problems_said, [root, *root.iter("testsuite")]), default=0)
    named = sum(1 for place in root.iter() for child in place if child.tag in ("failure", "error"))
    if said > named:
        failures["(a suite)"] = Failure("(a suite)", f"{said} failures and errors are counted, and {named} named")
    counts = TestCounts(passed=passed, failed=len(failures), skipped=len(skipped))
    return Report(counts, tuple(failures.values()), machine=True, skipped=tuple(skipped))


def _problems_said(suite: ElementTree.Element) -> int:
    """What a suite says of its failures and errors, whatever cases it names."""
    said = (suite.get(name, "0").strip() for name in ("failures", "errors"))
    return sum(int(one) for one in said if one.isascii() and one.isdigit() and len(one) < 10)


def _name(case: ElementTree.Element) -> str:
    file, name = case.get("file") or case.get("classname", "").replace(".", "/"), case.get("name", "?")
    return f"{file}::{name}" if file else name


def _why(problem: ElementTree.Element) -> str:
    message = problem.get("message") or problem.text or problem.get("type") or ""
    detail = next((line[1:].strip() for line in (problem.text or "").splitlines() if line.startswith("E ")), None)
    return ((detail if problem.tag == "error" else None) or first_line(message))[:WHY_LENGTH]

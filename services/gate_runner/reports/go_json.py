"""The events of `go test -json`, one JSON object a line."""

import json
from collections import defaultdict
from typing import Any, Final

from arreio_contracts.messages import TestCounts

from .report import Failure, Report, first_line

_ENDS: Final = frozenset({"pass", "fail", "skip"})


def read_go(content: bytes) -> Report | None:
    """Read the events; None where there are none. Of a test with subtests these alone count."""
    ends: dict[tuple[str, str], str] = {}
    said: dict[tuple[str, str], list[str]] = defaultdict(list)
    shown: list[str] = []
    seen = False
    for line in content.decode("utf-8", "replace").splitlines(keepends=True):
        event = _event(line)
        if event is None:
            shown.append(line)
            continue
        seen = True
        key = str(event.get("Package") or event.get("ImportPath") or "?").partition(" ")[0], str(event.get("Test", ""))
        output = str(event.get("Output", ""))
        if output:
            shown.append(output)
            said[key].append(output)
        if event.get("Action") in _ENDS:
            ends[key] = event["Action"]
    if not seen:
        return None
    return _report(ends, said, "".join(shown))


def _report(ends: dict[tuple[str, str], str], said: dict[tuple[str, str], list[str]], output: str) -> Report:
    parents = {(package, test.rpartition("/")[0]) for package, test in ends if "/" in test}
    tests = {key: end for key, end in ends.items() if key[1] and key not in parents}
    failures = [Failure(f"{package}::{test}", _why(said[package, test])) for (package, test), end in _failed(tests)]
    blamed = {package for (package, _), _ in _failed(tests)}
    failures += [
        Failure(package, _why(said[package, ""]))
        for (package, test), _ in _failed(ends)
        if not test
        if package not in blamed
    ]
    counts = TestCounts(
        passed=sum(end == "pass" for end in tests.values()),
        failed=len(failures),
        skipped=sum(end == "skip" for end in tests.values()),
    )
    skipped = tuple(f"{package}::{test}" for (package, test), end in tests.items() if end == "skip")
    return Report(counts, tuple(failures), machine=True, output=output, skipped=skipped)


def _failed(ends: dict[tuple[str, str], str]) -> list[tuple[tuple[str, str], str]]:
    return [(key, end) for key, end in ends.items() if end == "fail"]


def _why(lines: list[str]) -> str:
    telling = [line for line in lines if not line.strip().startswith(("===", "---", "FAIL", "#", "goroutine"))]
    return first_line("".join(telling or lines))


def _event(line: str) -> dict[str, Any] | None:
    if not line.startswith("{"):
        return None
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and "Action" in found else None

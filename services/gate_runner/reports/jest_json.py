"""The JSON of jest's `--json`, which vitest's JSON reporter writes too."""

import json
import re
from typing import Any, Final

from arreio_contracts.messages import TestCounts

from .report import WHY_LENGTH, Failure, Report, first_line

_COLOURS: Final = re.compile(r"\x1b\[[0-9;]*m")
_COMPARED: Final = re.compile(r"\s*(?:Expected|Received)\b.*:")
_SKIPPED: Final = frozenset({"pending", "skipped", "todo", "disabled"})


def read_jest(content: bytes) -> Report | None:
    """Read a report of jest or vitest; None where it is none. A file that cannot be run counts as a failure."""
    try:
        root = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if not isinstance(root, dict) or not isinstance(root.get("testResults"), list):
        return None
    passed = skipped = 0
    failures: list[Failure] = []
    for suite in root["testResults"]:
        if not isinstance(suite, dict):
            return None
        cases = [case for case in suite.get("assertionResults") or () if isinstance(case, dict)]
        for case in cases:
            status = case.get("status")
            if status == "passed":
                passed += 1
            elif status in _SKIPPED:
                skipped += 1
            else:
                failures.append(Failure(_name(suite, case), _why(case.get("failureMessages"))))
        if suite.get("status") == "failed" and not any(case.get("status") == "failed" for case in cases):
            failures.append(Failure(_file(suite), _why([suite.get("message")])))
    counts = TestCounts(passed=passed, failed=len(failures), skipped=skipped)
    return Report(counts, tuple(failures), machine=True)


def _name(suite: dict[str, Any], case: dict[str, Any]) -> str:
    titles = [*(case.get("ancestorTitles") or ()), case.get("title") or case.get("fullName") or "?"]
    return f"{_file(suite)}::{' > '.join(str(title) for title in titles if title)}"


def _file(suite: dict[str, Any]) -> str:
    return str(suite.get("name") or "?").rsplit("/", 1)[-1]


def _why(messages: Any) -> str:
    told = next((str(message) for message in messages or () if message), "")
    told = _COLOURS.sub("", told).replace("●", "")
    compared = "; ".join(line.strip() for line in told.splitlines() if _COMPARED.match(line))
    return f"{first_line(told)} {compared}"[:WHY_LENGTH].strip()

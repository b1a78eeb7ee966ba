"""What a witness saw of a session of tests, as it signed it."""

import json

from arreio_contracts.messages import TestCounts

from .report import Failure, Report, first_line


def read_signed(content: bytes) -> Report:
    """Read the body of a report whose signature was found to be right."""
    said = json.loads(content)
    failures = tuple(Failure(str(name), first_line(str(why))) for name, why in said["failures"])
    counts = TestCounts(passed=said["passed"], failed=len(failures), skipped=said["skipped"])
    return Report(
        counts,
        failures,
        machine=True,
        odd=tuple(map(str, said["odd"])),
        skipped=tuple(map(str, said.get("names", ()))),
        skippers=tuple(map(str, said.get("skippers", ()))),
        agreeing=tuple((tuple(map(str, files)), str(name)) for files, name in said.get("agreeing", ())),
    )

"""pytest, which leaves JUnit XML, and unittest, which says on standard error how it went."""

import itertools
import re
from collections.abc import Sequence
from typing import Final

from ..reports import Found, Report, read_summary
from .base import PYTEST_OPTIONS, Runner, Told, junit_of, named_reports, word

_WORD: Final = word(r"py\.?test")


def _tell(command: str, place: str) -> Told:
    """By the environment, so that the command stays as it is; where it starts pytest more than once, each by name."""
    numbers = itertools.count(1)

    def each(found: re.Match[str]) -> str:
        return f"{found[0]} --junitxml={place}/{next(numbers)}.xml"

    if len(_WORD.findall(command)) > 1:
        command = _WORD.sub(each, command)
    return Told(command, {"PYTEST_ADDOPTS": PYTEST_OPTIONS.format(place=place)}, leaves=named_reports(command))


def _read(found: Sequence[Found], _: str) -> Report | None:
    """What was left in the secret folder; a report in the workspace only where the command named one in its place."""
    secret = [one for one in found if "/" not in one.path and re.fullmatch(r"pytest\.xml|\d+\.xml", one.path)]
    return junit_of(secret) or junit_of(found)


def _read_unittest(_: Sequence[Found], output: str) -> Report | None:
    return read_summary(output)


PYTEST: Final = Runner(
    "pytest",
    _WORD,
    _tell,
    _read,
    nothing=frozenset({4, 5}),
    absent=re.compile(r"No module named '?pytest\b"),
)
UNITTEST: Final = Runner(
    "unittest",
    re.compile(r"\s-m\s+unittest(?=$|[\s;&|)])|\bmanage\.py\s+test\b"),
    lambda command, _: Told(command),
    _read_unittest,
    nothing=frozenset({5}),
)

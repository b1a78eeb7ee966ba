"""pytest and unittest, which a witness sees from inside; where none can be loaded, by JUnit XML and a summary line."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ..reports import Found, Report, read_summary
from .base import PYTEST_OPTIONS, Runner, Told, junit_of, named_reports, signed_of, witnessed, witnessed_pytest, word

_WORD: Final = word(r"py\.?test")
_UNITTEST: Final = re.compile(r"(\s-m\s+)unittest(?=$|[\s;&|)])")
_PROGRAM: Final = re.compile(r"(\s)(?=(?!\./)[\w./-]*manage\.py\s+test\b)")


def _tell_plainly(command: str, place: str) -> Told:
    """By the environment, so that the command stays as it is; where it starts pytest more than once, each by name."""
    numbers = itertools.count(1)

    def each(found: re.Match[str]) -> str:
        return f"{found[0]} --junitxml={place}/{next(numbers)}.xml"

    if len(_WORD.findall(command)) > 1:
        command = _WORD.sub(each, command)
    return Told(command, {"PYTEST_ADDOPTS": PYTEST_OPTIONS.format(place=place)}, leaves=named_reports(command))


def _read_plainly(found: Sequence[Found], _: str) -> Report | None:
    """What was left in the secret folder; a report in the workspace only where the command named one in its place."""
    secret = [one for one in found if "/" not in one.path and re.fullmatch(r"pytest\.xml|\d+\.xml", one.path)]
    return junit_of(secret) or junit_of(found)


def _tell_unittest(command: str, place: str) -> Told:
    return witnessed(_UNITTEST.sub(r"\1arreio_unittest unittest", command), place, "arreio_unittest.py")


def _tell_program(command: str, place: str) -> Told:
    return witnessed(_PROGRAM.sub(r"\1-m arreio_unittest ", command), place, "arreio_unittest.py")


def _tell_as_it_is(command: str, _: str) -> Told:
    return Told(command)


def _read_lines(_: Sequence[Found], output: str) -> Report | None:
    return read_summary(output)


_PLAIN_PYTEST: Final = Runner(
    "pytest",
    _WORD,
    _tell_plainly,
    _read_plainly,
    nothing=frozenset({4, 5}),
    absent=re.compile(r"No module named '?pytest\b"),
)
_PLAIN_UNITTEST: Final = Runner(
    "unittest", re.compile(r"\s-m\s+unittest(?=$|[\s;&|)])"), _tell_as_it_is, _read_lines, nothing=frozenset({5})
)
PYTEST: Final = replace(
    _PLAIN_PYTEST, tell=witnessed_pytest, read=lambda found, _: signed_of(found), plain=_PLAIN_PYTEST
)
UNITTEST: Final = replace(
    _PLAIN_UNITTEST, tell=_tell_unittest, read=lambda found, _: signed_of(found), plain=_PLAIN_UNITTEST
)
# A project may have a runner of its own there, which no witness knows: then its summary line counts.
DJANGO: Final = replace(
    _PLAIN_UNITTEST,
    starts=re.compile(r"\bmanage\.py\s+test\b"),
    tell=_tell_program,
    read=lambda found, output: signed_of(found) or read_summary(output),
    plain=_PLAIN_UNITTEST,
)

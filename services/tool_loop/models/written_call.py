"""A call that a model wrote into its text, and what is told of one that cannot be read."""

import re
from dataclasses import dataclass
from typing import Any

from .lenient_json import TRUNCATED, ProblemCode
from .repair import read_object

_SPACE = re.compile(r"[\s,;]*+")


@dataclass(frozen=True)
class WrittenCall:
    """A call that a model wrote into its text. `name` is None where it has none; `code` says what is wrong with it."""

    name: str | None
    arguments: dict[str, Any] | None = None
    code: ProblemCode | None = None
    problem: str | None = None


def truncated(body: str) -> WrittenCall:
    """What is known of a call whose end is missing."""
    named = re.search(
        r"[\"']?(?:name|tool)[\"']?\s*[:=]\s*[\"']([^\"'\n]{1,64})[\"']|<function=([\w.-]{1,64})>", body[:2000]
    )
    name = (named[1] or named[2]) if named else None
    return WrittenCall(name, code="truncated", problem=TRUNCATED)


def malformed(why: str, name: str | None = None) -> WrittenCall:
    """A call that cannot be read, and why."""
    return WrittenCall(name, code="malformed", problem=why)


def after_space(text: str, place: int) -> int:
    """The first place that holds neither space nor what may stand between two calls."""
    found = _SPACE.match(text, place)
    return found.end() if found else place


def read_arguments(name: str | None, arguments: str) -> WrittenCall:
    """A call whose arguments must be written out: where there are none, they are missing."""
    if not arguments.strip():
        return WrittenCall(name, code="truncated", problem=TRUNCATED)
    read = read_object(arguments)
    return WrittenCall(name, read.value, read.code, read.problem)

"""Runs written by hand in the styles of other harnesses, half of them stuck, to measure the rules against loops on.

Written before it was looked at what the rules say of them. The half that a run is in is told by the hash of its name
without the harness it is written for.
"""

import hashlib
from dataclasses import dataclass
from typing import Literal

from services.tool_loop.rules.loops.trajectory import RecordedStep

from . import (
    at_first_sight,
    browsing,
    claude_code,
    codex_cli,
    computer_use,
    customer_service,
    editors,
    everyday,
    mcp,
    measuring,
    mini_swe_agent,
    notebooks,
    odd_jobs,
    openhands,
    operations,
    people,
    plain_react,
    repository_stuck,
    repository_work,
    second_sight,
    support_desk,
    swe_agent,
    terminal,
)
from .writing import Steps

_STYLES = (
    swe_agent,
    openhands,
    claude_code,
    mini_swe_agent,
    terminal,
    customer_service,
    browsing,
    mcp,
    codex_cli,
    editors,
    computer_use,
    notebooks,
    support_desk,
    operations,
    plain_react,
    everyday,
    odd_jobs,
    measuring,
    repository_work,
    people,
    repository_stuck,
    at_first_sight,
    second_sight,
)


@dataclass(frozen=True)
class WrittenRun:
    """One run; `stuck_at` is the step from which it does not get on, None where it does."""

    name: str
    steps: list[RecordedStep]
    stuck_at: int | None

    @property
    def half(self) -> Literal["tuning", "held out"]:
        """Whether the rules may have been mended with a look at it."""
        kind = self.name.partition(", in ")[0]
        return "held out" if hashlib.sha256(kind.encode()).digest()[0] % 2 else "tuning"


def written_runs() -> list[WrittenRun]:
    """All of them, in the order written."""
    found: list[WrittenRun] = []
    for style in _STYLES:
        prefix = style.__name__.rsplit(".", 1)[-1]
        found += [WrittenRun(f"{prefix}/{name}", list(made()), None) for name, made in style.GOOD.items()]
        found += [WrittenRun(f"{prefix}/{name}", *_stuck(made())) for name, made in style.STUCK.items()]
    return found


def _stuck(parts: tuple[Steps, Steps]) -> tuple[Steps, int]:
    beginning, rest = parts
    return [*beginning, *rest], len(beginning)

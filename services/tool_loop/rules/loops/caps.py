"""Caps: so many calls of a task, and so many of one tool. The decider has its own; this one reads logs."""

from collections import Counter
from typing import Final

from .rule import Finding, Moment

_ALL: Final = 0.9
"""A tool that makes up so much of a run is all that its harness has: the cap of the task is its cap."""


class Caps:
    """Each call beyond a cap is found. None: no cap."""

    def __init__(self, calls: int | None, calls_per_tool: int | None) -> None:
        self._calls = calls
        self._per_tool = calls_per_tool
        self._made: Counter[str] = Counter()

    def observe(self, moment: Moment) -> Finding | None:
        self._made[moment.seen.tool] += 1
        made = self._made[moment.seen.tool]
        if self._calls is not None and moment.at >= self._calls:
            return Finding("cap", True, f"more than {self._calls} calls", (moment.ref,))
        if self._per_tool is not None and made > self._per_tool and made < _ALL * (moment.at + 1):
            return Finding("cap", True, f"more than {self._per_tool} calls of {moment.seen.tool}", (moment.ref,))
        return None

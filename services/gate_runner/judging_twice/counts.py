"""Whether fewer tests came to a verdict than did when the task began."""

from collections.abc import Sequence
from typing import Final

from ..reports import Report

MOST_NAMED: Final = 5


def fewer(began: Report, now: Report) -> int:
    """How many tests less came to a verdict, and were not: 0 where none."""
    return max(0, began.ran - now.ran)


def newly_skipped(began: Report, now: Report) -> Sequence[str]:
    """The tests that are skipped now and were not, as far as the runner names them."""
    held = {*began.skipped}
    return [name for name in now.skipped if name not in held][:MOST_NAMED]

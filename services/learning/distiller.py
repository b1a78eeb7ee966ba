"""Distils what a task may teach: skills, rules of thumb, and people's standing wishes. Pure.

Everything is a proposal. What the environment did wrong, what only a model claims, and observations that something does
not work are never among them.
"""

from collections.abc import Sequence

from .candidates import Candidate
from .environment import is_environment
from .procedures import procedures
from .seen import Seen, TaskSeen
from .thumb_rules import thumb_rules
from .wishes import wishes


def distil(events: Sequence[Seen]) -> tuple[Candidate, ...]:
    """The candidates that one task's events suggest; none before it has ended."""
    task = TaskSeen.of(events)
    if task is None:
        return ()
    found = (*wishes(task), *thumb_rules(task), *procedures(task))
    return tuple(one for one in found if one.kind == "skill" or not is_environment(one.gist))

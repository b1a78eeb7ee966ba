"""Revisit: the workspace is again as it was twice before."""

from typing import Final

from .rule import Finding, Limits, Moment

UNCHANGED: Final = "unchanged"
"""The state of a workspace that is as the task found it."""
_VISITS: Final = 3


class Revisit:
    """Changes that undo each other. Needs to know the content: a step without a state is passed over.

    It breaks where the way back is an old one too, and nothing new was told meanwhile: who measures a switch both ways,
    and comes to other figures each time, learns something. Who makes another scratch file each time and removes it goes
    nowhere new, but not round in circles: that is only noted.
    """

    def __init__(self, limits: Limits) -> None:
        self._state = UNCHANGED
        self._inputs = 0
        self._news = 0
        self._told = 0
        self._told_at: dict[str, int] = {UNCHANGED: 0}
        self._visits: dict[str, tuple[str, ...]] = {UNCHANGED: ("",)}

    def observe(self, moment: Moment) -> Finding | None:
        seen, state = moment.seen, moment.seen.state
        news, self._news = moment.news != self._news, moment.news
        # What is only looked at tells nothing of the change.
        self._told += news and not ((seen.changed and seen.state is not None) or seen.probes)
        if moment.inputs != self._inputs:
            self._inputs = moment.inputs
            self._visits = {self._state: ("",)}
        if state is None or state == self._state:
            return None
        left, self._state = self._state, state
        told, self._told_at[state] = self._told != self._told_at.get(state, self._told), self._told
        visits = (*self._visits.get(state, ()), moment.ref)[-_VISITS:]
        self._visits[state] = visits
        if len(visits) < _VISITS:
            return None
        why = "the workspace is again as it was twice before: the changes undo each other"
        return Finding("revisit", len(self._visits[left]) > 1 and not told, why, tuple(filter(None, visits)))

"""What tests said when a task began, kept for its next claims: that never changes."""

from typing import Final

from ..reports import Report

_MOST: Final = 100
"""Tasks of which it is kept."""


class Starts:
    """The reports of this process, by the tree that a task began with and the command."""

    def __init__(self) -> None:
        self._held: dict[str, dict[str, Report | None]] = {}

    def of(self, tree: str) -> dict[str, Report | None]:
        """The reports on a tree by the command, to be read and added to."""
        found = self._held.pop(tree, {})
        self._held[tree] = found
        while len(self._held) > _MOST:
            self._held.pop(next(iter(self._held)))
        return found

"""No match: a stream editor is sent over a file again and again, and the same look at it shows the same."""

from typing import Final

from ..shell_commands import WHOLE
from .rule import Finding, Moment, kept

ROUNDS: Final = 8
AGAIN: Final = 3


class NoMatch:
    """A log does not say that an edit in place matched nothing: the look after it does, where it never changes.

    So does a look at all changes of the workspace that shows none (`git diff`), whatever file was edited.
    """

    def __init__(self) -> None:
        self._edited: str | None = None
        self._look = ("", "")
        self._count = 0
        self._refs: tuple[str, ...] = ()

    def observe(self, moment: Moment) -> Finding | None:
        seen = moment.seen
        if seen.in_place is not None:
            self._edited = seen.in_place
            return None
        edited, self._edited = self._edited, None
        if seen.prose:
            self._edited = edited
            return None
        if edited is None or seen.looked_at not in (edited, WHOLE) or seen.fruitless:
            return None
        look = (seen.call, seen.result)
        self._count, self._refs = (self._count + 1, kept(self._refs, moment.ref)) if look == self._look else (1, ())
        self._look = look
        over = self._count - ROUNDS
        if over < 0 or over % AGAIN:
            return None
        return Finding("churn", True, f"{self._count} edits of {edited} in place changed nothing of it", self._refs)

"""Polish: the same place of a file written over and over, with no look at anything between."""

from typing import Final

from .rule import Finding, Moment, kept

POLISHED: Final = 15
WRITTEN: Final = 30
"""The same for a file that is written whole each time, if it is none of notes."""
AGAIN: Final = 3


class Polish:
    """Edits each of which replaces what the one before put there, and nothing new told by any other call meanwhile."""

    def __init__(self) -> None:
        self._put = ""
        self._count = 0
        self._since = (0, 0)
        self._refs: tuple[str, ...] = ()

    def observe(self, moment: Moment) -> Finding | None:
        seen = moment.seen
        if seen.puts is None or not seen.changed:
            if (moment.news, moment.inputs) != self._since:
                self._put, self._count = "", 0
            self._since = (moment.news, moment.inputs)
            return None
        goes_on = seen.replaces == self._put
        self._put, self._since = seen.puts, (moment.news, moment.inputs)
        self._count, self._refs = (self._count + 1, kept(self._refs, moment.ref)) if goes_on else (1, (moment.ref,))
        whole = seen.replaces == seen.puts and not seen.notes
        over = self._count - (WRITTEN if whole else POLISHED)
        if over < 0 or over % AGAIN:
            return None
        why = f"{self._count} times the same place was written anew, with no look at what comes of it"
        return Finding("churn", over > 0, why, self._refs)

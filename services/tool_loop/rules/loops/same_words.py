"""Same words: somebody is told the very same again and again, whatever the answers are."""

from typing import Final

from .rule import Finding, Limits, Moment, kept

ASKED: Final = 4
"""So often may the same question be put."""
TOLD: Final = 8
"""The same for what asks for nothing: who insists may be told no in the same words."""
_REMEMBERED: Final = 64
"""So many texts are remembered."""


class SameWords:
    """One's own identical words are what counts: answers that differ are no progress of who asks.

    Begins anew where something is said that was not said before, or where another call brings something new: who has
    done a thing may close it with the same words as the last. Brief words, and those that say little but to ask for
    the next thing, are not counted (`StepDigest.verbatim`).
    """

    def __init__(self, limits: Limits) -> None:
        self._window = limits.cycle_window
        self._news = 0
        self._known: dict[str, None] = {}
        self._times: dict[str, tuple[int, int, tuple[str, ...]]] = {}

    def observe(self, moment: Moment) -> Finding | None:
        seen = moment.seen
        news, self._news = moment.news != self._news, moment.news
        if not seen.heard:
            if news or moment.anew:
                self._times.clear()
            return None
        text = seen.verbatim or ".".join((seen.call, *seen.said))
        if text not in self._known:
            self._times.clear()
            self._known = dict.fromkeys([*self._known, text][-_REMEMBERED:])
        if seen.verbatim is None:
            return None
        times, at, refs = self._times.get(text, (0, moment.at, ()))
        if moment.at - at > self._window:
            times, refs = 0, ()
        times, refs = times + 1, kept(refs, moment.ref)
        self._times[text] = times, moment.at, refs
        limit = ASKED if seen.asks else TOLD
        if times < limit:
            return None
        why = f"the same words were said {times} times, whatever the answer, with nothing new between"
        return Finding("churn", times > limit, why, refs)

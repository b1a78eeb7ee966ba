"""Same words: somebody is told the very same again and again, whatever the answers are."""

from typing import Final, NamedTuple

from arreio_contracts.events import StepDigest

from .rule import Finding, Limits, Moment, kept

ASKED: Final = 4
"""So often may the same question be put."""
TOLD: Final = 8
"""The same for what asks for nothing: who insists may be told no in the same words."""
_REMEMBERED: Final = 64
"""So many texts are remembered, and calls."""


class _Said(NamedTuple):
    """How often something was said. `tried`: what was not tried before was tried each time in between."""

    times: int
    at: int
    refs: tuple[str, ...]
    tried: bool


class SameWords:
    """One's own identical words are what counts: answers that differ are no progress of who asks.

    Begins anew where something is said that was not said before, or where another call brings something new: who has
    done a thing may close it with the same words as the last. Brief words, and those that say little but to ask for
    the next thing, are not counted (`StepDigest.verbatim`). Who tries after each answer what was never tried may ask as
    often as who tells: a code that is read out wrong time and again, and is looked up each time.
    """

    def __init__(self, limits: Limits) -> None:
        self._window = limits.cycle_window
        self._news = 0
        self._known: dict[str, None] = {}
        self._times: dict[str, _Said] = {}
        self._calls: dict[str, None] = {}
        self._tried = False

    def observe(self, moment: Moment) -> Finding | None:
        seen = moment.seen
        news, self._news = moment.news != self._news, moment.news
        if not seen.heard:
            if news or moment.anew:
                self._times.clear()
            self._try(seen)
            return None
        tried, self._tried = self._tried, False
        text = seen.verbatim or ".".join((seen.call, *seen.said))
        if text not in self._known:
            self._times.clear()
            self._known = dict.fromkeys([*self._known, text][-_REMEMBERED:])
        if seen.verbatim is None:
            return None
        said = self._times.get(text)
        if said is None or moment.at - said.at > self._window:
            said = _Said(0, moment.at, (), tried=True)
        times = said.times + 1
        tried = said.tried and (tried or not said.times)
        self._times[text] = said = _Said(times, moment.at, kept(said.refs, moment.ref), tried=tried)
        limit = ASKED if seen.asks and not tried else TOLD
        if times < limit:
            return None
        between = "and what was tried after each led to nothing" if tried else "with nothing new between"
        why = f"the same words were said {times} times, whatever the answer, {between}"
        return Finding("churn", times > limit, why, said.refs)

    def _try(self, seen: StepDigest) -> None:
        """Take in a call between words: one that was not made before tries something."""
        if seen.prose or seen.call in self._calls:
            return
        self._calls[seen.call] = None
        if len(self._calls) > _REMEMBERED:
            del self._calls[next(iter(self._calls))]
        self._tried = True

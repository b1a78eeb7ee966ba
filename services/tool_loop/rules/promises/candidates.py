"""What the languages share: a place where a clause may commit its speaker, and where clauses start and end."""

from collections.abc import Iterable
from typing import NamedTuple

from .phrases import Phrases, Words, vocabulary

NEGATED = "negated"
SPEECH = "speaks or thinks rather than acts"
STATE = "tells a state, not an act"
CONDITION = "hangs on a condition"
HABIT = "tells a habit"
REPORTED = "tells what someone says"
SUPPOSITION = "only supposes"
FOLLOWS = "commits to what follows"


LEADS = frozenset({"", ";", ":", "—", "–"})
"""Marks after which a clause may start."""


_COUNTS = vocabulary("1 a mais one um")
_MEASURES = vocabulary("minute minuto second segundo")
_CONDITIONS = vocabulary(
    """
    assuming caso com contanto dependendo depending desde exceto if mediante no not nunca não once otherwise provided
    salvo se sem seu should sua subject unless until upon você when whenever with without you your
    """
)


class Candidate(NamedTuple):
    """Words that commit, or would but for the reason given."""

    at: int
    verb: int
    why: str
    """What commits, in a few words; or, where nothing does, what speaks against it."""
    commits: bool = True
    fragment: bool = False
    """A bare participle: a promise only where no report follows."""
    yields: bool = False
    """A need or a common step: no promise where the user is asked for something next."""


class Aside(NamedTuple):
    """Where a part of a sentence stands: the mark before it, the words before that mark, the mark after it."""

    lead: str = ""
    before: Words = ()
    tail: str = ""


def starts(words: Words, interjections: Phrases) -> list[int]:
    """Places at which a clause without a subject may start: the first word, and after greetings and the like."""
    places = [0]
    place = 0
    while length := interjections.at(words, place) or int(words[place : place + 1] == (",",)):
        place += length
        if place < len(words) and words[place] != ",":
            places.append(place)
    return places


def past_aside(words: Words, place: int) -> int:
    """The place behind a few words between commas (`I will, in the meantime, …`) that set no condition."""
    if word_at(words, place) != ",":
        return place
    end = next((at for at in range(place + 2, min(len(words) - 1, place + 10)) if words[at] == ","), None)
    return place if end is None or _CONDITIONS & set(words[place + 1 : end]) else end + 1


def last_wait(words: Words, waits: Phrases) -> int | None:
    """The place of a request to wait that ends a part: `I'll fix it, one moment`; `at most, one minute` is none."""
    for place in range(max(1, len(words) - 4), len(words)):
        if words[place - 1] == "," and waits.at(words, place) == len(words) - place:
            return None if words[place] in _COUNTS and words[-1] in _MEASURES else place
    return None


def back_to(words: Words, at: int, stops: Iterable[str]) -> int:
    """The place after the last of the stops before `at`, or 0."""
    kinds = frozenset(stops)
    return next((place + 1 for place in range(at - 1, -1, -1) if words[place] in kinds), 0)


def clause_end(words: Words, start: int) -> int:
    """The next comma from here on, or the end."""
    return next((place for place in range(start, len(words)) if words[place] == ","), len(words))


def word_at(words: Words, place: int) -> str:
    """The word at a place; empty beyond the ends."""
    return words[place] if 0 <= place < len(words) else ""

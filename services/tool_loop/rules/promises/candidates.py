"""What the languages share: a place where a clause may commit its speaker, and how far its clause reaches."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .phrases import Words

NEGATED = "negated"
SPEECH = "speaks or thinks rather than acts"
STATE = "tells a state, not an act"
CONDITION = "hangs on a condition"
HABIT = "tells a habit"
REPORTED = "reports what someone says"
SUPPOSITION = "is a supposition"
INSTRUCTION = "tells someone else what to do"


class Candidate(NamedTuple):
    """Words that commit, or would but for the reason given."""

    at: int
    verb: int
    why: str
    """What commits, in a few words; or, where nothing does, what speaks against it."""
    commits: bool = True
    fragment: bool = False
    """A bare participle or noun phrase: a promise only where no report follows."""


def starts(words: Words, interjections: frozenset[str]) -> list[int]:
    """Places at which a clause without a subject may start: the first word, and after greetings and the like."""
    places = [0]
    for place, word in enumerate(words[:12]):
        if word == "," and place < len(words) - 1 and all(w in interjections or w == "," for w in words[:place]):
            places.append(place + 1)
    leading = next((place for place, word in enumerate(words) if word not in interjections and word != ","), len(words))
    if 0 < leading < len(words) and leading not in places:
        places.append(leading)
    return places


def back_to(words: Words, at: int, stops: Iterable[str]) -> int:
    """The place after the last of the stops before `at`, or 0."""
    kinds = frozenset(stops)
    return next((place + 1 for place in range(at - 1, -1, -1) if words[place] in kinds), 0)


def clause_end(words: Sequence[str], start: int) -> int:
    """The next comma from here on, or the end."""
    return next((place for place in range(start, len(words)) if words[place] == ","), len(words))

"""What a text says that its author was able to do, told as done: `I managed to cancel it` as `I cancelled it`."""

import re
from typing import Final

_ENGLISH: Final = re.compile(
    r"\b(?P<who>i|we)(?: have|['’]ve)?(?: also| then| now| just| finally)*"
    r" (?:(?:was|were|been)(?: also| then| now| just| finally)? able to|managed to)(?: successfully| also)?"
    r" (?P<verb>[a-z]+)\b",
    re.IGNORECASE,
)
_PORTUGUESE: Final = re.compile(
    r"\b(?:consegui|pude)(?: agora| também)? (?P<stem>\w+?)(?P<end>[aei]r)(?=\s)", re.IGNORECASE
)
_IRREGULAR_WORDS: Final = (
    "send/sent resend/resent make/made run/ran find/found get/got write/wrote rebuild/rebuilt build/built "
    "give/gave take/took put/put set/set reset/reset do/did see/saw read/read undo/undid tell/told bring/brought "
    "keep/kept let/let cut/cut hold/held go/went pay/paid buy/bought submit/submitted commit/committed "
    "ship/shipped swap/swapped transfer/transferred refer/referred drop/dropped stop/stopped plan/planned "
    "map/mapped strip/stripped wrap/wrapped cancel/cancelled"
)
_IRREGULAR: Final = dict(each.split("/") for each in _IRREGULAR_WORDS.split())


def as_done(text: str) -> str:
    """The text with what its author was able to do told as done."""
    text = _ENGLISH.sub(lambda found: f"{found['who']} {_past(found['verb'].lower())}", text)
    return _PORTUGUESE.sub(lambda found: _did(found["stem"], found["end"].lower()), text)


def _past(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("e"):
        return f"{verb}d"
    return f"{verb[:-1]}ied" if re.search(r"[^aeiou]y$", verb) else f"{verb}ed"


def _did(stem: str, end: str) -> str:
    """The first person of the past of a regular verb: `cancelei`, `apliquei`, `paguei`, `comecei`, `abri`."""
    if end != "ar":
        return f"{stem}i"
    for last, before_e in (("c", "qu"), ("g", "gu"), ("ç", "c")):
        if stem.endswith(last):
            return f"{stem[:-1]}{before_e}ei"
    return f"{stem}ei"

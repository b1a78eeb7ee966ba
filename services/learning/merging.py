"""Whether a candidate is new, the same as a proposal that there is, or a newer wording of what is in force. Pure.

Two are near-duplicates when the words of their gists are alike (difflib's ratio, word by word). Of nearly the same
sentence with another number or the opposite verb, the newer one is an update for a person to see, never a second rule:
a proposal of its own under the same name, with its own title and text. What once was proposed never changes, so that
what a person approves is what a person was shown.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from arreio_contracts.events import LearntKind

from .candidates import Candidate

RULE: Final = "difflib-words@2"
NEAR: Final = 0.75
"""From this ratio on two gists mean the same."""
SAME: Final = 0.9
"""From this ratio on a newer wording of the harness's own says nothing new; of a person's, every word counts."""
_PAUSES: Final = re.compile(r"[,;:!?'\"“”‘’…]|\.(?=\s|$)")
_RUN: Final = re.compile(r"[\w./-]++")
_MOST_WORDS: Final = 400


@dataclass(frozen=True)
class Known:
    """A proposal that there is, whatever became of it."""

    proposal_id: str
    kind: LearntKind
    target: str
    name: str
    state: str
    gist: str
    text: str
    tasks: frozenset[str]


@dataclass(frozen=True)
class Support:
    """The same as `known`: nothing new is to be proposed."""

    known: Known
    similarity: float


@dataclass(frozen=True)
class Fresh:
    """To be proposed; `updates` is what is in force, or waits, and would be replaced once this is approved."""

    updates: Known | None = None
    similarity: float | None = None


def compare(candidate: Candidate, task_id: str, known: Sequence[Known]) -> Support | Fresh | None:
    """What to do with a candidate of a task; None: the task has taught it before."""
    of_its_kind = [one for one in known if (one.kind, one.target) == (candidate.kind, candidate.target)]
    alike = [(ratio(candidate.gist, one.gist, least=NEAR), one) for one in of_its_kind]
    near = sorted((pair for pair in alike if pair[0] >= NEAR), key=lambda pair: -pair[0])
    same = [(likeness, one) for likeness, one in near if _says_the_same(candidate, one)]
    # A person may say two things of one task that differ in a word; the harness says one thing of it.
    if any(task_id in one.tasks for _, one in (same if candidate.exact else near)):
        return None
    if same:
        likeness, one = same[0]
        return Support(one, round(likeness, 3))
    for state in ("approved", "proposed"):
        for likeness, one in near:
            if one.state == state:
                return Fresh(one, round(likeness, 3))
    return Fresh()


def _says_the_same(candidate: Candidate, known: Known) -> bool:
    if candidate.exact:
        return _said(candidate.text) == _said(known.text)
    return ratio(candidate.text, known.text) >= SAME


def _said(text: str) -> str:
    """A person's words, whatever their case and pauses: nothing else may differ, no sign and no accent."""
    return " ".join(_PAUSES.sub(" ", unicodedata.normalize("NFC", text).casefold()).split())


def ratio(one: str, other: str, *, least: float = 0.0) -> float:
    """How alike two texts are, 0 to 1, whatever their case, accents and punctuation.

    0 where they are less alike than `least`, which is found out sooner.
    """
    matcher = SequenceMatcher(None, _words(one), _words(other), autojunk=False)
    if matcher.real_quick_ratio() < least or matcher.quick_ratio() < least:
        return 0.0
    return matcher.ratio()


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text.casefold())
    runs = _RUN.findall("".join(one for one in plain if not unicodedata.combining(one)))
    return [word for run in runs if (word := run.rstrip("./-"))][:_MOST_WORDS]

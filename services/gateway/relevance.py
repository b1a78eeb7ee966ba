"""Which skills a request is about. Pure: PostgreSQL has cut the texts into words and stems (`lexemes.py`).

A word of the request counts for a skill that has it, in the English or the Portuguese form: the fewer skills have it
the more, and more in the name than in the description. What every second request says (`file`, `create`) counts little.
"""

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

RULE: Final = "skills/postgresql-full-text 1"
"""Name and version of this rule, as `task.created` records them."""

IN_NAME: Final = 2.0
"""The weight of a word in a skill's name; in its description it is 1."""
GENERIC: Final = 0.25
"""The part of its weight that a word has which says little of the work."""
LEAST: Final = 1.7
"""The score of the least that is relevant: about two telling words, or one that stands in the name."""
NEXT_TO_BEST: Final = 0.45
"""The part of the best score that another skill must reach beside it."""

_SAYING_LITTLE: Final = """
    add answer ask build call chang check code complet creat delet do edit exist explain fail file find fix folder
    follow generat get give go help implement improv know like line list look make mend need new open output pleas
    project put read remov repositori review run save say script see set show start tell test text thing time tool
    updat use user want way word work write
    abr acrescent adicion ajud alter apag arquiv arrum atualiz cheg cod codig coloc comec complet confer conserv consert
    corrig corrij cri dev diz escrev exempl exist explic fac faz ferrament ficheir funcion ger gost jeit lend leia
    ler lest linh list mand melhor mexer most mostr mud nov olh pasta past pec pesso precis projet quer queri refat
    remov repositori respond revis rod salv script tarefa taref tem test text trabalh traz usa usar usuari val vej ver
"""
_SAYS_LITTLE: Final = frozenset(_SAYING_LITTLE.split())
"""Stems of both languages, without accents."""
_SENTENCE_END: Final = re.compile(r"(?<=[.;!?\n])")
_NEGATED: Final = re.compile(
    r"\b(?:do not use|don['’]t use|not for|never use|não use|nao use|não serve|não usar)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text by its stems, in English and in Portuguese, without accents; None: it is too common there."""

    english: str | None
    portuguese: str | None

    @property
    def tells(self) -> bool:
        """Whether it is too common in neither language."""
        return self.english is not None and self.portuguese is not None

    @property
    def says_little(self) -> bool:
        """Whether it stands in every second request."""
        return self.english in _SAYS_LITTLE or self.portuguese in _SAYS_LITTLE


@dataclass(frozen=True, slots=True)
class Stems:
    """The words of a text as two sets of stems, by which words are found in it."""

    english: frozenset[str]
    portuguese: frozenset[str]

    @classmethod
    def of(cls, words: Sequence[Word]) -> "Stems":
        """Of the words that tell something."""
        return cls(
            frozenset(word.english for word in words if word.english and word.tells),
            frozenset(word.portuguese for word in words if word.portuguese and word.tells),
        )

    def hold(self, word: Word) -> bool:
        """Whether the word, in one form or the other, stands in the text."""
        return word.english in self.english or word.portuguese in self.portuguese


def plain(stem: str) -> str:
    """A stem without accents: people leave them out."""
    return "".join(one for one in unicodedata.normalize("NFKD", stem) if not unicodedata.combining(one))


def told_for(description: str) -> str:
    """A description without what it says that the skill is not for."""
    return "".join(part for part in _SENTENCE_END.split(description) if not _NEGATED.search(part))


def scores(request: Sequence[Word], skills: Mapping[str, tuple[Stems, Stems]]) -> dict[str, float]:
    """The score of each skill, by name, for a request; `skills` holds the stems of name and description."""
    words = {word for word in request if word.tells}
    found = {word: [name for name, texts in skills.items() if any(one.hold(word) for one in texts)] for word in words}
    total = dict.fromkeys(skills, 0.0)
    for word, holders in found.items():
        for name in holders:
            weight = IN_NAME if skills[name][0].hold(word) else 1.0
            total[name] += weight * _rarity(len(holders), len(skills)) * (GENERIC if word.says_little else 1.0)
    return {name: round(score, 4) for name, score in total.items()}


def relevant(found: Mapping[str, float]) -> frozenset[str]:
    """The names of the skills that the request is about."""
    best = max(found.values(), default=0.0)
    return frozenset(name for name, score in found.items() if score >= max(LEAST, NEXT_TO_BEST * best))


def _rarity(holders: int, skills: int) -> float:
    """1 for a word that one skill has, nearly 0 for one that all of many have."""
    return math.log(1 + skills / holders) / math.log(1 + skills)

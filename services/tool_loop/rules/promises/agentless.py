"""Where a passive leaves out that its speaker acts: `the fix is being applied now`, `será feito por mim`."""

from collections.abc import Iterator
from typing import NamedTuple

from ..language import Language
from . import english_company, portuguese_company
from .candidates import Candidate, clause_end, word_at
from .phrases import Phrases, Vocabulary, Words, vocabulary

_WHY = "says what is being done"
_OWN_HAND = Phrases(
    """
    by me / by us / by myself / on my end / on my side / on our end / on our side / por mim / por nós / do meu lado /
    da minha parte / do nosso lado / por mim mesmo / cá por mim
    """
)
_FUTURES = vocabulary("será serão they'll vai vão will")
_AGENTS = vocabulary("by pela pelas pelo pelos por")
_NEGATIONS = vocabulary("never not nunca não")
_OPEN = vocabulary(
    """
    always automatically automaticamente because cada each enquanto every if once porque quando se sempre toda todo
    twice unless until when whenever where which while who
    """
)
"""Words with which a passive tells how a thing works, or what it waits for."""


class _Tongue(NamedTuple):
    passives: Vocabulary
    """What the participle stands behind."""
    soon: Phrases
    small: Phrases
    strange: Vocabulary
    """Participles that no ending tells."""
    endings: tuple[str, ...]
    unlike: Vocabulary
    """Those of feeling and thought."""
    heard: Vocabulary
    """Subjects that speak of someone else."""


_ENGLISH = _Tongue(
    vocabulary("be being"),
    Phrases(
        """
        now / next / shortly / momentarily / as we speak / right away / immediately / at this moment / at the moment /
        in a moment / in a minute / in a second / in a bit / in a few / in my next / right after this / this minute /
        tonight / straight away / at once
        """
    ),
    english_company.SMALL,
    vocabulary(
        "built cut done drawn fed made put rebuilt redone rerun rewritten run sent set shut split taken written"
    ),
    ("ed",),
    vocabulary(
        """
        asked believed bored called charged considered delayed detained displayed expected feared held intended
        interested known loved named needed noted prepared read required said scared supposed tired told used watched
        """
    ),
    vocabulary("he i she there we who you you'll"),
)
_PORTUGUESE = _Tongue(
    vocabulary("sendo ser será serão"),
    Phrases(
        """
        agora / agora mesmo / já / em seguida / a seguir / de seguida / logo / em breve / em instantes / num instante /
        neste momento / nesse momento / neste instante / nesse instante / de imediato / imediatamente / daqui a pouco /
        na sequência / ainda hoje / em poucos / em alguns minutos / já já / primeiro / neste exato
        """
    ),
    portuguese_company.SMALL,
    vocabulary(
        "aberta aberto coberto escrita escrito feita feito posta posto refeita refeito reescrita reescrito vista"
    ),
    ("ado", "ada", "ados", "adas", "ido", "ida", "idos", "idas", "feitos", "feitas", "escritos", "escritas"),
    vocabulary("cobrada cobrado considerada considerado esperada esperado usada usado utilizada utilizado"),
    vocabulary("ela elas ele eles eu nós quem vc você vocês"),
)


def candidates(words: Words, lang: Language) -> Iterator[Candidate]:
    """All places of a part where something is being done, or will be, and nobody but the speaker can be meant."""
    tongue = _ENGLISH if lang == "en" else _PORTUGUESE
    for place in range(1, len(words)):
        if words[place] in tongue.passives and (start := _starts(words, place)) is not None:
            verb = tongue.small.skip(words, place + 1)
            if _participle(word_at(words, verb), tongue) and _by_speaker(words, start, verb, tongue):
                yield Candidate(0, verb, _WHY)


def _starts(words: Words, place: int) -> int | None:
    """Where the auxiliary stands whose passive ends at `place`: `is being`, `will be`, `está a ser`, `será`."""
    for before in range(place - 1, max(-1, place - 5), -1):
        word = words[before]
        match words[place]:
            case "being" if word in {"is", "are"} or word.endswith("'s"):
                return before
            case "be" if word in {"will", "they'll"}:
                return before
            case "sendo" if word in {"esta", "está", "estão", "tá", "tão"}:
                return before
            case "ser" if (word in {"vai", "vão"} and before == place - 1) or word in {"está", "estão"}:
                return before
    return place if words[place] in {"será", "serão"} else None


def _participle(word: str, tongue: _Tongue) -> bool:
    named = word in tongue.strange or (len(word) > 4 and word.endswith(tongue.endings))
    return named and word not in tongue.unlike


def _by_speaker(words: Words, start: int, verb: int, tongue: _Tongue) -> bool:
    """Whether the doer is named as the speaker; or is left out, and it is done at once."""
    if _OWN_HAND.within(words, verb, clause_end(words, verb)) is not None:
        return True
    if (
        (_AGENTS | _OPEN) & set(words[: clause_end(words, verb)])
        or _NEGATIONS & set(words[:verb])
        or tongue.heard & set(words[:start])
    ):
        return False
    return _at_once(words, start, verb, tongue)


def _ends(length: int, left: int) -> bool:
    """Whether a phrase ends the clause, but for its noun: `in a few minutes`."""
    return length >= left or length == left - 1 > 1


def _at_once(words: Words, start: int, verb: int, tongue: _Tongue) -> bool:
    """A word for soon opens or ends the clause: `now being stored in` and `now and then` tell a state."""
    end = clause_end(words, verb)
    first = verb + 1
    places = [0, first, *(place for place in range(first, end) if _ends(tongue.soon.at(words, place), end - place))]
    if words[start] in _FUTURES:
        places += range(start + 1, verb)
    met = (place for place in places if tongue.soon.at(words, place))
    return any(word_at(words, place + tongue.soon.at(words, place)) != "and" for place in met)

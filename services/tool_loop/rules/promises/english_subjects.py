"""Whether an English -ing form is a subject, or leans on a main clause: `Fixing it takes time`, `Reading it, I saw`."""

from . import english_company as company
from . import english_phrases as fixed
from . import english_words as en
from .candidates import word_at
from .english_holding import holding
from .phrases import Words, vocabulary
from .shown import THING

_AFTER_PLURAL = vocabulary(
    """
    about after again against and are as at because before between by first for from in into is it now of on once or
    over per since so that then through to too under until via when where which while with
    """
)

_AUXILIARIES = vocabulary(
    """
    are aren't can can't could couldn't did does is isn't may must should was wasn't were weren't will won't would
    """
)

_GOES_ON_WITH = vocabulary("and back but i'll let may might or please should so takes then will")

_OWN_SUBJECT = vocabulary("he's here's i'd i'm i've it's she's that's there's they're we've you'll you're")

_PREPOSITIONS = vocabulary("about at by for from in into of on over through to under with")

_RELATIVE = vocabulary(
    """
    although because how if since so that though unless until what whatever where whether which who whom whose why
    """
)


def is_subject(words: Words, at: int) -> bool:
    """Whether a participle is the subject of a verb that follows, or leans on a main clause after a comma."""
    embedded, within = 0, at
    for place in range(at + 1, len(words)):
        word = words[place]
        if word == ",":
            return _leans(words, place + 1)
        if place == within or (word == "so" and place == at + 1):
            continue
        if place > at + 1 and (inner := _relative_verb(words, place)) is not None:
            within = inner
        elif word in _RELATIVE and not _points(words, place, at):
            embedded += 1
        elif _finite(words, place) and (embedded or not _has_subject(words, place, at)):
            if not embedded:
                return True
            embedded -= 1
    return False


def _relative_verb(words: Words, place: int) -> int | None:
    """The place of the verb of `that isn't registered`, `which only contains`: it is none of the main clause."""
    if words[place] not in {"that", "which", "who"}:
        return None
    verb = company.SMALL.skip(words, place + 1)
    word = word_at(words, verb)
    plural = word.endswith("s") and len(word) > 3 and word not in en.DETERMINERS | en.PRONOUNS
    return verb if word in _AUXILIARIES | en.FINITE or (plural and words[place] != "that") else None


def _points(words: Words, place: int, at: int) -> bool:
    """Whether `that` right behind a participle points at a noun (`fixing that bug`) and opens no clause."""
    following = word_at(words, place + 1)
    return words[place] == "that" and place == at + 1 and following not in en.DETERMINERS | en.PRONOUNS


def _has_subject(words: Words, place: int, at: int) -> bool:
    """Whether a pronoun before a verb is its subject, and no object of the participle or of a preposition."""
    taken = words[place - 2] in _PREPOSITIONS or words[place - 2].endswith("ing")
    return words[place - 1] in en.PRONOUNS and place - 2 > at and not taken


def _verb_by_place(words: Words, place: int) -> bool:
    """`… on the client saves bandwidth`: what looks like a plural stands between a noun and a noun."""
    word, following, before = words[place], word_at(words, place + 1), word_at(words, place - 1)
    known = word in en.AMBIGUOUS_FINITE or (
        word.endswith("s") and (word[:-1] in en.ACTIONS or word.removesuffix("es") in en.ACTIONS)
    )
    articles = en.DETERMINERS - _PREPOSITIONS
    named = before == THING or word_at(words, place - 2) in articles or word_at(words, place - 3) in articles
    if before in {"it", "them"} and word.endswith("s") and following in en.DETERMINERS - _PREPOSITIONS:
        return True
    return known and named and following.isalpha() and following not in _AFTER_PLURAL and not following.endswith("ly")


def has_verb(words: Words, place: int) -> bool:
    """Whether a verb with a person may stand here, be it never so doubtful."""
    word = words[place]
    doubtful = word in en.FINITE | en.AMBIGUOUS_FINITE | _AUXILIARIES | en.PAST or "'" in word
    past = word.endswith("ed") and len(word) > 4
    return doubtful or past or word in (en.PRONOUNS | fixed.OWN) - {"there"} or _finite(words, place)


def _leans(words: Words, start: int) -> bool:
    """Whether a main clause with a subject of its own follows a participle and a comma."""
    start = company.SMALL.skip(words, start)
    word = word_at(words, start)
    if word in _GOES_ON_WITH or not word or holding(words, start):
        return False
    if word in en.PRONOUNS or word in _OWN_SUBJECT:
        return True
    return any(_finite(words, place) or _past(words, place) for place in range(start, len(words)))


def _past(words: Words, place: int) -> bool:
    """`sales peaked`: a past behind a noun."""
    before = words[place - 1]
    named = before.isalpha() and before != "," and before not in en.DETERMINERS | {"and", "or"}
    return words[place].endswith("ed") and len(words[place]) > 4 and named


def _finite(words: Words, place: int) -> bool:
    """Whether a verb with a person stands here, and no noun or participle that looks like one."""
    word, following, before = words[place], word_at(words, place + 1), word_at(words, place - 1)
    if word in _AUXILIARIES:
        return True
    pointed = before in {"this", "that", "it"} and word in en.FINITE
    if (before in en.DETERMINERS and not pointed) or before in _AUXILIARIES:
        return False
    if word in en.FINITE:
        return following not in {"by", "yesterday", "in", "from"}
    if _verb_by_place(words, place):
        return True
    if not (following in en.AFTER_FINITE or following == THING or following.isdigit()):
        return False
    if word in en.AMBIGUOUS_FINITE or (word.endswith("ed") and len(word) > 4):
        return True
    return (
        word.endswith("s")
        and len(word) > 3
        and bool({word[:-1], word.removesuffix("es"), word.removesuffix("ies") + "y"} & (en.ACTIONS | en.NOT_ACTING))
    )

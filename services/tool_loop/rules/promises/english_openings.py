"""Where an English clause without a subject commits: `Checking the logs`, `Will look into it`, `One moment`."""

from collections.abc import Iterator

from . import english_phrases as fixed
from . import english_words as en
from .candidates import LEADS, Aside, Candidate, last_wait, starts, word_at
from .english_plans import next_head
from .english_verbs import acts, carried, names_act, opens, unheard, unheard_of, used_up
from .phrases import Phrases, Words, vocabulary
from .shown import THING

_DOING_NOUNS = vocabulary(
    """
    address class continues costs fee fees guidelines hours list lists material notes page period permit permits
    point points policy price room speed strategy team time times tools
    """
)

_FAILED = vocabulary(
    """
    blocked broke broken crashed denied died done down empty error errors expired failed failing fails found green
    invalid missing nothing passed ready red refused rejected saved stale timed wrong
    """
)

_QUICK = vocabulary(
    """
    checking fetching fixing investigating pulling rerunning restarting retrying reverting switching trying
    """
)

_TAKEN_WITH_OBJECT = vocabulary("calling hitting looking opening running using working writing")

_TIMELY = Phrases(
    """
    omw to / on my way to / time to / time for me to / it's time to / it is time to / it's time for me to /
    it is time for me to / high time to / it's high time to / my turn to / it's my turn to / now to / and now to /
    now it's time to / it's now time to
    """
)

_TIMES = frozenset({"time", "it's", "it", "high", "my"})

_MOVING = Phrases(
    """
    on to the next / onto the next / on to step / onto step / now on to / now onto / it's on to / onward to /
    onwards to / off to the / back to the / on to the / off to check / onto the
    """
)

_CAUSES = vocabulary(
    "cause choice did error fact issue mistake option options problem question reason trouble was way ways were"
)

_TURNS = vocabulary("first goes my now")

_TALK = vocabulary("answer point points question questions section start topic")

_CLOSING = vocabulary("closing concluding finishing rounding signing summing wrapping")

_CLOSED_BY = vocabulary("off out things up")

_AFTER_READY = vocabulary(", and boss chief now then")

_AFTER_HOLDING = vocabulary(
    """
    , and as but here i i'll i'm let minute minutes moment moments more now please seconds secs so then to while
    with
    """
)

_RELATIVE = vocabulary(
    """
    although because how if since so that though unless until what whatever where whether which who whom whose why
    """
)

_AUXILIARIES = vocabulary(
    """
    are aren't can can't could couldn't did does is isn't may must should was wasn't were weren't will won't would
    """
)

_AFTER_PLURAL = vocabulary(
    """
    about after again against and are as at because before between by first for from in into is it now of on once or
    over per since so that then through to too under until via when where which while with
    """
)

_PREPOSITIONS = vocabulary("about at by for from in into of on over through to under with")

_OWN_SUBJECT = vocabulary("he's here's i'd i'm i've it's she's that's there's they're we've you'll you're")

_GOES_ON_WITH = vocabulary("and back but i'll let may might or please should so takes then will")


def openings(words: Words, aside: Aside) -> Iterator[Candidate]:
    """All places of a part at which a clause without a subject commits."""
    for start in starts(words, fixed.INTERJECTIONS):
        if _is_ready(words, start):
            yield Candidate(start, start, "says that it is on it")
        if _MOVING.at(words, start) and not (_TALK | fixed.USER) & set(words[start:]):
            yield Candidate(start, start, "moves on to the next")
        if holding(words, start):
            yield Candidate(start, start, "asks to wait for what it does")
        at = en.SMALL.skip(words, start)
        at += word_at(words, at) == "double"
        word = word_at(words, at)
        if word in {"will", "need", "have", "gotta", "about", "gonna", "going", "off"}:
            yield from _dropped(words, start, at, 1 if word in {"will", "gonna", "gotta"} else 2)
        if (length := _TIMELY.at(words, start)) and not fixed.USER & set(words):
            yield from _dropped(words, start, start, length)
        if word.endswith("ing") and _may_open(words, at, aside):
            yield Candidate(at, at, "opens with what it is doing", fragment=True)
    if any(words[p] == "so" and words[p - 1] == "," and _MOVING.at(words, p + 1) for p in range(1, len(words))):
        yield Candidate(0, len(words) - 1, "moves on to the next")
    if (wait := last_wait(words, fixed.HOLDING)) is not None:
        yield Candidate(wait, wait, "asks to wait for what it does")
    for at in range(1, len(words)):
        if words[at].endswith("ing") and words[at - 1] in {",", "so", "now", "and"} and _comes_after(words, at, aside):
            yield Candidate(at, at, "goes on with what it is doing", fragment=True)


def _is_ready(words: Words, start: int) -> bool:
    length = fixed.READY.at(words, start)
    return bool(length) and (start + length == len(words) or words[start + length] in _AFTER_READY)


def holding(words: Words, start: int) -> bool:
    """Whether a request to wait stands here: it promises what the wait is for."""
    length = fixed.HOLDING.at(words, start)
    if not length or words[start : start + 3] == ("hold", "on", "to"):
        return False
    following = word_at(words, start + length)
    return not following or following in _AFTER_HOLDING or following.endswith("ing")


def _dropped(words: Words, start: int, at: int, ahead: int) -> Iterator[Candidate]:
    """`Will check`, `Need to check`, `Going to check`, `Time to run it`."""
    word = words[at]
    if ahead > 1 and words[at + ahead - 1 : at + ahead] != ("to",):
        return
    verb = carried(words, at + ahead)
    base = word_at(words, verb)
    cued = word in {"going", "gonna", "about"} or words[start] in _TIMES
    known = base in en.ACTIONS or unheard(words, verb) if cued else names_act(words, verb)
    finds_out = base == "see" and words[start] in _TIMES and acts(words, verb, let=True)
    if finds_out or (known and acts(words, verb, let=False)):
        yield Candidate(start, verb, "says what it will do")


def _may_open(words: Words, at: int, aside: Aside) -> bool:
    word, following = words[at], word_at(words, at + 1)
    if (
        aside.lead not in LEADS
        or not (opens(word) or en.ACTING_STATES.at(words, at) or unheard_of(words, at))
        or used_up(words, at)
    ):
        return False
    commanded = word in _TAKEN_WITH_OBJECT and following == THING
    if word in en.STATES and following and not (commanded or en.ACTING_STATES.at(words, at)):
        return False
    closes = word in _CLOSING and set(words[at + 1 :]) <= _CLOSED_BY
    label = aside.tail == ":" and (closes or at + 1 == len(words) or following in _DOING_NOUNS)
    if label or words[at:] == ("getting", "started"):
        return False
    if aside.lead in {"—", "–"} and not _after_dash(words, at, aside.before):
        return False
    if aside.lead == ":" and not (_after_head(aside.before) or words[-1] == "now"):
        return False
    return not is_subject(words, at)


def _after_dash(words: Words, at: int, before: Words) -> bool:
    short = len(before) <= 5 or bool(fixed.INTERJECTIONS.at(before, 0)) or bool(_FAILED & set(before))
    return short or word_at(words, at + 1) in {"it", "that", "this", "now", "them", ""}


def _after_head(before: Words) -> bool:
    """`Next: checking …`, `Step 2: running …`, `Switching to plan B: restoring …`."""
    opened = before[starts(before, fixed.INTERJECTIONS)[-1] :] or before
    if {before[:1], opened[:1]} & {("next",), ("let's",)} or _TURNS & set(before):
        return not (_CAUSES | fixed.USER) & set(before)
    before = opened
    head = word_at(before, en.SMALL.skip(before, 0))
    announced = next_head(before) or before[:1] == ("step",) or before[-2:] == ("comes", "next")
    calls = {fixed.INTERJECTIONS.skip(before, 0), fixed.READY.at(before, 0)}
    greeted = bool(before) and head != "status" and len(before) in calls
    agreed = before[-4:] == ("i", "can", "do", "that") or before[-3:] == ("can", "do", "that")
    return (
        announced
        or greeted
        or agreed
        or (
            len(before) > 1 and (opens(head) or (head.endswith("ing") and unheard_of(before, en.SMALL.skip(before, 0))))
        )
    )


def _comes_after(words: Words, at: int, aside: Aside) -> bool:
    """`The test failed, retrying`; `…, so going straight to the handler`; `…, now checking the other`."""
    word, mark = words[at], words[at - 1]
    labels = aside.tail == ":" and word_at(words, at + 1) in _DOING_NOUNS
    if labels or used_up(words, at):
        return False
    if not (opens(word) or word == "going" or unheard_of(words, at)) or is_subject(words, at):
        return False
    if mark == "and":
        first = starts(words, fixed.INTERJECTIONS)[-1]
        return words[first].endswith("ing") and first + 1 < at and words[-1] == "now"
    if mark == "so" or (mark == "now" and word_at(words, at - 2) in {",", "so"}):
        return word not in en.STATES or bool(en.ACTING_STATES.at(words, at))
    before = set(words[: at - 1])
    brief = at <= 3 and not aside.lead and not (en.DETERMINERS | {","}) & before and not words[0].endswith("ing")
    hurried = brief or words[-1] == "now" or ("i'm", "on") in {words[:2], words[2:4]}
    return mark == "," and (hurried or (word in _QUICK and bool(_FAILED & set(words[: at - 1]))))


def is_subject(words: Words, at: int) -> bool:
    """Whether a participle is the subject of a verb that follows, or leans on a main clause after a comma."""
    embedded = 0
    for place in range(at + 1, len(words)):
        word = words[place]
        if word == ",":
            return _leans(words, place + 1)
        if word in _RELATIVE and not _points(words, place, at):
            embedded += 1
        elif _finite(words, place) and (embedded or not _has_subject(words, place, at)):
            if not embedded:
                return True
            embedded -= 1
    return False


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


def _leans(words: Words, start: int) -> bool:
    """Whether a main clause with a subject of its own follows a participle and a comma."""
    start = en.SMALL.skip(words, start)
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
        and bool({word[:-1], word.removesuffix("es")} & (en.ACTIONS | en.NOT_ACTING))
    )

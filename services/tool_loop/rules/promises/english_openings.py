"""Where an English clause without a subject commits: `Checking the logs`, `Will look into it`, `One moment`."""

from collections.abc import Iterator

from . import english_company as company
from . import english_phrases as fixed
from . import english_words as en
from .candidates import LEADS, Aside, Candidate, last_wait, starts, word_at
from .english_holding import holding
from .english_plans import next_head
from .english_subjects import has_verb, is_subject
from .english_verbs import acts, carried, names_act, opens, takes_object, unheard, unheard_of, used_up
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

_FINDING = vocabulary(
    """
    can't cannot couldn't explains find found got have hit makes missed missing notice noticed saw see spotted
    """
)
_COPULAS = vocabulary("are aren't is isn't it's that's there's they're was were")
_WHAT_IS_FOUND = vocabulary("again and back first instead into it now over that them these this those to")
_EACH = vocabulary("each every per which who")

_RESULTING = vocabulary(
    "allowing blocking breaking causing forcing leading leaving letting making preventing raising resulting saving"
)

_HANGING = vocabulary("after as because before given once since so until while")

_TALK = vocabulary("answer point points question questions section start topic")

_CLOSING = vocabulary("closing concluding finishing rounding signing summing wrapping")

_CLOSED_BY = vocabulary("off out things up")

_AFTER_READY = vocabulary(", and boss chief now then")


def openings(words: Words, aside: Aside) -> Iterator[Candidate]:
    """All places of a part at which a clause without a subject commits."""
    for start in starts(words, fixed.INTERJECTIONS):
        if _is_ready(words, start):
            yield Candidate(start, start, "says that it is on it")
        if _MOVING.at(words, start) and not (_TALK | fixed.USER) & set(words[start:]):
            yield Candidate(start, start, "moves on to the next")
        if holding(words, start):
            yield Candidate(start, start, "asks to wait for what it does")
        at = company.SMALL.skip(words, start)
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
    known = known or company.RESCUES.at(words, verb) > 1
    if finds_out or (known and acts(words, verb, let=False)):
        yield Candidate(start, verb, "says what it will do")


def _may_open(words: Words, at: int, aside: Aside) -> bool:
    word, following = words[at], word_at(words, at + 1)
    if (
        aside.lead not in LEADS
        or not (opens(word) or company.ACTING_STATES.at(words, at) or unheard_of(words, at))
        or used_up(words, at)
    ):
        return False
    commanded = word in _TAKEN_WITH_OBJECT and following == THING
    if word in en.STATES and following and not (commanded or company.ACTING_STATES.at(words, at)):
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
    """`Next: checking …`, `Step 2: running …`, `Switching to plan B: restoring …`, `I can do that: moving …`."""
    opened = before[starts(before, fixed.INTERJECTIONS)[-1] :] or before
    if {before[:1], opened[:1]} & {("next",), ("let's",)} or _TURNS & set(before):
        return not (_CAUSES | fixed.USER) & set(before)
    place = company.SMALL.skip(opened, 0)
    head = word_at(opened, place)
    announced = next_head(opened) or opened[:1] == ("step",) or opened[-2:] == ("comes", "next")
    calls = {fixed.INTERJECTIONS.skip(opened, 0), fixed.READY.at(opened, 0)}
    answered = opened[-3:] == ("can", "do", "that") or (head != "status" and len(opened) in calls)
    doing = opens(head) or (head.endswith("ing") and unheard_of(opened, place))
    return announced or answered or (doing and len(opened) > 1)


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
        return word not in en.STATES or bool(company.ACTING_STATES.at(words, at))
    before = set(words[: at - 1])
    brief = at <= 3 and not aside.lead and not (en.DETERMINERS | {","}) & before and not words[0].endswith("ing")
    hung = words[0] in _HANGING and "," not in before and not aside.lead
    hurried = (
        brief
        or (hung and takes_object(words, at) and word not in _RESULTING)
        or words[-1] == "now"
        or ("i'm", "on") in {words[:2], words[2:4]}
    )
    return mark == "," and (
        hurried
        or (word in _QUICK and bool(_FAILED & set(words[: at - 1])))
        or (not aside.lead and _upon_finding(words, at))
    )


def _upon_finding(words: Words, at: int) -> bool:
    """`I see the issue, adjusting the offsets`; `No luck, switching to the mirror`: what is found is no doing."""
    before, following = words[: at - 1], word_at(words, at + 1)
    if (
        words[at] in _RESULTING
        or (words[at] in en.STATES and not company.ACTING_STATES.at(words, at))
        or _EACH & set(words)
    ):
        return False
    if _FINDING & set(before):
        return not following or following in _WHAT_IS_FOUND or takes_object(words, at)
    listed = any(word.endswith("ing") for word in before) or "and" in {words[at - 1], following}
    told = not _COPULAS & set(before) and any(has_verb(before, place) for place in range(len(before)))
    return not told and not listed and (not following or following in _WHAT_IS_FOUND)

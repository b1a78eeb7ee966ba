"""What takes the force from an English commitment: a condition of its own clause, a habit, someone else's words."""

from . import english_company as company
from . import english_phrases as fixed
from . import english_words as en
from .candidates import CONDITION, HABIT, NEGATED, REPORTED, SUPPOSITION, back_to, clause_end, word_at
from .phrases import Phrases, Words, vocabulary

_CONTRASTS = frozenset({"but", "so", "however", "therefore", "hence"})
_WHENS = Phrases(
    """
    once / when / whenever / as soon as / the moment / the minute / after / next time / the day / by the time
    """
)

_IFS = Phrases(
    """
    if / in case / unless / provided / providing / assuming / in the event / on condition / contingent /
    depending on / as long as / so long as / supposing / should / otherwise / or else / if not / if so / only if
    """
)

_WITHS = vocabulary("following pending subject upon with without")

_ONLY_IN_FRONT = vocabulary("in or otherwise providing should")

_PROVISOS = vocabulary("all everything i it no nobody that the they we you your")

_LATER_HABITS = Phrases(
    """
    from now on / going forward / in the future / in future / every time / whenever / each time / by default /
    as a rule
    """
)

_AGREED = vocabulary("accepted agreed approved authorised authorized cleared confirmed paid requested signed")

_RECEIVING = vocabulary("get got have hear receive see")

_ASKED_FOR = vocabulary("access both either information it permission that them these this those")

_FINISHED = vocabulary("done finished ready that that's this")

_IMPERATIVES = vocabulary(
    """
    accept add allow answer approve attach authorize buy call check choose click confirm connect create describe
    drop email enable enter fill forward give grant hand install invite let log message open paste pay pick ping
    point post provide reconnect reply respond restart run say select send share shoot show sign specify tell text
    try type upload
    """
)

_LEADINS = Phrases(
    """
    please / just / kindly / simply / feel free to / go ahead and / then / or / first / also / if not / ok / okay /
    sure / you can / you could / you / all you have to do is / so / and
    """
)

_SO_VERBS = vocabulary("believe choose decide do feel hope prefer say says think want wish")

_ASIDES = vocabulary(", also and but however no ok okay only or please so sure then yes")
_DOUBTS = frozenset(
    {
        ("don't", "think"),
        ("not", "sure"),
        ("not", "saying"),
        ("no", "way"),
        ("don't", "believe"),
        ("i", "doubt"),
        ("not", "certain"),
    }
)
_BETWEEN_SAYING = vocabulary("her him how if me that the them us user when whether why you")
_OWN_CLAUSES = en.PRONOUNS | vocabulary("after i'll i'm if let let's once report tell then unless update we'll when")


def reason_against(words: Words, at: int, verb: int) -> str | None:
    """Why a commitment at `at` with its verb at `verb` does not hold, or None."""
    left, right = _left(words, at), reach(words, verb)
    if (
        _nothing_more(words[max(0, at - 3) : at])
        or words[max(0, at - 2) : at] in _DOUBTS
        or words[max(0, at - 3) : at - 1] in _DOUBTS
    ):
        return NEGATED
    if _reported(words, at):
        return REPORTED
    if fixed.HABITS.within(words, left, verb + 1) is not None or _LATER_HABITS.within(words, at, right) is not None:
        return HABIT
    if word_at(words, at - 1) in {"maybe", "perhaps", "possibly"}:
        return SUPPOSITION
    fronted = (p for p in range(left, at) if _opens_condition(words, p) and (p == left or words[p - 1] in _ASIDES))
    trailing = (p for p in range(verb + 1, right) if _opens_condition(words, p))
    if any(_holds_back(words, p, at, front=True) for p in fronted):
        return CONDITION
    if any(_holds_back(words, p, right, front=False) for p in trailing):
        return CONDITION
    return CONDITION if _after_request(words, at) else None


def _nothing_more(before: Words) -> bool:
    """`nothing more I need to do`, but not `found nothing, so I'll` or `if nothing else, I'll`."""
    return "nothing" in before and "," not in before and "so" not in before


def supposed(words: Words) -> bool:
    """Whether the sentence only supposes."""
    start = 1 + (word_at(words, 1) == ",") if word_at(words, 0) in {"ok", "so", "well", "now", "but"} else 0
    return bool(fixed.SUPPOSING.at(words, start))


def head_reason(words: Words) -> str | None:
    """What words before a colon make of the words after it."""
    if not words:
        return None
    if fixed.HABITS.within(words, 0, len(words)) is not None:
        return HABIT
    if (
        words[-1] in fixed.QUOTING_HEADS
        or words[0] in {"repeat", "example", "translation"}
        or (words[-1] in fixed.SAID and not {"i", "i'd"} & set(words))
    ):
        return REPORTED
    if supposed(words):
        return SUPPOSITION
    conditional = _opens_condition(words, 0) and "," not in words and _holds_back(words, 0, len(words), front=True)
    return CONDITION if conditional else None


def demands(words: Words) -> bool:
    """Whether a sentence tells the listener what to do or send."""
    first = _LEADINS.skip(words, 0)
    return first < len(words) and (words[0] in {"please", "you"} or words[first] in _IMPERATIVES)


def reach(words: Words, verb: int) -> int:
    """How far the clause of a commitment goes: to a contrast, or a clause with a subject or condition of its own."""
    for place in range(verb + 1, len(words)):
        word, following = words[place], word_at(words, place + 1)
        if word in {"but", "so"} and words[place - 1] == "," and following not in {"only", "if"}:
            return place
        if word in {"and", "or", "then"}:
            then = company.SMALL.skip(words, place + 1 + (following == ","))
            if word_at(words, then) in _OWN_CLAUSES or words[then : then + 3] == ("get", "back", "to"):
                return place
    return len(words)


def _left(words: Words, at: int) -> int:
    """Where the clauses start that a commitment belongs to: after the last contrast."""
    left = back_to(words, at, _CONTRASTS)
    if words[max(0, left - 2) : left] == ("if", "so"):
        return 0
    agreed = words[left - 1 : left + 1] == ("so", ",") and word_at(words, left - 2) in _SO_VERBS
    return back_to(words, left - 2, _CONTRASTS) if agreed else left


def _reported(words: Words, at: int) -> bool:
    """`he says I'll`, `you asked whether I'm going to`, but not `I think I'll`."""
    for place in range(at - 1, max(-1, at - 5), -1):
        word, subject = words[place], word_at(words, place - 1)
        if word in fixed.SAYING:
            told = word.endswith(("ed", "said", "told", "wrote"))
            return (
                bool(subject)
                and subject not in {"to", "let", "me", "and", ",", "before", "i'd"}
                and (subject != "i" or told)
            )
        if word not in _BETWEEN_SAYING:
            return False
    return False


def _opens_condition(words: Words, place: int) -> bool:
    return bool(_IFS.at(words, place) or _WHENS.at(words, place)) or words[place] in _WITHS


def _holds_back(words: Words, place: int, end: int, *, front: bool) -> bool:
    """Whether the condition at `place` makes a commitment hang on it."""
    if words[place] in _WITHS:
        row = words[place + 1 : min(end, place + 5)]
        mine = words[place] in {"upon", "pending", "subject"} or fixed.USER & set(row)
        return bool(mine and fixed.CONSENT & set(row))
    if length := _IFS.at(words, place):
        return _if_holds(words, place, length, end, front)
    return _when_holds(words, place, end, front)


def _if_holds(words: Words, place: int, length: int, end: int, front: bool) -> bool:
    word, before = words[place], word_at(words, place - 1)
    if word == "should":
        return front and place == 0 and word_at(words, 1) != "i" and "," in words[:end]
    if not front and (word in _ONLY_IN_FRONT or (word == "provided" and word_at(words, place + 1) not in _PROVISOS)):
        return False
    if fixed.MISTAKEN.at(words, place + length) or before in {"even", "as", "what"}:
        return False
    if word == "if" and _asked_before(words, place):
        return bool(fixed.WANTING.at(words, place + 1))
    return front or not _invites(words, place)


def _asked_before(words: Words, place: int) -> bool:
    """Whether `if` or `when` here is what a verb of checking asks."""
    start = max(back_to(words, place, {","}), place - 6)
    return bool(fixed.CHECKING & set(words[start:place]))


def _invites(words: Words, place: int) -> bool:
    """`…, if you need anything else, let me know`: the condition belongs to the invitation."""
    ahead = range(place + 2, min(len(words), place + 14))
    user = word_at(words, place + 1) in fixed.USER
    return user and word_at(words, place - 1) == "," and fixed.INVITING.first(words, ahead) is not None


def _when_holds(words: Words, place: int, end: int, front: bool) -> bool:
    """A time hangs on the user, or on something else that may not come; one's own doing holds nothing back."""
    word = words[place]
    start = place + _WHENS.at(words, place)
    row = words[start : min(clause_end(words, place), end if front else start + 10)]
    if not row or (word == "once" and row[0] in {"more", "again", "per", "a", "every"}):
        return False
    if word == "when" and not front and _asked_before(words, place):
        return False
    user, consents = bool(fixed.USER & set(row)), bool(fixed.CONSENT & set(row))
    if fixed.RUNS_OUT & set(row) and not (fixed.PERSONS | fixed.CONSENT) & set(row):
        return False
    if row[0] in _AGREED:
        return word != "after"
    if word == "after":
        return (row[0] in fixed.USER and row[0] != "your") or (user and consents)
    if row[0] in fixed.OWN or row[0].endswith("ing") or row[0] in _FINISHED:
        received = bool(_RECEIVING & set(row))
        return (user and (consents or received)) or (received and bool(_ASKED_FOR & set(row)))
    return user or front or word in {"once", "as", "the"} or "and" not in words[max(0, place - 6) : place]


def _after_request(words: Words, at: int) -> bool:
    """`Send me the file and I'll check it`, `Upload it, then I'll look`: what the listener is asked for comes first."""
    end = at
    while end and words[end - 1] in {",", "then"}:
        end -= 1
    joined = word_at(words, end - 1) in {"and", "or"}
    spliced = words[:1] == ("you",) and "," in words[end:at] and word_at(words, 1) in en.ACTIONS | _IMPERATIVES
    if not joined and not spliced and "then" not in words[end:at]:
        return False
    end -= joined
    start = back_to(words, end, {"but", "so"})
    for place in [start, *(p + 1 for p in range(start, end) if words[p] == ",")]:
        first = _LEADINS.skip(words, place)
        own = words[first : first + 2] == ("let", "me") and word_at(words, first + 2) != "know"
        if first < end and not own and words[first] in _IMPERATIVES | (en.ACTIONS - en.DOUBTFUL_OPENERS):
            return True
    return joined and words[end] == "or"

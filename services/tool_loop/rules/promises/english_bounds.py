"""What takes the force from an English commitment: a condition of its own clause, a habit, someone else's words."""

from collections.abc import Iterator

from . import english_words as en
from .candidates import CONDITION, HABIT, NEGATED, REPORTED, SUPPOSITION, back_to, clause_end
from .phrases import Phrases, Words

_CONTRASTS = frozenset({"but", "so", "however", "therefore", "hence"})
_WHENS = Phrases("once / when / whenever / as soon as / the moment / the minute / after / as long as / so long as / next time / the day / by the time")
_IFS = Phrases("if / in case / unless / provided / providing / assuming / in the event / on condition / contingent / depending on / as long as / so long as / supposing / should / otherwise / or else / if not / if so / only if")
_LATER_HABITS = Phrases("from now on / going forward / in the future / in future / every time / whenever / each time / by default / as a rule")
_AGREED = frozenset("approved confirmed agreed authorized authorised accepted signed paid cleared requested merged".split())
_RECEIVING = frozenset("get receive have hear got see".split())
_IMPERATIVES = frozenset(
    """
    send share tell give say show let paste reply type upload provide confirm approve choose select drop attach respond sign
    log click enter ping point pick answer describe specify grant allow authorize restart reconnect connect call text
    email message call buy pay fill drop accept invite add hand shoot forward post enable open install create check try run
    """.split()
)
_LEADINS = Phrases("please / just / kindly / simply / feel free to / go ahead and / then / or / first / also / if not / ok / okay / sure / you can / you could / you / all you have to do is / so / and")
_ASIDES = frozenset({",", "and", "or", "then", "only", "ok", "okay", "also", "please", "but", "so", "however", "—", "sure", "yes", "no"})


def reason_against(words: Words, at: int, verb: int) -> str | None:
    """Why a commitment at `at` with its verb at `verb` does not hold, or None."""
    left = _left(words, at)
    right = reach(words, verb)
    if _doubted(words, at):
        return NEGATED
    if _reported(words, at):
        return REPORTED
    if en.HABITS.within(words, left, verb + 1) is not None or _LATER_HABITS.within(words, at, right) is not None:
        return HABIT
    if any(_holds_back(words, place, at, fronted=True) for place in _fronted(words, left, at)):
        return CONDITION
    if any(_holds_back(words, place, right, fronted=False) for place in range(verb + 1, right) if _starts_condition(words, place)):
        return CONDITION
    return CONDITION if _after_request(words, at) else None


def _left(words: Words, at: int) -> int:
    """Where the clause group of a commitment starts: after the last contrast."""
    left = back_to(words, at, _CONTRASTS)
    return 0 if words[left - 2 : left] == ("if", "so") else left


def supposed(words: Words) -> bool:
    """Whether the sentence only supposes."""
    return bool(en.SUPPOSING.at(words, 0)) or bool(words[:1]) and words[0] in {"ok", "so", "well", "now"} and bool(en.SUPPOSING.at(words, 2 if words[1:2] == (",",) else 1))


def head_reason(words: Words) -> str | None:
    """What words before a colon make of the words after it."""
    if not words:
        return None
    if en.HABITS.within(words, 0, len(words)) is not None:
        return HABIT
    if words[-1] in en.QUOTING_HEADS or (words[-1] in en.SAYING and not {"i", "i'd"} & set(words)):
        return REPORTED
    if supposed(words):
        return SUPPOSITION
    if _starts_condition(words, 0) and "," not in words and _holds_back(words, 0, len(words), fronted=True):
        return CONDITION
    return None


def _doubted(words: Words, at: int) -> bool:
    before = words[max(0, at - 3) : at]
    return before[-2:] in {("don't", "think"), ("not", "sure"), ("not", "saying"), ("no", "way"), ("don't", "believe")} or before[-1:] in {("doubt",), ("unlikely",)}


def _reported(words: Words, at: int) -> bool:
    """`he says I'll`, `you asked whether I'm going to`, but not `I think I'll`."""
    for place in range(at - 1, max(-1, at - 5), -1):
        word = words[place]
        if word in en.SAYING:
            subject = words[:place]
            speaks = bool(subject) and subject[-1] not in {"i", "i'd", "to", "let", "me", "and", ","}
            return speaks or (word.endswith(("ed", "said", "told", "wrote")) and subject[-1:] == ("i",))
        if word not in {"that", "whether", "if", "how", "why", "when", "me", "you", "us", "him", "her", "them", "the", "user"}:
            return False
    return False


def _fronted(words: Words, left: int, at: int) -> Iterator[int]:
    """Conditions before a commitment that open its clause."""
    for place in range(left, at):
        if _starts_condition(words, place) and (place == left or words[place - 1] in _ASIDES):
            yield place


def _starts_condition(words: Words, place: int) -> bool:
    return bool(_IFS.at(words, place) or _WHENS.at(words, place)) or words[place] in {"with", "without", "upon", "pending", "subject", "following"}


def _holds_back(words: Words, place: int, end: int, *, fronted: bool) -> bool:
    """Whether the condition at `place` makes a commitment hang on it."""
    word = words[place]
    if word in {"with", "without", "upon", "pending", "subject", "following"}:
        return _consents(words, place, end)
    if length := _IFS.at(words, place):
        return _if_holds(words, place, length, end, fronted)
    return _when_holds(words, place, end, fronted)


def _consents(words: Words, place: int, end: int) -> bool:
    """`with your permission`, `upon approval`."""
    reach = words[place + 1 : min(end, place + 5)]
    if not any(w in en.CONSENT for w in reach):
        return False
    return words[place] in {"upon", "pending", "subject"} or any(w in en.USER for w in reach)


def _if_holds(words: Words, place: int, length: int, end: int, fronted: bool) -> bool:
    word = words[place]
    if word == "should":
        return fronted and words[place + 1 : place + 2] not in {("i",), ("be",)} and "," in words[place:end] and place == 0
    if word in {"otherwise", "or"}:
        return fronted
    if word in {"assuming", "in", "providing"} and not fronted and word != "assuming":
        return False
    if en.MISTAKEN.at(words, place + length) or words[place - 1 : place] in {("even",), ("as",), ("what",)} and place:
        return False
    if word == "if" and words[place + 1 : place + 2] == ("any",):
        return False
    if word == "if" and _asked_before(words, place):
        return bool(en.WANTING.at(words, place + 1))
    return fronted or not _invites(words, place, end)


def _asked_before(words: Words, place: int) -> bool:
    """Whether `if` or `when` here is what a verb of checking asks."""
    for before in range(place - 1, max(-1, place - 7), -1):
        if words[before] == ",":
            return False
        if words[before] in en.CHECKING:
            return True
    return False


def _invites(words: Words, place: int, end: int) -> bool:
    """`…, if you need anything else, let me know`: the condition belongs to the invitation."""
    comma = clause_end(words, place)
    reach = range(place + 2, min(len(words), place + 14))
    return words[place - 1 : place] == (",",) and (comma < end or True) and en.INVITING.first(words, reach) is not None and words[place + 1] in en.USER


def _when_holds(words: Words, place: int, end: int, fronted: bool) -> bool:
    length = _WHENS.at(words, place)
    word = words[place]
    clause = words[place + length : min(clause_end(words, place), place + length + 10)]
    if fronted:
        clause = words[place + length : min(clause_end(words, place), end)]
    if not clause or (word == "once" and clause[0] in {"more", "again", "per", "a", "every", "i'm", "i've"} and not any(w in en.CONSENT for w in clause)):
        return False
    if word == "when" and not fronted and _asked_before(words, place):
        return False
    if clause[0] in _AGREED:
        return word != "after"
    if word == "after":
        return clause[0] in en.USER and not clause[0].startswith("your") or any(w in en.USER for w in clause[:2]) and any(w in en.CONSENT for w in clause)
    if clause[0] in en.OWN or clause[0].endswith("ing") or clause[0] in {"done", "finished", "ready", "that's", "that", "this", "this's"}:
        return any(w in en.USER for w in clause) and (any(w in _RECEIVING for w in clause) or any(w in en.CONSENT for w in clause))
    if any(w in en.USER for w in clause):
        return True
    return fronted or word in {"once", "as", "the"} or _direct(words, place)


def _direct(words: Words, place: int) -> bool:
    """Whether no other verb phrase stands between the commitment and its `when`."""
    return "and" not in words[max(0, place - 6) : place]


def reach(words: Words, verb: int) -> int:
    """How far the clause of a commitment goes: up to a contrast, or to the next clause with a subject or condition of its own."""
    for place in range(verb + 1, len(words)):
        word = words[place]
        if word in {"but", "so"} and words[place - 1] == ",":
            return place
        if word in {"and", "or", "then"}:
            then = place + 1 + (words[place + 1 : place + 2] == (",",))
            then = en.SMALL.skip(words, then)
            if then < len(words) and (words[then] in en.PRONOUNS or words[then] in {"i'll", "i'm", "we'll", "let", "let's", "if", "once", "when", "after", "unless", "report", "tell", "then", "update"} or words[then : then + 3] == ("get", "back", "to")):
                return place
    return len(words)


def _after_request(words: Words, at: int) -> bool:
    """`Send me the file and I'll check it`: what the listener is asked for comes first."""
    before = at - 1
    while before > 0 and words[before] in {"then", ","}:
        before -= 1
    if before < 1 or words[before] not in {"and", "or"}:
        return False
    start = back_to(words, before, {";", "but", "so"})
    for place in [start, *(p + 1 for p in range(start, before) if words[p] == ",")]:
        first = _LEADINS.skip(words, place)
        asks = words[place] in {"you", "please"} or first == place or _LEADINS.at(words, place) > 0
        if first < before and words[first] in _IMPERATIVES | (en.ACTIONS - en.DOUBTFUL_OPENERS) and asks:
            return True
    return words[before] == "or"


def demands(words: Words) -> bool:
    """Whether a sentence tells the listener what to do or send."""
    first = _LEADINS.skip(words, 0)
    return first < len(words) and (words[0] in {"please", "you"} or words[first] in _IMPERATIVES)

"""Where an English clause with a subject commits its speaker to act: `I'll`, `I'm going to`, `I need to`, `let me`."""

from collections.abc import Iterator

from . import english_company as company
from . import english_phrases as fixed
from . import english_words as en
from .candidates import FOLLOWS, NEGATED, SPEECH, STATE, Aside, Candidate, past_aside, word_at
from .english_openings import openings
from .english_verbs import OPENERS, acts, carried, goes_on, opens, takes_object, unheard, used_up
from .phrases import Phrases, Words, vocabulary
from .shown import THING

_TRIGGERS = vocabulary("allow i i'd i'll i'm i'ma i've ill im imma lemme let let's lets permit we we'll we're will")

_EARLY = Phrases(
    """
    now / also / just / still / then / first / already / actually / really / next / definitely / probably /
    currently / certainly / only / simply / actively / right now / at the moment / presently / busy / rather /
    here / in fact / of course / again / therefore / instead / personally / honestly / finally / all / likely /
    both / kind of / do
    """
)

_NEEDS = Phrases(
    """
    need to / have to / have got to / must / should / want to / plan to / intend to / aim to / ought to / gotta /
    got to / wanna / would like to start / would like to begin
    """
)

_WISHES = vocabulary("aim intend must ought plan should wanna want would")

_WE_ONLY_TALK = vocabulary("aim intend must ought plan should wanna want")

_AMBIGUOUS_PAST = vocabulary("bind cast cut hit let put quit read reset set shut split spread")

_NOT_SEQUENCED = vocabulary("count cover face get give go help like map match matter support time use want")

_RELATIVE = vocabulary("how if that what when where which why")

_INTRODUCING = vocabulary(
    """
    , after again aight alright also although and anyway as because before believe but finally first good great guess
    hence here hmm how if instead just meanwhile next now ok okay once or otherwise perfect please right see since
    so sure that then therefore think though today until well what when where whether while why yes
    """
)

_LETS_NOT = vocabulary(
    """
    break calculate call compare compute count define derive do expand face focus get give go introduce look move note
    return see set simplify solve substitute take turn use
    """
)

_LETS = Phrases(
    """
    see what / see if / see how / see whether / see where / see why / see which / use the / set up / do it / do this /
    do that / get it / get these / get those / get everything / go ahead / get the / get that / get this /
    get started on / get started with / move on to / move the / move this / turn off / turn on / look at the /
    look into / look up / look for / return the / compare the / focus on fixing / count the / define the route /
    break the build / take a look / take another look / take a closer / call the
    """
)

_TEACHING = vocabulary("article below chapter denote guide lemma lesson proof section theorem throughout tutorial")

_PLACES = vocabulary(
    """
    branch call fence latest line list main mainline newest page phone plan platform road same side team version way
    """
)

_SUBORDINATING = vocabulary("after as because before since to until while")
_AT_FIRST = vocabulary("before first next now")

_DONE_TO = vocabulary("drawing requesting running writing")

_AT_IT = vocabulary("attempting continuing looking planning preparing trying working")


def candidates(words: Words, aside: Aside) -> Iterator[Candidate]:
    """All places of a part that commit or nearly do."""
    yield from openings(words, aside)
    for at, word in enumerate(words):
        if word in _TRIGGERS and (found := _at(words, at, word)) is not None:
            yield found


def _at(words: Words, at: int, word: str) -> Candidate | None:
    match word:
        case "i'll" | "we'll":
            return _will(words, at, at + 1)
        case "ill":
            return _will(words, at, at + 1) if _misspelt(words, at) else None
        case "will":
            return _will(words, at, at + 1) if _shares_subject(words, at) else None
        case "i" | "we":
            return _subject(words, at, at + 1)
        case "i'm" | "im" | "we're":
            return _being(words, at, at + 1)
        case "i've" | "i'd":
            return _contracted(words, at)
        case "imma" | "i'ma":
            return judged(words, at, at + 1, "says what it is going to do")
        case "let" | "lemme" | "let's" | "lets" | "allow" | "permit":
            return _let(words, at, word)
    return None


def _shares_subject(words: Words, at: int) -> bool:
    """`I'm on the page now and will update it`: the first clause's `I` is the subject of the second too."""
    if word_at(words, at - 1) not in {"and", "but", "then", "or"}:
        return False
    subject = next((word for word in words[:at] if word in en.PRONOUNS | fixed.OWN | {"it's", "that's"}), "")
    return subject in {"i", "i'm", "i've", "im", "we", "we're", "we've"} and not {"which", "who"} & set(words[:at])


def _misspelt(words: Words, at: int) -> bool:
    """`ill check it`."""
    verb = company.SMALL.skip(words, at + 1)
    acting = word_at(words, verb) in en.ACTIONS or unheard(words, verb)
    return acting and (at == 0 or words[at - 1] in _INTRODUCING)


def _will(words: Words, at: int, verb: int) -> Candidate:
    verb = _EARLY.skip(words, verb) if word_at(words, verb) != "do" else verb
    if verb == len(words):
        return Candidate(at, at, FOLLOWS)
    if words[at] in {"we'll", "we"} and _TEACHING & set(words):
        return Candidate(at, verb, SPEECH, commits=False)
    return judged(words, at, verb, "says what it will do")


def _subject(words: Words, at: int, verb: int) -> Candidate | None:
    """`I` and what follows: will, need to, am going to; or a present of what comes next."""
    first = verb
    verb = _EARLY.skip(words, verb)
    word = word_at(words, verb)
    if word in {"will", "shall"}:
        return None if word_at(words, at - 1) in {"will", "shall"} else _will(words, at, verb + 1)
    if word in {"won't", "cannot", "can't", "wont", "don't", "didn't", "never"}:
        return Candidate(at, verb, NEGATED, commits=False)
    if word in {"am", "are"}:
        return _being(words, at, verb + 1)
    if length := _NEEDS.at(words, verb):
        return _needing(words, at, verb, length)
    return _present(words, at, first, verb) if words[at] == "i" else None


def _needing(words: Words, at: int, verb: int, length: int) -> Candidate | None:
    """`I need to see`, `I should look first`; what `we` should do is only talk."""
    modal = words[verb]
    if words[at] == "we" and modal in _WE_ONLY_TALK:
        return None
    if modal == "would":
        return judged(words, at, verb + length - 1, "says what it means to do")
    if modal in {"must", "should"} and word_at(words, carried(words, verb + length, adverbs_only=True)) in {
        "have",
        "be",
    }:
        return None
    found = judged(words, at, verb + length, "says what it has to do now", let=True)._replace(yields=True)
    if modal in {"want", "wanna"} and fixed.USER & set(words):
        return None
    closed = modal in _WISHES or words[at] == "we"
    if found.commits and closed and not _is_act(words, found.verb):
        return None
    return found


def _is_act(words: Words, verb: int) -> bool:
    return word_at(words, verb) in en.ACTIONS | {"see", "understand", "look"} or unheard(words, verb)


def _present(words: Words, at: int, first: int, verb: int) -> Candidate | None:
    """`Now I open the file`, `I now proceed`, `while I check`."""
    word = word_at(words, verb)
    if not (word in OPENERS or unheard(words, verb)) or word in _NOT_SEQUENCED:
        return None
    before = [w for w in words[max(0, at - 3) : at] if w != ","]
    if before[-1:] == ["while"]:
        return None if word in _AMBIGUOUS_PAST else Candidate(at, verb, "is about to do it")
    now = "now" in words[first:verb] or before[-1:] == ["now"]
    if not now and (before[-1:] not in (["next"], ["first"], ["then"]) or word in _AMBIGUOUS_PAST):
        return None
    return Candidate(at, verb, "says what it does next")


def _contracted(words: Words, at: int) -> Candidate | None:
    """`I've got to check`, `I'd better check`, `I'd like to start by checking`."""
    then = _EARLY.skip(words, at + 1)
    if words[at] == "i've" and words[then : then + 2] == ("got", "to"):
        return judged(words, at, then + 2, "says what it has to do now", let=True)
    if words[at] == "i'd" and word_at(words, then) == "better":
        return judged(words, at, then + 1, "says what it has to do now")
    if words[at] == "i'd" and words[then : then + 2] == ("like", "to"):
        then = _EARLY.skip(words, then + 2)
        if word_at(words, then) in {"start", "begin"} or _AT_FIRST & set(words[then:]):
            return judged(words, at, then, "says what it means to do")
    return None


def _being(words: Words, at: int, verb: int) -> Candidate | None:
    """`I'm …`: going to, about to, or in the middle of doing it."""
    verb = _EARLY.skip(words, verb)
    word, following = word_at(words, verb), word_at(words, verb + 1)
    if word in {"not", "neither", "never", "no"} and following not in {"only", "just", "sure"}:
        return Candidate(at, verb, NEGATED, commits=False)
    if word == "gonna" or (word in {"going", "about", "off", "set"} and following == "to"):
        return judged(words, at, verb + (1 if word == "gonna" else 2), "says what it is going to do")
    if word == "on" and _engaged(words, at, verb):
        return Candidate(at, verb, "says that it is on it")
    if words[verb : verb + 4] in {("in", "the", "process", "of"), ("in", "the", "middle", "of")}:
        verb += 4
    before = word_at(words, at - 1)
    cleft = words[max(0, at - 2) : at] in {(",", "which"), ("that's", "what"), ("it's", "what"), ("is", "what")}
    ended = before in fixed.RUNS_OUT
    added = ended or (cleft and words[-1] in {"now", "next"})
    apart = before in _RELATIVE or (
        at and before not in _INTRODUCING and words[0] not in _SUBORDINATING and company.SMALL.skip(words, 0) < at
    )
    if not word_at(words, verb).endswith("ing") or (apart and not added):
        return None
    return _progressive(words, at, verb)


def _engaged(words: Words, at: int, verb: int) -> bool:
    """`I'm on it`, `I'm on the case`, `I'm already on the second file`, but not `I'm on the latest version`."""
    if words[verb + 1 : verb + 2] == ("it",) or fixed.READY.at(words, verb) == len(words) - verb:
        return True
    cued = "already" in words[at:verb] or words[-1] == "now"
    return cued and words[verb + 1 : verb + 2] in {("the",), ("that",), ("this",)} and not _PLACES & set(words[verb:])


def _progressive(words: Words, at: int, verb: int) -> Candidate:
    word, following = words[verb], word_at(words, verb + 1)
    if word in _AT_IT and following == "to":
        return judged(words, at, verb + 2, "is at it, with nothing done", let=True)
    does = word not in en.STATES or bool(company.ACTING_STATES.at(words, verb)) or (_runs(word) and following == THING)
    does = does or (word in _DONE_TO and takes_object(words, verb)) or _joined(words, verb)
    does = does and not used_up(words, verb) and (words[at] in {"i'm", "im", "i"} or opens(word))
    why = "says that it is doing it" if does else STATE
    return Candidate(at, verb, why, commits=does, yields=word == "looking" and following == "for")


def _joined(words: Words, verb: int) -> bool:
    """`keeping the name and rewriting the tests`: the second of two doings acts."""
    places = (place + 1 for place in range(verb + 1, len(words) - 1) if words[place] == "and")
    return any(opens(words[then]) and words[then] not in en.STATES and takes_object(words, then) for then in places)


def _runs(word: str) -> bool:
    return word in {"running", "opening", "calling", "using", "writing", "looking", "working", "hitting"}


def _let(words: Words, at: int, word: str) -> Candidate | None:
    if at and words[at - 1] not in _INTRODUCING:
        return None
    if word == "let's" or words[at : at + 2] == ("let", "us") or (word == "lets" and at == 0):
        return _lets(words, at, at + (2 if word == "let" else 1))
    ahead = 1 if word == "lemme" else {"let": 2, "allow": 3, "permit": 3}[word] if word_at(words, at + 1) == "me" else 0
    if not ahead or (word in {"allow", "permit"} and word_at(words, at + 2) != "to"):
        return None
    verb = company.SMALL.skip(words, at + ahead)
    if word_at(words, verb) in {"know", ""}:
        return None
    return judged(words, at, verb, "asks leave to act and does not act", let=True)


def _lets(words: Words, at: int, verb: int) -> Candidate | None:
    verb = company.SMALL.skip(words, verb)
    word = word_at(words, verb)
    if word in _LETS_NOT and not _LETS.at(words, verb):
        return None
    if word not in {"do", "try"} and not _is_act(words, verb):
        return Candidate(at, min(verb, len(words) - 1), SPEECH, commits=False)
    return judged(words, at, verb, "says what comes next", let=True)._replace(yields=True)


def judged(words: Words, at: int, verb: int, why: str, *, let: bool = False) -> Candidate:
    """A candidate at `at` whose verb phrase starts at `verb`: does that act? After `let`, finding out is an act too."""
    verb = carried(words, past_aside(words, verb))
    if word_at(words, verb) in {"not", "never", "neither"}:
        if word_at(words, verb + 1) not in {"only", "just", "merely"}:
            return Candidate(at, verb, NEGATED, commits=False)
        verb = carried(words, verb + 2)
    if verb >= len(words):
        return Candidate(at, max(at, len(words) - 1), FOLLOWS)
    if words[verb : verb + 2] == ("no", "longer"):
        return Candidate(at, verb, NEGATED, commits=False)
    does = acts(words, verb, let=let) or (words[verb] not in {"know", "need", "only"} and goes_on(words, verb))
    return Candidate(at, verb, why if does else SPEECH, commits=does, yields="need" in words[at:verb])

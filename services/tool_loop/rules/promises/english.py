"""Where an English clause commits its speaker to act: `I'll`, `I'm going to`, `let me`, an opening participle, a plan."""

from collections.abc import Iterator

from . import english_words as en
from .candidates import NEGATED, SPEECH, STATE, Candidate, clause_end, starts
from .phrases import Phrases, Words
from .shown import THING

_EARLY = Phrases(
    "now / also / just / still / then / first / already / actually / really / next / definitely / probably / currently / "
    "do / certainly / only / simply / actively / right now / at the moment / presently / busy / rather / here / both / "
    "already now / in fact / of course / again / therefore / instead / personally / honestly / finally / ' / all"
)
_FUTURE = frozenset({"will", "shall", "'ll", "ll"})
_NEEDS = Phrases(
    "need to / have to / have got to / must / should / want to / plan to / intend to / aim to / ought to / gotta / got to / "
    "wanna / mean to / propose to / would like to start / would like to begin / expect to / hope to / would love to start"
)
_AMBIGUOUS_PAST = frozenset("read put set cut hit let split spread quit reset shut cast bind".split())
_NOT_PRESENT = frozenset("get use want map match count cover support mean face like help matter work run time go give".split())
_OPENERS = en.ACTIONS - en.NOT_ACTING - {"define", "prove", "question", "direct", "lay", "help", "use", "get"}
_BARE_OPENERS = _OPENERS - en.DOUBTFUL_OPENERS
_DOING_NOUNS = frozenset("hours permit permits address point points price fee fees period strategy guidelines costs team tools".split())
_INTRODUCING = frozenset(
    "and but so then or , now please ok okay first just here next well hmm also instead because since as while though "
    "although if when meanwhile again yes sure right alright great perfect good see that think guess believe anyway "
    "therefore hence finally today before until after once whether how what why where".split()
)
_LETS_NOT = frozenset(
    "calculate compute solve define derive break count expand simplify substitute compare set use see do go get give "
    "introduce move return turn focus note look".split()
)
_LETS = Phrases(
    "see what / see if / see how / see whether / see where / see why / see which / use the / set up / do that now / go ahead / get the / get that / get this / get started / move on to / "
    "move the / move this / turn off / turn on / look at the / look into / look up / look for / return the / compare the / focus on fixing / count the / define the route / break the build"
)
_FAILED = frozenset(
    "failed fails failing died crashed broke broken red down missing timed error errors denied rejected found stale "
    "wrong empty refused invalid expired blocked nothing done ready saved green passed".split()
)
_QUICK = frozenset("checking retrying rerunning restarting investigating trying pulling fetching fixing switching reverting".split())


def candidates(words: Words, lead: str, before: Words) -> Iterator[Candidate]:
    """All places of a part that commit or nearly do; `before` are the words of the part before it."""
    yield from _openings(words, lead, before)
    for at, word in enumerate(words):
        found = _at(words, at, word)
        if found is not None:
            yield found


def _at(words: Words, at: int, word: str) -> Candidate | None:
    if word in {"i'll", "we'll"}:
        return _will(words, at, at + 1)
    if word == "ill":
        verb = en.SMALL.skip(words, at + 1)
        return _will(words, at, at + 1) if at == 0 or words[at - 1] in _INTRODUCING and verb < len(words) and words[verb] in en.ACTIONS else None
    if word in {"i", "we"}:
        return _subject(words, at, at + 1)
    if word in {"i'm", "im", "we're"}:
        return _being(words, at, at + 1)
    if word in {"i've", "i'd"}:
        return _contracted(words, at)
    if word in {"imma", "i'ma"}:
        return _judged(words, at, at + 1, "says what it is going to do")
    if word in {"let", "lemme", "let's", "allow"}:
        return _let(words, at, word)
    return None


def _will(words: Words, at: int, verb: int) -> Candidate | None:
    verb = _EARLY.skip(words, verb)
    if verb == len(words):
        return Candidate(at, at, "commits to what follows")
    return _judged(words, at, verb, "says what it will do")


def _subject(words: Words, at: int, verb: int) -> Candidate | None:
    """`I` and what follows: will, need to, am going to; or a present of what comes next."""
    first = verb
    verb = _EARLY.skip(words, verb)
    if verb >= len(words):
        return None
    word = words[verb]
    if word in _FUTURE:
        return None if at and words[at - 1] in {"will", "shall"} else _will(words, at, verb + 1)
    if word in {"won't", "cannot", "can't", "wont"}:
        return Candidate(at, verb, NEGATED, commits=False)
    if word in {"am", "are"}:
        return _being(words, at, verb + 1)
    if length := _NEEDS.at(words, verb):
        return _needing(words, at, verb, length)
    return _present(words, at, first, verb)


def _needing(words: Words, at: int, verb: int, length: int) -> Candidate | None:
    modal = words[verb]
    then = _carried(words, verb + length)
    if modal in {"expect", "hope", "mean", "propose"} or (words[at] == "we" and modal in {"should", "must", "want", "plan", "aim"}):
        return None
    if modal in {"would"}:
        return _judged(words, at, verb + length - 1, "says what it means to do")
    if modal in {"must", "should"} and words[then : then + 1] in (["have"], ("have",), ["be"], ("be",)):
        return None
    found = _judged(words, at, verb + length, "says what it has to do now", let=True)
    closed = modal in {"want", "should", "must", "wanna"} or words[at] == "we"
    if found and found.commits and closed and words[found.verb] not in en.ACTIONS | {"see", "understand", "look"}:
        return None
    return found


def _present(words: Words, at: int, first: int, verb: int) -> Candidate | None:
    """`Now I open the file`, `I now proceed`."""
    word = words[verb]
    if word not in _OPENERS | {"run", "work"} or word in _NOT_PRESENT - {"run"} or words[at] == "we":
        return None
    before = [w for w in words[max(0, at - 3) : at] if w != ","]
    inner = words[first:verb]
    sequenced = bool(before) and before[-1] in {"now", "next", "first", "then"} or "now" in inner
    if before and before[-1] == "while":
        return None if word in _AMBIGUOUS_PAST else Candidate(at, verb, "is about to do it")
    if not sequenced or (word in _AMBIGUOUS_PAST and "now" not in {*before, *inner}):
        return None
    return Candidate(at, verb, "says what it does next")


def _contracted(words: Words, at: int) -> Candidate | None:
    then = _EARLY.skip(words, at + 1)
    if words[at] == "i've" and words[then : then + 2] in (("got", "to"), ["got", "to"]):
        return _judged(words, at, then + 2, "says what it has to do now", let=True)
    if words[at] == "i'd" and words[then : then + 1] in (("better",), ["better"]):
        return _judged(words, at, then + 1, "says what it has to do now")
    if words[at] == "i'd" and tuple(words[then : then + 2]) == ("like", "to"):
        then = _EARLY.skip(words, then + 2)
        if words[then : then + 1] in (("start",), ("begin",), ["start"], ["begin"]):
            return _judged(words, at, then, "says what it means to do")
    return None


def _being(words: Words, at: int, verb: int) -> Candidate | None:
    """`I'm …`: going to, about to, or in the middle of doing it."""
    verb = _EARLY.skip(words, verb)
    if verb >= len(words):
        return None
    word = words[verb]
    if word in {"not", "neither", "never", "no"} and tuple(words[verb + 1 : verb + 2]) not in {("only",), ("just",), ("sure",)}:
        return Candidate(at, verb, NEGATED, commits=False)
    following = tuple(words[verb + 1 : verb + 2])
    if word == "gonna" or (word in {"going", "about", "off", "set"} and following == ("to",)):
        return _judged(words, at, verb + (1 if word == "gonna" else 2), "says what it is going to do")
    if tuple(words[verb : verb + 2]) == ("on", "it"):
        return Candidate(at, verb, "says that it is on it")
    if tuple(words[verb : verb + 4]) in {("in", "the", "process", "of"), ("in", "the", "middle", "of")}:
        verb += 4
    if verb >= len(words) or not words[verb].endswith("ing") or (at and words[at - 1] not in _INTRODUCING):
        return None
    if at and words[at - 1] in {"that", "what", "where", "how", "why", "when", "if"}:
        return None
    return _progressive(words, at, verb)


def _progressive(words: Words, at: int, verb: int) -> Candidate:
    word, following = words[verb], tuple(words[verb + 1 : verb + 2])
    if word in {"trying", "planning", "preparing", "attempting", "working", "looking", "continuing"} and following == ("to",):
        return _judged(words, at, verb + 2, "is at it, with nothing done", let=True)
    if word == "trying" and following == ("my",):
        return Candidate(at, verb, SPEECH, commits=False)
    acts = word not in en.STATES or bool(en.ACTING_STATES.at(words, verb)) or (_runs(word) and following == (THING,))
    if words[at].startswith("we") and not _opens(word):
        acts = False
    if acts and (MANNER_GERUNDS.at(words, verb)):
        acts = False
    return Candidate(at, verb, "says that it is doing it" if acts else STATE, commits=acts)


MANNER_GERUNDS = Phrases("making it clear / making sure you / putting it / using the / taking note / taking this / adding that / breaking this down / breaking it down / wrapping up here / stopping here")


def _runs(word: str) -> bool:
    return word in {"running", "opening", "calling", "using", "writing", "looking", "working", "hitting"}


def _let(words: Words, at: int, word: str) -> Candidate | None:
    if at and words[at - 1] not in _INTRODUCING:
        return None
    if word == "let's" or tuple(words[at : at + 2]) == ("let", "us"):
        verb = en.SMALL.skip(words, at + (1 if word == "let's" else 2))
        if verb >= len(words) or (words[verb] in _LETS_NOT and not _LETS.at(words, verb)):
            return None
        if words[verb] not in en.ACTIONS | {"see"}:
            return Candidate(at, verb, SPEECH, commits=False)
        return _judged(words, at, verb, "says what comes next", let=True)
    length = 1 if word == "lemme" else 2 if tuple(words[at : at + 2]) == ("let", "me") else 3 if tuple(words[at : at + 3]) == ("allow", "me", "to") else 0
    if not length:
        return None
    verb = en.SMALL.skip(words, at + length)
    if verb >= len(words) or words[verb] == "know":
        return None
    return _judged(words, at, verb, "asks leave to act and does not act", let=True)


def _judged(words: Words, at: int, verb: int, why: str, *, let: bool = False) -> Candidate:
    """Judge the verb phrase at `verb`: does it act?"""
    verb = _carried(words, verb)
    if words[verb : verb + 1] in (("not",), ("never",), ["not"], ["never"]) and tuple(words[verb + 1 : verb + 2]) not in {("only",), ("just",), ("merely",)}:
        return Candidate(at, verb, NEGATED, commits=False)
    if verb < len(words) and words[verb] in {"not", "never"}:
        verb = _carried(words, verb + 2)
    if verb >= len(words):
        return Candidate(at, max(at, verb - 1), SPEECH, commits=False)
    if tuple(words[verb : verb + 2]) == ("no", "longer"):
        return Candidate(at, verb, NEGATED, commits=False)
    acts = _acts(words, verb, let) or (not _knows(words, verb) and _goes_on(words, verb))
    return Candidate(at, verb, why if acts else SPEECH, commits=acts)


def _carried(words: Words, verb: int) -> int:
    """The verb behind adverbs and behind verbs that only carry another: `just go ahead and run`."""
    while length := en.SMALL.at(words, verb) or en.CARRIERS.at(words, verb):
        verb += length
    return verb


def _knows(words: Words, verb: int) -> bool:
    return words[verb] in {"know", "need", "only"}


def _acts(words: Words, verb: int, let: bool) -> bool:
    word = words[verb]
    if word == THING:
        return True
    if word == "be":
        return _being_busy(words, verb)
    if word == "have":
        return _having(words, verb)
    if word == "see":
        return let or bool(_LETS.at(words, verb)) or tuple(words[verb + 1 : verb + 2]) in {("to",), ("about",), ("which",)}
    if word in {"understand", "decide", "learn", "choose"}:
        return let
    if word in {"help", "assist"}:
        return _helping(words, verb)
    if tuple(words[verb + 1 : verb + 2]) == ("by",) and word in en.TO_BEGIN:
        return verb + 2 < len(words) and _opens(words[verb + 2])
    if en.RESCUES.at(words, verb) > 1:
        return True
    if word in {"list", "show", "describe", "print", "display", "present"}:
        return _on_artifact(words, verb)
    if en.MANNERS.at(words, verb) or word in en.NOT_ACTING:
        return False
    if word == "use" and any(w in {"word", "term", "analogy", "example", "notation", "metaphor"} for w in words[verb : verb + 5]):
        return False
    return word.replace("-", "").replace("'", "").isalpha() or word[0] in "./"


def _being_busy(words: Words, verb: int) -> bool:
    """`be checking`, `be right back`."""
    then = en.SMALL.skip(words, verb + 1)
    rest = tuple(words[then : then + 2])
    if rest[:1] == ("back",) or tuple(words[verb + 1 : verb + 3]) == ("right", "back") or rest == ("in", "touch"):
        return True
    if not rest or not rest[0].endswith("ing"):
        return False
    return _opens(rest[0]) and (rest[0] not in en.STATES or bool(en.ACTING_STATES.at(words, then)))


def _having(words: Words, verb: int) -> bool:
    """`have a look`; `have the team check it`."""
    if tuple(words[verb + 1 : verb + 3]) in {("a", "look"), ("another", "look"), ("a", "go"), ("another", "go"), ("a", "peek"), ("a", "quick")}:
        return True
    end = min(clause_end(words, verb), verb + 7)
    return any(words[place] in _BARE_OPENERS | {"look", "call", "take"} and words[place - 1] not in en.DETERMINERS for place in range(verb + 3, end))


def _helping(words: Words, verb: int) -> bool:
    """A polite opener acts only with the act that it names: `help by searching`, `help you fix the build`."""
    end = min(clause_end(words, verb), verb + 9)
    for place in range(verb + 1, end - 1):
        if words[place] in {"by", "with"} and _opens(words[place + 1]) and words[place + 1] not in {"using"}:
            return True
    then = verb + 2 if tuple(words[verb + 1 : verb + 2]) in {("you",), ("them",), ("him",), ("her",)} else verb + 1
    then += tuple(words[then : then + 1]) == ("to",)
    return then + 1 < len(words) and words[then] in _OPENERS and words[verb + 1] != "with"


def _on_artifact(words: Words, verb: int) -> bool:
    """`list the files` looks into the machine, `list the reasons` only speaks."""
    if en.MANNERS.at(words, verb) or tuple(words[verb + 1 : verb + 2]) in {("you",), ("out",)}:
        return False
    end = min(clause_end(words, verb), verb + 6)
    return any(w in en.ARTIFACTS or w.removesuffix("'s") in en.ARTIFACTS or (w == THING and words[verb] != "show") for w in words[verb + 1 : end])


def _goes_on(words: Words, verb: int) -> bool:
    """A verb that does not act, followed by one that does: `wait for it and then deploy it`, `… by running cat`."""
    end = min(len(words), verb + 16)
    embedded = False
    for place in range(verb + 1, end - 1):
        word = words[place]
        embedded = embedded or word in {"to", "how", "what", "why", "where", "when", "which", "that", "who"}
        if word == "by" and not embedded and _opens(words[place + 1]) and words[place + 1] not in en.STATES - {"running", "using", "looking"}:
            return True
        if word in {"and", "then"}:
            then = _carried(words, place + 1)
            free = not embedded or words[place - 1] == "," or words[verb] == "wait"
            if free and then < end and words[then] in _BARE_OPENERS and _takes_object(words, then):
                return True
    return False


def _takes_object(words: Words, verb: int) -> bool:
    following = tuple(words[verb + 1 : verb + 2])
    return bool(following) and following[0] in {"the", "a", "an", "it", "them", "this", "that", "your", "my", "its", "all", "both", "each", "every", THING}


def base_of(gerund: str) -> str | None:
    """The known action whose -ing form this is."""
    stem = gerund.removesuffix("ing")
    if len(stem) < 2 or stem == gerund:
        return None
    stems = (stem, stem + "e", stem[:-1] if stem[-1:] == stem[-2:-1] else stem)
    for prefix in ("", "re", "double-", "cross-", "pre", "un", "sanity-", "spot-", "back", "over", "hot-", "live-"):
        for form in stems:
            if form.startswith(prefix) and form[len(prefix) :] in en.ACTIONS | {"do", "see"}:
                return form[len(prefix) :]
    return None


def _opens(gerund: str) -> bool:
    base = base_of(gerund)
    return base is not None and base not in en.NOT_ACTING - {"do", "wait"} and base not in {"define", "prove", "question", "use", "help", "wait"}


def _openings(words: Words, lead: str, before: Words) -> Iterator[Candidate]:
    """Clauses without a subject: `Checking the logs`, `Will look into it`, `On it`, `One moment`."""
    for start in starts(words, en.INTERJECTIONS):
        at = en.SMALL.skip(words, start)
        ready = en.READY.at(words, start)
        if ready and (start + ready == len(words) or words[start + ready] in {",", "and", "now", "then", "boss", "chief"}):
            yield Candidate(start, start, "says that it is on it")
        if holding(words, start):
            yield Candidate(start, start, "asks to wait for what it does")
        if at >= len(words):
            continue
        word = words[at]
        if word in {"will", "need", "have", "gotta", "must", "about", "gonna", "going", "off", "time", "now"}:
            yield from _dropped(words, start, at)
        if word.endswith("ing") and _may_open(words, at, lead, before, start):
            yield Candidate(at, at, "opens with what it is doing", fragment=True)
    for at in range(1, len(words)):
        if words[at].endswith("ing") and words[at - 1] in {",", "so", "now"} and _comes_after(words, at):
            yield Candidate(at, at, "goes on with what it is doing", fragment=True)


def holding(words: Words, start: int) -> bool:
    """Whether a request to wait stands here: it promises what the wait is for."""
    length = en.HOLDING.at(words, start)
    if not length:
        return False
    following = tuple(words[start + length : start + length + 1])
    return not following or following[0] in {",", "please", "while", "to", "and", "so", "as", "i'll", "let", "here", "minutes", "moments", "seconds", "more", "i", "i'm", "but", "then", "now", "mate", "with"} and words[start : start + 2] != ("hold", "on", "to")


def _dropped(words: Words, start: int, at: int) -> Iterator[Candidate]:
    """`Will check`, `Need to check`, `Going to check`, `Time to run it`."""
    word, pair = words[at], tuple(words[at : at + 2])
    ahead = {"will": 1, "gonna": 1, "must": 1, "gotta": 1}.get(word, 2)
    if ahead == 2 and pair[1:] != ("to",):
        return
    if word == "now" or (word == "time" and any(w in en.USER for w in words)):
        return
    verb = en.SMALL.skip(words, at + ahead)
    if verb < len(words) and (words[verb] in _OPENERS or (word in {"going", "gonna", "about"} and words[verb] in en.ACTIONS)):
        judged = _judged(words, start, verb, "says what it will do")
        if judged.commits:
            yield judged


def _may_open(words: Words, at: int, lead: str, before: Words, start: int) -> bool:
    word = words[at]
    if not _opens(word) or at + 1 < len(words) and words[at + 1] in _DOING_NOUNS:
        return False
    if word in en.STATES and not (en.ACTING_STATES.at(words, at) or at + 1 == len(words) or _runs(word) and words[at + 1] == THING):
        return False
    if MANNER_GERUNDS.at(words, at):
        return False
    if lead == "—" and not _after_dash(words, at, before):
        return False
    if lead == ":" and not (en.NEXT_HEADS.at(before, 0) == len(before) or before[:1] in (("step",), ["step"]) or (before and _opens(before[en.SMALL.skip(before, 0) % len(before)]))):
        return False
    return lead != "(" and not _is_subject(words, at)


def _after_dash(words: Words, at: int, before: Words) -> bool:
    short = len(before) <= 5 or before[0] in en.INTERJECTIONS or any(w in _FAILED for w in before)
    return short or tuple(words[at + 1 : at + 2]) in {("it",), ("that",), ("this",), ("now",), ("them",), ()}


def _comes_after(words: Words, at: int) -> bool:
    """`The test failed, retrying`; `…, so going straight to the handler`; `…, now checking the other`."""
    if not (_opens(words[at]) or words[at] == "going") or _is_subject(words, at):
        return False
    before, mark = words[: at - 1], words[at - 1]
    if mark == "so" or (mark == "now" and words[at - 2 : at - 1] in ((",",), [","], ("so",), ["so"])):
        return words[at] not in en.STATES or bool(en.ACTING_STATES.at(words, at))
    return mark == "," and words[at] in _QUICK and any(w in _FAILED for w in before)


def _is_subject(words: Words, at: int) -> bool:
    """Whether a participle is the subject of a verb that follows, or leans on a main clause after a comma."""
    for place in range(at + 1, len(words)):
        word = words[place]
        if word == ",":
            return _leans(words, place + 1)
        if word in en.EMBEDDING:
            return False if word not in {"then", "and", "for", "by", "from", "than", "as", "or", "when", "before", "after", "while", "until", "without"} else _finite_later(words, place + 1)
        if _finite(words, place):
            return True
    return False


def _finite_later(words: Words, start: int) -> bool:
    end = clause_end(words, start)
    for place in range(start, end):
        if words[place] in {"that", "which", "who", "what", "where", "how", "why", "whether", "if", "because", "since", "so", "i", "but"}:
            return False
        if _finite(words, place):
            subject = words[place - 1]
            return not (subject in en.PRONOUNS or place - start < 2)
    return False


def _finite(words: Words, place: int) -> bool:
    word = words[place]
    following = tuple(words[place + 1 : place + 2])
    if word in en.FINITE:
        return following not in {("by",), ("yesterday",), ("in",), ("from",)} or word in {"is", "are", "was", "were", "can", "will"}
    return word in en.AMBIGUOUS_FINITE and words[place - 1] not in en.DETERMINERS and bool(following) and (following[0] in en.AFTER_FINITE or following[0] == THING)


def _leans(words: Words, start: int) -> bool:
    """Whether a main clause with a subject of its own follows a participle and a comma."""
    start = en.SMALL.skip(words, start)
    if start >= len(words) or words[start].endswith("ing") or words[start] in {"and", "then", "but", "or", "so", "i'll", "let", "i'm", "please", "will", "back"}:
        return False
    if holding(words, start):
        return False
    if words[start] in en.PRONOUNS or words[start] in {"you'll", "it's", "you're", "he's", "i've", "i'd", "that's", "there's", "here's", "we've"}:
        return True
    return any(_finite(words, place) for place in range(start, len(words)))


def next_step(words: Words, head: Words) -> bool:
    """`Next step: run the tests`: a head and what it names, in the imperative or as a participle."""
    if not head or en.NEXT_HEADS.at(head, 0) != len(head) or any(w in en.USER or w == "optional" for w in words):
        return False
    at = en.SMALL.skip(words, 0)
    if at >= len(words):
        return False
    return _opens(words[at]) or (words[at] in _OPENERS and head[-1] not in {"now", "then"})


def planned(words: Words) -> int | None:
    """The verb of `the next step is to …`, `my plan is to …`."""
    for at in range(min(len(words), 6)):
        if words[at] in {"step", "plan", "move", "task", "idea"} and words[at + 1 : at + 2] in (("is",), ["is"]):
            verb = en.SMALL.skip(words, at + 2)
            verb += tuple(words[verb : verb + 1]) == ("to",)
            verb = en.SMALL.skip(words, verb)
            owned = at == 0 or words[at - 1] in {"next", "my", "the", "first", "immediate"}
            mine = not any(w in en.NOT_OWN_PLAN or w in {"a", "an", "good", "logical", "best", "another"} for w in words[:at])
            if owned and mine and verb < len(words) and words[verb] in _OPENERS and not any(w in en.USER for w in words):
                return verb
    return None


def plan_head(words: Words) -> bool:
    """Whether these words announce a plan of the speaker's own."""
    for start in starts(words, en.INTERJECTIONS):
        length = en.PLAN_HEADS.at(words, start)
        if length and not any(w in en.NOT_OWN_PLAN for w in words) and not (length == 1 and len(words) > 3):
            return True
    return False


def plan_item(words: Words) -> bool:
    """Whether these words name a step: a base verb or a participle first."""
    at = en.SMALL.skip(words, 0)
    return at < len(words) and (words[at] in en.ACTIONS or _opens(words[at]) or words[at] in {"i'll", "i"})

"""Whether an English verb phrase acts: `run it` does, `explain it` does not, `explain it by running it` does."""

from . import english_company as company
from . import english_words as en
from .candidates import clause_end, word_at
from .phrases import Phrases, Words, vocabulary
from .shown import THING

OPENERS = en.ACTIONS - en.NOT_ACTING - vocabulary("define direct get help lay prove question use")
"""Base forms that name an act even without a subject."""
BARE_OPENERS = OPENERS - en.DOUBTFUL_OPENERS

_UNWILLED = vocabulary(
    """
    appear arise belong bleed break burst clash coincide collapse collide comprise conflict consist constitute contain
    correlate cost crash decay decline deteriorate die differ diminish disappear drift echo emerge encounter exceed
    exist expire explode fade fail fall flake flicker float flow fluctuate freeze glow grow hang happen impact
    influence involve lack lag lapse last leak lose matter melt miss occur overflow overheat pertain plateau plummet
    precede prevail rain rank recur resemble resonate result rise rot rust seep shatter shine sink skyrocket snow span
    spike spill stall stem suffer surge trail vanish vary violate weigh yield
    """
)
"""Verbs of what happens by itself, or is so: nobody sets out to do it."""

_FUNCTION_WORDS = vocabulary(
    """
    about above across after against along although among another anyone anything around because before behind below
    beneath beside besides between beyond both can cannot could despite did does down during each either enough even
    ever every everything except few has have here how into itself just less like many might more most much must near
    neither never nobody none nor nothing off once one only onto other ours out outside over own per perhaps plus
    quite rather same seldom several shall should since some something somewhat soon still such than though three
    through throughout till too toward towards twice two under unlike until unto upon very via was were whereas
    wherever whether while within without worth would yet
    """
)

_NOT_GERUNDS = vocabulary(
    """
    according amazing barring beginning being boring ceiling concerning confusing considering contrasting
    corresponding depending during ending evening everything excepting exciting excluding existing failing following
    having heading including incoming interesting king lasting leading matching meaning meeting misleading missing
    morning nothing notwithstanding ongoing opening outgoing outstanding overlapping owing pending pertaining
    preceding promising regarding remaining resulting ring rolling saving setting sibling something spring standing
    starting string supporting surprising surrounding thing touching underlying upcoming varying wing wording
    """
)
"""Nouns, adjectives and prepositions in -ing."""

_KNOWN = (
    en.NOT_ACTING | en.ACTIONS | en.FINITE | en.AMBIGUOUS_FINITE | en.PRONOUNS | _UNWILLED | _FUNCTION_WORDS | en.PAST
)

_OBJECTS = vocabulary(
    """
    a all an any both each every everything half her his it its my one our some that the their them these this those
    three two up you your
    """
)

_WHITHER = vocabulary("back into onto over through to")

_PREFIXES = ("", "re", "double-", "cross-", "pre", "un", "sanity-", "spot-", "back", "over", "hot-", "live-", "fine-")
_FINDING_OUT = Phrases(
    """
    see what / see if / see how / see whether / see where / see why / see which / see to / see about
    """
)

_FOLLOW_UPS = Phrases(
    """
    follow up / report back / get back / come back / circle back / write back / fix / update you with
    """
)

_BROUGHT_ABOUT = vocabulary("back by done fixed in live on online over ready running sorted up within working")

_CALLED_WHEN = vocabulary(
    """
    , about after again and as at back before first from in later next now on once right shortly soon this to today
    tomorrow tonight when with within
    """
)

_LOOKS = vocabulary("closer crack go look peek quick second word")

_USED_UP = Phrases(
    """
    making it clear / making sure you / putting it / using the / taking note / taking this / adding that / taking it /
    breaking this down / breaking it down / wrapping up here / stopping here / taking your word / ignoring /
    moving forward / going forward / reading that as / reading it the / reading this the / reading this as /
    reading it as / leaving that for / leaving it
    """
)

_TELLING = vocabulary("begin close finish give go lead offer provide share start")

_DISCOURSE = vocabulary(
    """
    advice background basics caveat conclusion context definition disclaimer example examples explanation gist
    highlights hint idea ideas insight insights intro introduction lowdown news opinion outline overview perspective
    point points premise quote reason reasons recap recommendation recommendations reminder rundown story suggestion
    suggestions summary theory thought thoughts tip tips version
    """
)

_TEXTS = vocabulary(
    """
    abstract article caption chapter clause conclusion contract copy email essay headline intro introduction letter
    message paragraph paragraphs post report section sections sentence sentences story text title
    """
)

_ILLUSTRATING = vocabulary(
    """
    analogy below denote example examples explanation metaphor notation phrase term terms throughout word words
    """
)


def base_of(gerund: str) -> str | None:
    """The known act whose -ing form this is."""
    stem = gerund.rpartition("-")[2].removesuffix("ing")
    if len(stem) < 2 or not gerund.endswith("ing"):
        return None
    stems = (stem, stem + "e", stem[:-1] if stem[-1:] == stem[-2:-1] else stem)
    for prefix in _PREFIXES:
        for form in stems:
            if form.startswith(prefix) and form[len(prefix) :] in en.ACTIONS | {"do", "see"}:
                return form[len(prefix) :]
    return None


def opens(gerund: str) -> bool:
    """Whether an -ing form can open a clause as something that is being done."""
    base = base_of(gerund)
    return base is not None and (base in OPENERS or base in {"do", "lay", "direct", "get"})


def names_act(words: Words, verb: int) -> bool:
    """Whether a base form names an act even without a subject, also one done anew (`regenerate`) or one unheard of."""
    word = word_at(words, verb)
    return word in OPENERS or (word.startswith("re") and word[2:] in BARE_OPENERS) or unheard(words, verb)


def unheard(words: Words, verb: int) -> bool:
    """Whether a word that no list knows stands like an act, with its object behind it: `nuke the volume`."""
    word = word_at(words, verb)
    placed = takes_object(words, verb) or word_at(words, verb + 1) in _WHITHER - {"to"}
    past = word.endswith("ed") and len(word) > 4
    return word.isalpha() and len(word) > 2 and not past and word not in _KNOWN and placed


def unheard_of(words: Words, verb: int) -> bool:
    """The same of an -ing form: `nuking the volume`."""
    stem = words[verb].removesuffix("ing")
    stems = {stem, stem + "e", stem[:-1]}
    known = words[verb] in en.STATES or words[verb] in _NOT_GERUNDS or bool(stems & (en.NOT_ACTING | _UNWILLED))
    placed = takes_object(words, verb) or word_at(words, verb + 1) in _WHITHER
    return words[verb : verb + 2] == ("falling", "back") or (stem.isalpha() and len(stem) > 2 and not known and placed)


def used_up(words: Words, verb: int) -> bool:
    """Whether the company of an -ing form takes the act from it: `taking your word for it`."""
    base = base_of(words[verb])
    if base is not None and company.RESCUES.at((base, *words[verb + 1 : verb + 6]), 0) > 1:
        return False
    return bool(_USED_UP.at(words, verb)) or (
        base is not None and bool(company.MANNERS.at((base, *words[verb + 1 : verb + 6]), 0))
    )


def carried(words: Words, verb: int, *, adverbs_only: bool = False) -> int:
    """The verb behind adverbs and behind verbs that only carry another: `just go ahead and run`."""
    while length := company.SMALL.at(words, verb) or (not adverbs_only and company.CARRIERS.at(words, verb)):
        verb += length
    return verb


def acts(words: Words, verb: int, *, let: bool) -> bool:
    """Whether the phrase whose base form stands at `verb` is an act of its own."""
    word, following = words[verb], word_at(words, verb + 1)
    match word:
        case "be":
            return _busy(words, verb)
        case "have":
            return _having(words, verb)
        case "see" if not company.MANNERS.at(words, verb):
            return let or bool(_FINDING_OUT.at(words, verb))
        case "understand" | "decide" | "learn" | "choose":
            return let
        case "help" | "assist":
            return _helping(words, verb)
    if word in en.TO_BEGIN and following == "by":
        return opens(word_at(words, verb + 2))
    if company.RESCUES.at(words, verb) > 1 or word == THING:
        return True
    if word in {"list", "show", "describe", "print", "display", "present"}:
        return _on_artifact(words, verb)
    if word in {"rephrase", "outline"} and _TEXTS & set(_object(words, verb)):
        return True
    if word == "leave" and words[verb:].count("you") and words[words.index("you", verb) - 1] == "to":
        return False
    if word == "call" and _phones(words, verb):
        return True
    if word in en.NOT_ACTING or company.MANNERS.at(words, verb):
        return False
    if word in _TELLING and _DISCOURSE & set(_object(words, verb)):
        return False
    if word == "use" and _ILLUSTRATING & set(words[verb : verb + 10]):
        return False
    return word.replace("-", "").replace("'", "").isalpha() or word[0] in "./"


def _phones(words: Words, verb: int) -> bool:
    """`call you back at noon`, but not `call you Max`."""
    person = word_at(words, verb + 1) in {"you", "him", "her", "them"}
    return person and (word_at(words, verb + 2) in _CALLED_WHEN or verb + 2 == len(words))


def _object(words: Words, verb: int) -> Words:
    """The words of the nearest object, up to a comma or a preposition that leads elsewhere."""
    end = min(clause_end(words, verb), verb + 7)
    return words[
        verb + 1 : next((p for p in range(verb + 1, end) if words[p] in {"to", "from", "into", "in", "for"}), end)
    ]


def _busy(words: Words, verb: int) -> bool:
    """`be checking`, `be right back`."""
    then = company.SMALL.skip(words, verb + 1)
    word = word_at(words, then)
    if word == "back" or words[verb + 1 : verb + 3] in {("right", "back"), ("in", "touch")}:
        return True
    return opens(word) and (word not in en.STATES or bool(company.ACTING_STATES.at(words, then)))


def _having(words: Words, verb: int) -> bool:
    """`have a look`, `have the team check it`, `have it ready for you`."""
    if word_at(words, verb + 1) in {"a", "another"} and word_at(words, verb + 2) in _LOOKS:
        return True
    end = min(clause_end(words, verb), verb + 7)
    row = words[verb + 1 : end]
    caused = word_at(words, verb + 1) in _OBJECTS - {"up"} and any(
        w in _BROUGHT_ABOUT or w.endswith("ed") for w in row[2:]
    )
    if caused or words[verb + 2 : verb + 4] == ("for", "you"):
        return True
    doers = BARE_OPENERS | {"look", "call", "take", "get"}
    return any(words[place] in doers and words[place - 1] not in en.DETERMINERS for place in range(verb + 3, end))


def _helping(words: Words, verb: int) -> bool:
    """A polite opener acts only with the act that it names: `help by searching`, `help you fix the build`."""
    end = min(clause_end(words, verb), verb + 9)
    for place in range(verb + 1, end - 1):
        if words[place] in {"by", "with"} and opens(words[place + 1]):
            return True
    then = verb + 1 + (word_at(words, verb + 1) in {"you", "them", "him", "her"})
    then += word_at(words, then) == "to"
    return then + 1 < len(words) and words[then] in OPENERS


def _on_artifact(words: Words, verb: int) -> bool:
    """`list the files` looks into the machine, `list the reasons` only speaks."""
    if company.MANNERS.at(words, verb) or word_at(words, verb + 1) in {"you", "out"}:
        return False
    row = words[verb + 1 : min(clause_end(words, verb), verb + 6)]
    return any(w.removesuffix("'s") in en.ARTIFACTS or (w == THING and words[verb] != "show") for w in row)


def goes_on(words: Words, verb: int) -> bool:
    """A verb that does not act, followed by one that does: `wait for it and then deploy it`, `… by running cat`."""
    embedded = False
    for place in range(verb + 1, min(len(words), verb + 16) - 1):
        word, following = words[place], words[place + 1]
        embedded = embedded or word in {"to", "how", "what", "why", "where", "when", "which", "that", "who"}
        if word == "by" and not embedded and opens(following) and following not in en.STATES - {"running", "looking"}:
            return True
        if word in {"and", "then"} and (not embedded or words[place - 1] == "," or words[verb] == "wait"):
            then = carried(words, place + 1)
            if _FOLLOW_UPS.at(words, then) or _is_second(words, then):
                return True
    return False


def _is_second(words: Words, verb: int) -> bool:
    """`… and make a backup`: an act with its object, of its own accord."""
    named = word_at(words, verb) in OPENERS and takes_object(words, verb)
    return named and (words[verb] in BARE_OPENERS or acts(words, verb, let=False))


def takes_object(words: Words, verb: int) -> bool:
    """Whether what a verb is done to stands right behind it."""
    return word_at(words, verb + 1) in _OBJECTS or word_at(words, verb + 1) == THING

"""Where a Portuguese present commits its speaker: `já verifico`, `começo pelo teste`, `o resto eu faço`."""

from . import portuguese_company as company
from . import portuguese_phrases as fixed
from . import portuguese_words as pt
from .candidates import NEGATED, SPEECH, Candidate, starts, word_at
from .phrases import Phrases, Words, vocabulary
from .portuguese_verbs import (
    acts,
    goes_on,
    infinitive_of,
    negated,
    present_of,
    present_with_object,
    takes_object,
)

_SEEN = vocabulary("acho conto dou encontro entendo toco uso utilizo vejo vou")

_AT_ONCE = vocabulary("chamo ligo mando passo retorno")

_ONCE_DONE = Phrases(
    "assim que / logo que / tão logo / depois que / quando / depois de / após / antes de / ao / logo após / mal"
)

_BEFORE_PRESENT = vocabulary(
    """
    ainda enquanto eu geralmente isso lhe lhes me normalmente nunca não sempre só também te vos
    """
)

_CLAUSE_OPENERS = vocabulary(", aí e então mas pois porque que")

_FRONTED = vocabulary("com dada dado em nesse neste para pela pelo por")

_CALMING = vocabulary("calma deixa deixe fica fique relaxa relaxe tranquila tranquilo")

_TOPICS = vocabulary("a as essa essas esse esses esta este isso isto o os quanto")

_EACH = vocabulary("cada geralmente normalmente sempre toda todas todo todos")

_ALSO_NOUNS = vocabulary("bloqueio começo envio fecho passo processo registo registro reparo retorno trabalho")

_QUALIFYING = ("ado", "ido", "eito", "ito", "al", "vel", "ivo", "ório")

_NOUN_FOLLOWED_BY = vocabulary("da das de do dos esperado está foi são é")

_RELATING = vocabulary("como onde qual que")


def present(words: Words, at: int, word: str) -> Candidate | None:
    """`já verifico`, `começo pelo teste`, `faço isso agora`: a present of what comes at once."""
    infinitive = present_of(word)
    spoken = word in pt.SPOKEN_FIRST
    unheard = infinitive is None and not spoken and present_with_object(words, at)
    if not (infinitive or spoken or unheard):
        return None
    start = _clause_start(words, at)
    if word_at(words, at - 1) == "eu" and _CALMING & set(words[:at]) and "que" in words[:at] and not spoken:
        return Candidate(at, at, "says that it does it")
    if start is None:
        return _within(words, at) if infinitive else None
    if negated(words, at):
        return Candidate(at, at, NEGATED, commits=False)
    before = words[start:at]
    if _EACH & set(before):
        return None
    if before[-1:] == ("enquanto",) or before[-2:] == ("enquanto", "eu"):
        return Candidate(at, at, "is about to do it") if infinitive in pt.ACTIONS else None
    if spoken and word not in _AT_ONCE:
        return Candidate(at, at, "says that it comes back at once") if "já" in before else None
    return _coming(words, at, start, heard=not unheard)


def _within(words: Words, at: int) -> Candidate | None:
    """Behind other words of its clause: `O resto eu faço`, `A fatura corrijo agora`."""
    topic = words[starts(words, fixed.INTERJECTIONS)[-1]] in _TOPICS
    if topic and word_at(words, at - 1) == "eu" and not (_EACH | _RELATING) & set(words):
        return Candidate(at, at, "says what it does")
    closes = words[at + 1 :] in {("agora",), ("já",), ("agora", "mesmo")}
    named = words[at] in _ALSO_NOUNS or word_at(words, at - 1) in {"o", "um", "do", "no", "ao", "este", "esse"}
    firm = closes and not named and not negated(words, at)
    return Candidate(at, at, "says what it does at once") if firm else None


def _coming(words: Words, at: int, start: int, *, heard: bool) -> Candidate | None:
    """A present at the start of its clause, where something says that it is no habit."""
    before, firm = words[start:at], bool(company.FIRM.at(words, at))
    seen = words[at] in _SEEN and not (words[at] == "vejo" and {"já", "primeiro"} & set(before))
    if (seen and not firm) or _noun(words, at, firm):
        return None
    early = (
        company.LEADING_SOON.within(words, start, at) is not None
        or _after_marker(words, start)
        or (_after_own_doing(words, start) and word_at(words, at + 1) != "que")
    )
    late = words[-1] == "então" or (heard and company.SOON.within(words, at + 1, min(len(words), at + 9)) is not None)
    if not (firm or early or late or _taken_up(words, at, start) or _first_of_two(words, at, start)):
        return None
    verb = company.SMALL.skip(words, at + 2) if firm and word_at(words, at + 1) == "a" else at
    infinitive = infinitive_of(word_at(words, verb))
    does = infinitive is None or acts(words, verb, infinitive) or goes_on(words, verb)
    return Candidate(at, verb, "says what it does at once" if does else SPEECH, commits=does)


def _taken_up(words: Words, at: int, start: int) -> bool:
    """`Entendido, ajusto as margens`; `Por coerência, renomeio os dois`; `Vá almoçar, eu termino o deploy`."""
    if word_at(words, start - 1) != "," or not takes_object(words, at) or _EACH & set(words):
        return False
    answered = start in starts(words, fixed.INTERJECTIONS)
    offered = answered or words[0] in _FRONTED or word_at(words, at - 1) == "eu"
    return offered and acts(words, at, present_of(words[at]) or "")


def _first_of_two(words: Words, at: int, start: int) -> bool:
    """`Escrevo o docstring e encerro`: one act after the other, which is no habit."""
    if start or _EACH & set(words):
        return False
    first = takes_object(words, at)
    joints = (company.SMALL.skip(words, place + 1) for place in range(at + 2, len(words)) if words[place] == "e")
    return any(
        present_of(word_at(words, then)) and words[then] not in _ALSO_NOUNS and (first or takes_object(words, then))
        for then in joints
    )


def _clause_start(words: Words, at: int) -> int | None:
    """Where the clause of a first person starts, if nothing but small words stands before its verb."""
    start = at
    while start > 0:
        lengths = (length for length in (4, 3, 2) if start >= length)
        soon = (length for length in lengths if company.LEADING_SOON.at(words, start - length) == length)
        single = _small(words, start - 1) or company.LEADING_SOON.at(words, start - 1) == 1
        length = next(soon, int(single))
        if not length:
            break
        start -= length
    own = word_at(words, start - 1) in fixed.RUNS_OUT or words[start : start + 1] == ("eu",)
    ended = own and start > 0 and bool(_ONCE_DONE.at(words, 0))
    if start == 0 or ended or words[start - 1] in _CLAUSE_OPENERS:
        return start
    greeted = 0
    while length := fixed.INTERJECTIONS.at(words, greeted) or int(word_at(words, greeted) == ","):
        greeted += length
    return start if greeted >= start else None


def _after_marker(words: Words, start: int) -> bool:
    """`Em seguida, reescrevo`: a marker of what comes next stands before the comma."""
    if word_at(words, start - 1) != ",":
        return False
    lengths = (length for length in (1, 2, 3, 4) if start - 1 >= length)
    return any(company.LEADING_SOON.at(words, start - 1 - length) == length for length in lengths)


def _after_own_doing(words: Words, start: int) -> bool:
    """`Assim que terminar a leitura, corrijo`; `Depois de ler o arquivo, ajusto`; `Enquanto isso roda, escrevo`."""
    if word_at(words, start - 1) not in {","} | fixed.RUNS_OUT and words[start : start + 1] != ("eu",):
        return False
    for place in starts(words, fixed.INTERJECTIONS):
        if place < start and words[place] == "enquanto":
            return True
        if place < start and (length := _ONCE_DONE.at(words, place)):
            verb = company.SMALL.skip(words, place + length)
            ends = bool(fixed.RUNS_OUT & set(words[verb:start])) or words[place : place + 2] == ("depois", "que")
            ends = ends and not fixed.PERSONS & set(words[verb:start])
            if ends or (infinitive_of(word_at(words, verb)) and not fixed.USER & set(words[verb:start])):
                return True
    return False


def _small(words: Words, place: int) -> bool:
    """Whether a small word of the clause stands here; `o` and `a` are such only behind another, else an article."""
    if words[place] in {"o", "a", "os", "as"}:
        return word_at(words, place - 1) in {"eu", "já", "não", "também", "agora", "só", "logo", "te", "enquanto"}
    return words[place] in _BEFORE_PRESENT


def _noun(words: Words, at: int, firm: bool) -> bool:
    """`o retorno é`, `processo de registro`: a noun, not a verb."""
    following = word_at(words, at + 1)
    unless = words[at : at + 2] in {("salvo", "aviso"), ("salvo", "engano"), ("salvo", "melhor")}
    told = following.endswith(("ou", "eu", "iu")) and len(following) > 3
    qualified = unless or told or (words[at] in _ALSO_NOUNS and following.endswith(_QUALIFYING))
    return qualified or words[at : at + 3] == ("passo", "a", "passo") or (following in _NOUN_FOLLOWED_BY and not firm)

"""Where a Portuguese clause with a verb commits its speaker to act: `vou`, `farei`, `estou fazendo`, `já verifico`."""

from collections.abc import Iterator

from . import portuguese_phrases as fixed
from . import portuguese_words as pt
from .candidates import FOLLOWS, NEGATED, SPEECH, STATE, Aside, Candidate, past_aside, starts, word_at
from .phrases import Phrases, Words, vocabulary
from .portuguese_openings import openings
from .portuguese_verbs import acts, carried, future_of, gerund_of, goes_on, infinitive_of, names_act, present_of, present_with_object, spoken_of, takes_object
from .shown import THING

_GOING = vocabulary("irei iremos vamo vamos vo vou vô")

_TOWARDS = vocabulary("ao para pra pro à")

_TASKS = vocabulary(
    """
    código correção criação depuração documentação etapa exclusão execução implementação instalação item migração
    passo próxima próximo refatoração remoção resto revisão segunda segundo terceira terceiro última último teste testes verificação
    """
)

_BEING = vocabulary("estamos estou tamo tamos to tou tô")

_GOING_ON = vocabulary("ando encontro permaneço continuamos continuo ficamos fico prossigo seguimos sigo")

_NEEDS = Phrases(
    """
    gostaria de / queria / preciso / precisamos / tenho que / tenho de / temos que / temos de / devo / quero / queremos / pretendo /
    tenciono / preciso de / hei de / havemos de / planejo / planeio / tenho é que / necessito / necessito de
    """
)

_NEEDING = vocabulary(
    """
    devo havemos hei necessito planeio gostaria planejo precisamos preciso pretendo queremos queria quero temos tenciono tenho
    """
)

_WISHES = vocabulary("devo gostaria planeio planejo pretendo queremos queria quero tenciono")

_NO_NEED = vocabulary("bastante bem como era foi for mais menos muito o se seja ser seria um é")

_NEGATIVE = vocabulary("jamais n nao nem nunca não sequer tampouco ñ")

_AFTER_NEGATION = vocabulary("a ainda as eu já lhe lhes lá mais me nos o os que se também te vos é")

_INTRODUCING = vocabulary(
    """
    , agora ah antes aqui aí bem bom certo claro como e enquanto entendi então favor hmm hum já mas oh ok olha pois
    porque primeiro quando que se sim só também
    """
)

_RELATING = vocabulary("como onde qual que")

_NOT_RELATING = vocabulary("acho aguarda aguarde calma espera instante já minuto momento peraí porque pouco segundo é")

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


def candidates(words: Words, aside: Aside) -> Iterator[Candidate]:
    """All places of a part that commit or nearly do."""
    yield from openings(words, aside)
    if aside.lead == ":" and aside.before[:1] in {("passo",), ("etapa",)} and present_of(words[0]):
        yield Candidate(0, 0, "says what it does next")
    for at, word in enumerate(words):
        found = _at(words, at, word)
        if found is not None:
            yield found


def _at(words: Words, at: int, word: str) -> Candidate | None:
    if word in _GOING:
        return _going(words, at)
    if word in _BEING or (word in _GOING_ON and _goes_on_doing(words, at)):
        return _being(words, at)
    if word in {"deixa", "deixe", "permita", "permitam", "xô", "xo", "dexa", "deixem"}:
        return _let(words, at)
    if word in {"bora", "simbora", "partiu"}:
        verb = pt.SMALL.skip(words, at + 1)
        if word_at(words, verb) in _TOWARDS and verb + 1 < len(words):
            return Candidate(at, verb, "says what comes next")
        return _judged(words, at, verb, "says what comes next") if infinitive_of(word_at(words, verb)) else None
    if word in _NEEDING and (length := _NEEDS.at(words, at)):
        return _needing(words, at, length)
    if infinitive := future_of(word):
        return _future(words, at, infinitive)
    return _present(words, at, word)


def _goes_on_doing(words: Words, at: int) -> bool:
    """`sigo analisando`, `fico a verificar`, but not `sigo para a etapa 2`."""
    then = at + 1 + (word_at(words, at + 1) == "me")
    european = word_at(words, then) == "a" and infinitive_of(word_at(words, then + 1))
    return bool(european) or any(word.endswith("ndo") for word in words[at + 1 : at + 4])


def _negated(words: Words, at: int) -> bool:
    """A negation before the verb, with clitics and small words between."""
    for place in range(at - 1, max(-1, at - 5), -1):
        if words[place] in _NEGATIVE:
            return word_at(words, place + 1) not in {"só", "apenas", "somente"}
        if words[place] not in _AFTER_NEGATION:
            return False
    return False


def _going(words: Words, at: int) -> Candidate | None:
    """`vou verificar`, `vou já buscar`, `vou estar verificando`, `vou: 1. ler`."""
    verb = pt.SMALL.skip(words, past_aside(words, pt.SMALL.skip(words, at + 1)))
    if verb == len(words):
        return None if verb > at + 1 or words[at] == "vamos" else Candidate(at, at, FOLLOWS)
    if _negated(words, at):
        return Candidate(at, verb, NEGATED, commits=False)
    if words[verb] == "e" and present_of(word_at(words, verb + 1)):
        return Candidate(at, verb + 1, "says what it will do")
    if words[verb] in {"não", "nao"}:
        if word_at(words, verb + 1) not in {"só", "apenas", "somente"}:
            return Candidate(at, verb, NEGATED, commits=False)
        verb = pt.SMALL.skip(words, verb + 2)
    word = word_at(words, verb)
    if word in _TOWARDS and _TASKS & set(words[verb + 1 : verb + 4]):
        return Candidate(at, verb, "says what it will do")
    if word.endswith("ndo") and words[at] in {"vou", "vo", "vô", "irei"}:
        does = names_act(gerund_of(word)) and word not in {"encerrando", "terminando", "indo", "levando"}
        return Candidate(at, verb, "says that it is doing it" if does else STATE, commits=does)
    together = words[at] in {"vamos", "vamo"} or "precisar" in words[at : verb + 1]
    return _judged(words, at, verb, "says what it will do")._replace(yields=together)


def _future(words: Words, at: int, infinitive: str) -> Candidate | None:
    if _negated(words, at):
        return Candidate(at, at, NEGATED, commits=False)
    if word_at(words, at - 1) in {"um", "do", "ao", "no"}:
        return None
    return _phrase(words, at, at, infinitive, "says what it will do")


def _needing(words: Words, at: int, length: int) -> Candidate | None:
    """`agora preciso ler`, `tenho que atualizar`, `quero conferir`."""
    first = words[at]
    if word_at(words, at - 1) in _NO_NEED:
        return None
    if _negated(words, at):
        return Candidate(at, at, NEGATED, commits=False)
    verb = pt.SMALL.skip(words, at + length)
    infinitive = infinitive_of(word_at(words, verb))
    if infinitive is None:
        return None
    if infinitive in {"entender", "compreender", "perceber", "descobrir"} and first not in _WISHES:
        return Candidate(at, verb, "says what it has to do now")
    if first in {"queria", "gostaria"} and not {"antes", "primeiro", "agora"} & set(words):
        return None
    if first in _WISHES and (not names_act(infinitive) or "você" in words):
        return Candidate(at, verb, SPEECH, commits=False)
    return _phrase(words, at, verb, infinitive, "says what it has to do now")._replace(yields=True)


def _being(words: Words, at: int) -> Candidate | None:
    """`estou verificando`, `estou a verificar`, `sigo analisando`, `estou prestes a reiniciar`."""
    verb = pt.SMALL_BEFORE_GERUND.skip(words, at + 1)
    if words[verb : verb + 2] in {("prestes", "a"), ("para", "começar")}:
        return _judged(words, at, verb + 2, "says what it is about to do")
    if words[verb : verb + 3] == ("em", "processo", "de"):
        verb += 3
    if word_at(words, at - 1) in _RELATING and word_at(words, at - 2) not in _NOT_RELATING:
        return None
    word = word_at(words, verb)
    if infinitive := gerund_of(word):
        return _progressive(words, at, verb, word, infinitive)
    infinitive = infinitive_of(word)
    if infinitive and words[verb - 1] == "a" and words[at] != "to":
        return _progressive(words, at, verb, infinitive[:-1] + "ndo", infinitive)
    return None


def _progressive(words: Words, at: int, verb: int, gerund: str, infinitive: str) -> Candidate:
    if _negated(words, at):
        return Candidate(at, verb, NEGATED, commits=False)
    then = pt.SMALL.skip(words, verb + 1)
    if gerund in {"indo", "tentando"} and infinitive_of(word_at(words, then)):
        return _judged(words, at, then, "is at it, with nothing done")
    row = (gerund, *words[verb + 1 : verb + 6])
    fits = bool(pt.PROGRESSING.at(row, 0))
    does = gerund not in pt.NOT_PROGRESSING or fits or _company(words, at, verb, gerund)
    if (infinitive in pt.NOT_ACTING and not fits) or (gerund == "tratando" and "como" in words[verb:]):
        does = False
    if words[at] in {"estamos", "tamo", "tamos"} and infinitive not in pt.ACTIONS and not takes_object(words, verb):
        does = False
    return Candidate(at, verb, "says that it is doing it" if does else STATE, commits=does)


def _company(words: Words, at: int, verb: int, gerund: str) -> bool:
    """Whether `vendo`, `rodando` and the like act here: alone, on a command, or `aqui`."""
    following = word_at(words, verb + 1)
    if gerund not in {"vendo", "trabalhando", "rodando", "seguindo"}:
        return False
    return (
        (gerund == "vendo" and following in {"", ",", "e"})
        or following == THING
        or bool({"aqui", "lá"} & set(words[at + 1 : verb]))
    )


def _let(words: Words, at: int) -> Candidate | None:
    """`deixa eu ver`, `deixe-me verificar`, `me deixa olhar`, `permita-me consultar`."""
    me = word_at(words, at - 1) == "me"
    start = at - me
    if start and words[start - 1] not in _INTRODUCING:
        return None
    verb = at + 1 + (word_at(words, at + 1) == "que")
    looks = words[verb : verb + 2] == ("ver", "se")
    if not (me or looks or words[at] in {"xô", "xo"} or word_at(words, verb) in {"eu", "me"}):
        return None
    return _judged(words, at, verb, "asks leave to act and does not act")


def _present(words: Words, at: int, word: str) -> Candidate | None:
    """`já verifico`, `começo pelo teste`, `faço isso agora`: a present of what comes at once."""
    infinitive = present_of(word)
    spoken = word in pt.SPOKEN_FIRST
    unheard = infinitive is None and not spoken and present_with_object(words, at)
    start = _clause_start(words, at) if infinitive or spoken or unheard else None
    calmed = at and words[at - 1] == "eu" and words[0] in _CALMING and "que" in words[:at]
    if calmed and (infinitive or unheard):
        return Candidate(at, at, "says that it does it")
    if start is None:
        if infinitive and words[at - 1] == "eu" and words[0] in _TOPICS and not (_EACH | _RELATING) & set(words):
            return Candidate(at, at, "says what it does")
        closes = bool(infinitive) and words[at + 1 :] in {("agora",), ("já",), ("agora", "mesmo")}
        named = word in _ALSO_NOUNS or word_at(words, at - 1) in {"o", "um", "do", "no", "ao", "este", "esse"}
        firm = closes and not named and not _negated(words, at)
        return Candidate(at, at, "says what it does at once") if firm else None
    before = words[start:at]
    if _negated(words, at):
        return Candidate(at, at, NEGATED, commits=False)
    if {"sempre", "geralmente", "normalmente"} & set(before):
        return None
    if before[-1:] == ("enquanto",) or before[-2:] == ("enquanto", "eu"):
        return Candidate(at, at, "is about to do it") if infinitive in pt.ACTIONS else None
    if spoken and word not in _AT_ONCE:
        return Candidate(at, at, "says that it comes back at once") if "já" in before else None
    firm = bool(pt.FIRM.at(words, at))
    if (word in _SEEN and not firm and not ({"já", "primeiro"} & set(before) and word == "vejo")) or _noun(
        words, at, firm
    ):
        return None
    early = (
        pt.LEADING_SOON.within(words, start, at) is not None
        or _after_marker(words, start)
        or (_after_own_doing(words, start) and word_at(words, at + 1) != "que")
    )
    late = words[-1] == "então" or not unheard and pt.SOON.within(words, at + 1, min(len(words), at + 9)) is not None
    if not (firm or early or late or _taken_up(words, at, start) or _first_of_two(words, at, start)):
        return None
    verb = pt.SMALL.skip(words, at + 2) if firm and word_at(words, at + 1) == "a" else at
    if infinitive_of(word_at(words, verb)):
        return _judged(words, at, verb, "says what it does at once")
    return Candidate(at, at, "says what it does at once")


def _taken_up(words: Words, at: int, start: int) -> bool:
    """`Entendido, ajusto as margens`; `Por coerência, renomeio os dois`; `Vá almoçar, eu termino o deploy`."""
    if word_at(words, start - 1) != "," or not takes_object(words, at) or _EACH & set(words):
        return False
    answered = any(place == start for place in starts(words, fixed.INTERJECTIONS))
    return answered or words[0] in _FRONTED or word_at(words, at - 1) == "eu"


def _first_of_two(words: Words, at: int, start: int) -> bool:
    """`Escrevo o docstring e encerro`: one act after the other, which is no habit."""
    if start or _EACH & set(words):
        return False
    first = takes_object(words, at)
    joints = (pt.SMALL.skip(words, place + 1) for place in range(at + 2, len(words)) if words[place] == "e")
    return any(
        present_of(word_at(words, then)) and words[then] not in _ALSO_NOUNS and (first or takes_object(words, then))
        for then in joints
    )


def _clause_start(words: Words, at: int) -> int | None:
    """Where the clause of a first person starts, if nothing but small words stands before its verb."""
    start = at
    while start > 0:
        soon = (
            length for length in (4, 3, 2) if start >= length and pt.LEADING_SOON.at(words, start - length) == length
        )
        single = _small(words, start - 1) or pt.LEADING_SOON.at(words, start - 1) == 1
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
    return any(pt.LEADING_SOON.at(words, start - 1 - length) == length for length in lengths)


def _after_own_doing(words: Words, start: int) -> bool:
    """`Assim que terminar a leitura, corrijo`; `Depois de ler o arquivo, ajusto`; `Enquanto isso roda, escrevo`."""
    if word_at(words, start - 1) not in {","} | fixed.RUNS_OUT and words[start : start + 1] != ("eu",):
        return False
    for place in starts(words, fixed.INTERJECTIONS):
        if place < start and words[place] == "enquanto":
            return True
        if place < start and (length := _ONCE_DONE.at(words, place)):
            verb = pt.SMALL.skip(words, place + length)
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


def _judged(words: Words, at: int, verb: int, why: str) -> Candidate:
    """A candidate at `at` whose verb phrase starts at `verb`: does that act?"""
    verb = pt.SMALL.skip(words, past_aside(words, pt.SMALL.skip(words, verb)))
    verb += word_at(words, verb) == "de" and verb + 1 < len(words)
    word = word_at(words, verb)
    if word == THING:
        return Candidate(at, verb, why)
    infinitive = spoken_of(word)
    if infinitive is None:
        return Candidate(at, min(verb, len(words) - 1), STATE, commits=False)
    return _phrase(words, at, verb, infinitive, why)


def _phrase(words: Words, at: int, verb: int, infinitive: str, why: str) -> Candidate:
    """Judge a verb with what follows it; auxiliaries pass on to the verb that they carry."""
    found = carried(words, verb, infinitive)
    if found is None:
        return Candidate(at, verb, STATE, commits=False)
    verb, infinitive = found
    if infinitive == "estar":
        return _will_be(words, at, verb, why)
    does = acts(words, verb, infinitive) or goes_on(words, verb)
    return Candidate(at, verb, why if does else SPEECH, commits=does)


def _will_be(words: Words, at: int, verb: int, why: str) -> Candidate:
    """`vou estar verificando`, `estarei a verificar`."""
    then = pt.SMALL.skip(words, verb + 1)
    then += word_at(words, then) == "a"
    word = word_at(words, then)
    does = names_act(gerund_of(word) or infinitive_of(word))
    return Candidate(at, min(then, len(words) - 1), why if does else STATE, commits=does)

"""Where a Portuguese clause with a verb commits its speaker to act: `vou`, `farei`, `estou fazendo`, `já verifico`."""

from collections.abc import Iterator

from . import portuguese_company as company
from . import portuguese_words as pt
from .candidates import FOLLOWS, NEGATED, SPEECH, STATE, Aside, Candidate, past_aside, word_at
from .phrases import Phrases, Words, vocabulary
from .portuguese_openings import openings
from .portuguese_presents import present
from .portuguese_verbs import (
    acts,
    carried,
    future_of,
    gerund_of,
    goes_on,
    infinitive_of,
    names_act,
    negated,
    opens,
    present_of,
    spoken_of,
    takes_object,
)
from .shown import THING

_GOING = vocabulary("irei iremos vamo vamos vo vou vô")

_TOWARDS = vocabulary("ao para pra pro à")

_TASKS = vocabulary(
    """
    correção criação código depuração documentação etapa exclusão execução implementação instalação item migração
    passo próxima próximo refatoração remoção resto revisão segunda segundo terceira terceiro teste testes verificação
    última último
    """
)

_BEING = vocabulary("estamos estou tamo tamos to tou tô")

_GOING_ON = vocabulary("ando continuamos continuo encontro ficamos fico permaneço prossigo seguimos sigo")

_NEEDS = Phrases(
    """
    gostaria de / queria / preciso / precisamos / tenho que / tenho de / temos que / temos de / devo / quero /
    queremos / pretendo / tenciono / preciso de / hei de / havemos de / planejo / planeio / tenho é que / necessito /
    necessito de
    """
)

_NEEDING = vocabulary(
    """
    devo gostaria havemos hei necessito planeio planejo precisamos preciso pretendo queremos queria quero temos
    tenciono tenho
    """
)

_WISHES = vocabulary("devo gostaria planeio planejo pretendo queremos queria quero tenciono")

_NO_NEED = vocabulary("bastante bem como era foi for mais menos muito o se seja ser seria um é")

_INTRODUCING = vocabulary(
    """
    , agora ah antes aqui aí bem bom certo claro como e enquanto entendi então favor hmm hum já mas oh ok olha pois
    porque primeiro quando que se sim só também
    """
)

_RELATING = vocabulary("como onde qual que")

_NOT_RELATING = vocabulary("acho aguarda aguarde calma espera instante já minuto momento peraí porque pouco segundo é")


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
    if word in {"deixa", "deixe", "permita", "permitam", "xô", "xo", "dexa", "dxa", "deixem"}:
        return _let(words, at)
    if word in {"bora", "simbora", "partiu"}:
        verb = company.SMALL.skip(words, at + 1)
        if word_at(words, verb) in _TOWARDS and verb + 1 < len(words):
            return Candidate(at, verb, "says what comes next")
        return _judged(words, at, verb, "says what comes next") if infinitive_of(word_at(words, verb)) else None
    if word in _NEEDING and (length := _NEEDS.at(words, at)):
        return _needing(words, at, length)
    if infinitive := future_of(word):
        return _future(words, at, infinitive)
    return present(words, at, word)


def _goes_on_doing(words: Words, at: int) -> bool:
    """`sigo analisando`, `fico a verificar`, but not `sigo para a etapa 2`."""
    then = company.SMALL_BEFORE_GERUND.skip(words, at + 1 + (word_at(words, at + 1) == "me"))
    then -= words[then - 1] == "a" and then > at + 1
    european = word_at(words, then) == "a" and infinitive_of(word_at(words, then + 1))
    return bool(european) or any(word.endswith("ndo") for word in words[at + 1 : at + 4])


def _going(words: Words, at: int) -> Candidate | None:
    """`vou verificar`, `vou já buscar`, `vou estar verificando`, `vou: 1. ler`."""
    verb = company.SMALL.skip(words, past_aside(words, company.SMALL.skip(words, at + 1)))
    if verb == len(words):
        return None if verb > at + 1 or words[at] == "vamos" else Candidate(at, at, FOLLOWS)
    if negated(words, at):
        return Candidate(at, verb, NEGATED, commits=False)
    if words[verb] == "e" and present_of(word_at(words, verb + 1)):
        return Candidate(at, verb + 1, "says what it will do")
    if words[verb] in {"não", "nao"}:
        if word_at(words, verb + 1) not in {"só", "apenas", "somente"}:
            return Candidate(at, verb, NEGATED, commits=False)
        verb = company.SMALL.skip(words, verb + 2)
    word = word_at(words, verb)
    if word == "atrás" and verb + 1 < len(words):
        return Candidate(at, verb, "says what it will do")
    if word in _TOWARDS and _TASKS & set(words[verb + 1 : verb + 4]):
        return Candidate(at, verb, "says what it will do")
    if word.endswith("ndo") and words[at] in {"vou", "vo", "vô", "irei"}:
        does = names_act(gerund_of(word)) and word not in {"encerrando", "terminando", "indo", "levando"}
        return Candidate(at, verb, "says that it is doing it" if does else STATE, commits=does)
    together = words[at] in {"vamos", "vamo"} or "precisar" in words[at : verb + 1]
    return _judged(words, at, verb, "says what it will do")._replace(yields=together)


def _future(words: Words, at: int, infinitive: str) -> Candidate | None:
    if negated(words, at):
        return Candidate(at, at, NEGATED, commits=False)
    if word_at(words, at - 1) in {"um", "do", "ao", "no"}:
        return None
    return _phrase(words, at, at, infinitive, "says what it will do")


def _needing(words: Words, at: int, length: int) -> Candidate | None:
    """`agora preciso ler`, `tenho que atualizar`, `quero conferir`."""
    first = words[at]
    if word_at(words, at - 1) in _NO_NEED:
        return None
    if negated(words, at):
        return Candidate(at, at, NEGATED, commits=False)
    verb = company.SMALL.skip(words, at + length)
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
    verb = company.SMALL_BEFORE_GERUND.skip(words, at + 1)
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
    if negated(words, at):
        return Candidate(at, verb, NEGATED, commits=False)
    then = company.SMALL.skip(words, verb + 1)
    if gerund in {"indo", "tentando"} and infinitive_of(word_at(words, then)):
        return _judged(words, at, then, "is at it, with nothing done")
    row = (gerund, *words[verb + 1 : verb + 6])
    fits = bool(company.PROGRESSING.at(row, 0))
    if gerund == "indo" and then == verb + 1 and word_at(words, then) in {"com", "na", "no", "pela", "pelo", "por"}:
        return Candidate(at, verb, STATE, commits=False)
    does = gerund not in pt.NOT_PROGRESSING or fits or _company(words, at, verb, gerund)
    if (infinitive in pt.NOT_ACTING and not fits) or (gerund == "tratando" and "como" in words[verb:]):
        does = False
    if words[at] in {"estamos", "tamo", "tamos"} and infinitive not in pt.ACTIONS and not takes_object(words, verb):
        does = False
    does = does or _joined(words, verb)
    seeks = gerund in {"buscando", "procurando"}
    return Candidate(at, verb, "says that it is doing it" if does else STATE, commits=does, yields=seeks)


def _joined(words: Words, verb: int) -> bool:
    """`mantendo o nome e reescrevendo os testes`: the second of two doings acts."""
    places = (place + 1 for place in range(verb + 1, len(words) - 1) if words[place] == "e")
    return any(opens(gerund_of(words[then])) and takes_object(words, then) for then in places)


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
    verb = at + 1 + (word_at(words, at + 1) in {"que", "só"})
    looks = words[verb : verb + 2] == ("ver", "se")
    if not (me or looks or words[at] in {"xô", "xo"} or word_at(words, verb) in {"eu", "me"}):
        return None
    return _judged(words, at, verb, "asks leave to act and does not act")


def _judged(words: Words, at: int, verb: int, why: str) -> Candidate:
    """A candidate at `at` whose verb phrase starts at `verb`: does that act?"""
    verb = company.SMALL.skip(words, past_aside(words, company.SMALL.skip(words, verb)))
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
    then = company.SMALL.skip(words, verb + 1)
    then += word_at(words, then) == "a"
    word = word_at(words, then)
    does = names_act(gerund_of(word) or infinitive_of(word))
    return Candidate(at, min(then, len(words) - 1), why if does else STATE, commits=does)

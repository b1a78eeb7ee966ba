"""Where a Portuguese clause without a subject commits: `Verificando`, `A verificar o stock`, `Pode deixar`."""

from collections.abc import Iterator

from . import portuguese_company as company
from . import portuguese_phrases as fixed
from . import portuguese_words as pt
from .candidates import LEADS, Aside, Candidate, clause_end, last_wait, starts, word_at
from .phrases import Phrases, Words, vocabulary
from .portuguese_plans import next_head
from .portuguese_verbs import acts, gerund_of, infinitive_of, names_act, opens, present_of, takes_object
from .shown import THING

_FAILED = vocabulary(
    """
    ausente caiu erro expirou falharam falhou faltando feito nada pronto quebrou recusada recusado travou vermelho
    """
)

_QUICK = vocabulary(
    """
    buscando checando conferindo corrigindo indo investigando partindo reiniciando tentando verificando
    """
)

_TOWARDS = vocabulary("ao atrás até direto para pra pro à")

_TIMELY = Phrases(
    """
    hora de / é hora de / está na hora de / tá na hora de / já é hora de / chegou a hora de / é chegada a hora de /
    é a hora de / chegou a vez de / minha vez de / prestes a / agora é / agora falta / agora só falta / é minha vez de /
    é a minha vez de / chegou a minha vez de
    """
)

_TAKING_ON = Phrases(
    """
    me encarrego / encarregar me / encarrego me / encarrego-me / fico responsável por / fico encarregado de /
    fico encarregada de / me responsabilizo por
    """
)

_STARTING = Phrases(
    "vamos lá / vamos ao / vamos à / vamos nessa / vamo lá / chegou a vez / mãos à obra / mão na massa / bora / partiu"
)

_AFTER_READY = vocabulary(", agora chefe e já que sim")

_AFTER_HOLDING = vocabulary(
    """
    , aqui com e enquanto estou instante instantes já mas minutinho minutinhos minuto minutos momentinho momento
    moça moço para por pouco pouquinho pra que segundinho segundinhos segundo segundos senhor senhora só te tô um
    uns vou
    """
)

_AFTER_WAIT = vocabulary(", aí enquanto mais por que só um uns")

_GOES_ON_WITH = vocabulary("aguarde depois e já mas por vou")

_SUBJECTS = vocabulary(
    "a as cada ela elas ele eles essa esse esta este eu há isso isto nada não o os se tudo um uma você"
)

_FINITE = vocabulary(
    """
    achei aparece basta bastam cai consegue descobri deve devem dá encontrei era eram está falha falhou fica ficam
    foi funciona gera há mostra notei obtive obtém ocorre parece percebi pode podem resolve sai sobe some são tem têm
    vai verá vi vão é
    """
)

_COPULAS = vocabulary("está estão são é")
_FINDING = _COPULAS | vocabulary(
    "achei descobri encontrei entendi explica faltou falhou falharam notei percebi peguei vejo vi"
)
_WHAT_IS_FOUND = frozenset({"", *vocabulary("de e em isso já novamente para por tudo")})
_EACH = vocabulary("cada sempre toda todo")

_HANGING = vocabulary("antes como dada dado depois enquanto já para pela pelo por")

_TURNS = vocabulary("agora antes meu minha primeiro")

_CAUSES = vocabulary("causa era erro foi motivo opção opções pergunta problema questão razão")

_NO_PLURALS = vocabulary("alguém além amém assim bem porém quem sem também vamos")

_LINKING = vocabulary("causa dá evita exige gera leva mostra resolve é")

_EMBEDDING = vocabulary("como onde qual quando quanto que quem se")

_STILL_OPEN = vocabulary("combinar confirmar contar definir determinar entregar fazer pagar partir")


def openings(words: Words, aside: Aside) -> Iterator[Candidate]:
    """All places of a part at which a clause without a subject commits."""
    for start in starts(words, fixed.INTERJECTIONS):
        if _is_ready(words, start):
            yield Candidate(start, start, "says that it is on it")
        if _TAKING_ON.at(words, start):
            yield Candidate(start, start, "takes it on")
        if holding(words, start):
            yield Candidate(start, start, "asks to wait for what it does")
        at = company.SMALL_BEFORE_GERUND.skip(words, start)
        if word_at(words, at).endswith("ndo") and _may_open(words, at, aside):
            yield Candidate(at, at, "opens with what it is doing", fragment=True)
        if words[start] == "a" and aside.lead in {"", "—", "–", ";"} and _european(words, start + 1):
            yield Candidate(start, start + 1, "opens with what it is doing", fragment=True)
        if word_at(words, start - 1) == "," and words[start - 2] in _TURNS and _european(words, start):
            yield Candidate(start, start, "says what comes next")
        if length := _TIMELY.at(words, start):
            verb = company.SMALL.skip(words, start + length)
            if names_act(word_at(words, verb)) and words[verb - 1] != "só" and not fixed.USER & set(words):
                yield Candidate(start, verb, "says what comes next")
    if (wait := last_wait(words, fixed.HOLDING)) is not None:
        yield Candidate(wait, wait, "asks to wait for what it does")
    for at in range(1, len(words)):
        failed = words[at] in _QUICK and words[at - 1] in {",", "então", "já", "agora"} and _FAILED & set(words[:at])
        hurried = words[at].endswith("ndo") and words[at - 1] == "," and words[-1] in {"agora", "já"}
        hurried = hurried or (words[at].endswith("ndo") and words[at - 1] == "," and words[-2:] == ("agora", "mesmo"))
        if (
            failed
            or (hurried and not aside.lead and _in_hand(words, at))
            or (words[at].endswith("ndo") and not aside.lead and _upon_brief(words, at))
        ):
            yield Candidate(at, at, "goes on with what it is doing", fragment=True)


def _upon_brief(words: Words, at: int) -> bool:
    """`Justo, retirando a flag`: one or two words and a comma stand before what is being done."""
    if words[at - 1] == "," and words[0] in _HANGING and "," not in words[: at - 1]:
        return _in_hand(words, at) and takes_object(words, at) and not _leans(words, at)
    if words[at - 1] == "," and _FINDING & set(words[: at - 1]) and not _EACH & set(words):
        plain = not _COPULAS & set(words[: at - 1]) or word_at(words, at + 1) in _WHAT_IS_FOUND
        return plain and _in_hand(words, at) and not _leans(words, at)
    if words[at - 1] != "," or at > 3 or (_SUBJECTS | {","}) & set(words[: at - 1]) or words[0].endswith("ndo"):
        return False
    return _in_hand(words, at) and not _leans(words, at)


def _is_ready(words: Words, start: int) -> bool:
    end = start + fixed.READY.at(words, start)
    following = word_at(words, end)
    if following == "que" and words[start] in {"bora", "partiu", "simbora"}:
        return False
    return end > start and (not following or following in _AFTER_READY) and words[end : end + 2] != ("que", "você")


def holding(words: Words, start: int) -> bool:
    """Whether a request to wait stands here: it promises what the wait is for."""
    length = fixed.HOLDING.at(words, start)
    if not length:
        return False
    following = word_at(words, start + length)
    if words[start] in {"aguarde", "aguarda"} and following == "enquanto":
        doer = word_at(words, start + length + 1)
        return doer == "eu" or present_of(doer) is not None
    allowed = _AFTER_WAIT if words[start] in {"aguarde", "aguarda"} and length == 1 else _AFTER_HOLDING
    return not following or following in allowed


def _may_open(words: Words, at: int, aside: Aside) -> bool:
    if aside.lead not in LEADS or not _in_hand(words, at) or (aside.tail == ":" and at + 1 == len(words)):
        return False
    if aside.lead in {"—", "–"} and not _after_dash(words, at, aside.before):
        return False
    if aside.lead == ":" and not (_after_head(aside.before) or words[-1] in {"agora", "já"}):
        return False
    return not _leans(words, at)


def _in_hand(words: Words, at: int) -> bool:
    """Whether a form in -ndo tells of something being done."""
    word, following = words[at], word_at(words, at + 1)
    if word == "indo":
        return following in _TOWARDS
    if word == "rodando" and following in {THING, ""}:
        return True
    if word == "trabalhando" and following in {"na", "no", "nas", "nos", "nisso"} and len(words) - at <= 5:
        return True
    if word in pt.NOT_PROGRESSING:
        return bool(company.PROGRESSING.at(words, at))
    infinitive = gerund_of(word)
    if infinitive in {"listar", "mostrar"} and pt.ARTIFACTS & set(words[at:]):
        return True
    row = (infinitive or "", *words[at + 1 : at + 6])
    if infinitive in pt.ACTIONS and company.RESCUES.at(row, 0) and not company.MANNERS.at(row, 0):
        return True
    return opens(infinitive) or bool(company.PROGRESSING.at(words, at))


def _after_dash(words: Words, at: int, before: Words) -> bool:
    short = len(before) <= 5 or bool(fixed.INTERJECTIONS.at(before, 0)) or bool(_FAILED & set(before))
    return short or word_at(words, at + 1) in {"", "isso", "agora", "já", "tudo"}


def _after_head(before: Words) -> bool:
    """`Próximo passo: rodando …`, `Etapa 2: rodando …`, `Indo para o plano B: restaurando …`."""
    opened = before[starts(before, fixed.INTERJECTIONS)[-1] :] or before
    heads = next_head(before) or bool({"vou", "irei"} & set(before)) or opened[:1] in {("passo",), ("etapa",)}
    heads = heads or bool(_TURNS & set(before) and not (_CAUSES | fixed.USER) & set(before))
    starting = _STARTING.first(before, starts(before, fixed.INTERJECTIONS)) is not None
    greeted = bool(before) and len(before) in {fixed.INTERJECTIONS.skip(before, 0), fixed.READY.at(before, 0)}
    return heads or starting or greeted or (len(before) > 1 and any(word.endswith("ndo") for word in before[:2]))


def _leans(words: Words, at: int) -> bool:
    """Whether a participle leans on a main clause: `Analisando o log, vi que …`, `Rodando os testes dá erro`."""
    comma = clause_end(words, at)
    near = set(words[at + 1 : comma])
    if near & _LINKING and not near & _EMBEDDING:
        return True
    start = company.SMALL.skip(words, comma + 1)
    first = word_at(words, start)
    if (
        not first
        or (first.endswith("ndo") and first not in pt.NOT_PROGRESSING)
        or first in _GOES_ON_WITH
        or holding(words, start)
        or holding(words, comma + 1)
    ):
        return False
    plural = first.endswith(("am", "em", "amos", "emos", "imos")) and len(first) > 3 and first not in _NO_PLURALS
    if plural or words[comma + 1] in _SUBJECTS or first in _SUBJECTS:
        return True
    return first.endswith(("ei", "i", "ou", "eu")) or bool(_FINITE & set(words[start:]))


def _european(words: Words, verb: int) -> bool:
    """`A verificar o stock…`: the European way of saying that one is at it."""
    infinitive = word_at(words, verb)
    named = infinitive_of(infinitive) is not None and acts(words, verb, infinitive)
    if not (names_act(infinitive) or named) or not (infinitive in pt.ACTIONS or takes_object(words, verb)):
        return False
    if infinitive in _STILL_OPEN or verb + 1 >= len(words):
        return False
    return not _FINITE & set(words[verb + 1 :])

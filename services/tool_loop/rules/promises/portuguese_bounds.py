"""What takes the force from a Portuguese commitment: a condition of its own clause, a habit, someone else's words."""

from collections.abc import Iterator

from . import portuguese_words as pt
from .candidates import CONDITION, HABIT, REPORTED, SUPPOSITION, back_to, clause_end
from .phrases import Phrases, Words

_CONTRASTS = frozenset({"mas", "então", "porém", "portanto", "contudo", "todavia"})
_WHENS = Phrases("quando / assim que / logo que / tão logo / depois que / no momento em que / na hora que / a partir do momento")
_AFTERS = Phrases("depois de / depois do / depois da / após / após o / após a / com / com a / com o / mediante / mediante a / sem / sem a / sem o / sob / aguardando / depois dos / só com")
_IFS = Phrases("se / caso / desde que / contanto que / a menos que / a não ser que / exceto se / salvo se / em caso de / no caso de / do contrário / caso contrário / senão / se sim / se não / nesse caso / neste caso / se for / supondo que / só se / somente se / dependendo")
_AGREED = frozenset("aprovado aprovada autorizado autorizada confirmado confirmada aceito aceita combinado pago paga assinado assinada liberado liberada".split())
_RECEIVING = frozenset("receber tiver obtiver ouvir recebermos tivermos vier".split())
_IMPERATIVES = frozenset(
    """
    envie envia mande manda passe passa informe informa diga diz fale fala confirme confirma cole cola compartilhe compartilha responda responde
    escolha escolhe autorize autoriza avise avisa aprove aprova anexe anexa digite digita clique clica basta é preencha preenche escreva escreve mostre mostra
    chame chama conecte conecta libere libera assine assina pague paga faça faz abra abre coloque coloca dê dá indique indica selecione seleciona forneça fornece
    descreva descreve traga traz marque marca peça pede partilhe partilha envia-me insira insere suba sobe tire tira reinicie reconecte ligue liga crie cria
    """.split()
)
_LEADINS = Phrases("por favor / então / só / apenas / me / nos / lhe / por gentileza / aí / primeiro / também / ok / e / agora / é só / basta / pode / poderia")
_ASIDES = frozenset({",", "e", "ou", "só", "ok", "então", "aí", "apenas", "somente", "mas", "também", "sim", "claro", "que"})
_ECHOES = frozenset({"que", "não", "-", "já", "como", "te", "pode", "o", "a", "deve", "vai", "onde"})


def reason_against(words: Words, at: int, verb: int) -> str | None:
    """Why a commitment at `at` with its verb at `verb` does not hold, or None."""
    left = back_to(words, at, _CONTRASTS)
    right = reach(words, verb)
    if _reported(words, at):
        return REPORTED
    if pt.HABITS.within(words, left, verb + 1) is not None or pt.HABITS.within(words, verb, right) is not None and "sempre" not in words[verb:right]:
        return HABIT
    if any(_holds_back(words, place, at, fronted=True) for place in _fronted(words, left, at)):
        return CONDITION
    if any(_holds_back(words, place, right, fronted=False) for place in range(verb + 1, right) if _starts_condition(words, place)):
        return CONDITION
    return CONDITION if _after_request(words, at) or _after_agreement(words, at) else None


def supposed(words: Words) -> bool:
    """Whether the sentence only supposes."""
    return bool(pt.SUPPOSING.at(words, 0)) or words[:1] in {("ok",), ("bem",), ("então",), ("mas",)} and bool(pt.SUPPOSING.at(words, 2 if words[1:2] == (",",) else 1))


def head_reason(words: Words) -> str | None:
    """What words before a colon make of the words after it."""
    if not words:
        return None
    if pt.HABITS.within(words, 0, len(words)) is not None:
        return HABIT
    if words[-1] in pt.QUOTING_HEADS or words[0] in {"tradução", "assunto", "exemplo"} or words[-1] in pt.SAYING:
        return REPORTED
    if supposed(words):
        return SUPPOSITION
    if _starts_condition(words, 0) and "," not in words and _holds_back(words, 0, len(words), fronted=True):
        return CONDITION
    return None


def _reported(words: Words, at: int) -> bool:
    """`disse que vou`, `perguntou se vou`, but not `acho que vou`."""
    for place in range(at - 1, max(-1, at - 5), -1):
        word = words[place]
        if word in pt.SAYING and words[place - 1 : place] != ("eu",):
            return at - place > 1 and place > 0 or (place == 0 and at - place > 1)
        if word not in {"que", "se", "como", "quando", "por", "me", "eu", "lhe", "te", "já", "também", "ele", "ela"}:
            return False
    return False


def _fronted(words: Words, left: int, at: int) -> Iterator[int]:
    for place in range(left, at):
        if _starts_condition(words, place) and (place == left or words[place - 1] in _ASIDES):
            yield place


def _starts_condition(words: Words, place: int) -> bool:
    return bool(_IFS.at(words, place) or _WHENS.at(words, place) or _AFTERS.at(words, place))


def _holds_back(words: Words, place: int, end: int, *, fronted: bool) -> bool:
    """Whether the condition at `place` makes a commitment hang on it."""
    if length := _WHENS.at(words, place):
        return _when_holds(words, place, length, end, fronted)
    if length := _IFS.at(words, place):
        return _if_holds(words, place, length, end, fronted)
    length = _AFTERS.at(words, place)
    reach = words[place + length : min(end, place + length + 5)]
    if words[place] == "depois" and reach[:1] and reach[0] in _AGREED:
        return True
    consents = any(w in pt.CONSENT for w in reach)
    return consents and (any(w in {"seu", "sua", "teu", "tua", "você"} for w in (*words[place:place + length], *reach)) or words[place] == "mediante")


def _if_holds(words: Words, place: int, length: int, end: int, fronted: bool) -> bool:
    word = words[place]
    following = words[place + 1 : place + 2]
    if pt.MISTAKEN.at(words, place + length):
        return False
    if word == "caso" and length == 1 and place and words[place - 1] in {"o", "seu", "esse", "este", "neste", "nesse", "desse", "deste", "meu", "um", "do", "no", "ao", "cada", "teu", "outro", "em", "sua"}:
        return False
    if word in {"em", "no"} and not fronted:
        return False
    if word == "se" and length == 1:
        if place and words[place - 1] in _ECHOES or not following:
            return False
        if _asked_before(words, place):
            return bool(pt.WANTING.at(words, place + 1))
        if not fronted and not _conditional_verb(words, place):
            return False
    return fronted or not _invites(words, place)


def _conditional_verb(words: Words, place: int) -> bool:
    """Whether `se` is followed by a subject or a verb in the subjunctive, so that it is no reflexive."""
    reach = words[place + 1 : place + 6]
    if reach[:1] and reach[0] in {"você", "vc", "o", "a", "os", "as", "ele", "ela", "isso", "não", "for", "houver", "der", "tiver", "eu", "alguém", "nada", "necessário", "preciso", "tudo", "ninguém", "algo", "realmente", "ainda", "quiser", "quiseres", "puder", "estiver"}:
        return True
    return bool(reach) and reach[0].endswith(("ar", "er", "ir", "arem", "erem", "irem", "ares", "eres"))


def _asked_before(words: Words, place: int) -> bool:
    for before in range(place - 1, max(-1, place - 7), -1):
        if words[before] == ",":
            return False
        if words[before] in pt.CHECKING:
            return True
    return False


def _invites(words: Words, place: int) -> bool:
    """`…, se precisar de algo, me avise`: the condition belongs to the invitation."""
    reach = range(place + 1, min(len(words), place + 14))
    return words[place - 1 : place] == (",",) and pt.INVITING.first(words, reach) is not None


def _when_holds(words: Words, place: int, length: int, end: int, fronted: bool) -> bool:
    clause = words[place + length : min(clause_end(words, place), end if fronted else place + length + 10)]
    if words[place] == "quando" and not fronted and _asked_before(words, place):
        return False
    if not clause:
        return False
    user = any(w in pt.USER for w in clause)
    if clause[0] in _AGREED:
        return True
    if clause[0] in pt.OWN or any(w in {"eu"} for w in clause[:2]) or (clause[0] in _RECEIVING and not user):
        return user and (any(w in _RECEIVING for w in clause) or any(w in pt.CONSENT for w in clause))
    if user:
        return True
    if not fronted and any(w in pt.ACTIONS for w in clause[:1]) and clause[0] in {"gerar", "terminar", "acabar", "concluir", "achar"}:
        return False
    return fronted or "e" not in words[max(0, place - 6) : place]


def reach(words: Words, verb: int) -> int:
    """How far the clause of a commitment goes."""
    for place in range(verb + 1, len(words)):
        word = words[place]
        if word in {"mas", "então", "porém", "pois", "porque"}:
            return place
        if word in {"e", "ou"}:
            then = place + 1 + (words[place + 1 : place + 2] == (",",))
            following = words[then : then + 2]
            if following and (
                _IFS.at(words, then)
                or _WHENS.at(words, then)
                or following[0] in {"vou", "te", "já", "eu", "você", "depois", "lhe", "aviso", "volto", "retorno", "irei", "estou", "deixa", "só"}
                or following[0].endswith(("rei", "mos"))
            ):
                return place
    return len(words)


def _after_request(words: Words, at: int) -> bool:
    """`Me envie o arquivo que eu analiso`, `Responda SIM e cancelarei`."""
    before = at - 1
    while before > 0 and words[before] in {"eu", "já", "aí", ","}:
        before -= 1
    if before < 1 or words[before] not in {"que", "e", "ou"}:
        return False
    start = back_to(words, before, {";", "mas"})
    for place in [start, *(p + 1 for p in range(start, before) if words[p] == ",")]:
        first = _LEADINS.skip(words, place)
        if first < before and (words[first] in _IMPERATIVES or words[place] in {"basta", "é"} and (words[first].endswith(("ar", "er", "ir")))):
            return True
    return False


def _after_agreement(words: Words, at: int) -> bool:
    """`Só depois do seu ok é que vou`, `com ela, vou`."""
    return words[at - 2 : at] == ("é", "que") and any(w in pt.CONSENT for w in words[:at])


def demands(words: Words) -> bool:
    """Whether a sentence tells the listener what to do or send."""
    first = _LEADINS.skip(words, 0)
    return first < len(words) and words[first] in _IMPERATIVES

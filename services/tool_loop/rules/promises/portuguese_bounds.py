"""What takes the force from a Portuguese commitment: a condition of its own clause, a habit, someone else's words."""

from . import portuguese_phrases as fixed
from .candidates import CONDITION, HABIT, NEGATED, REPORTED, SUPPOSITION, back_to, clause_end, word_at
from .phrases import Phrases, Words, vocabulary

_CONTRASTS = frozenset({"mas", "então", "porém", "portanto", "contudo", "todavia"})
_WHENS = Phrases(
    """
    quando / assim que / logo que / tão logo / depois que / no momento em que / na hora que / a partir do momento
    """
)

_AFTERS = Phrases(
    """
    depois de / depois do / depois da / após / após o / após a / com / com a / com o / mediante / mediante a / sem /
    sem a / sem o / sob / aguardando / só com / havendo / tendo / dado / dada
    """
)

_IFS = Phrases(
    """
    salvo aviso / se / caso / desde que / contanto que / a menos que / a não ser que / exceto se / salvo se /
    em caso de / no caso de / do contrário / caso contrário / senão / se sim / se não / nesse caso / neste caso /
    se for / supondo que / só se / somente se / dependendo
    """
)

_AGREED = vocabulary(
    """
    aceita aceito aprovada aprovado assinada assinado autorizada autorizado combinado confirmada confirmado paga
    pago
    """
)

_LATER_HABITS = Phrases(
    """
    sempre que / toda vez / todas as vezes / cada vez que / daqui em diante / daqui pra frente / daqui para frente /
    de agora em diante / no futuro / futuramente / doravante / por padrão / por defeito
    """
)

_ASKED_FOR = vocabulary("acesso disso ela elas ele eles informação informações isso isto permissão")

_RECEIVING = vocabulary("obtiver ouvir receber recebermos tiver tivermos vier")

_IMPERATIVES = vocabulary(
    """
    abra abre anexa anexe aprova aprove assina assine autoriza autorize avisa avise chama chame clica clique cola
    cole coloca coloque compartilha compartilhe conecta conecte confirma confirme cria crie descreva descreve diga
    digita digite diz dá dê envia envie escolha escolhe escreva escreve fala fale faz faça fornece forneça indica
    indique informa informe insere insira libera libere liga ligue manda mande marca marque mostra mostre paga pague
    partilha partilhe passa passe pede peça preencha preenche reconecte reinicie responda responde seleciona
    selecione sobe suba tira tire traga traz
    """
)

_LEADINS = Phrases(
    """
    por favor / então / só / apenas / me / nos / lhe / por gentileza / aí / primeiro / também / ok / e / agora /
    é só / basta / pode / poderia
    """
)

_PLEDGES = vocabulary("acho acredito afirmo creio digo garanto prometo")

_ASIDES = vocabulary(", apenas aí claro e então mas ok ou que sim somente só também")

_CASE_NOUNS = vocabulary("ao cada desse deste do em esse este meu nesse neste no o outro seu sua teu um")

_ECHOES = vocabulary("a como deve já não o onde pode que te vai")

_SUBJECTS = vocabulary(
    """
    a ainda algo alguém as der ela ele estiver eu for houver isso nada necessário ninguém não o os preciso puder
    quiser quiseres realmente tiver tudo vc você
    """
)

_BETWEEN_SAYING = vocabulary("como ela ele eu já lhe me por quando que se também te")

_OWN_CLAUSES = vocabulary("aviso deixa depois estou eu irei já lhe retorno só te você volto vou")

_KEEPING = vocabulary("anotar arquivar guardando guardar guardo manter preservar registrar salvando salvar salvo")

_ENDING = vocabulary("acabar achar concluir gerar terminar")


def reason_against(words: Words, at: int, verb: int) -> str | None:
    """Why a commitment at `at` with its verb at `verb` does not hold, or None."""
    left, right = back_to(words, at, _CONTRASTS), reach(words, verb)
    if words[max(0, at - 3) : at - 2] == ("não",) and words[at - 2] in _PLEDGES and words[at - 1] == "que":
        return NEGATED
    if _reported(words, at):
        return REPORTED
    if _LATER_HABITS.within(words, verb, right) is not None or fixed.HABITS.within(words, left, verb + 1) is not None:
        return HABIT
    if word_at(words, at - 1) in {"talvez", "provavelmente"}:
        return SUPPOSITION
    fronted = (p for p in range(left, at) if _opens_condition(words, p) and (p == left or words[p - 1] in _ASIDES))
    trailing = (p for p in range(verb + 1, right) if _opens_condition(words, p))
    if any(_holds_back(words, p, at, front=True) for p in fronted):
        return CONDITION
    if any(_holds_back(words, p, right, front=False) for p in trailing):
        return CONDITION
    return CONDITION if _after_request(words, at) or _after_consent(words, at) else None


def supposed(words: Words) -> bool:
    """Whether the sentence only supposes."""
    start = 1 + (word_at(words, 1) == ",") if word_at(words, 0) in {"ok", "bem", "então", "mas"} else 0
    return bool(fixed.SUPPOSING.at(words, start))


def head_reason(words: Words) -> str | None:
    """What words before a colon make of the words after it."""
    if not words:
        return None
    if fixed.HABITS.within(words, 0, len(words)) is not None:
        return HABIT
    if (
        words[-1] in fixed.QUOTING_HEADS
        or words[-1] in fixed.SAYING
        or words[0] in {"tradução", "assunto", "exemplo", "repita", "repete"}
    ):
        return REPORTED
    if supposed(words):
        return SUPPOSITION
    conditional = _opens_condition(words, 0) and "," not in words and _holds_back(words, 0, len(words), front=True)
    return CONDITION if conditional else None


def demands(words: Words) -> bool:
    """Whether a sentence tells the listener what to do or send."""
    return word_at(words, _LEADINS.skip(words, 0)) in _IMPERATIVES


def reach(words: Words, verb: int) -> int:
    """How far the clause of a commitment goes: to a contrast, or a clause with a subject or condition of its own."""
    for place in range(verb + 1, len(words)):
        word = words[place]
        if word in {"mas", "então", "porém", "pois", "porque"}:
            return place
        if word in {"e", "ou"}:
            then = place + 1 + (word_at(words, place + 1) == ",")
            following = word_at(words, then)
            conditional = _IFS.at(words, then) or _WHENS.at(words, then)
            if conditional or following in _OWN_CLAUSES or following.endswith(("rei", "mos")):
                return place
    return len(words)


def _reported(words: Words, at: int) -> bool:
    """`disse que vou`, `perguntou se vou`, but not `acho que vou`."""
    for place in range(at - 1, max(-1, at - 5), -1):
        word = words[place]
        if word in fixed.SAYING:
            return word_at(words, place - 1) != "eu" and at - place > 1
        if word not in _BETWEEN_SAYING:
            return False
    return False


def _opens_condition(words: Words, place: int) -> bool:
    return bool(_IFS.at(words, place) or _WHENS.at(words, place) or _AFTERS.at(words, place))


def _holds_back(words: Words, place: int, end: int, *, front: bool) -> bool:
    """Whether the condition at `place` makes a commitment hang on it."""
    if length := _WHENS.at(words, place):
        return _when_holds(words, place, length, end, front)
    if length := _IFS.at(words, place):
        return _if_holds(words, place, length, front)
    length = _AFTERS.at(words, place)
    row = words[place + length : min(end, place + length + 5)]
    if words[place] == "depois" and word_at(row, 0) in _AGREED:
        return True
    yours = {"seu", "sua", "teu", "tua", "você"} & {*words[place : place + length], *row}
    return bool(fixed.CONSENT & set(row)) and bool(yours or words[place] == "mediante")


def _if_holds(words: Words, place: int, length: int, front: bool) -> bool:
    word, before = words[place], word_at(words, place - 1)
    if fixed.MISTAKEN.at(words, place + length) or (word in {"em", "no"} and not front):
        return False
    if word == "caso" and length == 1 and before in _CASE_NOUNS:
        return False
    if word == "caso" and not front and _KEEPING & set(words[:place]):
        return False
    if word == "se" and length == 1:
        if before in _ECHOES or place + 1 >= len(words):
            return False
        if _asked_before(words, place):
            return bool(fixed.WANTING.at(words, place + 1))
        if not front and not _subjunctive(word_at(words, place + 1)):
            return False
    return front or not _invites(words, place)


def _subjunctive(word: str) -> bool:
    """Whether the word after `se` is a subject or a verb in the subjunctive, so that `se` is no reflexive."""
    return word in _SUBJECTS or word.endswith(("ar", "er", "ir", "arem", "erem", "irem", "ares", "eres"))


def _asked_before(words: Words, place: int) -> bool:
    """Whether `se` or `quando` here is what a verb of checking asks."""
    start = max(back_to(words, place, {","}), place - 6)
    return bool(fixed.CHECKING & set(words[start:place]))


def _invites(words: Words, place: int) -> bool:
    """`…, se precisar de algo, me avise`: the condition belongs to the invitation."""
    ahead = range(place + 1, min(len(words), place + 14))
    return word_at(words, place - 1) == "," and fixed.INVITING.first(words, ahead) is not None


def _when_holds(words: Words, place: int, length: int, end: int, front: bool) -> bool:
    """A time hangs on the user, or on something else that may not come; one's own doing holds nothing back."""
    start = place + length
    row = words[start : min(clause_end(words, place), end if front else start + 10)]
    if not row or (words[place] == "quando" and not front and _asked_before(words, place)):
        return False
    user = bool(fixed.USER & set(row))
    if fixed.RUNS_OUT & set(row) and not (fixed.PERSONS | fixed.CONSENT) & set(row):
        return False
    if row[0] in _AGREED:
        return True
    if words[place] == "depois" and not (fixed.PERSONS | fixed.CONSENT | _RECEIVING) & set(row):
        return False
    if row[0] in fixed.OWN or "eu" in row[:2] or (row[0] in _RECEIVING and not user):
        received = bool(_RECEIVING & set(row))
        return (user and (received or bool(fixed.CONSENT & set(row)))) or (received and bool(_ASKED_FOR & set(row)))
    if user or front:
        return True
    return row[0] not in _ENDING and "e" not in words[max(0, place - 6) : place]


def _after_request(words: Words, at: int) -> bool:
    """`Me envie o arquivo que eu analiso`, `Responda SIM e cancelarei`."""
    end = at - 1
    while end > 0 and words[end] in {"eu", "já", "aí", ","}:
        end -= 1
    if end < 1 or words[end] not in {"que", "e", "ou"}:
        return False
    start = back_to(words, end, {"mas"})
    for place in [start, *(p + 1 for p in range(start, end) if words[p] == ",")]:
        first = _LEADINS.skip(words, place)
        word = word_at(words, first)
        if first < end and (
            word in _IMPERATIVES or (words[place] in {"basta", "é"} and word.endswith(("ar", "er", "ir")))
        ):
            return True
    return False


def _after_consent(words: Words, at: int) -> bool:
    """`Só depois do seu ok é que vou`."""
    return words[max(0, at - 2) : at] == ("é", "que") and bool(fixed.CONSENT & set(words[:at]))

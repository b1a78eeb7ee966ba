"""Where a Portuguese clause commits its speaker to act: `vou`, `farei`, `estou fazendo`, `deixa eu ver`, `já verifico`."""

from collections.abc import Iterator

from . import portuguese_words as pt
from .candidates import NEGATED, SPEECH, STATE, Candidate, clause_end, starts
from .phrases import Phrases, Words
from .shown import THING

_GOING = frozenset("vou vo irei vamos vamo iremos".split())
_BEING = frozenset("estou tô to tou estamos tamo tamos estarei estaremos".split())
_GOING_ON = frozenset("continuo continuamos sigo seguimos prossigo ando".split())
_NEEDING = Phrases(
    "preciso / precisamos / tenho que / tenho de / temos que / temos de / devo / quero / queremos / pretendo / tenciono / "
    "preciso de / precisarei / terei que / terei de / hei de / quero já / planejo / tenho é que / planeio / intento / necessito / necessito de"
)
_WISHES = frozenset("quero queremos pretendo tenciono devo planejo planeio intento".split())
_NEGATIVE = frozenset("não nao nunca jamais nem tampouco n ñ sequer".split())
_TRUNCATED = {"ve": "ver", "vê": "ver", "da": "dar", "olha": "olhar", "ta": "estar", "verifica": "verificar", "checa": "checar", "faze": "fazer", "procura": "procurar", "busca": "buscar", "roda": "rodar", "confere": "conferir", "abri": "abrir", "testa": "testar", "resolve": "resolver", "manda": "mandar"}  # fmt: skip
_INTRODUCING = frozenset("e mas então que porque pois , ok agora já só aí primeiro antes também por favor aqui bem bom se quando enquanto como".split())
_SPEAKING_GERUNDS = frozenset("dizendo explicando falando contando resumindo apresentando agradecendo esclarecendo lembrando".split())
_COORDINATED = pt.ACTIONS - pt.NOT_ACTING
_NOT_OPENING = frozenset("entender entrar partir ligar contar tocar dar passar usar utilizar definir determinar dispor contornar clicar garantir ver pôr ir expor agir correr".split())


def candidates(words: Words, lead: str, before: Words) -> Iterator[Candidate]:
    """All places of a part that commit or nearly do; `before` are the words of the part before it."""
    yield from _openings(words, lead, before)
    for at, word in enumerate(words):
        found = _at(words, at, word)
        if found is not None:
            yield found


def _at(words: Words, at: int, word: str) -> Candidate | None:
    if word in _GOING:
        return _going(words, at)
    if word in _BEING or word in _GOING_ON:
        return _being(words, at)
    if word in {"deixa", "deixe", "permita", "permitam", "xô", "xo", "dexa", "dexe"}:
        return _let(words, at)
    if word in {"bora", "simbora", "partiu"}:
        return _exhorting(words, at)
    if length := _NEEDING.at(words, at):
        return _needing(words, at, length)
    if infinitive := future_of(word):
        return _future(words, at, infinitive)
    return _present(words, at, word)


def infinitive_of(word: str) -> str | None:
    """The word itself where it is an infinitive or one cut short in speech."""
    if word in pt.INFINITIVE_LOOKALIKES:
        return None
    if word.endswith(("ar", "er", "ir", "ôr", "por")) and len(word) > 2 and word.isalpha() and (word[-3:] != "por" or word in pt.ACTIONS):
        return word
    return {"ir": "ir", "ler": "ler"}.get(word)


def gerund_of(word: str) -> str | None:
    """The infinitive of a form in -ndo."""
    for ending, infinitive in (("ando", "ar"), ("endo", "er"), ("indo", "ir"), ("ondo", "or")):
        if word.endswith(ending) and len(word) > 4:
            return (word[: -len(ending)] + infinitive).replace("por", "pôr") if ending == "ondo" else word[: -len(ending)] + infinitive
    return "ir" if word == "indo" else None


def future_of(word: str) -> str | None:
    """The infinitive of a first person of the synthetic future."""
    if word in pt.FUTURE_LOOKALIKES or word in pt.PRESENT_LOOKALIKES or len(word) < 5:
        return None
    for ending in ("rei", "remos"):
        if word.endswith(ending):
            stem = word.removesuffix(ending)
            if stem in pt.FUTURE_STEMS:
                return pt.FUTURE_STEMS[stem]
            if stem[-1:] in {"a", "e", "i"} and (ending == "rei" or stem + "r" in pt.ACTIONS | pt.NOT_ACTING):
                return stem + "r"
    return None


def present_of(word: str) -> str | None:
    """The infinitive of a known action's first person singular of the present."""
    if word in pt.IRREGULAR_FIRST:
        return pt.IRREGULAR_FIRST[word]
    if not word.endswith("o") or len(word) < 4:
        return None
    stem = word[:-1]
    for form in (stem + "ar", stem + "er", stem + "ir", stem.removesuffix("ç") + "cer", stem.removesuffix("j") + "ger", stem.removesuffix("j") + "gir", stem.removesuffix("ei") + "ear"):
        if form in pt.ACTIONS:
            return form
    return None


def _negated(words: Words, at: int) -> bool:
    """A negation before the verb, with clitics and small words between."""
    for place in range(at - 1, max(-1, at - 5), -1):
        word = words[place]
        if word in _NEGATIVE:
            return words[place + 1 : place + 2] not in {("só",), ("apenas",), ("somente",)}
        if word not in {"te", "lhe", "lhes", "me", "se", "o", "a", "os", "as", "eu", "já", "mais", "também", "é", "que", "nos", "vos", "lá", "ainda", "é"}:
            return False
    return False


def _going(words: Words, at: int) -> Candidate | None:
    """`vou verificar`, `vou já buscar`, `vou estar verificando`, `vou: 1. ler`."""
    verb = pt.SMALL.skip(words, at + 1)
    if verb == len(words):
        return None if verb > at + 1 or words[at] == "vamos" else Candidate(at, at, "commits to what follows")
    if _negated(words, at):
        return Candidate(at, verb, NEGATED, commits=False)
    if words[verb] == "e" and verb + 1 < len(words) and present_of(words[verb + 1]):
        return Candidate(at, verb + 1, "says what it will do")
    if words[verb] in {"não", "nao"} and words[verb + 1 : verb + 2] not in {("só",), ("apenas",), ("somente",)}:
        return Candidate(at, verb, NEGATED, commits=False)
    if words[verb] in {"não", "nao"}:
        verb = pt.SMALL.skip(words, verb + 2)
    if verb < len(words) and words[verb].endswith("ndo") and words[at] in {"vou", "vo", "irei"}:
        infinitive = gerund_of(words[verb])
        acts = infinitive in pt.ACTIONS and infinitive not in pt.NOT_ACTING and words[verb] not in {"encerrando", "terminando", "indo", "levando"}
        return Candidate(at, verb, "says that it is doing it" if acts else STATE, commits=acts)
    return _judged(words, at, verb, "says what it will do")


def _future(words: Words, at: int, infinitive: str) -> Candidate | None:
    if _negated(words, at):
        return Candidate(at, at, NEGATED, commits=False)
    if at and words[at - 1] in {"o", "um", "do", "ao", "no"}:
        return None
    return _phrase(words, at, at, infinitive, "says what it will do")


def _needing(words: Words, at: int, length: int) -> Candidate | None:
    """`agora preciso ler`, `tenho que atualizar`, `quero conferir`."""
    first = words[at]
    if at and words[at - 1] in {"é", "foi", "era", "seja", "for", "muito", "mais", "um", "o", "se", "como", "menos", "bastante", "bem", "ser"}:
        return None
    if _negated(words, at):
        return Candidate(at, at, NEGATED, commits=False)
    verb = pt.SMALL.skip(words, at + length)
    if verb < len(words) and words[verb] == "de" and first.startswith(("precis", "necess")):
        verb = pt.SMALL.skip(words, verb + 1)
    infinitive = infinitive_of(words[verb]) if verb < len(words) else None
    if infinitive is None:
        return None
    if infinitive in {"entender", "compreender", "perceber", "descobrir"} and first not in _WISHES:
        return Candidate(at, verb, "says what it has to do now")
    if first in _WISHES and infinitive not in pt.ACTIONS:
        return Candidate(at, verb, SPEECH, commits=False)
    return _phrase(words, at, verb, infinitive, "says what it has to do now")


def _being(words: Words, at: int) -> Candidate | None:
    """`estou verificando`, `estou a verificar`, `sigo analisando`, `estou prestes a reiniciar`."""
    if words[at] in _GOING_ON and _plain_present(words, at):
        return _present(words, at, words[at])
    verb = pt.SMALL_BEFORE_GERUND.skip(words, at + 1)
    if words[at] not in _GOING_ON and words[verb - 1 : verb] == ("a",) and verb < len(words) and infinitive_of(words[verb]):
        pass
    if verb < len(words) and words[verb] == "a":
        verb += 1
    if verb >= len(words):
        return None
    if words[verb : verb + 2] == ("prestes", "a") or words[verb : verb + 2] == ("por", "fazer"):
        return _judged(words, at, verb + 2, "says what it is about to do")
    if words[verb : verb + 3] == ("em", "processo", "de"):
        verb += 3
    related = at > 0 and words[at - 1] in {"que", "onde", "como"} and words[at - 2 : at - 1] not in {("porque",), ("já",), ("peraí",), ("momento",), ("instante",), ("minuto",), ("é",), ("acho",), ("calma",), ("segundo",)}
    if words[verb].endswith("ndo") and (infinitive := gerund_of(words[verb])):
        return None if related else _progressive(words, at, verb, infinitive)
    infinitive = infinitive_of(words[verb])
    if infinitive and words[verb - 1] == "a" and not related:
        if _negated(words, at):
            return Candidate(at, verb, NEGATED, commits=False)
        gerund = infinitive[:-1] + "ndo"
        acts = (gerund not in pt.NOT_PROGRESSING or bool(pt.PROGRESSING.at((gerund, *words[verb + 1 : verb + 6]), 0))) and infinitive not in pt.NOT_ACTING
        return Candidate(at, verb, "says that it is doing it" if acts else STATE, commits=acts)
    return None


def _plain_present(words: Words, at: int) -> bool:
    """`sigo para a etapa 2`: no participle follows."""
    return not any(word.endswith("ndo") for word in words[at + 1 : at + 4])


def _progressive(words: Words, at: int, verb: int, infinitive: str) -> Candidate:
    if _negated(words, at):
        return Candidate(at, verb, NEGATED, commits=False)
    if words[verb] == "indo":
        then = pt.SMALL.skip(words, verb + 1)
        acts = then < len(words) and infinitive_of(words[then]) is not None
        return _judged(words, at, then, "says what it is going to do") if acts else Candidate(at, verb, STATE, commits=False)
    if words[verb] == "tentando":
        then = pt.SMALL.skip(words, verb + 1)
        if then < len(words) and infinitive_of(words[then]):
            return _judged(words, at, then, "is at it, with nothing done")
    alone = verb + 1 == len(words) or words[verb + 1] in {",", "e"}
    acts = words[verb] not in pt.NOT_PROGRESSING or bool(pt.PROGRESSING.at(words, verb))
    if not acts and words[verb] in {"vendo", "trabalhando", "rodando", "seguindo"}:
        acts = (alone and words[verb] == "vendo") or words[verb + 1 : verb + 2] == (THING,) or bool({"aqui", "lá"} & set(words[at + 1 : verb]))
    if acts and infinitive in pt.NOT_ACTING and not pt.PROGRESSING.at(words, verb):
        acts = False
    if words[at] in {"estamos", "tamo", "tamos"} and infinitive not in pt.ACTIONS:
        acts = False
    return Candidate(at, verb, "says that it is doing it" if acts else STATE, commits=acts)


def _let(words: Words, at: int) -> Candidate | None:
    """`deixa eu ver`, `deixe-me verificar`, `me deixa olhar`, `permita-me consultar`."""
    before = words[at - 1 : at] == ("me",)
    if at - before and words[at - before - 1] not in _INTRODUCING | pt.INTERJECTIONS:
        return None
    verb = at + 1
    if words[verb : verb + 2] == ("que", "eu"):
        verb += 2
    mine = before or words[at] in {"xô", "xo"} or words[verb - 1 : verb] == ("eu",) or words[verb : verb + 1] in {("eu",), ("me",)}
    if not mine:
        return None
    return _judged(words, at, verb, "asks leave to act and does not act")


def _exhorting(words: Words, at: int) -> Candidate | None:
    verb = pt.SMALL.skip(words, at + 1)
    if verb < len(words) and infinitive_of(words[verb]):
        return _judged(words, at, verb, "says what comes next")
    return None


def _present(words: Words, at: int, word: str) -> Candidate | None:
    """`já verifico`, `começo pelo teste`, `faço isso agora`: a present of what comes at once."""
    infinitive = present_of(word)
    spoken = word in pt.SPOKEN_FIRST
    if infinitive is None and not spoken:
        return None
    start = _clause_start(words, at)
    if start is None:
        return None
    before = words[start:at]
    if _negated(words, at):
        return Candidate(at, at, NEGATED, commits=False)
    if any(w in {"sempre", "geralmente", "normalmente", "nunca"} for w in before):
        return None
    if before[-1:] and before[-1] == "enquanto" or before[-2:] == ("enquanto", "eu"):
        return Candidate(at, at, "is about to do it") if infinitive in pt.ACTIONS else None
    firm = bool(pt.FIRM.at(words, at))
    early = pt.LEADING_SOON.within(words, start, at) is not None
    late = pt.SOON.within(words, at + 1, min(len(words), at + 9)) is not None
    if spoken and infinitive not in {"ligar", "chamar", "passar", "mandar", "retornar"}:
        early = early and bool({"já", "agora", "te", "lhe"} & set(before))
        return Candidate(at, at, "says that it comes back at once") if early and "já" in before else None
    if word in {"vejo", "acho", "encontro", "dou", "conto", "uso", "utilizo", "vou", "entendo"} and not firm and not ("já" in before and infinitive == "ver"):
        return None
    if _noun(words, at, start) or not (firm or early or late):
        return None
    return Candidate(at, at, "says what it does at once")


def _clause_start(words: Words, at: int) -> int | None:
    """Where the clause of a first person starts, if nothing but small words stands before its verb."""
    start = at
    while start > 0:
        for length in (4, 3, 2, 1):
            if start >= length and (pt.LEADING_SOON.at(words, start - length) == length or (length == 1 and words[start - 1] in {"eu", "te", "lhe", "lhes", "me", "o", "a", "os", "as", "só", "também", "enquanto", "sempre", "geralmente", "normalmente", "nunca", "não", "isso", "você", "vos", "ainda"})):
                start -= length
                break
        else:
            break
    if start == 0 or words[start - 1] in {",", "e", "mas", "que", "então", "pois", "porque", "aí"} or all(w in pt.INTERJECTIONS or w == "," for w in words[:start]):
        return start
    return None


def _noun(words: Words, at: int, start: int) -> bool:
    """`o retorno`, `processo de registro`: a noun, not a verb."""
    if at > start and words[at - 1] in {"o", "os", "as", "a"} and words[at + 1 : at + 2] and words[at + 1] in {"de", "do", "da", "é", "foi", "está", "que"}:
        return True
    return words[at + 1 : at + 2] in {("de",), ("do",), ("da",), ("é",), ("foi",), ("está",), ("esperado",), ("dos",), ("das",)} and not pt.FIRM.at(words, at)


def _judged(words: Words, at: int, verb: int, why: str) -> Candidate:
    """Judge the verb phrase at `verb`, which should be an infinitive."""
    verb = pt.SMALL.skip(words, verb)
    if verb < len(words) and words[verb] == "de" and verb + 1 < len(words):
        verb += 1
    if verb >= len(words):
        return Candidate(at, verb - 1, SPEECH, commits=False)
    if words[verb] == THING:
        return Candidate(at, verb, why)
    infinitive = infinitive_of(words[verb]) or _TRUNCATED.get(words[verb])
    if infinitive is None:
        return Candidate(at, verb, STATE, commits=False)
    return _phrase(words, at, verb, infinitive, why)


def _phrase(words: Words, at: int, verb: int, infinitive: str, why: str) -> Candidate:
    """Judge a verb with what follows it; auxiliaries pass on to the verb that they carry."""
    then = pt.SMALL.skip(words, verb + 1)
    following = words[then : then + 1]
    if infinitive in {"ter", "precisar", "necessitar", "haver"} and following in {("que",), ("de",)}:
        then = pt.SMALL.skip(words, then + 1)
        following = words[then : then + 1]
        if not following or infinitive_of(following[0]) is None:
            return Candidate(at, verb, STATE, commits=False)
    if infinitive in {"ter", "precisar", "necessitar", "haver", "tentar", "continuar", "voltar", "passar", "ir", "procurar", "buscar", "vir", "começar"}:
        if following in {("a",), ("por",)}:
            then = pt.SMALL.skip(words, then + 1)
            following = words[then : then + 1]
        if following and infinitive_of(following[0]):
            return _phrase(words, at, then, following[0], why)
    if infinitive == "estar":
        return _will_be(words, at, then, why)
    acts = _acts(words, verb, infinitive) or _goes_on(words, verb)
    return Candidate(at, verb, why if acts else SPEECH, commits=acts)


def _will_be(words: Words, at: int, then: int, why: str) -> Candidate:
    """`vou estar verificando`, `estarei a verificar`."""
    then += words[then : then + 1] == ("a",)
    word = words[then] if then < len(words) else ""
    infinitive = gerund_of(word) or infinitive_of(word) if word else None
    acts = infinitive in pt.ACTIONS and infinitive not in pt.NOT_ACTING
    return Candidate(at, min(then, len(words) - 1), why if acts else STATE, commits=acts)


def _acts(words: Words, verb: int, infinitive: str) -> bool:
    row = (infinitive, *(w for w in words[verb + 1 : verb + 8] if w not in {"te", "lhe", "lhes", "me", "só", "já"}))
    if infinitive == "ajudar":
        return _helping(row)
    if pt.RESCUES.at(row, 0):
        return True
    if infinitive in {"listar", "mostrar", "descrever", "apresentar"}:
        return not pt.MANNERS.at(row, 0) and any(w in pt.ARTIFACTS or w == THING for w in row[1:5])
    if pt.MANNERS.at(row, 0) > (infinitive == "responder") or infinitive in pt.NOT_ACTING:
        return False
    if infinitive == "chamar" and row[1:2] and row[1] in {"isso", "isto", "esse", "este", "essa", "esta", "ele", "ela"} and "de" in row:
        return False
    if infinitive == "falar" or row[1:2] == ("que",) and infinitive in {"ver", "achar"}:
        return False
    gerunds = [word for word in row[1:4] if word.endswith("ndo")]
    return not (infinitive in {"começar", "terminar", "concluir"} and any(word in _SPEAKING_GERUNDS for word in gerunds))


def _helping(row: Words) -> bool:
    """A polite opener acts only with the act that it names: `te ajudar a corrigir`."""
    for place in range(1, len(row) - 1):
        if row[place] == "a" and infinitive_of(row[place + 1]):
            return row[place + 1] in _COORDINATED
    return any(gerund_of(word) in _COORDINATED for word in row[1:] if word.endswith("ndo"))


def _goes_on(words: Words, verb: int) -> bool:
    """A verb that does not act, followed by one that does: `esperar o build terminar e fazer o deploy`."""
    embedded = False
    for place in range(verb + 1, min(len(words), verb + 14) - 1):
        embedded = embedded or words[place] in {"como", "que", "o que", "para", "pra", "onde", "quando", "por"}
        if words[place] == "e" and not embedded:
            then = pt.SMALL.skip(words, place + 1)
            if then < len(words) - 1 and words[then] in _COORDINATED:
                return True
    return False


def _openings(words: Words, lead: str, before: Words) -> Iterator[Candidate]:
    """Clauses without a subject: `Verificando`, `A verificar o stock`, `Um momento`, `Pode deixar`."""
    for start in starts(words, pt.INTERJECTIONS):
        at = pt.SMALL_BEFORE_GERUND.skip(words, start)
        ready = pt.READY.at(words, start)
        if ready and (start + ready == len(words) or words[start + ready] in {",", "que", "e", "agora", "já", "sim", "chefe"}) and words[start + ready : start + ready + 3] != ("que", "você"):
            yield Candidate(start, start, "says that it is on it")
        if holding(words, start):
            yield Candidate(start, start, "asks to wait for what it does")
        if lead == "(" or at >= len(words):
            continue
        if words[at].endswith("ndo") and _may_open(words, at, lead, before):
            yield Candidate(at, at, "opens with what it is doing", fragment=True)
        if words[start] == "a" and lead in {"", "—", ";"} and _european(words, start):
            yield Candidate(start, start + 1, "opens with what it is doing", fragment=True)
        if words[start : start + 2] in {("hora", "de"), ("falta", "rodar"), ("vamos", "a")} and start + 2 < len(words) and words[start + 2] in _COORDINATED and not any(w in pt.USER for w in words):
            yield Candidate(start, start + 2, "says what comes next")
    for at in range(1, len(words)):
        if words[at].endswith("ndo") and words[at - 1] in {",", "então", "já", "agora"} and words[at] in {"verificando", "checando", "tentando", "investigando", "conferindo", "corrigindo", "reiniciando", "buscando", "indo", "partindo"} and any(w in _FAILED for w in words[:at]):
            yield Candidate(at, at, "goes on with what it is doing", fragment=True)


_FAILED = frozenset("falhou falharam caiu quebrou expirou travou erro faltando ausente vermelho recusada recusado nada pronto feito".split())


def holding(words: Words, start: int) -> bool:
    """Whether a request to wait stands here: it promises what the wait is for."""
    length = pt.HOLDING.at(words, start)
    if not length:
        return False
    following = words[start + length : start + length + 1]
    if words[start] in {"aguarde", "aguarda"} and length == 1:
        return not following or following[0] in {",", "por", "aí", "só", "um", "enquanto", "que", "mais"}
    return not following or following[0] in {",", "por", "que", "enquanto", "para", "pra", "e", "só", "aqui", "vou", "já", "estou", "tô", "minutos", "minutinho", "minutinhos", "momento", "momentinho", "instante", "instantes", "segundo", "segundos", "segundinho", "segundinhos", "minuto", "moça", "moço", "senhor", "senhora", "com", "te", "mas", "pouco", "pouquinho"}


def _may_open(words: Words, at: int, lead: str, before: Words) -> bool:
    word = words[at]
    infinitive = gerund_of(word)
    if infinitive is None:
        return False
    known = infinitive in _COORDINATED and infinitive not in _NOT_OPENING
    if word in pt.NOT_PROGRESSING or not known:
        known = bool(pt.PROGRESSING.at(words, at)) or (word == "indo" and words[at + 1 : at + 2] in {("para",), ("pro",), ("pra",), ("ao",), ("direto",)})
        known = known or (word in {"rodando", "usando"} and words[at + 1 : at + 2] == (THING,) and word == "rodando")
    if not known:
        return False
    if lead == "—" and not (len(before) <= 5 or before[0] in pt.INTERJECTIONS or any(w in _FAILED for w in before) or words[at + 1 : at + 2] in {(), ("isso",), ("agora",), ("já",)}):
        return False
    if lead == ":" and not (pt.NEXT_HEADS.at(before, 0) == len(before) or before[:1] in {("passo",), ("etapa",)} or any(w.endswith("ndo") for w in before[:2]) or before[:1] in {("indo",), ("bora",)}):
        return False
    return not _leans(words, at)


def _leans(words: Words, at: int) -> bool:
    """Whether a participle leans on a main clause: `Analisando o log, vi que …`, `… dá erro`."""
    if any(word in {"dá", "é", "mostra", "gera", "resolve", "causa", "exige", "evita", "leva"} for word in words[at + 1 : clause_end(words, at)] if "que" not in words[at + 1 : clause_end(words, at)]):
        return not any(word in {"onde", "se", "como", "qual", "quando"} for word in words[at + 1 : at + 8])
    comma = clause_end(words, at)
    start = pt.SMALL.skip(words, comma + 1)
    if start >= len(words):
        return False
    first = words[start]
    if first.endswith("ndo") or first in {"e", "depois", "por", "aguarde", "mas", "vou", "já", "um", "só"} or holding(words, start):
        return first in {"um", "só"} and not holding(words, start)
    if words[comma + 1] in {"o", "a", "os", "as", "eu", "um", "uma", "você", "se"} or first in {"ele", "ela", "isso", "este", "esta", "isto", "essa", "esse", "não", "tudo", "cada", "nada", "há"}:
        return True
    rest = words[start:]
    return first.endswith(("ei", "i", "ou", "eu")) and first not in {"aqui"} or any(word in _FINITE for word in rest)


_FINITE = frozenset("é está são foi eram era tem têm deve devem pode podem vai vão some dá fica ficam bastam basta resolve funciona aparece ocorre mostra falha falhou há parece cai sobe gera percebi notei vi achei encontrei descobri obtive obtém consegue verá".split())


def _european(words: Words, start: int) -> bool:
    """`A verificar o stock…`: the European way of saying that one is at it."""
    verb = start + 1
    if verb + 1 >= len(words) or words[verb] not in _COORDINATED or words[verb] in {"definir", "fazer", "combinar", "confirmar", "determinar", "entregar", "partir", "contar", "pagar", "ver"}:
        return False
    return not any(word in _FINITE for word in words[verb + 1 :])


def next_step(words: Words, head: Words) -> bool:
    """`Próximo passo: rodar o teste`: a head and what it names, in the infinitive or as a participle."""
    if not head or pt.NEXT_HEADS.at(head, 0) != len(head) or any(w in pt.USER for w in words):
        return False
    at = pt.SMALL_BEFORE_GERUND.skip(words, 0)
    if at >= len(words):
        return False
    return gerund_of(words[at]) in _COORDINATED or (words[at] in _COORDINATED and head[-1] != "agora")


def planned(words: Words) -> int | None:
    """The verb of `o próximo passo é …`, `meu plano é …`."""
    for at in range(min(len(words), 6)):
        if words[at] in {"passo", "plano", "etapa", "tarefa", "ideia"} and words[at + 1 : at + 2] == ("é",):
            verb = pt.SMALL.skip(words, at + 2)
            owned = at == 0 or words[at - 1] in {"próximo", "próxima", "meu", "minha", "o", "primeiro", "primeira"}
            mine = not any(w in pt.NOT_OWN_PLAN or w in {"um", "uma", "bom", "boa", "melhor", "outro", "outra"} for w in words[:at])
            if owned and mine and verb < len(words) and words[verb] in _COORDINATED and not any(w in pt.USER for w in words):
                return verb
    return None


def plan_head(words: Words) -> bool:
    """Whether these words announce a plan of the speaker's own."""
    for start in starts(words, pt.INTERJECTIONS):
        length = pt.PLAN_HEADS.at(words, start)
        if length and not any(w in pt.NOT_OWN_PLAN for w in words) and not (length == 1 and len(words) > 3):
            return True
    return False


def plan_item(words: Words) -> bool:
    """Whether these words name a step: an infinitive or a participle first."""
    at = pt.SMALL_BEFORE_GERUND.skip(words, 0)
    return at < len(words) and (words[at] in _COORDINATED or gerund_of(words[at]) in _COORDINATED or words[at] == "vou")

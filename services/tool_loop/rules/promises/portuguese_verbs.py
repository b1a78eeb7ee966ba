"""Forms of Portuguese verbs, and whether a verb phrase acts: `rodar` does, `explicar` does not."""

from functools import lru_cache

from . import portuguese_company as company
from . import portuguese_words as pt
from .candidates import word_at
from .phrases import Words, vocabulary
from .shown import THING

_NOT_OPENING = vocabulary("""
    entender entrar ligar contar tocar dar passar usar utilizar definir determinar dispor contornar garantir ver pôr ir
    expor agir correr acertar bater
    """)
"""Acts whose -ndo form does not open a clause as something that is being done."""

_OBJECTS = vocabulary(
    """
    a algumas alguns ambas ambos aquela aquele as cada dois duas essa esse esta este isso isto meu minha o os outra
    outro seu seus sua suas todas todos três tudo um uma umas uns
    """
)

_NO_VERB = vocabulary(
    """
    aceito acho acredito adoro agradeço aguardo algo amo anexo antigo aquilo assunto atento banco básico caso cedo
    certo claro comigo como completo concordo conheço conquanto considero contexto correto cujo demo desculpo deste
    direito direto diretório enquanto entendo espero estudo evito exemplo feito gosto imagino isso isto junto lamento
    largo lembro livre logo mantenho mesmo modelo momento muito mundo método nelo nosso novo outro pelo penso pequeno
    perco perfeito porquanto pouco preciso prefiro primeiro prometo pronto próximo quanto quero questiono quinto
    recebo recomendo reconheço respeito segundo sinto sugiro suponho tanto tenho texto todo topo trago tudo vosso
    último único
    """
)
"""Words in -o that are no act of a first person, and stand before an article all the same."""

_UNWILLED = vocabulary(
    """
    acontecer adoecer amanhecer anoitecer apodrecer aposentar aquecer arrefecer avariar bastar bugar cair chegar
    chover coincidir colidir conflitar consistir conter convir corresponder crashar crescer custar decorrer demorar
    desabar desaparecer descer diferir doer durar ecoar emergir envelhecer equivaler escassear esfriar estourar
    evaporar existir expirar explodir faltar ferver flutuar funcionar girar haver importar inexistir inundar jazer
    lotar melhorar minguar murchar nascer nevar ocorrer ocupar oscilar perdurar persistir pertencer piorar poder
    prevalecer proceder quebrar recair renascer restar resultar ruir secar soar sobrar sobressair subsistir suceder
    sumir surgir tardar transbordar travar tremer urgir valer variar vazar vencer ventar vigorar
    """
)
"""Verbs of what happens by itself: nobody sets out to do it."""

_TRUNCATED = {
    "ve": "ver", "vê": "ver", "da": "dar", "olha": "olhar", "ta": "estar", "tá": "estar", "verifica": "verificar",
    "checa": "checar", "procura": "procurar", "busca": "buscar", "roda": "rodar", "confere": "conferir",
    "abri": "abrir", "testa": "testar", "resolve": "resolver", "manda": "mandar", "faze": "fazer",
    "corrigi": "corrigir",
}  # fmt: skip
_CARRYING = vocabulary("buscar começar continuar haver ir necessitar passar precisar procurar tentar ter vir voltar")

_CLITICS = vocabulary("já lhe lhes me só te vos")

_SPEAKING = vocabulary("agradecendo apresentando contando dizendo esclarecendo explicando falando lembrando resumindo")

_TELLING = vocabulary("abrir começar compartilhar dar encerrar fornecer iniciar oferecer terminar trazer")

_DISCOURSE = vocabulary(
    """
    argumento argumentos básico conclusão conselho conselhos contexto definição dica dicas exemplo exemplos explicação
    ideia ideias introdução motivo motivos notícia notícias opinião palpite panorama pergunta perspectiva ponto pontos
    premissa ressalva resumo sugestão sugestões teoria versão visão
    """
)

_ILLUSTRATING = vocabulary("abaixo analogia exemplo exemplos metáfora palavra termo")

_TEXTS = vocabulary(
    """
    abertura anúncio artigo capítulo cláusula conclusão consulta contrato código documento e-mail ensaio introdução
    legenda mensagem parágrafo relatório secção seção texto trecho título
    """
)

_NAMED = vocabulary("ela ele essa esse esta este isso isto")

_NEGATIVE = vocabulary("jamais n nao nem nunca não sequer tampouco ñ")

_AFTER_NEGATION = vocabulary("a ainda as eu já lhe lhes lá mais me nos o os que se também te vos é")


def infinitive_of(word: str) -> str | None:
    """The word itself where it is an infinitive."""
    if word in pt.INFINITIVE_LOOKALIKES or not word.isalpha():
        return None
    if word in {"ir", "pôr", "propor", "expor", "dispor", "repor", "compor", "supor", "transpor", "impor"}:
        return word
    return word if len(word) > 2 and word.endswith(("ar", "er", "ir")) else None


def gerund_of(word: str) -> str | None:
    """The infinitive of a form in -ndo; `entendo` and `recomendo` are none."""
    if word == "indo":
        return "ir"
    if {word[:-1] + "er", word[:-1] + "ar", word[:-1] + "ir"} & (pt.ACTIONS | pt.NOT_ACTING):
        return None
    for ending, infinitive in (("ando", "ar"), ("endo", "er"), ("indo", "ir"), ("ondo", "or")):
        if word.endswith(ending) and len(word) > 4:
            verb = word.removesuffix(ending) + infinitive
            return "pôr" if verb == "por" else verb
    return None


def names_act(infinitive: str | None) -> bool:
    """Whether an infinitive names an act in any company: an open class, but for speech, thought, state and chance."""
    return (
        infinitive is not None and infinitive not in pt.NOT_ACTING | _UNWILLED and infinitive_of(infinitive) is not None
    )


def takes_object(words: Words, verb: int) -> bool:
    """Whether what a verb is done to stands right behind it."""
    return word_at(words, verb + 1) in _OBJECTS or word_at(words, verb + 1) == THING


def opens(infinitive: str | None) -> bool:
    """Whether the -ndo form of an infinitive opens a clause as something that is being done."""
    return names_act(infinitive) and infinitive not in _NOT_OPENING


@lru_cache(maxsize=8192)
def future_of(word: str) -> str | None:
    """The infinitive of a first person of the synthetic future."""
    if word in pt.FUTURE_LOOKALIKES or word in pt.PRESENT_LOOKALIKES or len(word) < 5:
        return None
    for ending in ("rei", "remos"):
        if word.endswith(ending):
            stem = word.removesuffix(ending)
            if stem in pt.FUTURE_STEMS:
                return pt.FUTURE_STEMS[stem]
            known = ending == "rei" or stem + "r" in pt.ACTIONS | pt.NOT_ACTING
            return stem + "r" if stem[-1:] in {"a", "e", "i"} and known else None
    return None


@lru_cache(maxsize=8192)
def present_of(word: str) -> str | None:
    """The infinitive of a known act's first person singular of the present."""
    if word in pt.IRREGULAR_FIRST:
        return pt.IRREGULAR_FIRST[word]
    if not word.endswith("o") or len(word) < 4 or word == "caso":
        return None
    stem = word[:-1]
    soft = stem.removesuffix("ç") + "c" if stem.endswith("ç") else stem.removesuffix("j") + "g"
    forms = (stem + "ar", stem + "er", stem + "ir", soft + "er", soft + "ir", stem.removesuffix("ei") + "ear")
    return next((form for form in forms if form in pt.ACTIONS), None)


def spoken_of(word: str) -> str | None:
    """The infinitive of a form that speech and chat cut short: `da uma olhada`, `ta verificando`."""
    return infinitive_of(word) or _TRUNCATED.get(word)


def present_with_object(words: Words, at: int) -> bool:
    """Whether a word that no list knows stands like a first person of the present: `cutuco o serviço`."""
    word = words[at]
    ends = word.endswith("o") and not word.endswith(("ado", "ido", "mento", "ismo", "ndo", "ão", "tivo", "ório"))
    return ends and len(word) > 4 and word.isalpha() and word not in _NO_VERB and takes_object(words, at)


def carried(words: Words, verb: int, infinitive: str) -> tuple[int, str] | None:
    """The verb that an auxiliary passes the commitment on to; None where one of having or needing carries no verb."""
    then = company.SMALL.skip(words, verb + 1)
    if infinitive in {"ter", "precisar", "necessitar", "haver"} and word_at(words, then) in {"que", "de"}:
        then = company.SMALL.skip(words, then + 1)
        if infinitive_of(word_at(words, then)) is None:
            return None
    if infinitive not in _CARRYING:
        return verb, infinitive
    if word_at(words, then) in {"a", "por"}:
        then = company.SMALL.skip(words, then + 1)
    following = infinitive_of(word_at(words, then))
    if following is None or (infinitive in {"procurar", "buscar", "tentar"} and following in {"saber", "entender"}):
        return verb, infinitive
    return carried(words, then, following)


def acts(words: Words, verb: int, infinitive: str) -> bool:
    """Whether the phrase whose infinitive stands at `verb` is an act of its own."""
    row = (infinitive, *(w for w in words[verb + 1 : verb + 8] if w not in _CLITICS))
    if infinitive == "ajudar":
        return _helping(row)
    if infinitive == "deixar" and any(gerund_of(word) in pt.ACTIONS | {"funcionar"} for word in row[1:5]):
        return True
    if infinitive in _TELLING and _DISCOURSE & set(row[1:6]):
        return False
    if infinitive == "reformular":
        return bool(_TEXTS & set(row))
    if infinitive == "tratar" and "como" in row:
        return False
    if infinitive in {"ver", "olhar", "analisar", "pegar"} and {"exemplo", "exemplos"} & set(row):
        return False
    if infinitive in {"usar", "utilizar"} and _ILLUSTRATING & set(row):
        return False
    manner = company.MANNERS.at(row, 0)
    if company.RESCUES.at(row, 0) >= max(1, manner):
        return True
    if infinitive in {"listar", "mostrar", "descrever", "apresentar"}:
        return not manner and any(w in pt.ARTIFACTS or w == THING for w in row[1:5])
    if manner or infinitive in pt.NOT_ACTING:
        return False
    if infinitive == "chamar" and (word_at(row, 1) == "de" or (word_at(row, 1) in _NAMED and "de" in row)):
        return False
    if word_at(row, 1) == "que" and infinitive in {"ver", "achar"}:
        return False
    return not (infinitive in {"começar", "terminar", "concluir"} and _SPEAKING & set(row[1:4]))


def _helping(row: Words) -> bool:
    """A polite opener acts only with the act that it names: `te ajudar a corrigir`."""
    for place in range(1, len(row) - 1):
        if row[place] == "a" and infinitive_of(row[place + 1]):
            return names_act(row[place + 1])
    return any(names_act(gerund_of(word)) for word in row[1:])


def goes_on(words: Words, verb: int) -> bool:
    """A verb that does not act, followed by one that does: `esperar o build terminar e fazer o deploy`."""
    for place in range(verb + 1, min(len(words), verb + 14) - 1):
        if words[place] in {"como", "que", "para", "pra", "onde", "quando", "por"}:
            return False
        then = company.SMALL.skip(words, place + 1)
        if words[place] == "e" and then < len(words) - (then == place + 1) and names_act(words[then]):
            return True
    return False


def negated(words: Words, at: int) -> bool:
    """A negation before the verb, with clitics and small words between."""
    for place in range(at - 1, max(-1, at - 5), -1):
        if words[place] in _NEGATIVE:
            return word_at(words, place + 1) not in {"só", "apenas", "somente"}
        if words[place] not in _AFTER_NEGATION:
            return False
    return False

"""Where a clause commits without a verb of doing: `First, a quick look at the logs`, `A few seconds, please`."""

from collections.abc import Iterator

from ..language import Language
from . import english_phrases, portuguese_phrases
from .candidates import Candidate, starts, word_at
from .phrases import Phrases, Words, vocabulary

_MARKERS = Phrases(
    """
    first / first up / first thing / next / next up / now / now for / and now / and now for / then / time for /
    it's time for / before that / before anything else / one more / just / only / primeiro / primeiro de tudo / antes /
    antes de tudo / antes disso / agora / e agora / a seguir / em seguida / depois / hora de / só / mais / então
    """
)
_SMALL = vocabulary(
    """
    , a another breve brief closer deeper final full last mais more my nova novo outra outro quick rápida rápido
    second short some the um uma última último
    """
)
_QUICK = vocabulary("quick rápida rápido")
_ACTS = vocabulary(
    """
    backup busca checagem check checkup cleanup commit conferida conferência consulta cross-check deploy diff dry-run
    espiada experiment fix glance inspection leitura limpeza look lookup olhada pass passada peek pesquisa rebuild
    releitura rerun retest review revisão rewrite run scan search sweep test teste tweak varredura verificação
    """
)
"""Nouns of an act."""
_LOOKING_AT = vocabulary("antes at através before da das de do dos em first into mais na nas no nos of on over through")
_TOLD = vocabulary(
    """
    are could did does está estão failed falhou foi found is mostra passed passou pode revealed says será should
    showed shows takes tem você was were will would you é
    """
)
_COUNTS = vocabulary(
    "1 2 3 4 5 10 15 20 a alguns another cinco couple dez dois five few more mais of one só três ten three two um uns"
)
_UNITS = vocabulary(
    """
    instante instantes instantinho min mins minute minutes minutinho minutinhos minuto minutos mo moment momentinho
    momento momentos moments pouquinho sec second seconds secs segundinho segundinhos segundo segundos tempinho
    """
)
_ASKS_TIME = Phrases(
    """
    i need / i'll need / i just need / i'm going to need / give me / gimme / just / only / please / peço / preciso de /
    preciso só de / vou precisar de / me dá / me dê / me da / só / apenas / por favor / aguarde / aguarda / aguente
    """
)
_PLEASE = Phrases("please / , please / por favor / , por favor / por gentileza / , por gentileza")
_COMING = Phrases("coming up / coming right up / on its way / on the way / saindo / já saindo / a caminho / saindo já")


def candidates(words: Words, lang: Language) -> Iterator[Candidate]:
    """All places of a part at which a noun, or time that is asked for, stands for an act to come."""
    interjections = (english_phrases if lang == "en" else portuguese_phrases).INTERJECTIONS
    for start in starts(words, interjections):
        if (noun := _act(words, start)) is not None:
            yield Candidate(start, noun, "names its next act")
        if (unit := _time(words, start)) is not None:
            yield Candidate(start, unit, "asks to wait for what it does")
    end = next(
        (place for place in range(1, min(len(words), 8)) if place + _COMING.at(words, place) == len(words)), None
    )
    if end is not None and not _TOLD & set(words):
        yield Candidate(0, end, "says that it is on its way")


def _act(words: Words, start: int) -> int | None:
    """The place of the noun of `first, a quick look at …`; a report has a verb."""
    marked = _MARKERS.at(words, start)
    place = start + marked
    while word_at(words, place) in _SMALL or (word_at(words, place + 1) in _ACTS and word_at(words, place).isalpha()):
        place += 1
    row = words[start:]
    led = marked or (word_at(row, 0) in _QUICK) or (word_at(row, 1) in _QUICK)
    following = word_at(words, place + 1)
    bound = following in _LOOKING_AT or (not following and place > start + marked) or following in _QUICK
    if word_at(words, place) not in _ACTS or not led or not bound or _TOLD & set(words):
        return None
    return place


def _time(words: Words, start: int) -> int | None:
    """The place of the unit of `give me a couple of minutes`, `a few seconds, please`, `preciso de um instante`."""
    asked = _ASKS_TIME.at(words, start)
    place = start + asked
    while length := _ASKS_TIME.at(words, place):
        place += length
    while word_at(words, place) in _COUNTS:
        place += 1
    if place == start + asked or word_at(words, place) not in _UNITS:
        return None
    please = _PLEASE.at(words, place + 1)
    following = word_at(words, place + 1 + please)
    settled = following in {"", ",", "to", "while", "and", "here", "para", "pra", "que", "enquanto", "e", "i'm"}
    return place if settled and (asked or please) and not {"ago", "atrás", "later", "depois"} & set(words) else None

"""What the sentences around a commitment make of it: lists and their heads, questions, reports that follow."""

from collections.abc import Sequence

from . import english, english_bounds, english_phrases, portuguese, portuguese_bounds, portuguese_phrases
from .candidates import CONDITION, starts
from .clauses import Sentence
from .phrases import Phrases, Words, vocabulary

_INTERROGATIVE = vocabulary(
    """
    are can como consegue could devo did do does has have how há is may onde pode podemos poderia por posso prefere
    quais qual quando quer seria shall should tem você want what when where which who why will would é
    """
)

_AFTER_THAT = Phrases(
    """
    then / only then / in that case / after that / aí / aí sim / então / nesse caso / só então / só aí /
    depois disso / em seguida / depois
    """
)

_UPON_YOU = Phrases("when you / once you / if you / quando você / assim que você / se você / when you're / if you'd")

_ASKS_LEAVE = Phrases(
    """
    shall i / should i / may i / can i / do you want / would you like / want me / does this / does that /
    is this ok / is that ok / ok to / okay to / sound good / sounds good / let me know if / please confirm /
    please approve / waiting for your / awaiting your / once you / if you approve / if you agree /
    with your approval / are you ok / which one / which of / for your approval / any objections / thoughts /
    what do you think / if that works / if this works / posso / devo / quer que / você quer / gostaria que /
    está de acordo / concorda / pode ser / me confirma / me confirme / confirme / aprove / aguardo /
    fico no aguardo / se você aprovar / se concordar / se estiver / o que acha / assim que você / de acordo /
    faz sentido / tudo bem se / me avise se / podemos
    """
)

_REPORTS = vocabulary(
    """
    achei apliquei atualizado atualizei complete completed concluída concluído confirmed corrigi created criado
    criei done encontrei executei failed falharam falhou feito finished fixed found funcionou output passaram passed
    passou pronto resolved resolvido result resultado results succeeded successfully sucesso terminei updated works
    """
)

_GOING_AHEAD = vocabulary(
    """
    ahead approval approve avançar continuar forward proceed proceeding prosseguir prosseguirmos prossiga seguir sim
    yes
    """
)

_CONSENTING = Phrases(
    """
    is that ok / is that okay / is that alright / is this ok / is that fine / ok / okay / sound good / sounds good /
    agreed / does that work / does this work / does that sound / does this sound / any objections / all right /
    alright / deal / pode ser / tudo bem / confirma / concorda / de acordo / está bem / está bom / posso / certo /
    combinado / correto / shall i / should i / may i / can i / right / correct / confirmed / confirmado / que tal /
    o que acha / you ok
    """
)

_SURE = vocabulary(
    """
    ask certeza certificar clarify confirm confirmar double-check entender esclarecer know perguntar saber sure
    understand
    """
)

_SOON = vocabulary("agora aqui instante já moment now quick quickly rapidinho real second")


def statement_limit(sentence: Sentence) -> tuple[int, int]:
    """The part and the word from which on a sentence asks; beyond its end where it does not."""
    beyond = (len(sentence.parts), 0)
    if not sentence.asks:
        return beyond
    last = len(sentence.parts) - 1
    words = sentence.parts[last].words
    comma = max((place for place, word in enumerate(words) if word == ","), default=-1)
    tail = words[comma + 1 :]
    if _is_tag(tail) and (comma > 0 or last):
        return beyond if _only_tags(sentence.words(), tail) else (0, 0)
    if _asks_back(tail) and (comma > 0 or last):
        return (0, 0)
    if sentence.parts[last].lead == ":" and last and _SURE & set(sentence.parts[last - 1].words):
        return (0, 0)
    for place in range(len(words) - 2, 0, -1):
        if (
            words[place - 1] == ","
            and words[place] in {"but", "and", "mas", "e", "so"}
            and words[place + 1] in _INTERROGATIVE
        ):
            return (last, place)
    return (last, 0)


def _is_tag(tail: Words) -> bool:
    return any(0 < len(tail) == tags.at(tail, 0) for tags in (english_phrases.TAGS, portuguese_phrases.TAGS))


def _asks_back(tail: Words) -> bool:
    return any(tags.at(tail, 0) for tags in (english_phrases.ASKING_TAGS, portuguese_phrases.ASKING_TAGS))


def _only_tags(words: Words, tail: Words) -> bool:
    """`, tá?` only softens; `, ok?` does so where the act is harmless or already on its way."""
    if tail[0] not in {"ok", "okay", "k", "alright", "beleza", "combinado"}:
        return True
    return bool((_SOON | english_phrases.READING_ONLY | portuguese_phrases.READING_ONLY) & set(words))


def asks(sentence: Sentence) -> bool:
    """Whether a sentence asks the user for an answer, as a question or as a request to be told."""
    if sentence.asks:
        return statement_limit(sentence) < (len(sentence.parts), 0)
    return any(
        fixed.REQUESTS.at(part.words, start)
        for part in sentence.parts
        for fixed in (english_phrases, portuguese_phrases)
        for start in starts(part.words, fixed.INTERJECTIONS)
    )


def hangs_on_before(said: Sequence[Sentence], at: int) -> str | None:
    """`Please confirm. Then I'll ship it`: the sentence follows on what the user was asked for."""
    words = said[at].words()
    if at == 0 or not _AFTER_THAT.at(words, 0):
        return None
    before = said[at - 1]
    asked = (
        asks(before)
        or _UPON_YOU.within(before.words(), 0, len(before.words())) is not None
        or english_bounds.demands(before.words())
        or portuguese_bounds.demands(before.words())
    )
    return CONDITION if asked else None


def reported_after(said: Sequence[Sentence], at: int) -> bool:
    """Whether a later sentence tells an outcome, so that what was being done is done."""
    return any(
        _REPORTS & set(part.words) and not _promising(part.words) for later in said[at + 1 :] for part in later.parts
    )


def _promising(words: Words) -> bool:
    return bool({"will", "i'll", "vou", "when", "once", "quando", "assim", "if", "se", "until", "até"} & set(words))


def asked_next(said: Sequence[Sentence], at: int) -> bool:
    """Whether the next sentence asks the user for something."""
    return at + 1 < len(said) and asks(said[at + 1])


def asks_to_go_ahead(said: Sequence[Sentence], at: int) -> bool:
    """`I'll cancel it. Please confirm that I may proceed`: the commitment waits for a yes."""
    for later in said[at + 1 :]:
        words = later.words()
        if not asks(later) or {"also", "too", "também", "além"} & set(words):
            continue
        if _GOING_AHEAD & set(words) or (len(words) <= 5 and _CONSENTING.first(words, range(3)) is not None):
            return True
    return False


def items_after(said: Sequence[Sentence], at: int) -> list[Sentence]:
    """The first sentences of the list items that follow."""
    items: list[Sentence] = []
    for later in said[at + 1 :]:
        if not later.line.item:
            if (items and later.line.start > items[-1].line.end) or not items:
                break
            continue
        if not items or items[-1].line is not later.line:
            items.append(later)
    return items


def plan_after(said: Sequence[Sentence], at: int) -> bool:
    """Whether a head of a plan of one's own stands here with steps still to do below it."""
    sentence = said[at]
    if not (sentence.open or sentence.line.heading or _stands_alone(said, at)):
        return False
    words = sentence.parts[-1].words
    if not (english.plan_head(words) or portuguese.plan_head(words)):
        return False
    items = [item for item in items_after(said, at) if not item.line.done]
    return any(english.plan_item(item.words()) or portuguese.plan_item(item.words()) for item in items)


def _stands_alone(said: Sequence[Sentence], at: int) -> bool:
    line = said[at].line
    return not line.item and all(other.line is not line for other in (*said[at - 1 : at], *said[at + 1 : at + 2]))


def asks_leave(said: Sequence[Sentence], at: int) -> bool:
    """Whether a later sentence asks for leave to go on."""
    return any(
        _ASKS_LEAVE.at(part.words, start)
        for later in said[at + 1 :]
        for part in later.parts
        for start in range(min(len(part.words), 6))
    )


def list_head_reason(said: Sequence[Sentence], at: int) -> str | None:
    """What the words that introduce a list make of its items."""
    if not said[at].line.item:
        return None
    for head in reversed(said[:at]):
        if head.line.item:
            continue
        if not (head.open or head.line.heading):
            return None
        words = head.parts[-1].words
        proposed = english_phrases.NOT_OWN_PLAN & set(words) or portuguese_phrases.NOT_OWN_PLAN & set(words)
        reason = english_bounds.head_reason(words) or portuguese_bounds.head_reason(words)
        return reason or (CONDITION if proposed and {"plan", "plano", "steps", "passos"} & set(words) else None)
    return None

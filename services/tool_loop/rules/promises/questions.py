"""What of a sentence asks: a question with its tags, or a request to be told."""

from . import english_phrases, portuguese_phrases
from .candidates import starts
from .clauses import Sentence
from .phrases import Words, vocabulary

_INTERROGATIVE = vocabulary(
    """
    are can como consegue could devo did do does has have how há is may onde pode podemos poderia por posso prefere
    quais qual quando quer seria shall should tem você want what when where which who why will would é
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

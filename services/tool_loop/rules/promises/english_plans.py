"""Heads that announce an English plan or next step, and what such a plan names."""

from . import english_company as company
from . import english_phrases as fixed
from . import english_words as en
from .candidates import starts, word_at
from .english_verbs import names_act, opens, unheard_of
from .phrases import Words, vocabulary

_OTHERS = fixed.NOT_OWN_PLAN | vocabulary("a an another best good logical")
_COMING = vocabulary("action idea job move plan step task thing to-do todo")
_PLACING = vocabulary("in of on")
_LISTS = vocabulary("agenda backlog docket line list order plan queue row")
_BY_HAND = vocabulary("choose click drag enter hover pick press scroll select tap type")
"""What the reader of a manual does."""
_COPULAS = vocabulary("be comes is")


def next_head(head: Words) -> bool:
    """Whether a head hands the next step to its speaker: `Next step`, `Right, the next step is mine`."""
    shown = 2 if head[:2] == ("here", "is") else int(head[:1] == ("here's",))
    head = head[shown:]
    for start in starts(head, fixed.INTERJECTIONS):
        if length := fixed.NEXT_HEADS.at(head, start) or _named_next(head, start):
            end = start + length
            placed = len(head) - end <= 4 and word_at(head, end) in _PLACING and head[-1] in _LISTS
            if end == len(head) or placed or end + fixed.MINE.at(head, end) == len(head):
                return True
    return False


def _named_next(head: Words, start: int) -> int:
    """How many words `my next task` and the like have."""
    mine = int(word_at(head, start) == "my")
    return mine + 2 if mine and word_at(head, start + 1) == "next" and start + 2 < len(head) else 0


def next_step(words: Words, head: Words) -> bool:
    """`Next step: run the tests`: a head and what it names, in the imperative or as a participle."""
    others = any(w in fixed.USER or w == "optional" for w in words)
    if not next_head(head) or (others and fixed.MINE.within(head, 0, len(head)) is None):
        return False
    verb = company.SMALL.skip(words, 0)
    verb += word_at(words, verb) == "i"
    if word_at(words, verb) in _BY_HAND and head[-1:] == ("next",):
        return False
    return _is_doing(words, verb) or (names_act(words, verb) and head[-1] not in {"now", "then"})


def planned(words: Words) -> int | None:
    """The verb of `the next step is to …`, `what I'm doing now is …ing`, `next on my list is …ing`."""
    if fixed.USER & set(words):
        return None
    for at in range(min(len(words), 7)):
        copula = at + 1 + (word_at(words, at + 1) == "now")
        copula += words[copula : copula + 2] == ("will", "be")
        if word_at(words, copula) not in _COPULAS:
            continue
        own, next_up = _own_doing(words, at), _next_up(words, at)
        verb = company.SMALL.skip(words, copula + 1)
        verb = company.SMALL.skip(words, verb + (word_at(words, verb) == "to"))
        named = names_act(words, verb) or ((own or next_up) and _is_doing(words, verb))
        if named and (own or next_up or _owned_step(words, at)):
            return verb
    return None


def _own_doing(words: Words, at: int) -> bool:
    """Whether `what I'm doing`, `the first thing I'll do` and the like end here."""
    return words[at] in {"do", "doing"} and bool({"i", "i'll", "i'm"} & set(words[:at]))


def _owned_step(words: Words, at: int) -> bool:
    """Whether `my plan`, `the next step` and the like end here, and no one else's."""
    if _OTHERS & set(words[:at]) or not (words[at] in _COMING or word_at(words, at - 1) == "next"):
        return False
    return at == 0 or words[at - 1] in {"next", "my", "the", "first", "immediate"}


def _is_doing(words: Words, verb: int) -> bool:
    """Whether an -ing form stands here that names an act."""
    word = word_at(words, verb)
    return opens(word) or (word.endswith("ing") and unheard_of(words, verb))


def _next_up(words: Words, at: int) -> bool:
    """Whether the head of what comes next ends here."""
    return any(start + fixed.NEXT_HEADS.at(words, start) == at + 1 for start in starts(words, fixed.INTERJECTIONS))


def plan_head(words: Words) -> bool:
    """Whether these words announce a plan of the speaker's own."""
    start = fixed.INTERJECTIONS.skip(words, 0)
    start += word_at(words, start) == ","
    length = fixed.PLAN_HEADS.at(words, start)
    return bool(length) and not fixed.NOT_OWN_PLAN & set(words) and (length > 1 or len(words) - start <= 3)


def plan_item(words: Words) -> bool:
    """Whether these words name a step: a base verb or a participle first."""
    word = word_at(words, company.SMALL.skip(words, 0))
    return word in en.ACTIONS or opens(word) or word in {"i'll", "i"}

"""Heads that announce a Portuguese plan or next step, and what such a plan names."""

from . import portuguese_company as company
from . import portuguese_phrases as fixed
from .candidates import starts, word_at
from .phrases import Words, vocabulary
from .portuguese_verbs import gerund_of, names_act

_CAUSES = vocabulary("causa erro opção opções pergunta problema questão razão")
_COMING = vocabulary("ação etapa ideia passo plano tarefa")
_PLACING = vocabulary("da de desta deste do na no")

_LISTS = vocabulary("agenda backlog fila lista ordem plano roteiro")


def next_head(head: Words) -> bool:
    """Whether a head hands the next step to its speaker: `Próximo passo`, `Certo, o próximo passo é meu`."""
    shown = 2 if head[:2] == ("aqui", "está") else int(head[:1] == ("eis",))
    head = head[shown:]
    for start in starts(head, fixed.INTERJECTIONS):
        if length := fixed.NEXT_HEADS.at(head, start):
            end = start + length
            placed = len(head) - end <= 4 and word_at(head, end) in _PLACING and head[-1] in _LISTS
            if end == len(head) or placed or end + fixed.MINE.at(head, end) == len(head):
                return True
    return False


def next_step(words: Words, head: Words) -> bool:
    """`Próximo passo: rodar o teste`: a head and what it names, in the infinitive or as a participle."""
    begun = (
        any(head[at] in {"agora", "primeiro"} for at in starts(head, fixed.INTERJECTIONS) if at < len(head))
        and len(head) <= 5
        and not _CAUSES & set(head)
    )
    if not (next_head(head) or begun) or fixed.USER & set(words):
        return False
    word = word_at(words, company.SMALL_BEFORE_GERUND.skip(words, 0))
    return names_act(gerund_of(word)) or (names_act(word) and head[-1] != "agora")


def planned(words: Words) -> int | None:
    """The verb of `o próximo passo é …`, `meu plano é …`."""
    start = starts(words, fixed.INTERJECTIONS)[-1]
    if words[start : start + 2] == ("o", "que") and {"estou", "vou", "irei"} & set(words[: start + 5]) and "é" in words:
        verb = company.SMALL.skip(words, words.index("é") + 1)
        return verb if names_act(word_at(words, verb)) and not fixed.USER & set(words) else None
    for at in range(min(len(words), 6)):
        coming = words[at] in _COMING or word_at(words, at - 1) in {"próximo", "próxima"}
        if coming and word_at(words, at + 1) in {"será", "é"}:
            verb = company.SMALL.skip(words, at + 2)
            owned = at == 0 or words[at - 1] in {"próximo", "próxima", "meu", "minha", "o", "primeiro", "primeira"}
            others = fixed.NOT_OWN_PLAN | {"um", "uma", "bom", "boa", "melhor", "outro", "outra"}
            if (
                owned
                and not others & set(words[:at])
                and names_act(word_at(words, verb))
                and not fixed.USER & set(words)
            ):
                return verb
    return None


def plan_head(words: Words) -> bool:
    """Whether these words announce a plan of the speaker's own."""
    start = fixed.INTERJECTIONS.skip(words, 0)
    start += word_at(words, start) == ","
    length = fixed.PLAN_HEADS.at(words, start)
    return bool(length) and not fixed.NOT_OWN_PLAN & set(words) and (length > 1 or len(words) - start <= 3)


def plan_item(words: Words) -> bool:
    """Whether these words name a step: an infinitive, a participle or a noun of doing first."""
    word = word_at(words, company.SMALL_BEFORE_GERUND.skip(words, 0))
    return names_act(word) or names_act(gerund_of(word)) or word == "vou"

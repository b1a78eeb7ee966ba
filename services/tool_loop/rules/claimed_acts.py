"""Does a reply say that something was done outside of it: sent, booked, created, deleted?

Deterministic, Portuguese and English, on the assistant's own voice in NFC: quotations and code are hidden. Two kinds:
`done`, an act of the first person that only a tool can do, and `settled`, a bare `it is booked` or `Está confirmado`.
Text that is itself what was asked for (`I wrote a summary`), older acts, conditions, negations, and questions are none.
Source: spec/tool-loop.md, Verified completion.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from .promises.clauses import Sentence, sentences
from .promises.phrases import vocabulary
from .promises.shown import Shown, shown

RULE: Final = "claimed-acts/1"

_SURE: Final = vocabulary(
    "sent emailed e-mailed mailed booked scheduled rescheduled deployed redeployed pushed committed merged "
    "published uploaded installed uninstalled posted cancelled canceled refunded submitted deleted paid transferred "
    "notified forwarded restarted rebooted saved registered reserved purchased migrated archived executed charged "
    "invited agendei enviei mandei publiquei instalei desinstalei cancelei reservei marquei desmarquei remarquei "
    "reagendei registrei cadastrei apaguei deletei excluí salvei gravei reiniciei commitei comitei implantei "
    "notifiquei encaminhei transferi paguei estornei reembolsei executei rodei confirmei postei submeti migrei "
    "arquivei mesclei convidei"
)
_MADE: Final = vocabulary(
    "created wrote written updated fixed added changed edited removed replaced renamed refactored implemented moved "
    "corrected patched configured enabled disabled modified repaired built criei escrevi atualizei corrigi "
    "adicionei acrescentei alterei modifiquei editei removi substituí renomeei refatorei implementei movi incluí "
    "inseri ajustei consertei arrumei configurei ativei desativei mudei"
)
"""Acts that may have been done to the very text of the reply."""
_TO_DO: Final = vocabulary(
    "enviar mandar agendar reservar marcar remarcar cancelar publicar instalar apagar deletar excluir salvar gravar "
    "criar atualizar corrigir alterar remover registrar cadastrar reiniciar executar rodar confirmar notificar "
    "encaminhar"
)
_I: Final = vocabulary("i i've ive we we've")
_BETWEEN: Final = vocabulary(
    "have just already successfully now also then since finally automatically manually went ahead and"
)
_TEXTS: Final = vocabulary(
    "summary draft poem haiku list plan outline table example examples version translation sentence paragraph text "
    "essay story joke answer response reply explanation description comparison overview letter template checklist "
    "recipe itinerary title guide steps grammar wording limerick song quiz note notes caption headline typo typos "
    "tone word words resumo rascunho poema haicai lista plano roteiro tabela exemplo exemplos versão tradução frase "
    "parágrafo texto história piada resposta explicação descrição comparação carta receita guia passos título "
    "gramática palavra palavras mind opinião ideia assunto"
)
_HERE: Final = vocabulary("below above here following abaixo acima aqui seguinte seguintes seguir")
_THEN: Final = vocabulary(
    "yesterday earlier previously ago last before originally ontem anteontem antes anteriormente anterior passada "
    "passado"
)
_NO_CLAIM: Final = vocabulary(
    "if when whenever unless suppose imagine once until whether why how what said says claim claims though assuming "
    "se quando caso enquanto como suponha imagine disse diz afirma"
)
_NOT: Final = vocabulary("não nao nunca nem jamais sem")
_OBJECT: Final = vocabulary("the your it both them an a this that these all everything")
_SETTLED: Final = vocabulary(
    "confirmed booked reserved scheduled rescheduled sent cancelled canceled submitted deployed deleted refunded "
    "installed confirmado confirmada agendado agendada reservado reservada marcado marcada remarcado remarcada "
    "enviado enviada cancelado cancelada reembolsado reembolsada excluído excluída apagado apagada publicado "
    "publicada"
)
_BOOKED: Final = vocabulary(
    "confirmed booked reserved confirmado confirmada agendado agendada reservado reservada marcado marcada"
)
_STANDS: Final = vocabulary("is are has have been was were now already está esta estão foi ficou já tá sido")
_YOURS: Final = vocabulary("your sua seu suas seus")
_BARE: Final = vocabulary("it it's that's está tá foi ficou")
_OPENING: Final = vocabulary("ok okay done pronto certo perfeito great perfect tudo sim yes , já now good news")
_WORLD: Final = vocabulary("que that by por in em as when quando if se")


class Claimed(NamedTuple):
    """What a reply says that was done, each in its own words; empty where it says nothing of the kind."""

    done: str
    settled: str


def claimed(text: str) -> Claimed:
    """What a reply claims to have done, and what it says is settled."""
    visible = shown(text)
    said = [one for one in sentences(visible.text) if not (one.asks or one.line.heading or _older(one))]
    code = "```" in text
    done = next((one for one in said if any(_acts(one, code))), None)
    settled = next((one for one in said if _opens_with_act(one, code) or _is_settled(one)), None)
    return Claimed(_quoted(text, visible, done), _quoted(text, visible, settled))


def _quoted(text: str, visible: Shown, sentence: Sentence | None) -> str:
    """A sentence as the text has it, with the code and quotations that were hidden from judging."""
    if sentence is None:
        return ""
    start, end = sentence.parts[0].places[0].start, sentence.parts[-1].places[-1].end
    return " ".join(text[visible.origin(start) : visible.origin(end)].split())[:200]


def _older(sentence: Sentence) -> bool:
    return bool(_THEN & set(sentence.words()))


def _acts(sentence: Sentence, code: bool) -> Iterator[bool]:
    """Each act of the first person in a sentence."""
    for part in sentence.parts:
        words = part.words
        for at, word in enumerate(words):
            if _NO_CLAIM & set(words[:at]) or not _outside(words, at, code):
                continue
            before = words[max(0, at - 3) : at]
            if word.endswith(("ei", "i", "í")):
                yield not _NOT & set(before)
            else:
                yield before[-2:] in (("acabei", "de"), ("acabo", "de")) or _of_first_person(words, at)


def _outside(words: Sequence[str], at: int, code: bool) -> bool:
    """Whether the word at a place is an act that leaves a trace outside the reply."""
    word, behind = words[at], words[at + 1 : at + 7]
    if word == "committed" and behind[:1] == ("to",):
        return False
    if word in _SURE or word in _TO_DO:
        return not _TEXTS & set(behind[:1])
    return word in _MADE and not (code or _TEXTS & set(behind) or _HERE & set(words))


def _of_first_person(words: Sequence[str], at: int) -> bool:
    """`I have just sent`, `I looked and booked the room`, with nobody else's doing between."""
    back = at - 1
    while back >= 0 and words[back] in _BETWEEN:
        back -= 1
    if back >= 0 and words[back] in _I:
        return True
    joined = words[at - 1] == "and" and words[at + 1 : at + 2] and words[at + 1] in _OBJECT
    return bool(joined) and words[0] in _I


def _opens_with_act(sentence: Sentence, code: bool) -> bool:
    """`Sent the report to Ana.`: nobody is named, so it is the assistant. In a list it may be anybody's."""
    words = sentence.parts[0].words
    at = 1 if words[:1] and words[0] in ("successfully", "just", "already") else 0
    said = words[at : at + 1] and words[at] in _SURE | _MADE and _outside(words, at, code)
    return bool(said) and not sentence.line.item and words[at + 1 : at + 2] != () and words[at + 1] in _OBJECT


def _is_settled(sentence: Sentence) -> bool:
    """`Está confirmado para as 15h.`, `Your table has been booked.`: the world alone would have a subject."""
    words = [word for part in sentence.parts for word in part.words]
    while words and words[0] in _OPENING:
        words.pop(0)
    if _NOT & set(words[:4]) or "not" in words[:6]:
        return False
    for at, word in enumerate(words[:7]):
        if word not in _SETTLED or at == 0 or _WORLD & set(words[at + 1 : at + 2]):
            continue
        linked = words[at - 1] in _STANDS or words[at - 1] in ("it's", "that's", "successfully")
        yours = words[0] in _YOURS and linked
        bare = word in _BOOKED and words[0] in _BARE and all(one in _BARE | _STANDS for one in words[:at])
        if yours or bare:
            return True
    return False

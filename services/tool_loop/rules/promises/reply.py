"""What the sentences around a commitment make of it: heads of lists, leave that is asked, reports that follow."""

from collections.abc import Iterable, Sequence
from functools import cached_property

from . import (
    english_bounds,
    english_phrases,
    english_plans,
    portuguese_bounds,
    portuguese_phrases,
    portuguese_plans,
)
from .candidates import CONDITION
from .clauses import Sentence
from .phrases import Phrases, Words, vocabulary
from .questions import asks

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

_PROMISING = vocabulary("assim até i'll if once quando se until vou when will")
_OUTCOMES = vocabulary(
    """
    all are deu está existe fail fails falha falham foi foram found há is nada nenhum no none nothing pass passa
    passaram passes passou retornou returned returns shows são tem tudo was were é
    """
)
_OBSERVING = vocabulary(
    """
    building buscando checando checking comparando comparing compilando compiling conferindo contando counting
    executando inspecionando inspecting lendo linting listando listing looking measuring medindo olhando querying
    reading rerunning reviewing revisando rodando running scanning searching testando testing verificando verifying
    """
)
_CITED = vocabulary("citado citação comentário comment docstring excerpt quote quoted sic trecho")
_FOR_OTHERS = vocabulary("for opcional optional para pra seu sua your yours")
_FOR_ME = vocabulary("agora eu me mim now")
_MORE = frozenset({"also", "too", "também", "além"})
_PLANNED = frozenset({"plan", "plano", "steps", "passos"})


class Reply:
    """The sentences of a reply, each with what stands before and after it. All is found in time linear in the reply."""

    def __init__(self, said: Sequence[Sentence]) -> None:
        self.said = said

    @cached_property
    def asking(self) -> tuple[bool, ...]:
        """Whether each sentence asks the user for an answer."""
        return tuple(asks(sentence) for sentence in self.said)

    def asked_next(self, at: int) -> bool:
        """Whether the next sentence asks the user for something."""
        following = (later for later in range(at + 1, len(self.said)) if not self.said[later].aside)
        return (later := next(following, None)) is not None and self.asking[later]

    def asks_to_go_ahead(self, at: int) -> bool:
        """`I'll cancel it. Please confirm that I may proceed`: the commitment waits for a yes."""
        return at < self._last_going_ahead

    def asks_leave(self, at: int) -> bool:
        """Whether a later sentence asks for leave to carry out a plan."""
        return at < self._last_leave

    def reported_after(self, at: int) -> bool:
        """Whether a later sentence tells an outcome, so that what was being done is done."""
        return at < self._last_report

    def cited_after(self, at: int) -> bool:
        """`I'll fix this later (comment in queue.py)`: the parenthesis names where the words come from."""
        return bool(_CITED & set(self._aside_after(at)[:1]))

    def for_others(self, at: int) -> bool:
        """`Next step (for the ops team): …`: the parenthesis gives the step to someone else."""
        aside = self._aside_after(at)
        return bool(_FOR_OTHERS & set(aside[:1])) and not _FOR_ME & set(aside[1:2])

    def _aside_after(self, at: int) -> Words:
        following = self.said[at + 1 : at + 2]
        return following[0].parts[0].words if following and following[0].aside else ()

    def outcome_told(self, at: int, index: int, verb: str) -> bool:
        """`Running the tests: 12 passed`: behind the colon stands what was found."""
        told = self.said[at].parts[index + 1 : index + 2]
        if not told or told[0].lead != ":":
            return False
        words = told[0].words
        found = bool((_REPORTS | _OUTCOMES) & set(words)) if verb in _OBSERVING else words[0] in _REPORTS
        return found and not _PROMISING & set(words)

    def hangs_on_before(self, at: int) -> bool:
        """`Please confirm. Then I'll ship it`: the sentence follows on what the user was asked for."""
        if at == 0 or not _AFTER_THAT.at(self.said[at].words(), 0):
            return False
        before = self.said[at - 1].words()
        upon = _UPON_YOU.within(before, 0, len(before)) is not None
        return upon or self.asking[at - 1] or english_bounds.demands(before) or portuguese_bounds.demands(before)

    def announces_plan(self, at: int) -> bool:
        """Whether a head of a plan of one's own stands here with steps still to do below it."""
        sentence = self.said[at]
        if not (sentence.open or sentence.line.heading or self._alone(at)):
            return False
        words = sentence.parts[-1].words
        if not (english_plans.plan_head(words) or portuguese_plans.plan_head(words)):
            return False
        for below in range(at + 1, len(self.said)):
            line = self.said[below].line
            if not line.item:
                return False
            step = self.said[below].words()
            if not line.done and (english_plans.plan_item(step) or portuguese_plans.plan_item(step)):
                return True
        return False

    def list_head_reason(self, at: int) -> str | None:
        """What the words that introduce a list make of its items."""
        head = self._heads[at]
        if head is None or not (self.said[head].open or self.said[head].line.heading):
            return None
        words = self.said[head].parts[-1].words
        if reason := english_bounds.head_reason(words) or portuguese_bounds.head_reason(words):
            return reason
        proposed = (english_phrases.NOT_OWN_PLAN | portuguese_phrases.NOT_OWN_PLAN) & set(words)
        return CONDITION if proposed and _PLANNED & set(words) else None

    def _alone(self, at: int) -> bool:
        line = self.said[at].line
        beside = (*self.said[max(0, at - 1) : at], *self.said[at + 1 : at + 2])
        return not line.item and all(other.line is not line for other in beside)

    @cached_property
    def _heads(self) -> tuple[int | None, ...]:
        """For each list item the last sentence before its list."""
        heads: list[int | None] = []
        last: int | None = None
        for at, sentence in enumerate(self.said):
            heads.append(last if sentence.line.item else None)
            last = last if sentence.line.item else at
        return tuple(heads)

    @cached_property
    def _last_going_ahead(self) -> int:
        return _last(
            asks and _waits_for_yes(sentence.words()) for sentence, asks in zip(self.said, self.asking, strict=True)
        )

    @cached_property
    def _last_leave(self) -> int:
        return _last(any(_asks_leave(part.words) for part in sentence.parts) for sentence in self.said)

    @cached_property
    def _last_report(self) -> int:
        return _last(any(_reports(part.words) for part in sentence.parts) for sentence in self.said)


def _last(flags: Iterable[bool]) -> int:
    """The place of the last flag that is up, or -1."""
    return max((place for place, flag in enumerate(flags) if flag), default=-1)


def _waits_for_yes(words: Words) -> bool:
    """Whether a question asks to go ahead with what was said, and not with something more."""
    if _MORE & set(words):
        return False
    return bool(_GOING_AHEAD & set(words)) or (len(words) <= 5 and _CONSENTING.first(words, range(3)) is not None)


def _asks_leave(words: Words) -> bool:
    return _ASKS_LEAVE.first(words, range(min(len(words), 6))) is not None


def _reports(words: Words) -> bool:
    return bool(_REPORTS & set(words)) and not _PROMISING & set(words)

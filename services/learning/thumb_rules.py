"""Rules of thumb from how a task went: a claim that came too early, or an end that was not COMPLETE. Pure.

Only what the harness itself asserted is used: codes, criteria, counts. What a model declared is an unverified claim,
and what a tool printed is nobody's word.
"""

from collections.abc import Iterator
from typing import Final

from arreio_contracts.events import CompletionRefused, Evidence, GateJudged, Preconditions, TaskCompleted
from arreio_contracts.messages import TASTE

from .candidates import Candidate
from .environment import failed_by_environment
from .seen import TaskSeen, one_line
from .wishes import asked

RULE: Final = "thumb-rules@1"
_EARLY: Final = {
    "en": "Before you say that work like “{goal}” is done, see for yourself that this holds: {criteria}. It did not "
    "when completion was first claimed.",
    "pt": "Antes de dizer que um trabalho como “{goal}” está pronto, veja você mesmo se isto vale: {criteria}. Não "
    "valia quando a conclusão foi alegada pela primeira vez.",
}
_ENDS: Final = {
    "loop": {
        "en": "In work like “{goal}” a call that was repeated changed nothing. When a result comes a second time, "
        "take another way.",
        "pt": "Em um trabalho como “{goal}”, uma chamada repetida não mudou nada. Quando um resultado vier pela "
        "segunda vez, siga outro caminho.",
    },
    "false_completion": {
        "en": "Work like “{goal}” was claimed to be done again and again while this did not hold: {criteria}. Make it "
        "hold first, then claim.",
        "pt": "Um trabalho como “{goal}” foi dado como pronto várias vezes enquanto isto não valia: {criteria}. Faça "
        "valer primeiro, depois alegue.",
    },
    "no_action": {
        "en": "In work like “{goal}” words without a tool call brought nothing about. Begin with a call.",
        "pt": "Em um trabalho como “{goal}”, palavras sem chamada de ferramenta não resolveram nada. Comece com uma "
        "chamada.",
    },
    "budget": {
        "en": "Work like “{goal}” used up its budget ({code}) before its end. Take the shortest way to {criteria}, "
        "and check it early.",
        "pt": "Um trabalho como “{goal}” gastou seu orçamento ({code}) antes do fim. Siga o caminho mais curto até "
        "{criteria}, e verifique cedo.",
    },
}
_LIKE: Final = {"no_progress": "loop", "loop": "loop", "false_completion": "false_completion", "no_action": "no_action"}
_BUDGETS: Final = frozenset({"max_steps", "max_wall_clock", "max_tool_calls", "max_tokens", "max_cost"})
_ITS_GOAL: Final = {"en": "its goal", "pt": "seu objetivo"}


def thumb_rules(task: TaskSeen) -> Iterator[Candidate]:
    """The rule that a task's way to its end teaches, if it does."""
    if isinstance(task.ended, TaskCompleted):
        yield from _early_claim(task)
    elif not failed_by_environment(task):
        yield from _bad_end(task)


def _early_claim(task: TaskSeen) -> Iterator[Candidate]:
    refused = {data.claim_id: event for event, data in task.each(CompletionRefused) if data.by == "gates"}
    unmet: dict[str, None] = {}
    evidence: list[Evidence] = []
    for event, judged in task.each(GateJudged):
        failed = [
            result.criterion
            for result in judged.results
            if result.verdict != "PASS" and not result.environment and result.criterion != TASTE
        ]
        if judged.claim_id in refused and failed:
            unmet.update(dict.fromkeys(failed))
            evidence += [event.evidence, refused[judged.claim_id].evidence]
    if unmet:
        criteria = "; ".join(f"`{one_line(one)}`" for one in unmet)
        text = _EARLY[task.language].format(goal=one_line(asked(task.created.goal)), criteria=criteria)
        yield _candidate(
            task, f"Check before claiming: {one_line(asked(task.created.goal), 90)}", text, "early claim", evidence
        )


def _bad_end(task: TaskSeen) -> Iterator[Candidate]:
    assert not isinstance(task.ended, TaskCompleted)
    code = task.ended.reason.code
    template = "budget" if code in _BUDGETS else _LIKE.get(code)
    if template is None:
        return
    criteria = "; ".join(f"`{one_line(one)}`" for one in task.criteria if one != "answer:")
    text = _ENDS[template][task.language].format(
        goal=one_line(asked(task.created.goal)), criteria=criteria or _ITS_GOAL[task.language], code=code
    )
    shown = set(task.ended.reason.evidence)
    evidence = [one.evidence for one in task.events if one.event_id in shown]
    yield _candidate(task, f"{code}: {one_line(asked(task.created.goal), 90)}", text, code, evidence)


def _candidate(task: TaskSeen, title: str, text: str, about: str, evidence: list[Evidence]) -> Candidate:
    return Candidate(
        kind="rule",
        title=title,
        text=text,
        gist=f"{about} {one_line(asked(task.created.goal), 400)}",
        evidence=(*evidence, task.events[-1].evidence),
        rule=RULE,
        preconditions=Preconditions(criteria=task.criterion_kinds),
    )

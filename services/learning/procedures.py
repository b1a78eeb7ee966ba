"""A skill from a task whose exit criteria held: the steps that worked, in order, as a SKILL.md. Pure.

A task that nothing but its own answer vouches for teaches no skill, nor does one of a single step. The model's reply is
never used: it is a claim. Steps are the calls whose effect was seen.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import yaml
from arreio_contracts.events import (
    GateJudged,
    ModelReplied,
    Taint,
    TaskCompleted,
    ToolCall,
    ToolFinished,
    ToolStarted,
)
from arreio_contracts.messages import TASTE

from shared.skills.skill import called

from .candidates import Candidate
from .environment import is_environment
from .seen import Seen, TaskSeen, one_line
from .taint import tainted
from .wishes import asked

RULE: Final = "procedures@1"
LEAST_STEPS: Final = 2
_MOST_STEPS: Final = 20
_LONGEST_COMMAND: Final = 400
_HEADS: Final = {
    "en": ("Use for work like: {goal}", "Steps that worked", "Done when"),
    "pt": ("Use para trabalhos como: {goal}", "Passos que funcionaram", "Pronto quando"),
}


@dataclass(frozen=True)
class _Step:
    line: str
    event: Seen


def procedures(task: TaskSeen) -> Iterator[Candidate]:
    """The skill that a task's success teaches, if it does."""
    judged = _verified(task)
    steps = _steps(task)
    goal = one_line(asked(task.created.goal), 200)
    if judged is None or len(steps) < LEAST_STEPS or is_environment(goal):
        return
    taint: list[Taint] = []
    for step in steps:
        taint += [one for one in tainted(step.line, task, before=step.event.seq) if one not in taint]
    yield Candidate(
        kind="skill",
        title=one_line(goal),
        text=_skill_file(goal, steps, task),
        gist=goal,
        evidence=(*(step.event.evidence for step in steps), judged.evidence, task.events[-1].evidence),
        rule=RULE,
        taint=tuple(taint[:5]),
    )


def _verified(task: TaskSeen) -> Seen | None:
    """The judgement that bore the completion out by more than the answer itself."""
    if not isinstance(task.ended, TaskCompleted):
        return None
    for event, judged in task.each(GateJudged):
        if judged.claim_id == task.ended.claim_id and judged.verdict == "PASS":
            checked = (result for result in judged.results if result.verdict == "PASS")
            if any(result.criterion != TASTE and not result.criterion.startswith("answer") for result in checked):
                return event
    return None


def _steps(task: TaskSeen) -> list[_Step]:
    """The calls that worked and had an effect, the last of equal ones, in order."""
    calls = {call.id: call for _, replied in task.each(ModelReplied) for call in replied.calls}
    started = {data.call_id: (event, data) for event, data in task.each(ToolStarted)}
    steps: dict[str, _Step] = {}
    for _, finished in task.each(ToolFinished):
        begun, call = started.get(finished.call_id), calls.get(finished.call_id)
        if begun is None or call is None or begun[1].effect not in ("file", "command"):
            continue
        line = _line(call)
        if finished.status == "ok" and not finished.exit_status and line:
            steps.pop(line, None)
            steps[line] = _Step(line, begun[0])
    return list(steps.values())[:_MOST_STEPS]


def _line(call: ToolCall) -> str:
    """A call as a step: empty where it cannot be told in one line."""
    arguments = call.arguments or {}
    command, path = arguments.get("command"), arguments.get("path")
    told = command if isinstance(command, str) else path
    if not isinstance(told, str) or "\n" in told.strip() or "`" in told or len(told) > _LONGEST_COMMAND:
        return ""
    return f"{call.name}: `{told.strip()}`"


def _skill_file(goal: str, steps: list[_Step], task: TaskSeen) -> str:
    use, worked, done = _HEADS[task.language]
    ended = task.events[-1]
    head = {
        "name": called(goal) or "skill",
        "description": use.format(goal=goal),
        "metadata": {"learnt-from": f"{ended.session_id}:{ended.seq}"},
    }
    front = yaml.safe_dump(head, sort_keys=False, allow_unicode=True, width=10_000)
    lines = [f"{number}. {step.line}" for number, step in enumerate(steps, 1)]
    checks = [f"- `{one}`" for one in task.criteria if one != "answer:"]
    return "\n".join(["---", front + "---", "", f"## {worked}", "", *lines, "", f"## {done}", "", *checks, ""])

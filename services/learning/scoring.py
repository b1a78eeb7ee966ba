"""How a task ended, and what of the learnt it had before it. Pure."""

from collections.abc import Iterator, Mapping
from typing import Final, Literal

from arreio_contracts.events import ContextBuilt, Learnt, LearntScored, TaskCompleted, ToolFinished

from shared.prompt import RULE as RULE_UNIT
from shared.prompt import SKILL

from .environment import NOT_ABOUT_THE_WORK
from .seen import TaskSeen

RULE: Final = "scoring@1"

Versions = Mapping[tuple[str, str], int]
"""The version of an approved rule, by its name and the SHA-256 of its text."""


def score(task: TaskSeen, session_id: str, task_id: str, rules: Versions) -> LearntScored:
    """The record of one task's end."""
    ended = task.ended
    code = "" if isinstance(ended, TaskCompleted) else ended.reason.code
    outcome: Literal["success", "failure", "neutral"] = "failure"
    if isinstance(ended, TaskCompleted):
        outcome = "success"
    elif code in NOT_ABOUT_THE_WORK:
        outcome = "neutral"
    return LearntScored(
        source_session=session_id,
        source_task=task_id,
        outcome=outcome,
        code=code,
        agent=task.agent,
        workspace=task.workspace,
        criteria=task.criterion_kinds,
        used=tuple(sorted(set(_used(task, rules)), key=lambda one: (one.kind, one.name, one.version))),
        rule=RULE,
    )


def _used(task: TaskSeen, rules: Versions) -> Iterator[Learnt]:
    """The rules that stood in a prompt, and the skills that did or were loaded."""
    routed = task.created.skills.skills if task.created.skills is not None else ()
    learned = {one.name: one.version for one in routed if one.source == "learned"}
    for _, built in task.each(ContextBuilt):
        for unit in (unit for layer in built.manifest.layers for unit in layer.units):
            name = unit.id.partition(":")[2]
            if unit.id.startswith(RULE_UNIT) and (version := rules.get((name, unit.sha256))):
                yield Learnt(kind="rule", name=name, version=version)
            elif unit.id.startswith(SKILL) and (version := learned.get(name)):
                yield Learnt(kind="skill", name=name, version=version)
    for _, finished in task.each(ToolFinished):
        skill = finished.skill
        if skill is not None and skill.source == "learned" and skill.version:
            yield Learnt(kind="skill", name=skill.name, version=skill.version)

"""Skills in the prompt: those that the task must follow whole, the others by name and description. Pure.

They are the router's finds, as `task.created` records them. They stand behind the goal, so that the head of the prompt
stays the same from task to task.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Final

from arreio_contracts.events import RoutedSkill, SkillRouting

from shared.canonical import canonical_json
from shared.prompt import SKILL, SKILLS

from .history import harness_message
from .layers import Unit
from .tokenizers import Tokenizer

SHARE: Final = 0.12
"""The part of the layer's budget that the list of skills may take."""
_MUST: Final = {
    "en": "The skill {name}, which this task must follow ({path}):",
    "pt": "A skill {name}, que esta tarefa deve seguir ({path}):",
}
_HEAD: Final = {
    "en": "Skills are instructions for kinds of work. Before work that one of these is about, call load_skill with its "
    "name.",
    "pt": "Skills são instruções para tipos de trabalho. Antes de um trabalho de que uma destas trata, chame "
    "load_skill com o nome dela.",
}
_FITTING: Final = {"en": "These seem to fit the task:", "pt": "Estas parecem servir para a tarefa:"}
_OTHERS: Final = {"en": "Others:", "pt": "Outras:"}
_MORE: Final = {"en": "… and {count} more", "pt": "… e mais {count}"}


def forced_blobs(routing: SkillRouting | None) -> tuple[str, ...]:
    """The blobs of the skills that the task must follow."""
    return tuple(one.blob for one in routing.skills if one.blob is not None) if routing is not None else ()


def skill_units(
    routing: SkillRouting, texts: Mapping[str, str], language: str, budget: int, tokenizer: Tokenizer
) -> tuple[Unit, ...]:
    """The units of a task's skills: each forced one pinned, then the list of the others. `texts`: blobs by hash."""
    forced = [one for one in routing.skills if one.blob is not None and one.blob in texts]
    whole = tuple(
        Unit(f"{SKILL}{one.name}", _said(_whole(one, texts[one.blob or ""], language)), (1, 0, number), pinned=True)
        for number, one in enumerate(forced)
    )
    others = [one for one in routing.skills if one not in forced]
    listed = _list(others, routing.unlisted, language, budget, tokenizer)
    return (*whole, Unit(SKILLS, _said(listed), (1, 0, len(forced)))) if listed else whole


def _whole(skill: RoutedSkill, text: str, language: str) -> str:
    return f"{_MUST[language].format(name=skill.name, path=skill.path)}\n\n{text}"


def _list(skills: Sequence[RoutedSkill], unlisted: int, language: str, budget: int, tokenizer: Tokenizer) -> str:
    """As many skills as fit, the most relevant first; empty where not one does."""

    def text(count: int) -> str:
        return _text(skills[:count], len(skills) - count + unlisted, language)

    def too_long(count: int) -> bool:
        return tokenizer.count(text(count)).tokens > budget * SHARE

    count = bisect_left(range(1, len(skills) + 1), True, key=too_long)
    return text(count) if count else ""


def _text(skills: Sequence[RoutedSkill], more: int, language: str) -> str:
    fitting = [_line(one) for one in skills if one.relevant]
    others = [_line(one) for one in skills if not one.relevant]
    return "\n".join(
        [
            _HEAD[language],
            *([_FITTING[language], *fitting] if fitting else []),
            *([_OTHERS[language]] if fitting and others else []),
            *others,
            *([_MORE[language].format(count=more)] if more else []),
        ]
    )


def _line(skill: RoutedSkill) -> str:
    return f"- {skill.name}: {skill.description}"


def _said(text: str) -> str:
    return canonical_json([harness_message(text)])

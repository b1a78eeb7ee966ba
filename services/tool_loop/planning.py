"""Makes the plan of a task: the model is asked where it can plan, by its own call mode; else the harness makes one."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from arreio_contracts.errors import InvalidBody
from arreio_contracts.events import PlanMade, Subtask, ToolCall, Usage
from arreio_contracts.task import Criterion, criterion_text, parse_criterion

from shared.canonical import clean
from shared.prompt import Message
from shared.secrets import mask

from . import probing
from .base_request import base_request
from .decomposing import left_over, plans_itself, subtask_steps
from .endings import language, profile_of
from .models.call_modes import Hints, ToolSpec, call_mode
from .models.capability import ToolCallMode
from .models.client import Client
from .models.errors import ProviderError
from .models.local_models import LocalModels
from .plan import MOST_SUBTASKS, by_harness, title_of
from .state import LoopState

CHECKED: Final = ("file_exists", "file_contains")
"""The kinds of criteria that a model may make up: they cost nothing to look at, and run nothing."""

MAKE_PLAN: Final = ToolSpec(
    "make_plan",
    "Say into which small subtasks the work is split, in the order in which they are to be done.",
    {
        "type": "object",
        "properties": {
            "subtasks": {
                "type": "array",
                "minItems": 1,
                "maxItems": MOST_SUBTASKS,
                "items": {
                    "type": "object",
                    "properties": {
                        "title": {"type": "string", "description": "What is to be done, in one line."},
                        "check": {
                            "type": "string",
                            "description": "How it shows that it is done: one of the criteria, word for word, or "
                            "`file_exists: PATH`, or `file_contains: PATH :: REGEX`; empty if nothing shows it.",
                        },
                    },
                    "required": ["title", "check"],
                    "additionalProperties": False,
                },
            }
        },
        "required": ["subtasks"],
        "additionalProperties": False,
    },
)


class Planner:
    """Makes plans. A model that gives none, or cannot be asked, costs the task nothing: the harness makes it."""

    def __init__(self, client: Client, local: LocalModels) -> None:
        self._client = client
        self._local = local

    async def plan(self, state: LoopState) -> PlanMade:
        """The plan of what is left to do."""
        if not plans_itself(state):
            return harness_plan(state)
        profile = profile_of(state)
        try:
            base = await base_request(self._local, profile)
            answer = await call_mode(cast(ToolCallMode, probing.mode(state))).ask(
                self._client,
                replace(base, seed=state.steps + 1),
                _prompt(state),
                [MAKE_PLAN],
                Hints(goal=_goal(state), language=profile.language),
                prefix=f"plan-{state.task_id[-8:]}-{state.plans + 1}",
            )
        except ProviderError as error:
            return harness_plan(state, problem=f"the model could not be asked: {error.message}")
        subtasks = subtasks_of(answer.calls, profile.criteria, subtask_steps(state))
        used: dict[str, Any] = {"usage": answer.usage, "cost_usd": answer.cost_usd, "requests": answer.requests}
        if not subtasks:
            return harness_plan(state, problem="the model gave no plan that can be read").model_copy(update=used)
        return PlanMade(subtasks=subtasks, by="model", **used)


def harness_plan(state: LoopState, problem: str | None = None) -> PlanMade:
    """The plan that no model is asked for."""
    subtasks = by_harness(_goal(state), left_over(state), subtask_steps(state), language(state))
    return PlanMade(subtasks=subtasks, by="harness", problem=problem, usage=Usage())


def subtasks_of(calls: Sequence[ToolCall], criteria: Sequence[Criterion], steps: int) -> tuple[Subtask, ...]:
    """The subtasks that a model named, as far as they can be used."""
    call = next((call for call in calls if call.name == MAKE_PLAN.name and call.arguments), None)
    named = (call.arguments or {}).get("subtasks") if call else None
    items = [item for item in named if isinstance(item, Mapping)] if isinstance(named, list) else []
    titled = [(title_of(mask(clean(str(item.get("title") or "")))), item.get("check")) for item in items]
    return tuple(
        Subtask(title=title, criterion=_criterion(check, criteria), steps=steps)
        for title, check in titled[:MOST_SUBTASKS]
        if title
    )


def _criterion(check: Any, criteria: Sequence[Criterion]) -> Criterion | None:
    """A check as a criterion: one of the task's own, or one that costs nothing to look at."""
    try:
        found = parse_criterion(str(check or "").strip().strip("`"))
    except InvalidBody:
        return None
    return found if found in criteria or found.kind in CHECKED else None


def _goal(state: LoopState) -> str:
    assert state.created is not None
    return state.created.goal


def _prompt(state: LoopState) -> list[Message]:
    pt = language(state) == "pt"
    left = [criterion_text(criterion) for criterion in left_over(state)]
    failed = [one.data.text for one in state.climbed]
    sections = [
        ("Tarefa" if pt else "Task", [_goal(state)]),
        ("O que ainda não vale" if pt else "What does not hold yet", left),
        ("O que já falhou" if pt else "What failed so far", [*failed, *filter(None, [state.missing])]),
    ]
    told = "\n\n".join(f"{head}:\n" + "\n".join(lines) for head, lines in sections if lines)
    ask = (
        "Divida o que falta em poucas subtarefas pequenas, na ordem em que devem ser feitas, e chame make_plan. "
        "Não repita o que já falhou."
        if pt
        else "Split what is left into few small subtasks, in the order in which they are to be done, and call "
        "make_plan. Do not repeat what failed."
    )
    return [{"role": "system", "content": ask}, {"role": "user", "content": told}]

"""What the context-builder is asked for: the prompt of a task's next turn."""

from collections.abc import Sequence
from typing import Final

import orjson
from arreio_contracts.messages import AssembleContext, PendingEvent
from arreio_contracts.task import InstructionOptions

from shared.prompt import TASK_STATE

from .endings import profile_of
from .log import TaskLog

MOST_TOLD: Final = 256 * 1024
"""Bytes of committed events that are told to the context-builder, so that it need not read them."""


def prompt_request(log: TaskLog) -> AssembleContext:
    """The request, with what is not committed yet and, where they are few bytes, the last events that are."""
    profile = profile_of(log.state)
    capability = profile.capability
    return AssembleContext(
        session_id=log.session_id,
        task_id=log.task_id,
        seq=log.seq,
        pending=log.pending,
        recent=log.recent if can_be_told(log.recent) else (),
        workspace=profile.workspace,
        agent=profile.agent,
        budgets=_layer_budgets(log),
        tokenizer=capability["tokenizer"],
        correction=capability["correction"],
        changes=log.state.changes,
        instructions=log.state.created.contract.instructions if log.state.created else InstructionOptions(),
        summaries=bool(capability.get("summaries")),
    )


def can_be_told(events: Sequence[PendingEvent]) -> bool:
    """Whether a message can hold the events beside the rest; of a lone surrogate it holds none, which the log does."""
    try:
        return sum(len(orjson.dumps(event.data)) for event in events) <= MOST_TOLD
    except TypeError:
        return False


def _layer_budgets(log: TaskLog) -> dict[str, int]:
    """The profile's budgets; the history has less room once the model's window proved too small."""
    budgets: dict[str, int] = dict(profile_of(log.state).capability["layer_budgets"])
    if log.state.history_room is not None:
        budgets[TASK_STATE] = min(log.state.history_room, budgets.get(TASK_STATE, log.state.history_room))
    return budgets

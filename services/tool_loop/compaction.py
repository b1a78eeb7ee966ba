"""When a prompt is larger than the model's window: the history gets less room, and each try must be strictly smaller.

The context-builder cuts to budgets, but those are estimates; only the provider knows its window. So what it refuses is
taken as said: from then on the task's history has a part of the room that it had.
"""

from typing import Final

from arreio_contracts.messages import ContextManifest

from shared.prompt import TASK_STATE

KEPT_PERCENT: Final = 70
"""How much of the history's tokens is left after a refusal."""


def history_room(refused: ContextManifest) -> int:
    """The tokens that the history may have after this prompt was refused for its size."""
    return KEPT_PERCENT * sum(layer.tokens for layer in refused.layers if layer.name == TASK_STATE) // 100


def shrank(refused_tokens: int | None, built: ContextManifest) -> bool:
    """Whether a prompt is strictly smaller than the one that was refused (None: none was)."""
    return refused_tokens is None or built.tokens < refused_tokens

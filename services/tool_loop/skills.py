"""Forced skills: a task is not done before the log proves that each of them stood before the model whole. Pure.

The proof is a prompt with its unit (`context.built`), or a call that loaded it (`tool.finished`).
"""

from arreio_contracts.events import ContextBuilt

from shared.prompt import SKILL

from .state import LoopState


def shown(state: LoopState, built: ContextBuilt) -> frozenset[str]:
    """The skills that stood before the model, with those of a new prompt."""
    if state.created is None or state.created.skills is None or built.manifest.unfittable:
        return state.skills_loaded
    units = (unit.id for layer in built.manifest.layers for unit in layer.units)
    return state.skills_loaded.union(name.removeprefix(SKILL) for name in units if name.startswith(SKILL))


def not_loaded(state: LoopState) -> tuple[str, ...]:
    """The names of the forced skills that the model was never shown."""
    routing = state.created.skills if state.created else None
    if routing is None:
        return ()
    return tuple(one.name for one in routing.skills if one.forced and one.name not in state.skills_loaded)

"""For which tasks something that was learnt is meant. Pure."""

from collections.abc import Collection

from arreio_contracts.events import Preconditions


def meant_for(preconditions: Preconditions, workspace: str | None, criteria: Collection[str] | None = None) -> bool:
    """Whether a task meets them; `criteria` are the kinds of its exit criteria, None where they are not known yet."""
    here = preconditions.workspace is None or preconditions.workspace == workspace
    judged = not preconditions.criteria or criteria is None or not set(preconditions.criteria).isdisjoint(criteria)
    return here and judged

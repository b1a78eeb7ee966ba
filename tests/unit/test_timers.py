"""A task that has not ended may run now, or has a timer after which somebody looks: no state can be forgotten."""

from __future__ import annotations

import pytest

from services.tool_loop.fold import evolve
from services.tool_loop.projection import task_patch
from services.tool_loop.replay import stamped
from services.tool_loop.state import LoopState
from tests.support.histories import NAMES, history, recorded


@pytest.mark.parametrize("name", NAMES)
def test_after_every_event_of_every_history_an_open_task_is_runnable_or_has_a_timer(name: str) -> None:
    states: dict[str, LoopState] = {}
    for event in recorded(history(name)):
        if event.task_id is None:
            continue
        state = evolve(states.get(event.task_id) or LoopState(event.task_id), stamped(event))
        states[event.task_id] = state
        patch = task_patch(state, 0)
        if state.state.terminal:
            assert patch["awaiting"] is None
        elif patch["awaiting"] is None:
            assert patch["wake_at"] is None  # the sweep takes it as soon as its lease is free
        else:
            assert patch["wake_in"] >= 0

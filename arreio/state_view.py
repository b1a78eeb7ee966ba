"""The state of a session's tasks after an event, folded as the tool-loop folds it, and as people read it."""

from __future__ import annotations

import asyncio
from typing import Any

from services.tool_loop.log import to_recorded
from services.tool_loop.replay import state_at
from services.tool_loop.state import LoopState
from shared.errors import ArreioError
from shared.store.connection import Pool
from shared.store.events import EventStore


async def states_at(pool: Pool, session_id: str, at: int) -> dict[str, LoopState]:
    """The state of each task of a session after the event `at`.

    Raises:
        ArreioError: the session has no such event.
    """
    events = await EventStore(pool).read(session_id, upto=at)
    if not events or events[-1].seq < at:
        last = events[-1].seq if events else 0
        raise ArreioError(f"session {session_id} has no event {at}; its last is {last}", "see 'arreio events show'")
    # A second's work for ten thousand events, which others in this process shall not wait for.
    return await asyncio.to_thread(lambda: state_at([to_recorded(event) for event in events]))


def state_row(state: LoopState) -> dict[str, Any]:
    """What of a state a person wants to see."""
    return {
        "task_id": state.task_id,
        "state": state.state.value,
        "phase": state.phase,
        "goal": state.created.goal if state.created else None,
        "steps": state.steps,
        "tool_calls": state.tool_calls,
        "tokens": state.tokens,
        "cost_usd": state.cost_usd,
        "worked_seconds": state.worked_ms / 1000,
        "rejected_in_a_row": state.rejected_in_a_row,
        "claims": state.claims,
        "changes": state.changes,
        "open_call": state.open_call.summary if state.open_call else None,
        "last_reply": state.reply.content if state.reply else None,
        "seen": dict(state.seen),
    }

"""States of a session, folded on from the nearest moment that was folded before: no look begins at its first event."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from services.tool_loop.fold import evolve
from services.tool_loop.log import to_recorded
from services.tool_loop.replay import stamped
from services.tool_loop.state import LoopState, untold
from shared.errors import ArreioError
from shared.store.connection import Pool
from shared.store.events import EventStore, RecordedEvent

STEP: Final = 500
"""Events from one kept moment to the next; a look folds no more of them once the moments before it are kept."""
SESSIONS_KEPT: Final = 4
"""Sessions whose moments are kept, those looked at last. States share what has not changed between two moments."""


@dataclass(frozen=True)
class _Moment:
    """The states after the event `seq`, whose hash tells that it still is the event that was folded."""

    seq: int
    hash: bytes
    states: Mapping[str, LoopState]


_BEGINNING: Final = _Moment(0, b"", {})


class Folds:
    """Keeps moments of the sessions that were looked at last; several threads may look at once."""

    def __init__(self) -> None:
        self._kept: dict[str, dict[int, _Moment]] = {}
        self._lock = threading.Lock()

    async def states_at(self, pool: Pool, session_id: str, at: int) -> Mapping[str, LoopState]:
        """The state of each task of a session after the event `at`.

        Raises:
            ArreioError: the session has no such event.
        """
        store = EventStore(pool)
        moment = await self._nearest(store, session_id, at)
        while moment.seq < at:
            events = await store.read(session_id, after=moment.seq, upto=at, limit=STEP)
            if not events:
                raise ArreioError(f"session {session_id} has no event {at}", "see 'arreio events show'")
            moment = _folded(moment, events)
            if len(events) == STEP:
                self._keep(session_id, moment)
        return moment.states

    async def _nearest(self, store: EventStore, session_id: str, at: int) -> _Moment:
        with self._lock:
            moments = self._kept.get(session_id, {})
            found = max((one for one in moments.values() if one.seq <= at), key=lambda one: one.seq, default=_BEGINNING)
        if found is _BEGINNING:
            return found
        known = await store.read(session_id, after=found.seq - 1, upto=found.seq)
        if known and known[0].hash == found.hash:
            return found
        with self._lock:  # the session was taken away, and another has come in its place
            self._kept.pop(session_id, None)
        return _BEGINNING

    def _keep(self, session_id: str, moment: _Moment) -> None:
        with self._lock:
            moments = self._kept.pop(session_id, {})
            moments[moment.seq] = moment
            self._kept[session_id] = moments
            while len(self._kept) > SESSIONS_KEPT:
                self._kept.pop(next(iter(self._kept)))


def _folded(moment: _Moment, events: list[RecordedEvent]) -> _Moment:
    states = dict(moment.states)
    for event in map(to_recorded, events):
        if event.task_id is not None:
            states[event.task_id] = evolve(states.get(event.task_id) or untold(event.task_id), stamped(event))
    return _Moment(events[-1].seq, events[-1].hash, states)

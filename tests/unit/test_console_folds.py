"""States that are folded on from a moment before are those that the whole log folds to."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from arreio.console import folds
from services.tool_loop.log import to_recorded
from services.tool_loop.replay import state_at
from shared.errors import ArreioError
from shared.store.events import RecordedEvent
from tests.support.histories import history

STEP = 7


class Log:
    """A log of one session, which counts what is read of it."""

    def __init__(self, events: Sequence[RecordedEvent]) -> None:
        self.events, self.read_events = list(events), 0

    async def read(
        self, session_id: str, *, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> list[RecordedEvent]:
        found = [one for one in self.events if after < one.seq and (upto is None or one.seq <= upto)][:limit]
        self.read_events += len(found)
        return found


@pytest.fixture(params=[0, 1230], ids=["whole", "after pruned events"])
def log(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Log:
    made = Log([replace(one, seq=request.param + one.seq) for one in history("taken_apart").session.events])
    monkeypatch.setattr(folds, "STEP", STEP)
    monkeypatch.setattr(folds, "EventStore", lambda _: made)
    return made


NO_POOL: Any = None


async def test_at_any_event_in_any_order_they_are_the_fold_of_the_log(log: Log) -> None:
    looked, events = folds.Folds(), [to_recorded(one) for one in log.events]
    moments = [one.seq for one in events]
    random.Random(3).shuffle(moments)
    for at in moments:
        assert dict(await looked.states_at(NO_POOL, "s_1", at)) == state_at(events, at)


async def test_no_look_reads_more_than_a_step_once_the_moments_before_are_kept(log: Log) -> None:
    looked = folds.Folds()
    await looked.states_at(NO_POOL, "s_1", log.events[-1].seq)
    for event in log.events:
        log.read_events = 0
        await looked.states_at(NO_POOL, "s_1", event.seq)
        assert log.read_events <= STEP + 1  # and the one that tells that the moment still holds


async def test_a_session_that_another_has_taken_the_place_of_is_folded_anew(log: Log) -> None:
    looked, last = folds.Folds(), log.events[-1].seq
    await looked.states_at(NO_POOL, "s_1", last)
    log.events = [replace(one, task_id=one.task_id and "t_other", hash=b"another") for one in log.events]
    assert set(await looked.states_at(NO_POOL, "s_1", last)) == {"t_other"}


async def test_an_event_that_there_is_not_is_refused(log: Log) -> None:
    with pytest.raises(ArreioError, match="has no event 9999"):
        await folds.Folds().states_at(NO_POOL, "s_1", 9999)

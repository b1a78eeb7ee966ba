"""Forks and imports: a copy verifies, has no id of its source, and goes on only when a person says so."""

from __future__ import annotations

import json
from itertools import count

import pytest
from arreio_contracts.events import (
    Batch,
    Metadata,
    ModelReplied,
    SessionForked,
    TaskNeedsInput,
    TaskParked,
    TaskResumed,
    ToolFinished,
)
from arreio_contracts.messages import InboundMessage, session_id
from arreio_contracts.task import TaskState
from arreio_contracts.upcasting import read_event

from services.tool_loop.copying import Copy, fork, fork_names, imported
from services.tool_loop.fold import evolve
from services.tool_loop.replay import Recorded, settle, stamped, state_at, verify
from services.tool_loop.state import LoopState
from shared.canonical import parse_json
from shared.store.events import StoredSession
from tests.support.histories import NAMES, first_seq, history

NOW = 1_900_000_000_000


def read(copy: Copy) -> list[Recorded]:
    """A copy as it will stand in the log."""
    return [
        Recorded(
            seq,
            event.event_id,
            event.task_id,
            read_event(event.type, event.schema_version, parse_json(event.data_text)),
            Metadata.model_validate(parse_json(event.metadata_text)),
        )
        for seq, event in enumerate(copy.events, 1)
    ]


def forked(session: StoredSession, upto: int) -> Copy:
    return fork(session, upto, fork_names(), "/fork", now_ms=NOW)


def resumed(events: list[Recorded], task_id: str) -> tuple[LoopState, list[Recorded]]:
    """What a worker that claims a copied task decides before it does anything."""
    state = state_at(events)[task_id]
    batch = Batch(id="resumed", at_ms=NOW + 1000)
    metadata = Metadata(service="tool_loop", batch=batch)
    seq = count(len(events) + 1)
    cause = TaskResumed(cause="handover") if state.state is TaskState.IN_PROGRESS else None
    facts = [] if cause is None else [Recorded(next(seq), "resumed-0", task_id, cause, metadata)]
    for fact in facts:
        state = evolve(state, stamped(fact))
    state, made = settle(state, batch.at_ms, (f"resumed-{n}" for n in count(1)))
    decisions = [Recorded(next(seq), event.id, task_id, event.data, metadata) for event in made]
    return state, [*events, *facts, *decisions]


@pytest.mark.parametrize("name", NAMES)
def test_a_fork_at_any_event_holds_what_was_before_it_and_verifies(name: str) -> None:
    session = history(name).session
    for upto in range(1, len(session.events) + 1):
        copy = forked(session, upto)
        events = read(copy)
        assert [event.data.type for event in events[:upto]] == [event.type for event in session.events[:upto]]
        assert verify(copy.session_id, events) is None, upto
        provenance = events[upto].data
        assert isinstance(provenance, SessionForked)
        assert (provenance.source_session, provenance.source_seq) == (session.session_id, upto)
        assert provenance.source_hash == session.events[upto - 1].hash.hex()


@pytest.mark.parametrize("name", NAMES)
def test_a_fork_shares_no_id_with_its_source(name: str) -> None:
    session = history(name).session
    tasks = {event.task_id for event in session.events if event.task_id}
    claims = {str(event.data["claim_id"]) for event in session.events if event.type == "completion.claimed"}
    old = {event.event_id for event in session.events} | tasks | claims
    copy = forked(session, len(session.events))
    for event in copy.events[: len(session.events)]:
        assert event.event_id not in old and event.task_id not in old
        assert not old & set(_strings(json.loads(event.data_text)))
        assert not old & set(_strings(json.loads(event.metadata_text)))
    assert len({event.event_id for event in copy.events}) == len(copy.events)


@pytest.mark.parametrize("name", NAMES)
def test_a_copied_open_task_asks_before_it_does_anything_and_each_call_has_one_result(name: str) -> None:
    session = history(name).session
    for upto in range(1, len(session.events) + 1):
        copy = forked(session, upto)
        events = read(copy)
        for parked in copy.parked:
            task_id = parked.task_id
            state, after = resumed(events, task_id)
            assert verify(copy.session_id, after) is None
            if parked.profile is None:  # the worker finds out with what it runs, then it asks
                assert state.asks_before_going_on
            elif parked.phase == "judging" or state.state.terminal:  # a claim is judged, a cancelled task ends
                assert state.phase == "judging" or state.state is not TaskState.FAILED
            else:
                assert state.phase == "waiting" and state.state is TaskState.NEEDS_INPUT
                assert state.question is not None and state.question.expires_ms > NOW
                _assert_one_result_each(after)


def _assert_one_result_each(events: list[Recorded]) -> None:
    called = [one.id for event in events if isinstance(event.data, ModelReplied) for one in event.data.calls]
    ended = [event.data.call_id for event in events if event.data.type in ("tool.finished", "tool.refused")]  # type: ignore[attr-defined]
    taken = [event.data.call_id for event in events if isinstance(event.data, TaskNeedsInput) and event.data.call_id]
    claimed = [event.data.call_id for event in events if event.data.type == "completion.claimed"]  # type: ignore[attr-defined]
    assert sorted(called) == sorted([*ended, *taken, *filter(None, claimed)])


def test_a_call_that_was_under_way_is_interrupted_in_the_copy() -> None:
    session = history("interrupted").session
    started = next(event for event in session.events if event.type == "tool.started")
    copy = forked(session, started.seq)
    kinds = [type(event.data) for event in read(copy)[started.seq :]]
    assert kinds == [SessionForked, ToolFinished, TaskParked]
    (parked,) = copy.parked
    assert parked.open_call is None


def test_a_fork_speaks_on_the_operators_channel_and_works_in_its_own_folder() -> None:
    session = history("completed").session
    names = fork_names()
    copy = fork(session, first_seq("completed", "tool.finished"), names, "/fork", now_ms=NOW)
    events = {event.data.type: event.data.model_dump() for event in read(copy)}
    message = InboundMessage.model_validate(events["message.received"]["message"])
    assert session_id("cli", message) == copy.session_id == names.session_id
    assert events["task.created"]["contract"]["workspace"] == events["task.profiled"]["workspace"] == "/fork"
    assert events["session.created"]["conversation"] == names.conversation
    (row,) = copy.tasks
    assert (row["state"], row["workspace"], row["awaiting"]) == ("IN_PROGRESS", "/fork", None)


def test_the_age_of_a_copied_task_counts_from_its_copy() -> None:
    copy = forked(history("completed").session, first_seq("completed", "tool.finished"))
    (parked,) = copy.parked
    assert parked.begun_ms == NOW
    state, _ = resumed(read(copy), parked.task_id)
    assert state.state is TaskState.NEEDS_INPUT


@pytest.mark.parametrize("name", NAMES)
def test_an_import_of_ended_tasks_adds_nothing(name: str) -> None:
    session = history(name).session
    copy = imported(session, now_ms=NOW)
    assert [event.hash for event in copy.events] == [event.hash for event in session.events]
    assert not copy.parked and not any(event.published for event in copy.events)
    assert {row["state"] for row in copy.tasks} <= {"COMPLETE", "BLOCKED", "FAILED"}


def test_an_import_of_an_open_task_parks_it() -> None:
    session = history("completed").session
    upto = first_seq("completed", "tool.finished")
    cut = StoredSession(session.session_id, session.events[:upto], None, session.base)
    copy = imported(cut, now_ms=NOW)
    tail = copy.events[upto:]
    assert tail and all(event.hash is None and event.published for event in tail)
    assert tail[-1].type == "task.parked" and [state.task_id for state in copy.parked] == [tail[-1].task_id]


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for item in items for text in _strings(item)]


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_up_to_a_message_that_no_task_was_made_of_yet_parks_none(name: str) -> None:
    session = history(name).session
    created = next(event.seq for event in session.events if event.type == "task.created")
    before = [event for event in session.events if event.seq < created]
    copy = forked(session, before[-1].seq)
    assert copy.parked == [] and copy.tasks == []
    assert [event.type for event in copy.events] == [*(event.type for event in before), "session.forked"]

"""Replay: make the state machine's decisions again on the recorded facts, and name the first that differs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from arreio_contracts.events import EVENTS, EventData, Metadata
from arreio_contracts.task import TRANSITIONS

from .decider import decide
from .state import LoopState, Stamped, evolve


@dataclass(frozen=True)
class Recorded:
    """One event of a session as it stands in the log."""

    seq: int
    event_id: str
    task_id: str | None
    data: EventData
    metadata: Metadata


@dataclass(frozen=True)
class Divergence:
    """The first place where the log and today's state machine disagree."""

    session_id: str
    seq: int
    task_id: str
    recorded: dict[str, Any] | None
    recomputed: dict[str, Any] | None


def settle(state: LoopState, at_ms: int, ids: Iterator[str]) -> tuple[LoopState, list[Stamped]]:
    """Decide and fold until nothing more follows; each decision takes the next id."""
    made: list[Stamped] = []
    while follows := decide(state, at_ms):
        for data in follows:
            event = Stamped(next(ids), data, at_ms)
            made.append(event)
            state = evolve(state, event)
    return state, made


def verify(session_id: str, events: Iterable[Recorded]) -> Divergence | None:
    """Replay one session. None: every decision comes out as it was recorded."""
    states: dict[str, LoopState] = {}
    for task_id, batch in _steps(events):
        state = states.get(task_id, LoopState(task_id))
        state, found = _replay_step(session_id, task_id, state, batch)
        if found is not None:
            return found
        states[task_id] = state
    return None


def state_at(events: Iterable[Recorded], upto: int | None = None) -> dict[str, LoopState]:
    """The state of each task of a session after event `upto` (None: the last)."""
    states: dict[str, LoopState] = {}
    for event in events:
        if event.task_id is None or (upto is not None and event.seq > upto):
            continue
        states[event.task_id] = evolve(states.get(event.task_id, LoopState(event.task_id)), _stamped(event))
    return states


def _steps(events: Iterable[Recorded]) -> Iterator[tuple[str, list[Recorded]]]:
    """The events of tasks, those of one batch together."""

    def key(event: Recorded) -> tuple[str | None, str]:
        batch = event.metadata.batch
        return event.task_id, batch.id if batch else f"seq {event.seq}"

    for (task_id, _), group in groupby(events, key):
        if task_id is not None:
            yield task_id, list(group)


def _replay_step(
    session_id: str, task_id: str, state: LoopState, batch: Sequence[Recorded]
) -> tuple[LoopState, Divergence | None]:
    before = state.state
    facts = [event for event in batch if not event.data.decision]
    decisions = [event for event in batch if event.data.decision]
    for event in facts:
        state = evolve(state, _stamped(event))
    meta = batch[0].metadata.batch
    if meta is None:
        if decisions:
            return state, _differs(session_id, task_id, decisions[0], None)
        return state, None
    ids = _recorded_ids(decisions)
    recomputed_state, recomputed = settle(state, meta.at_ms, ids)
    for recorded, made in zip(decisions, recomputed, strict=False):
        if _comparable(recorded.data) != _comparable(made.data):
            return state, _differs(session_id, task_id, recorded, made.data)
    if len(decisions) > len(recomputed):
        return state, _differs(session_id, task_id, decisions[len(recomputed)], None)
    if len(recomputed) > len(decisions):
        missing = recomputed[len(decisions)].data
        last = batch[-1].seq
        return state, Divergence(session_id, last + 1, task_id, None, _comparable(missing))
    # What was observed while a decision was carried out is the log's to tell.
    for event in decisions:
        state = evolve(state, _stamped(event))
    after = recomputed_state.state
    if after is not before and not _reachable(before, after):
        return state, _differs(session_id, task_id, batch[-1], None)
    return state, None


def _reachable(before: Any, after: Any) -> bool:
    """Whether one step may lead from one state to the other, PENDING → IN_PROGRESS → … included."""
    return after in TRANSITIONS[before] or any(after in TRANSITIONS[middle] for middle in TRANSITIONS[before])


def _recorded_ids(decisions: Sequence[Recorded]) -> Iterator[str]:
    for event in decisions:
        yield event.event_id
    while True:
        yield "not recorded"


def _comparable(data: EventData) -> dict[str, Any]:
    return {"type": data.type, **data.model_dump(mode="json", exclude={"observed"})}


def _differs(session_id: str, task_id: str, recorded: Recorded, made: EventData | None) -> Divergence:
    return Divergence(
        session_id, recorded.seq, task_id, _comparable(recorded.data), _comparable(made) if made is not None else None
    )


def _stamped(event: Recorded) -> Stamped:
    batch = event.metadata.batch
    return Stamped(event.event_id, event.data, batch.at_ms if batch else None)


def recorded(seq: int, event_id: str, kind: str, task_id: str | None, data: Any, metadata: Any) -> Recorded:
    """Read a row of the log.

    Raises:
        KeyError: no contract describes the type.
        pydantic.ValidationError: the row breaks its contract.
    """
    return Recorded(seq, event_id, task_id, EVENTS[kind].model_validate(data), Metadata.model_validate(metadata))

"""Replay: make the state machine's decisions again on the recorded facts, and name the first that differs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from arreio_contracts.events import Batch, EventData, Metadata, SessionForked, ToolFinished
from arreio_contracts.task import TRANSITIONS, TaskState

from .decider import decide
from .fold import evolve
from .machine import MACHINE, OLDEST
from .replacing import replace
from .state import LoopState, Stamped, untold


class Recorded(NamedTuple):
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


class Redecided(NamedTuple):
    """A step of the log and what today's code decides on its facts.

    `same`: it decides just what was recorded. `cut`: the log was copied up to inside the step. `stray`: a result in it
    of a call that was not open.
    """

    task_id: str
    batch: Sequence[Recorded]
    meta: Batch | None
    decisions: Sequence[Recorded]
    recomputed: Sequence[EventData]
    same: bool
    before: TaskState
    after: TaskState
    cut: bool
    stray: Recorded | None = None


def settle(state: LoopState, at_ms: int, ids: Iterator[str], machine: int = MACHINE) -> tuple[LoopState, list[Stamped]]:
    """Decide and fold until nothing more follows; each decision takes the next id."""
    made: list[Stamped] = []
    if state.machine != machine:
        state = replace(state, machine=machine)
    while follows := decide(state, at_ms):
        for data in follows:
            event = Stamped(next(ids), data, at_ms, machine)
            made.append(event)
            state = evolve(state, event)
    return state, made


def verify(session_id: str, events: Iterable[Recorded]) -> Divergence | None:
    """Replay one session. None: every decision comes out as it was recorded, but for its wording."""
    verification = Verification(session_id)
    for event in events:
        found = verification.take(event)
        if found is not None:
            return found
    return verification.end()


class Verification:
    """The replay of one session, event by event, for those who look at the events meanwhile."""

    def __init__(self, session_id: str) -> None:
        self._session_id = session_id
        self._steps = _Steps()
        self._redecider = _Redecider()

    @property
    def states(self) -> Mapping[str, LoopState]:
        """The state of each task after the steps that were judged."""
        return self._redecider.states

    def take(self, event: Recorded) -> Divergence | None:
        """Take the next event; what differs in the step that it ends."""
        step = self._steps.take(event)
        return None if step is None else self._judged(step)

    def end(self) -> Divergence | None:
        """What differs in the last step."""
        step = self._steps.rest()
        return None if step is None else self._judged(step)

    def _judged(self, step: _Step) -> Divergence | None:
        return _difference(self._session_id, self._redecider.take(step))


def redecide(events: Iterable[Recorded]) -> Iterator[Redecided]:
    """Each step of a session's tasks, decided again. The fold goes on from what is recorded."""
    steps, redecider = _Steps(), _Redecider()
    for event in events:
        step = steps.take(event)
        if step is not None:
            yield redecider.take(step)
    last = steps.rest()
    if last is not None:
        yield redecider.take(last)


class _Step(NamedTuple):
    """The events of one batch, and whether the log was copied up to there."""

    task_id: str
    batch: list[Recorded]
    cut: bool


class _Steps:
    """Gathers events into steps: those of tasks, the ones of one batch together."""

    def __init__(self) -> None:
        self._task_id: str | None = None
        self._batch_id: str | None = None
        self._step: list[Recorded] = []

    def take(self, event: Recorded) -> _Step | None:
        """The step that this event shows to be whole."""
        batch = event.metadata.batch
        batch_id = None if batch is None else batch.id
        if self._step and batch_id is not None and batch_id == self._batch_id and event.task_id == self._task_id:
            self._step.append(event)
            return None
        whole = self._whole(cut=type(event.data) is SessionForked)
        self._task_id, self._batch_id, self._step = event.task_id, batch_id, [event]
        return whole

    def rest(self) -> _Step | None:
        """The last step."""
        return self._whole(cut=False)

    def _whole(self, *, cut: bool) -> _Step | None:
        return None if self._task_id is None else _Step(self._task_id, self._step, cut)


class _Redecider:
    """Decides each step again on the state that is recorded before it."""

    def __init__(self) -> None:
        self.states: dict[str, LoopState] = {}

    def take(self, step: _Step) -> Redecided:
        """Decide one step, and go on from what is recorded of it."""
        task_id, batch, cut = step
        state = self.states.get(task_id) or untold(task_id)
        before = state.state
        decisions: list[Recorded] = []
        stray: Recorded | None = None
        for event in batch:
            if event.data.decision:
                decisions.append(event)
            else:
                if stray is None and isinstance(event.data, ToolFinished) and not _was_open(state, event.data):
                    stray = event
                state = evolve(state, stamped(event))
        meta = batch[0].metadata.batch
        recomputed: list[EventData] = []
        decided = state
        if meta is not None and OLDEST <= meta.machine <= MACHINE:
            decided, made = settle(state, meta.at_ms, _recorded_ids(decisions), meta.machine)
            recomputed = [event.data for event in made]
        same = recomputed == [event.data for event in decisions]
        if same:
            self.states[task_id] = decided
        else:
            # What was observed while a decision was carried out is the log's to tell.
            for event in decisions:
                state = evolve(state, stamped(event))
            self.states[task_id] = state
        return Redecided(task_id, batch, meta, decisions, recomputed, same, before, decided.state, cut, stray)


def _was_open(state: LoopState, data: ToolFinished) -> bool:
    """Whether the call was started and has no result yet: a second one of the same call decides nothing anew."""
    return state.open_call is not None and state.open_call.call_id == data.call_id


def state_at(events: Iterable[Recorded], upto: int | None = None) -> dict[str, LoopState]:
    """The state of each task of a session after event `upto` (None: the last)."""
    states: dict[str, LoopState] = {}
    for event in events:
        if event.task_id is None or (upto is not None and event.seq > upto):
            continue
        states[event.task_id] = evolve(states.get(event.task_id) or untold(event.task_id), stamped(event))
    return states


def comparable(data: EventData) -> dict[str, Any]:
    """A decision as it is compared: without what was observed, and without its wording."""
    found = {"type": data.type, **data.model_dump(mode="json", exclude={"observed"})}
    for path in data.wording:
        *parents, last = path.split(".")
        place = found
        for parent in parents:
            place = place[parent]
        place.pop(last, None)
    return found


def _difference(session_id: str, step: Redecided) -> Divergence | None:
    task_id, decisions, recomputed = step.task_id, step.decisions, step.recomputed
    if step.stray is not None:
        return _differs(session_id, task_id, step.stray, None)
    if step.meta is None:
        return _differs(session_id, task_id, decisions[0], None) if decisions else None
    if not OLDEST <= step.meta.machine <= MACHINE:
        known = {"machine": f"this code knows {OLDEST} to {MACHINE}"}
        return Divergence(session_id, step.batch[0].seq, task_id, {"machine": step.meta.machine}, known)
    if not step.same:
        for recorded, made in zip(decisions, recomputed, strict=False):
            if recorded.data != made and comparable(recorded.data) != comparable(made):
                return _differs(session_id, task_id, recorded, made)
    if len(decisions) > len(recomputed):
        return _differs(session_id, task_id, decisions[len(recomputed)], None)
    if step.cut:
        return None
    if len(recomputed) > len(decisions):
        missing = recomputed[len(decisions)]
        return Divergence(session_id, step.batch[-1].seq + 1, task_id, None, comparable(missing))
    if step.after is not step.before and not _reachable(step.before, step.after):
        return _differs(session_id, task_id, step.batch[-1], None)
    return None


def _reachable(before: TaskState, after: TaskState) -> bool:
    """Whether one step may lead from one state to the other, PENDING → IN_PROGRESS → … included."""
    return after in TRANSITIONS[before] or any(after in TRANSITIONS[middle] for middle in TRANSITIONS[before])


def _recorded_ids(decisions: Sequence[Recorded]) -> Iterator[str]:
    for event in decisions:
        yield event.event_id
    while True:
        yield "not recorded"


def _differs(session_id: str, task_id: str, recorded: Recorded, made: EventData | None) -> Divergence:
    return Divergence(
        session_id, recorded.seq, task_id, comparable(recorded.data), comparable(made) if made is not None else None
    )


def stamped(event: Recorded) -> Stamped:
    """A recorded event as the fold takes it."""
    batch = event.metadata.batch
    return (
        Stamped(event.event_id, event.data, batch.at_ms, batch.machine)
        if batch
        else Stamped(event.event_id, event.data)
    )

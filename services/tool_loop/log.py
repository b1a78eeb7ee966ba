"""The log of one running task: facts go in, decisions follow, and both are committed together before any effect."""

import asyncio
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from arreio_contracts import subjects
from arreio_contracts.events import Batch, ContextBuilt, EventData, FileEffect, Metadata, ToolFinished, ToolStarted
from arreio_contracts.messages import PendingEvent

from shared.observing import metrics
from shared.observing.trace_context import valid
from shared.store.connection import retrying
from shared.store.errors import Conflict
from shared.store.events import Appended, EventStore, NewEvent, RecordedEvent
from shared.store.leases import Lease

from .fold import evolve
from .loop_memory import LoopMemory
from .machine import MACHINE
from .projection import task_patch
from .replay import Recorded, settle, stamped
from .state import LoopState, Stamped


@dataclass
class _Group:
    """The facts of one moment and what was decided on them, not committed yet.

    `premise` is a call whose start is not committed either. Where it turns out not to have been started after all, this
    moment goes as if it had never been: what is done before such a commit changes nothing.
    """

    batch: Batch
    facts: list[Stamped]
    decisions: list[Stamped] = field(default_factory=list)
    premise: str | None = None

    @property
    def events(self) -> list[Stamped]:
        return [*self.facts, *self.decisions]


class TaskLog:
    """The folded state of a task and the events that are still to be committed.

    `state` is always the fold of everything, committed or not. A race with another writer (a message came in, a gate
    judged) is met by folding what is new and deciding again on the same facts; no fact is lost by it.
    """

    def __init__(
        self,
        store: EventStore,
        lease: Lease,
        session_id: str,
        task_id: str,
        code_version: str = "",
        now_ms: Callable[[], int] | None = None,
    ) -> None:
        self._store = store
        self._lease = lease
        self._now_ms = now_ms = now_ms or _carried_on(lease.claimed_ms)
        self._code_version = code_version
        self._committed = LoopState(task_id)
        self._groups: list[_Group] = []
        self._observed: dict[str, FileEffect | None] = {}
        self._store_turn = asyncio.Lock()
        self._correlation = ""
        self.traceparent = ""
        self._recent: list[Stamped] = []
        self._alive_ms = now_ms()
        self.session_id = session_id
        self.task_id = task_id
        self._loops = LoopMemory()
        self._begun = 0
        self.seq = 0
        self.state = self._committed

    def now_ms(self) -> int:
        """Milliseconds since the epoch, by the clock that all tasks share."""
        return self._now_ms()

    @property
    def silent_seconds(self) -> float:
        """How long ago the loop last said anything: a fact, or that it still waits."""
        return (self._now_ms() - self._alive_ms) / 1000

    async def load(self) -> None:
        """Fold what is committed. What a session held before the task is not read: it may be of any length.

        Raises:
            StoreUnavailable: PostgreSQL cannot be reached.
        """
        async with self._store_turn:
            await self._load()

    async def _load(self) -> None:
        if not self.seq:
            self._begun = self.seq = await retrying(lambda: self._store.before_task(self.task_id))
        overtaken = False
        for event in await retrying(lambda: self._store.read(self.session_id, after=self.seq)):
            self.seq = event.seq
            self._recent.clear()
            if event.task_id != self.task_id:
                continue
            if not self._correlation:
                known = event.metadata
                self._correlation = known.correlation or event.event_id
                self.traceparent = self.traceparent or valid(known.traceparent)
            folded = stamped(to_recorded(event))
            self._committed = evolve(self._committed, folded)
            if self._groups:
                overtaken = True
            else:
                self._loops.take(folded)
        self._redecide()
        if overtaken:
            while await self._judge_in_order():
                self._redecide()

    def record(self, *facts: EventData) -> None:
        """Take what happened, and decide on it. Nothing is committed before `flush`."""
        self._alive_ms = self._now_ms()
        group = _Group(Batch(id=secrets.token_hex(8), at_ms=self._alive_ms, machine=MACHINE), [])
        group.premise = next((call for call in map(_finished, facts) if call in self._begun_here()), None)
        ids = _ids(group.batch.id)
        group.facts = [self._judged(Stamped(next(ids), data, group.batch.at_ms, MACHINE)) for data in facts]
        self._decide(group)
        if group.events:
            self._groups.append(group)

    def starts(self, call_id: str) -> bool:
        """Whether the call was decided on just now: it is not committed, and nothing was observed for it."""
        return call_id not in self._observed and call_id in self._begun_here()

    def _begun_here(self) -> set[str]:
        """The calls that were decided on and whose start is not committed."""
        made = (event.data for group in self._groups for event in group.decisions)
        return {data.call_id for data in made if isinstance(data, ToolStarted)}

    def observe(self, call_id: str, effect: FileEffect | None) -> None:
        """Note what a call is about to do to a file beside its `tool.started`, which must not be committed yet."""
        self._observed[call_id] = effect
        if effect is not None:
            self._redecide()

    @property
    def uncommitted(self) -> bool:
        """Whether anything is still to be committed."""
        return bool(self._groups)

    @property
    def pending(self) -> tuple[PendingEvent, ...]:
        """What is decided and not committed, for whoever must know it now."""
        return tuple(_told(event) for group in self._groups for event in group.events)

    @property
    def recent(self) -> tuple[PendingEvent, ...]:
        """The last events up to `seq`, as this log committed them: from the step on that built the last prompt."""
        return tuple(map(_told, self._recent))

    async def flush(self) -> None:
        """Commit everything, in one transaction.

        Raises:
            Fenced: another worker has the task; nothing was committed, and nothing may be done any more.
        """
        async with self._store_turn:
            await self._flush()

    async def _flush(self) -> None:
        while self._groups:
            events = [self._new_event(group, event) for group in self._groups for event in group.events]
            try:
                appended = await retrying(partial(self._append, events))
            except Conflict:
                await self._load()
                continue
            self.seq = appended.seq
            self._committed = self.state
            self._remember([event for group in self._groups for event in group.events])
            self._groups.clear()
            self._observed.clear()

    async def refresh(self) -> None:
        """Fold what others have appended, and decide on it."""
        await self.load()
        self.record()

    async def _judge_in_order(self) -> bool:
        """Others wrote before what is still to be committed: what is remembered and judged follows the log's order.

        Returns whether a fact is judged otherwise now; what was decided on it has to be decided again.
        """
        self._loops = LoopMemory()
        for event in await retrying(lambda: self._store.read(self.session_id, after=self._begun)):
            if event.task_id == self.task_id:
                self._loops.take(stamped(to_recorded(event)))
        otherwise = False
        for group in self._groups:
            judged = [self._judged(_unjudged(fact)) for fact in group.facts]
            otherwise = otherwise or judged != group.facts
            group.facts = judged
        return otherwise

    def _judged(self, fact: Stamped) -> Stamped:
        """A fact with what the rules against loops say of it."""
        data = self._loops.take(fact)
        return fact if data is fact.data else fact._replace(data=data)

    def _remember(self, written: list[Stamped]) -> None:
        if any(isinstance(event.data, ContextBuilt) for event in written):
            self._recent.clear()
        self._recent += written

    async def _append(self, events: Sequence[NewEvent]) -> Appended:
        with metrics.TURN_PART.timed("commit"):
            return await self._store.append_decision(
                self.session_id,
                expected_seq=self.seq,
                events=events,
                lease=self._lease,
                task=task_patch(self.state, self._now_ms()),
            )

    def _redecide(self) -> None:
        """Fold the groups again on what is committed. Their decisions may come out otherwise; their facts stay.

        Only what a call found that is now not started goes, and with it what was built on it.
        """
        self.state = self._committed
        kept: list[_Group] = []
        for group in self._groups:
            opened = self.state.open_call
            if group.premise is not None and (opened is None or opened.call_id != group.premise):
                break
            group.decisions.clear()
            self._decide(group)
            kept.append(group)
        self._groups = [group for group in kept if group.events]

    def _decide(self, group: _Group) -> None:
        state = self.state
        for fact in group.facts:
            state = evolve(state, fact)
        ids = _ids(group.batch.id, len(group.facts))
        self.state, made = settle(state, group.batch.at_ms, ids)
        group.decisions = [self._with_observed(event) for event in made]
        opened = self.state.open_call
        if opened is not None and opened.call_id in self._observed:
            self.state = replace(
                self.state, open_call=opened.model_copy(update={"observed": self._observed[opened.call_id]})
            )

    def _with_observed(self, event: Stamped) -> Stamped:
        if isinstance(event.data, ToolStarted) and event.data.call_id in self._observed:
            seen = {"observed": self._observed[event.data.call_id]}
            return event._replace(data=event.data.model_copy(update=seen))
        return event

    def _new_event(self, group: _Group, event: Stamped) -> NewEvent:
        return NewEvent(
            type=event.data.type,
            schema_version=event.data.version,
            data=event.data,
            task_id=self.task_id,
            event_id=event.id,
            metadata=Metadata(
                service="tool_loop",
                code_version=self._code_version,
                correlation=self._correlation,
                causation=group.facts[0].id if group.facts and group.facts[0].id != event.id else "",
                traceparent=self.traceparent,
                batch=group.batch,
            ),
            routes=(subjects.COMMAND_JUDGE,) if event.data.type == "completion.claimed" else (),
        )


def _finished(fact: EventData) -> str:
    """The call whose end a fact tells of; empty: of none."""
    return fact.call_id if isinstance(fact, ToolFinished) else ""


def _carried_on(since_ms: int) -> Callable[[], int]:
    """The database's clock, carried on from the claim by this process's own stopwatch.

    Budgets and timers must not hang on what the clock of one machine says, or is set to, while a task runs.
    """
    began = time.monotonic_ns()
    return lambda: since_ms + (time.monotonic_ns() - began) // 1_000_000


def _ids(batch_id: str, start: int = 0) -> Iterator[str]:
    """The ids of a batch's events: its own id and their place in it, so that a redecision keeps those of the facts."""
    place = start
    while True:
        yield f"{batch_id}-{place}"
        place += 1


def _told(event: Stamped) -> PendingEvent:
    return PendingEvent(event_id=event.id, type=event.data.type, data=event.data.model_dump(mode="json"))


def _unjudged(fact: Stamped) -> Stamped:
    """A fact without what the rules against loops said of it."""
    if isinstance(fact.data, ToolFinished) and fact.data.loop is not None:
        return fact._replace(data=fact.data.model_copy(update={"loop": None}))
    return fact


def to_recorded(event: RecordedEvent, *, exact: bool = False) -> Recorded:
    """A row of the log with its data read as its contract; with `exact`, no field of it may be unknown.

    Raises:
        ContractError: no contract describes it, its version is newer, or it does not fit.
    """
    return Recorded(event.seq, event.event_id, event.task_id, event.read_contract(exact=exact), event.metadata)

"""The task's log on a real PostgreSQL: races are folded and decided again, and no fact is lost."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

import pytest
from arreio_contracts.events import (
    ContextBuilt,
    EventData,
    FileEffect,
    InputReceived,
    LoopVerdict,
    Metadata,
    ModelReplied,
    TaskCancelRequested,
    TaskCreated,
    TaskResumed,
    ToolFinished,
    ToolStarted,
)
from arreio_contracts.messages import ContextManifest
from arreio_contracts.task import TaskContract, TaskState

from services.tool_loop import turn
from services.tool_loop.log import TaskLog, to_recorded
from services.tool_loop.loop_memory import LoopMemory
from services.tool_loop.replay import Recorded, stamped, verify
from services.tool_loop.rules.loops.observation import digest_of
from services.tool_loop.rules.loops.rule import Limits
from services.tool_loop.state import LoopState, Stamped
from services.tool_loop.steps import AskModel, BuildContext, RunTool, Step, next_step
from shared.settings import Settings
from shared.store import leases
from shared.store.connection import Pool
from shared.store.errors import Fenced
from shared.store.events import EventStore, event_of
from shared.store.tasks import TaskPatch, show_task
from tests.support.store import event, fresh, store_of
from tests.unit.simulated_task import call, profiled, replied


@dataclass
class Opened:
    """A task in the store, and the log of the worker that holds its lease."""

    store: EventStore
    pool: Pool
    session: str
    task: str
    log: TaskLog

    async def foreign(self, data: EventData, **patch: object) -> None:
        """Another service appends a fact."""
        metadata = Metadata(service="gateway")
        changed: TaskPatch = {"task_id": self.task, **patch}  # type: ignore[typeddict-item]
        await self.store.append_fact(self.session, [event_of(data, metadata, task_id=self.task)], task=changed)

    async def verifies(self) -> bool:
        """Whether the whole session replays."""
        return verify(self.session, [to_recorded(one) for one in await self.store.read(self.session)]) is None


@pytest.fixture
async def opened(engine: Settings) -> AsyncIterator[Opened]:
    async with store_of(engine, "owner") as (store, pool):
        session, task = fresh(), fresh("t")
        created = TaskCreated(goal="g", contract=TaskContract(), channel="cli", message_id="m", at_ms=1_700_000_000_000)
        metadata = Metadata(service="gateway", correlation="message-1")
        patch = TaskPatch(task_id=task, state="PENDING", goal="g")
        await store.append_fact(session, [event_of(created, metadata, task_id=task)], task=patch)
        lease = await leases.claim(pool, "task", task, f"host/boot/{fresh('p')}/1", 60)
        assert lease is not None
        clock = iter(range(1_700_000_001_000, 1_800_000_000_000, 1000))
        log = TaskLog(store, lease, session, task, now_ms=lambda: next(clock))
        await log.load()
        yield Opened(store, pool, session, task, log)


async def asked(opened: Opened) -> None:
    """Bring the task to its first request."""
    opened.log.record(profiled(workspace=f"/{opened.task}"))
    opened.log.record(ContextBuilt(manifest=ContextManifest(prompt_sha256="0" * 64)))
    await opened.log.flush()


async def test_a_task_counts_time_by_the_databases_clock_whatever_this_machines_says(opened: Opened) -> None:
    lease = leases.Lease("task", opened.task, "host/boot/1/1", 1, claimed_ms=1_000)
    other = TaskLog(opened.store, lease, opened.session, opened.task)
    assert 1_000 <= other.now_ms() < 1_000_000


async def test_facts_and_decisions_are_committed_together(opened: Opened) -> None:
    await asked(opened)
    events = await opened.store.read(opened.session)
    assert [one.type for one in events][1:] == ["task.profiled", "task.started", "context.built", "model.requested"]
    assert {one.metadata.correlation for one in events} == {"message-1"}
    row = await show_task(opened.pool, opened.task)
    assert row is not None and row.state == "IN_PROGRESS" and row.model == "test/model"
    assert isinstance(next_step(opened.log.state), AskModel)


async def test_a_race_is_decided_again_and_the_facts_are_kept(opened: Opened) -> None:
    await asked(opened)
    opened.log.record(replied(call(1, "write_file", path="a.txt")))
    assert isinstance(next_step(opened.log.state), RunTool)
    await opened.foreign(TaskCancelRequested(by="somebody"), cancel_requested=True)
    await opened.log.flush()
    types = [one.type for one in await opened.store.read(opened.session)]
    # The reply was not thrown away, the call was not started, and it has its one result.
    assert types[-4:] == ["task.cancel_requested", "model.replied", "tool.refused", "task.blocked"]
    assert opened.log.state.state is TaskState.BLOCKED
    assert await opened.verifies()


async def test_what_a_file_tool_is_about_to_do_survives_a_race(opened: Opened) -> None:
    await asked(opened)
    opened.log.record(replied(call(1, "write_file", path="a.txt")))
    assert opened.log.starts("call-1")
    effect = FileEffect(path="a.txt", before=None, after="1" * 64)
    opened.log.observe("call-1", effect)
    assert not opened.log.starts("call-1")
    await opened.store.append_fact(opened.session, [event(type="message.received", x=1)])
    await opened.log.flush()
    started = (await opened.store.read(opened.session, types=["tool.started"]))[0]
    assert ToolStarted.model_validate(started.data).observed == effect
    step = next_step(opened.log.state)
    assert isinstance(step, RunTool) and step.started.observed == effect


async def test_a_worker_that_lost_its_lease_appends_nothing(opened: Opened) -> None:
    await asked(opened)
    head = (await opened.store.head(opened.session)).seq
    assert await leases.release(opened.pool, opened.log._lease)
    taken = await leases.claim(opened.pool, "task", opened.task, f"host/boot/{fresh('p')}/1", 60)
    assert taken is not None
    opened.log.record(replied(call(1, "write_file", path="a.txt")))
    with pytest.raises(Fenced):
        await opened.log.flush()
    assert (await opened.store.head(opened.session)).seq == head


async def test_another_worker_folds_the_same_state(opened: Opened) -> None:
    await asked(opened)
    opened.log.record(replied(call(1, "read_file", path="a.txt")))
    await opened.log.flush()
    await leases.release(opened.pool, opened.log._lease)
    lease = await leases.claim(opened.pool, "task", opened.task, f"host/boot/{fresh('p')}/1", 60)
    assert lease is not None
    other = TaskLog(opened.store, lease, opened.session, opened.task)
    await other.load()
    assert other.state == opened.log.state
    other.record(TaskResumed(cause="takeover"))
    await other.flush()
    assert other.state.takeovers_in_a_row == 1
    assert isinstance(next_step(other.state), RunTool)


async def test_what_is_pending_can_be_told_before_it_is_committed(opened: Opened) -> None:
    await asked(opened)
    opened.log.record(replied(content="hm"))
    assert [one.type for one in opened.log.pending] == ["model.replied", "turn.rejected"]
    assert ModelReplied.model_validate(opened.log.pending[0].data).content == "hm"
    await opened.log.flush()
    assert opened.log.pending == ()


async def test_what_was_committed_since_the_last_prompt_is_told_without_a_gap(opened: Opened) -> None:
    await asked(opened)
    opened.log.record(replied(call(1, "read_file", path="a.txt")))
    await opened.log.flush()
    recorded = await opened.store.read(opened.session)
    told = [one.event_id for one in opened.log.recent]
    assert told == [one.event_id for one in recorded][-len(told) :]
    assert "context.built" in [one.type for one in opened.log.recent]
    # What somebody else writes in between is not this log's to tell: then only what follows it is.
    await opened.store.append_fact(opened.session, [event(type="message.received", x=1)])
    opened.log.record(ToolFinished(call_id="call-1", tool="read_file", status="ok", text="x"))
    await opened.log.flush()
    assert [one.type for one in opened.log.recent] == ["tool.finished"]
    assert opened.log.seq == (await opened.store.head(opened.session)).seq


def read_again(number: int) -> ToolFinished:
    """A read that shows the same as before."""
    made = call(number, "read_file", path="a.txt")
    digest = digest_of(made, "one line", failed=False, changed=False, workspace="/w")
    return ToolFinished(call_id=made.id, tool=made.name, status="ok", text="one line", digest=digest)


async def test_what_is_remembered_of_loops_follows_the_order_of_the_log_whoever_writes_between(opened: Opened) -> None:
    await asked(opened)
    for number in range(1, 4):
        opened.log.record(ContextBuilt(manifest=ContextManifest(prompt_sha256="0" * 64)))
        opened.log.record(replied(call(number, "read_file", path="a.txt")))
        await opened.log.flush()
        opened.log.record(read_again(number))
        if number == 2:
            await opened.foreign(InputReceived(text="look again", message_id="m2"))
        await opened.log.flush()
    events = [to_recorded(one) for one in await opened.store.read(opened.session)]
    found = [one.data for one in events if isinstance(one.data, ToolFinished)]
    # The answer stands before the second read: so it is the first of a new streak, and the third no repeat.
    assert [one.loop for one in found] == [None, None, None]
    folded = LoopMemory()
    for one in events:
        folded.take(stamped(one))
    for number in range(4, 7):
        fact = Stamped(f"e-{number}", read_again(number))
        assert opened.log._loops.take(fact) == folded.take(fact)
    assert await opened.verifies()


def fails_again(number: int) -> ToolFinished:
    """A command that comes further and fails as it did before."""
    made = call(number, "run_command", command="make")
    text = f"built {number} of 9\nmake: *** [all] Error 2"
    digest = digest_of(made, text, failed=True, changed=False, workspace="/w")
    return ToolFinished(call_id=made.id, tool=made.name, status="error", text=text, digest=digest)


def verdicts_in_order(events: Sequence[Recorded]) -> list[tuple[LoopVerdict | None, LoopVerdict | None]]:
    """What each result has recorded against loops, and what the log in its order says of it."""
    memory, found = LoopMemory(), []
    for one in events:
        event = stamped(one)
        if isinstance(event.data, ToolFinished):
            bare = event._replace(data=event.data.model_copy(update={"loop": None}))
            judged = memory.take(bare)
            assert isinstance(judged, ToolFinished)
            found.append((event.data.loop, judged.loop))
        else:
            memory.take(event)
    return found


@pytest.mark.parametrize("order", ["the word first", "both at once", "no word"])
async def test_concurrency_cannot_open_a_breaker_that_the_ordered_log_would_not_open(
    opened: Opened, order: str
) -> None:
    await asked(opened)
    tries = Limits().circuit_breaker
    for number in range(1, tries + 1):
        opened.log.record(ContextBuilt(manifest=ContextManifest(prompt_sha256="0" * 64)))
        opened.log.record(replied(call(number, "run_command", command="make")))
        await opened.log.flush()
        opened.log.record(fails_again(number))
        if number < tries:
            await opened.log.flush()
    # The last failure is judged and not committed, when somebody says a word: what comes first in the log counts.
    said = InputReceived(text="the compiler is there now", message_id="m2")
    if order == "the word first":
        await opened.foreign(said)
    others = [opened.foreign(said)] if order == "both at once" else []
    await asyncio.gather(*others, opened.log.flush())
    events = [to_recorded(one) for one in await opened.store.read(opened.session)]
    verdicts = verdicts_in_order(events)
    assert [recorded for recorded, _ in verdicts] == [in_order for _, in_order in verdicts]
    opens = verdicts[-1][0] is not None and verdicts[-1][0].kind == "breaker"
    assert bool(opened.log.state.forbidden) == opens
    assert order == "both at once" or opens == (order == "no word")
    assert await opened.verifies()


async def test_what_a_read_found_before_its_start_was_committed_goes_where_it_is_not_started(opened: Opened) -> None:
    await asked(opened)
    opened.log.record(replied(call(1, "read_file", path="a.txt")))
    opened.log.observe("call-1", None)
    opened.log.record(read_again(1))
    opened.log.record(ContextBuilt(manifest=ContextManifest(prompt_sha256="0" * 64)))
    await opened.foreign(TaskCancelRequested(by="somebody"), cancel_requested=True)
    await opened.log.flush()
    recorded = [to_recorded(one) for one in await opened.store.read(opened.session)]
    types = [one.data.type for one in recorded]
    # Only the model's reply has happened; the call has its one result.
    assert types[-4:] == ["task.cancel_requested", "model.replied", "tool.refused", "task.blocked"]
    folded = LoopMemory()
    for one in recorded:
        folded.take(stamped(one))
    assert opened.log._loops.take(Stamped("e", read_again(2))) == folded.take(Stamped("e", read_again(2)))
    assert await opened.verifies()


async def test_what_a_read_found_stays_where_a_race_leaves_it_started(opened: Opened) -> None:
    await asked(opened)
    opened.log.record(replied(call(1, "read_file", path="a.txt")))
    opened.log.observe("call-1", None)
    opened.log.record(read_again(1))
    await opened.foreign(InputReceived(text="and b.txt", message_id="m2"))
    await opened.log.flush()
    types = [one.type for one in await opened.store.read(opened.session)]
    assert types[-4:] == ["input.received", "model.replied", "tool.started", "tool.finished"]
    assert await opened.verifies()


@dataclass
class Scripted:
    """Effects of a model that calls one tool, turn after turn: how long that takes.

    `committed` are the last two events of the log while each call was carried out.
    """

    opened: Opened
    tool: str
    left: int = 2
    slow: float = 0.0
    stopping: bool = False

    def __post_init__(self) -> None:
        self.committed: list[tuple[str, ...]] = []

    async def plan(self, step: RunTool, state: LoopState) -> FileEffect | None:
        return None

    async def perform(self, step: Step, log: TaskLog) -> Sequence[EventData]:
        match step:
            case BuildContext():
                self.left -= 1
                self.stopping = self.left == 0
                return [ContextBuilt(manifest=ContextManifest(prompt_sha256="0" * 64))]
            case AskModel(request):
                return [replied(call(request.step, self.tool, path="a.txt"))]
            case RunTool(started):
                await asyncio.sleep(self.slow)
                self.committed.append(tuple(one.type for one in await self.opened.store.read(self.opened.session))[-2:])
                return [ToolFinished(call_id=started.call_id, tool=started.tool, status="ok", text="x")]
        raise AssertionError(step)


async def _batches(opened: Opened) -> list[list[str]]:
    """The types of the events of each transaction that wrote the session."""
    found: dict[object, list[str]] = {}
    for one in await opened.store.read(opened.session):
        found.setdefault(one.recorded_at, []).append(one.type)
    return list(found.values())


async def test_a_turn_that_reads_commits_once(opened: Opened) -> None:
    await asked(opened)
    effects = Scripted(opened, "read_file")
    await turn.run(opened.log, effects)
    assert effects.committed == [("context.built", "model.requested")] * 2
    of_a_turn = ["model.replied", "tool.started", "tool.finished", "context.built", "model.requested"]
    assert (await _batches(opened))[-2:] == [of_a_turn, of_a_turn]
    assert await opened.verifies()


async def test_what_changes_something_is_committed_as_started_before(opened: Opened) -> None:
    await asked(opened)
    effects = Scripted(opened, "run_command")
    await turn.run(opened.log, effects)
    assert effects.committed == [("model.replied", "tool.started")] * 2


async def test_a_read_that_lasts_is_committed_as_started_meanwhile(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn, "UNCOMMITTED", 0.0)
    await asked(opened)
    effects = Scripted(opened, "read_file", left=1, slow=0.5)
    await turn.run(opened.log, effects)
    assert effects.committed == [("model.replied", "tool.started")]
    assert await opened.verifies()


async def test_a_task_that_is_cancelled_while_it_reads_says_nothing_of_what_it_read(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn, "UNCOMMITTED", 0.0)
    await asked(opened)
    opened.log.record(replied(call(1, "read_file", path="a.txt")))
    await opened.foreign(TaskCancelRequested(by="somebody"), cancel_requested=True)
    await turn.run(opened.log, Scripted(opened, "read_file", slow=0.5))
    types = [one.type for one in await opened.store.read(opened.session)]
    assert types[-4:] == ["task.cancel_requested", "model.replied", "tool.refused", "task.blocked"]
    assert await opened.verifies()

"""Holds the lease of a task while it runs, keeps it alive, and lets it go."""

import asyncio
from collections.abc import Callable
from typing import Protocol

import structlog
from arreio_contracts.events import TaskResumed
from arreio_contracts.task import TaskState

from shared.errors import ArreioError
from shared.observing import metrics
from shared.observing.span import Attribute
from shared.observing.tracing import span
from shared.store import leases
from shared.store.connection import Pool
from shared.store.errors import Fenced, StoreUnavailable
from shared.store.events import EventStore
from shared.store.leases import Lease
from shared.workspace import WorkspaceBusy, WorkspaceSuperseded

from . import turn
from .log import TaskLog

logger = structlog.get_logger()


STALL = 900.0
"""Seconds without a word of the loop that count as a stall, where no capability profile is known yet."""
SLACK = 60.0
"""An effect is itself ended after the stall's time; one that cannot be ended is given this much longer."""


class Stalled(Exception):
    """The loop of a task says nothing any more, though its process lives and keeps the lease."""


class NotInTheLog(ArreioError):
    """A task that has a row and no beginning in the log: nothing of ours writes one without the other."""


class RunEffects(turn.Effects, Protocol):
    """Effects with the life of one run: they are opened on a workspace and can be interrupted."""

    async def open(self, log: TaskLog, lease: Lease) -> None:
        """Take the workspace. Raises `WorkspaceBusy` while another task works in it."""
        ...

    def interrupt(self, *, stop: bool) -> None:
        """End the effect that is under way; `stop`: and hand the task over."""
        ...

    def wake(self) -> None:
        """Something was appended by another service: look."""
        ...

    def superseded(self) -> bool:
        """Whether somebody else waits for the workspace under a newer lease; asked while the store is away."""
        ...

    async def close(self) -> None:
        """Let go of everything that was opened."""
        ...


class Worker:
    """The tasks that this process runs, each under a lease of its own.

    Messages and the sweep call `start`; a task that cannot be claimed is left alone. `stop` hands every task over: the
    effect under way is ended and recorded as interrupted, and the lease is free for the next worker at once.
    """

    def __init__(
        self,
        pool: Pool,
        owner: str,
        effects: Callable[[], RunEffects],
        *,
        ttl: float,
        code_version: str,
        idle: Callable[[], None] = lambda: None,
        limit: int = 16,
        slack: float = SLACK,
    ) -> None:
        self._pool = pool
        self._store = EventStore(pool)
        self._owner = owner
        self._effects = effects
        self._ttl = ttl
        self._code_version = code_version
        self._idle = idle
        self._limit = limit
        self._slack = slack
        self._running: dict[str, asyncio.Task[None]] = {}
        self._open: dict[str, RunEffects] = {}
        self._stopping = False

    @property
    def full(self) -> bool:
        """Whether this process takes no more tasks now."""
        return self._stopping or len(self._running) >= self._limit

    async def start(self, session_id: str, task_id: str) -> bool:
        """Claim the task and run it in the background; False when it cannot be had."""
        if self.full or task_id in self._running:
            return False
        lease = await leases.claim(self._pool, "task", task_id, self._owner, self._ttl)
        if lease is None:
            return False
        if self.full or task_id in self._running:
            await self._release(lease)
            return False
        running = asyncio.create_task(self._held(session_id, task_id, lease), name=f"task {task_id}")
        self._running[task_id] = running
        running.add_done_callback(lambda _: self._running.pop(task_id, None))
        return True

    def wake(self, task_id: str | None, *, cancel: bool = False) -> None:
        """Tell a task that runs here that another service wrote to its session."""
        effects = self._open.get(task_id or "")
        if effects is not None:
            effects.wake()
            if cancel:
                effects.interrupt(stop=False)

    async def stop(self) -> None:
        """Hand every task over."""
        self._stopping = True
        for effects in self._open.values():
            effects.interrupt(stop=True)
        if self._running:
            await asyncio.wait(list(self._running.values()))

    async def _held(self, session_id: str, task_id: str, lease: Lease) -> None:
        with metrics.LEASES.held(lease.kind):
            await self._run(session_id, task_id, lease)

    async def _run(self, session_id: str, task_id: str, lease: Lease) -> None:
        log = TaskLog(self._store, lease, session_id, task_id, self._code_version)
        effects = self._effects()
        bound = logger.bind(session_id=session_id, task_id=task_id, epoch=lease.epoch)
        loop = asyncio.create_task(self._loop(log, lease, effects), name=f"loop {task_id}")
        heart = asyncio.create_task(self._heartbeat(lease, log, effects), name=f"heart {task_id}")
        self._open[task_id] = effects
        if self._stopping:
            effects.interrupt(stop=True)
        try:
            await asyncio.wait({loop, heart}, return_when=asyncio.FIRST_COMPLETED)
            loop.cancel()
            heart.cancel()
            ended = await asyncio.gather(loop, heart, return_exceptions=True)
            left = [one for one in ended if isinstance(one, Fenced | WorkspaceBusy | WorkspaceSuperseded)]
            failed = [one for one in ended if isinstance(one, Exception) and one not in left]
        finally:
            self._open.pop(task_id, None)
            await effects.close()
        if failed:
            # The lease is left to run out: the next run is then a takeover, and those are counted and bounded.
            trace = None if isinstance(failed[0], Stalled | NotInTheLog) else failed[0]
            bound.error("task.run_failed", error=repr(failed[0]), exc_info=trace)
            return
        await self._release(lease)
        if left:
            bound.info("task.left", why=str(left[0]))
        else:
            # The next task of the session, or of the workspace, may have waited for this one.
            self._idle()

    async def _loop(self, log: TaskLog, lease: Lease, effects: RunEffects) -> None:
        await log.load()
        if log.state.created is None:
            raise NotInTheLog(
                f"task {log.task_id} has a row, and no event of session {log.session_id} began it",
                f"see 'arreio replay {log.session_id} --verify'; whoever wrote the row by hand must take it away",
            )
        with span("task.run", log.traceparent, "internal", **_about(log, lease)) as running:
            log.traceparent = running.traceparent or log.traceparent
            await self._carry_on(log, lease, effects)
            running.note(arreio__task__state=log.state.state.value)

    async def _carry_on(self, log: TaskLog, lease: Lease, effects: RunEffects) -> None:
        if lease.previous_owner:
            # Committed before anything is tried, so that what ends each run is counted also when it ends this one.
            log.record(TaskResumed(cause="takeover"))
            await log.flush()
        await effects.open(log, lease)
        if log.state.state is TaskState.IN_PROGRESS and not lease.previous_owner:
            log.record(TaskResumed(cause="handover"))
        else:
            log.record()
        await turn.run(log, effects)

    async def _heartbeat(self, lease: Lease, log: TaskLog, effects: RunEffects) -> None:
        """Keep the lease. Ends with Fenced when it is lost, with Stalled when nobody works under it."""
        while True:
            await asyncio.sleep(self._ttl / 3)
            profile = log.state.profile
            stall = float(profile.capability["stall"]) if profile else STALL
            if log.silent_seconds > stall + self._slack:
                raise Stalled(f"nothing happened for {log.silent_seconds:.0f} s")
            try:
                lost = await leases.heartbeat(self._pool, [lease], self._ttl)
            except StoreUnavailable as error:
                # The lease may run out meanwhile; then the next append is fenced.
                if effects.superseded():
                    raise Fenced(lease.kind, lease.id, lease.epoch) from error
                continue
            if lost:
                raise Fenced(lease.kind, lease.id, lease.epoch)
            effects.wake()

    async def _release(self, lease: Lease) -> None:
        try:
            await leases.release(self._pool, lease)
        except StoreUnavailable:
            logger.info("lease.left_to_expire", task_id=lease.id)


def _about(log: TaskLog, lease: Lease) -> dict[str, Attribute]:
    return {
        "gen_ai__conversation__id": log.session_id,
        "arreio__task__id": log.task_id,
        "arreio__lease__epoch": lease.epoch,
        "arreio__lease__takeover": bool(lease.previous_owner),
    }

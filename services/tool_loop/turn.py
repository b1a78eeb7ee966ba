"""The loop of a task. Read this first.

A task is a log of events. `decide` says what follows from them, `next_step` which effect comes next; this loop carries
the effect out, records what happened as facts, and lets `decide` go on. Before an effect that is seen from outside,
everything decided is committed, so that whoever takes over after a crash knows what may have been done. What is not
seen from outside (a read, the making of a prompt) waits for no commit; where it lasts, what came before it is committed
meanwhile.
"""

import asyncio
from collections.abc import Sequence
from typing import Protocol

from arreio_contracts.events import EventData, FileEffect

from .log import TaskLog
from .state import LoopState
from .steps import AwaitInput, End, RunTool, Step, durable_before, is_read, next_step

UNCOMMITTED = 0.1
"""Seconds after which what has happened is committed, though the next thing to do needs no commit before it."""


class Effects(Protocol):
    """What a worker can do outside the log. What a model or a tool did wrong is a fact, never an exception."""

    @property
    def stopping(self) -> bool:
        """Whether this worker must hand the task over before the next effect."""
        ...

    async def plan(self, step: RunTool, state: LoopState) -> FileEffect | None:
        """What a call is about to do to a file, before it is committed that it started; None: nothing known."""
        ...

    async def perform(self, step: Step, log: TaskLog) -> Sequence[EventData]:
        """Carry out one step and say what happened: nothing where others write it (a gate's judgement)."""
        ...


async def run(log: TaskLog, effects: Effects) -> None:
    """Run a task until it ends, rests, or must be handed over; the log is loaded and the lease held.

    Raises:
        Fenced: another worker has the task.
    """
    while not effects.stopping:
        step = next_step(log.state)
        if isinstance(step, RunTool) and log.starts(step.started.call_id):
            log.observe(step.started.call_id, await effects.plan(step, log.state))
            continue
        if durable_before(step):
            await log.flush()
            if next_step(log.state) != step:
                continue
        if isinstance(step, AwaitInput | End):
            return
        facts = await _performed(step, log, effects)
        if is_read(step) and next_step(log.state) != step:
            continue  # Cancelled meanwhile. Nothing was changed by it, so that there is nothing to tell.
        log.record(*facts)
    await log.flush()


async def _performed(step: Step, log: TaskLog, effects: Effects) -> Sequence[EventData]:
    """Carry out a step. What is not committed yet is committed beside it, as soon as that takes long."""
    if not log.uncommitted:
        return await effects.perform(step, log)
    beside = _Beside(log)
    try:
        facts = await effects.perform(step, log)
        await beside.done()
        return facts
    finally:
        beside.end()


class _Beside:
    """A commit that begins in a while, unless it is ended before."""

    def __init__(self, log: TaskLog) -> None:
        self._log = log
        self._committing: asyncio.Task[None] | None = None
        self._timer = asyncio.get_running_loop().call_later(UNCOMMITTED, self._begin)

    def _begin(self) -> None:
        self._committing = asyncio.create_task(self._log.flush())

    async def done(self) -> None:
        """Wait for it, if it has begun.

        Raises:
            Fenced: another worker has the task.
        """
        self._timer.cancel()
        if self._committing is not None:
            await self._committing

    def end(self) -> None:
        """Begin no more, and give up what has begun."""
        self._timer.cancel()
        if self._committing is not None and not self._committing.cancel() and not self._committing.cancelled():
            self._committing.exception()  # The step failed by itself, and that is told.

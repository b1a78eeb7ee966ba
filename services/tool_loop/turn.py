"""The loop of a task. Read this first.

A task is a log of events. `decide` says what follows from them, `next_step` which effect comes next; this loop carries
the effect out, records what happened as facts, and lets `decide` go on. Before an effect that is seen from outside,
everything decided is committed, so that whoever takes over after a crash knows what may have been done.
"""

from collections.abc import Sequence
from typing import Protocol

from arreio_contracts.events import EventData, FileEffect

from .log import TaskLog
from .state import LoopState
from .steps import DURABLE_BEFORE, AwaitInput, End, RunTool, Step, next_step


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
        if isinstance(step, DURABLE_BEFORE):
            await log.flush()
            if next_step(log.state) != step:
                continue
        if isinstance(step, AwaitInput | End):
            return
        log.record(*await effects.perform(step, log))
    await log.flush()

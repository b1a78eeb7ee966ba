"""Progress on long tasks, on channels that want it: seldom, and lost rather than late.

It is no event and goes through no outbox: what is to be relied on is the reply.
"""

import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import Final

import nats.errors
from arreio_contracts import envelope, subjects
from arreio_contracts.events import MessageReceived
from arreio_contracts.messages import OutboundMessage
from arreio_contracts.task import TaskState
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from shared.bus.broker import Broker
from shared.outbox.bodies import MESSAGE_ID_HEADER
from shared.store.connection import Pool, connected
from shared.store.errors import StoreUnavailable
from shared.store.events import EventStore
from shared.store.tasks import TaskRow, show_task

LOOK_EVERY: Final = 5.0
"""Seconds between two looks at which channels want progress."""
REMEMBERED: Final = 5_000
_QUEUE: Final = "gateway_progress"
_WORD_OF: Final = "tool.finished"


class Throttle:
    """When something may be said on a task: once in each period since it began, and a period after the last word."""

    def __init__(self) -> None:
        self._last: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def period(self, task_id: str, *, age: float, every: float, now: float) -> int | None:
        """The number of the period in which something is to be said now; None: nothing is. `age`, `every`: seconds."""
        number = int(age / every)
        last, at = self._last.get(task_id, (0, float("-inf")))
        if number <= last or now - at < every:
            return None
        self._last[task_id] = (number, now)
        self._last.move_to_end(task_id)
        while len(self._last) > REMEMBERED:
            self._last.popitem(last=False)
        return number


class Progress:
    """Listens to tasks and says how they get on. Of several gateways each hears a part; the broker drops doubles."""

    def __init__(self, broker: Broker, pool: Pool) -> None:
        self._broker = broker
        self._pool = pool
        self._store = EventStore(pool)
        self._throttle = Throttle()
        self._wanted: Mapping[str, float] = {}
        self._origins: OrderedDict[str, MessageReceived | None] = OrderedDict()
        self._subscription: Subscription | None = None

    async def look(self) -> None:
        """See which channels want progress, and listen while any does."""
        async with connected(self._pool) as connection:
            found = await connection.execute("SELECT name, progress FROM gateway.channels WHERE progress IS NOT NULL")
            self._wanted = dict(await found.fetchall())
        if self._wanted and self._subscription is None:
            subject = subjects.events_of_type(_WORD_OF)
            self._subscription = await self._broker.client.subscribe(subject, queue=_QUEUE, cb=self._heard)
        elif not self._wanted and self._subscription is not None:
            await self._subscription.unsubscribe()
            self._subscription = None

    async def _heard(self, message: Msg) -> None:
        headers = message.headers or {}
        session_id, task_id = headers.get("ce-partitionkey"), headers.get("ce-subject")
        if session_id is None or task_id is None:
            return
        try:
            await self._say(session_id, task_id)
        except (StoreUnavailable, nats.errors.Error, TimeoutError):
            return

    async def _say(self, session_id: str, task_id: str) -> None:
        origin = await self._origin(session_id, task_id)
        every = self._wanted.get(origin.channel) if origin is not None else None
        if origin is None or every is None:
            return
        row = await show_task(self._pool, task_id)
        if row is None or row.state != TaskState.IN_PROGRESS:
            return
        age = time.time() - row.created_at.timestamp()
        number = self._throttle.period(task_id, age=age, every=every, now=time.monotonic())
        if number is not None:
            await self._publish(origin, row, f"progress/{task_id}/{number}")

    async def _origin(self, session_id: str, task_id: str) -> MessageReceived | None:
        """The message that a task began with; None where it came by no channel that wants progress."""
        if task_id not in self._origins:
            history = await self._store.read_task(session_id, task_id, types=("message.received",))
            found = history[0].contract if history else None
            self._origins[task_id] = found if isinstance(found, MessageReceived) else None
            while len(self._origins) > REMEMBERED:
                self._origins.popitem(last=False)
        return self._origins[task_id]

    async def _publish(self, origin: MessageReceived, row: TaskRow, message_id: str) -> None:
        message = origin.message
        said = OutboundMessage(
            kind="progress",
            account=message.account,
            conversation=message.conversation,
            thread=message.thread,
            reply_to=message.message_id,
            text=progress_text(row.steps, row.tool_calls),
            state=TaskState.IN_PROGRESS,
            session_id=row.session_id,
            task_id=row.task_id,
        )
        attributes = envelope.envelope(
            "outbound.message", id=message_id, source="gateway", subject=row.task_id, partitionkey=row.session_id
        )
        await self._broker.jetstream.publish(
            subjects.outbound(origin.channel),
            said.model_dump_json().encode(),
            stream=subjects.STREAM_OUTBOUND,
            headers={**envelope.headers(attributes), MESSAGE_ID_HEADER: message_id},
        )


def progress_text(steps: int, calls: int) -> str:
    """How a task gets on, for a person."""
    done = f"{steps} {'step' if steps == 1 else 'steps'}, {calls} {'call' if calls == 1 else 'calls'} of tools"
    return f"Still at work: {done}."

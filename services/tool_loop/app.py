"""The tool-loop's process: wake-ups and the sweep start tasks, and the worker runs them."""

import asyncio
from collections.abc import Sequence
from functools import partial
from threading import Thread

from arreio_contracts import subjects
from arreio_contracts.messages import AskModel, RunTask
from nats.aio.msg import Msg

from shared.bus.broker import Broker
from shared.bus.consume import Received, consume
from shared.bus.rpc import serve
from shared.processes import owner_id, owner_is_dead
from shared.sandbox import end_orphans
from shared.service import Wiring, every, run_service
from shared.settings import Settings
from shared.store import leases
from shared.store.connection import Pool
from shared.version import CODE_VERSION

from .effects import Effects
from .hooks.running import InProcessHook
from .models.answering import answering
from .models.client import ModelClient, load_litellm
from .models.local_models import LocalModels
from .tools import Tool
from .worker import Worker

WAKING_EVENTS = ("gate.judged", "input.received", "task.cancel_requested")
"""What others write into the session of a task that may be running here."""


POOL = 16
"""Connections: as many as tasks run at once. With fewer, fewer commits share a wait for the disk."""


def prepare() -> None:
    """Begin to import litellm, which takes seconds, before there is an engine to serve."""
    Thread(target=load_litellm, name="litellm", daemon=True).start()


async def run(settings: Settings, extra_tools: Sequence[Tool] = (), hooks: Sequence[InProcessHook] = ()) -> None:
    """Serve until told to stop; then every task under way is handed over.

    `extra_tools` are offered beside ours; `hooks` are asked before those that the operator declares.
    """
    end_orphans()
    client, local = ModelClient(), LocalModels()
    warming = asyncio.create_task(client.warm_up())
    try:
        wire = partial(_wire, settings, client, local, tuple(extra_tools), tuple(hooks))
        await run_service(settings, "tool_loop", wire, pool_size=POOL)
    finally:
        warming.cancel()
        await local.close()
        await client.close()


def _wire(
    settings: Settings,
    client: ModelClient,
    local: LocalModels,
    extra_tools: Sequence[Tool],
    hooks: Sequence[InProcessHook],
    broker: Broker,
    pool: Pool,
) -> Wiring:
    look = asyncio.Event()
    worker = Worker(
        pool,
        owner_id(),
        lambda: Effects(settings, pool, broker, client, local, extra_tools, hooks),
        ttl=settings.lease_ttl,
        code_version=CODE_VERSION,
        idle=look.set,
    )

    async def wake(received: Received[RunTask]) -> None:
        # A task that is claimed uses up its time: not before a model can be asked.
        await client.warm_up()
        # The message is only a wake-up: from here on, the lease and the sweep drive.
        await worker.start(received.body.session_id, received.body.task_id)

    async def sweep() -> None:
        await client.warm_up()
        await leases.expire_dead(pool, owner_is_dead)
        if not worker.full:
            for found in await leases.runnable(pool, "task"):
                await worker.start(found.session_id, found.task_id)

    consume(broker, subjects.CONSUMER_TOOL_LOOP_RUN, wake, RunTask, pool=pool, workers=2)
    serve(broker, subjects.RPC_ASK, AskModel, answering(client, local), workers=2)
    return Wiring(
        consumers=(subjects.CONSUMER_TOOL_LOOP_RUN,),
        background=(
            partial(every, settings.sweep_interval, sweep, name="tasks", woken=look),
            partial(_listen, broker, worker),
        ),
        before_stop=worker.stop,
    )


async def _listen(broker: Broker, worker: Worker) -> None:
    """Hear, as every replica does, what others write into sessions. One that is missed costs a heartbeat's wait."""

    async def heard(message: Msg) -> None:
        headers = message.headers or {}
        cancel = message.subject.endswith(subjects.wire_type("task.cancel_requested"))
        worker.wake(headers.get("ce-subject"), cancel=cancel)

    for kind in WAKING_EVENTS:
        await broker.client.subscribe(subjects.events_of_type(kind), cb=heard)
    await asyncio.Event().wait()

"""Learning's process: it hears how tasks end and proposes what they teach, and carries out what people decide."""

from functools import partial

from arreio_contracts import subjects
from arreio_contracts.events import EventData, TaskBlocked, TaskCompleted, TaskFailed
from arreio_contracts.messages import DecideProposal

from shared.bus.broker import Broker
from shared.bus.consume import Received, consume
from shared.bus.rpc import serve
from shared.observing.trace_context import valid
from shared.observing.tracing import span
from shared.outbox.relay import run_relay
from shared.service import Wiring, every, run_service
from shared.settings import Settings
from shared.store.connection import Pool
from shared.version import CODE_VERSION

from .handlers import Learning

SETTLE_EVERY = 300.0
"""Seconds between two looks for what has expired."""


async def run(settings: Settings) -> None:
    """Serve until told to stop. The relay here stands by for the gateway's."""

    def wire(broker: Broker, pool: Pool) -> Wiring:
        learning = Learning(pool, CODE_VERSION)

        async def outcome(received: Received[EventData]) -> None:
            with span("outcome.learn", valid(received.envelope.traceparent), "consumer"):
                await learning.learn(received.envelope)

        endings = (TaskCompleted, TaskBlocked, TaskFailed)
        consume(broker, subjects.CONSUMER_LEARNING_OUTCOMES, outcome, *endings, pool=pool)
        serve(broker, subjects.RPC_PROPOSALS, DecideProposal, learning.decide, workers=1)
        return Wiring(
            consumers=(subjects.CONSUMER_LEARNING_OUTCOMES,),
            background=(
                partial(run_relay, settings, service="learning"),
                partial(every, SETTLE_EVERY, learning.settle),
            ),
        )

    await run_service(settings, "learning", wire)

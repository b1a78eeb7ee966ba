"""Learning's process: it hears how tasks end, and proposes what they teach."""

from functools import partial

from arreio_contracts import subjects
from arreio_contracts.events import EventData, TaskBlocked, TaskCompleted, TaskFailed

from shared.bus.broker import Broker
from shared.bus.consume import Received, consume
from shared.observing.trace_context import valid
from shared.observing.tracing import span
from shared.outbox.relay import run_relay
from shared.service import Wiring, run_service
from shared.settings import Settings
from shared.store.connection import Pool
from shared.version import CODE_VERSION

from .handlers import learn


async def run(settings: Settings) -> None:
    """Serve until told to stop. The relay here stands by for the gateway's."""

    def wire(broker: Broker, pool: Pool) -> Wiring:
        async def outcome(received: Received[EventData]) -> None:
            with span("outcome.learn", valid(received.envelope.traceparent), "consumer"):
                await learn(pool, received.envelope, CODE_VERSION)

        endings = (TaskCompleted, TaskBlocked, TaskFailed)
        consume(broker, subjects.CONSUMER_LEARNING_OUTCOMES, outcome, *endings, pool=pool)
        return Wiring(
            consumers=(subjects.CONSUMER_LEARNING_OUTCOMES,),
            background=(partial(run_relay, settings, service="learning"),),
        )

    await run_service(settings, "learning", wire)

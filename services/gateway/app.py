"""The gateway's process: inbound messages become tasks, outcomes become replies."""

from functools import partial

from arreio_contracts import envelope, subjects
from arreio_contracts.events import EventData, TaskBlocked, TaskCompleted, TaskFailed, TaskNeedsInput
from arreio_contracts.messages import InboundMessage, Receipt, SetInstructions

from shared.bus.broker import Broker
from shared.bus.consume import Received, consume
from shared.bus.rpc import serve
from shared.outbox.relay import run_relay
from shared.service import Wiring, every, run_service
from shared.settings import Settings
from shared.store.connection import Pool
from shared.store.errors import StoreUnavailable
from shared.telemetry import get_logger
from shared.version import CODE_VERSION

from .channels.reply_service import post_replies
from .handlers import Gateway
from .http.serving import HttpService
from .inbound_order import Earlier, unsettled
from .instructions import keep
from .progress import LOOK_EVERY, Progress

log = get_logger(__name__)

OUTCOMES_EVERY = 300.0
"""Seconds between two looks for outcomes that were not reported."""


async def run(settings: Settings) -> None:
    """Serve until told to stop."""

    def wire(broker: Broker, pool: Pool) -> Wiring:
        gateway = Gateway(pool, data_dir=settings.data_dir, code_version=CODE_VERSION, profiles=settings.profile_folder)

        async def inbound(received: Received[InboundMessage]) -> None:
            channel = subjects.channel_of(received.subject)
            for earlier in await unsettled(broker.jetstream, received):
                await _accept_first(gateway, channel, earlier)
            receipt = await gateway.accept(channel, received.body, received.envelope)
            if receipt.status != "accepted":
                # Nothing was committed, so no outbox row says it.
                await _say(broker, channel, receipt, received.envelope.id)

        async def outcome(received: Received[EventData]) -> None:
            await gateway.answer_outcome(received.envelope, received.body)

        consume(broker, subjects.CONSUMER_GATEWAY_INBOUND, inbound, InboundMessage, pool=pool, workers=4)
        endings = (TaskCompleted, TaskBlocked, TaskFailed, TaskNeedsInput)
        consume(broker, subjects.CONSUMER_GATEWAY_OUTCOMES, outcome, *endings, pool=pool, workers=2)
        serve(broker, subjects.RPC_INSTRUCTIONS, SetInstructions, partial(keep, pool), workers=1)
        http = HttpService(settings, gateway, broker, pool)
        progress = Progress(broker, pool)
        return Wiring(
            consumers=(subjects.CONSUMER_GATEWAY_INBOUND, subjects.CONSUMER_GATEWAY_OUTCOMES),
            background=(
                partial(run_relay, settings, service="gateway"),
                partial(every, OUTCOMES_EVERY, gateway.sweep_outcomes, name="outcomes"),
                partial(every, LOOK_EVERY, progress.look),
                partial(post_replies, broker, pool),
                http.run,
            ),
            before_stop=http.stop,
        )

    await run_service(settings, "gateway", wire, pool_size=10)


async def _accept_first(gateway: Gateway, channel: str, earlier: Earlier) -> None:
    """Accept a message that another delivery brings too, perhaps too late; that one is a duplicate then."""
    try:
        await gateway.accept(channel, earlier.body, earlier.envelope)
    except StoreUnavailable:
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, it must not take the next message with it
        # Its own delivery gives it up in the end; those behind it need not be given up too.
        log.warning("an earlier message cannot be accepted", reason=repr(error), message=earlier.envelope.id)


async def _say(broker: Broker, channel: str, receipt: Receipt, cause: str) -> None:
    attributes = envelope.envelope(
        "outbound.receipt", id=f"{cause}-{receipt.status}", source="gateway", causationid=cause
    )
    await broker.jetstream.publish(
        subjects.outbound(channel),
        receipt.model_dump_json().encode(),
        stream=subjects.STREAM_OUTBOUND,
        headers=envelope.headers(attributes),
    )

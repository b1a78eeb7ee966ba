"""Order within a conversation: what came earlier and was not settled, because another worker has it or died with it.

Messages are handled by several workers at once, and one whose worker died comes again only after a while. So whoever
handles a message looks for earlier ones of its conversation that are still in the stream, and accepts those first.
"""

from dataclasses import dataclass

import nats.errors
from arreio_contracts import messages, subjects
from arreio_contracts.envelope import Envelope, read
from arreio_contracts.errors import ContractError
from arreio_contracts.messages import InboundMessage
from nats.js import JetStreamContext
from nats.js.errors import Error, NotFoundError

from shared.bus.consume import Received, Retry


@dataclass(frozen=True)
class Earlier:
    """A message of the same conversation that was published before and is not acknowledged yet."""

    envelope: Envelope
    body: InboundMessage


async def unsettled(stream: JetStreamContext, received: Received[InboundMessage]) -> list[Earlier]:
    """The earlier messages of a message's conversation that nobody has settled, in the order of the stream.

    Raises:
        Retry: NATS did not answer.
    """
    channel = subjects.channel_of(received.subject)
    session = messages.session_id(channel, received.body)
    found: list[Earlier] = []
    try:
        info = await stream.consumer_info(subjects.STREAM_INBOUND, subjects.CONSUMER_GATEWAY_INBOUND)
        if (info.num_ack_pending or 0) <= 1 or info.ack_floor is None:
            return []
        seq = info.ack_floor.stream_seq + 1
        while seq < received.stream_seq:
            raw = await stream.get_msg(
                subjects.STREAM_INBOUND, seq=seq, subject=received.subject, direct=True, next=True
            )
            if raw.seq is None or raw.seq >= received.stream_seq:
                break
            seq = raw.seq + 1
            try:
                attributes, body = read(raw.headers, raw.data or b"")
            except ContractError:
                continue  # its own delivery makes it a dead letter
            if isinstance(body, InboundMessage) and messages.session_id(channel, body) == session:
                found.append(Earlier(attributes, body))
    except NotFoundError:
        pass  # settled meanwhile, this one included
    except (Error, nats.errors.Error, TimeoutError) as error:
        raise Retry(0.5, f"NATS did not tell what came before: {error or type(error).__name__}") from error
    return found

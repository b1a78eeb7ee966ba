"""Every stream and durable consumer on JetStream, in one place; provisioning makes them, services only bind to them."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final, Literal

from arreio_contracts import subjects

from shared.canonical import sha256_hex

if TYPE_CHECKING:
    from nats.js import JetStreamContext

MINUTE: Final = 60.0
DAY: Final = 24 * 60 * MINUTE
MIB: Final = 1 << 20


@dataclass(frozen=True)
class Stream:
    """A stream: what it takes, how long it keeps it (seconds, bytes), and what a full one does.

    `workqueue` drops a message once it is acknowledged; `limits` keeps it until its age or the size says otherwise.
    A full stream refuses (`new`) where a message exists nowhere else, and forgets (`old`) where PostgreSQL has it.
    """

    name: str
    subject: str
    retention: Literal["limits", "workqueue"]
    discard: Literal["old", "new"]
    max_age: float
    max_bytes: int
    duplicate_window: float = 10 * MINUTE
    atomic: bool = True
    """Whether it takes batches, whole or not at all; a server before 2.12 does not know them."""


@dataclass(frozen=True)
class Consumer:
    """A durable pull consumer. `deliveries` is how often a failing message is tried before it is a dead letter.

    The broker itself sets no limit: a consumer that died at the last try would leave the message in nobody's hands.
    """

    name: str
    stream: str
    filters: tuple[str, ...]
    ack_wait: float = 15.0
    deliveries: int = 5
    max_ack_pending: int = 256


STREAMS: Final = (
    Stream(subjects.STREAM_INBOUND, subjects.ALL_INBOUND, "workqueue", "new", 0, 256 * MIB),
    Stream(subjects.STREAM_OUTBOUND, subjects.ALL_OUTBOUND, "limits", "old", 7 * DAY, 256 * MIB),
    Stream(subjects.STREAM_COMMANDS, subjects.ALL_COMMANDS, "workqueue", "old", 60 * MINUTE, 64 * MIB),
    Stream(subjects.STREAM_EVENTS, subjects.ALL_EVENTS, "limits", "old", 7 * DAY, 1024 * MIB),
    Stream(subjects.STREAM_DEAD, subjects.ALL_DEAD, "limits", "old", 30 * DAY, 64 * MIB),
)

OUTCOMES: Final = tuple(map(subjects.events_of_type, ("task.completed", "task.blocked", "task.failed")))

CONSUMERS: Final = {
    consumer.name: consumer
    for consumer in (
        Consumer(subjects.CONSUMER_GATEWAY_INBOUND, subjects.STREAM_INBOUND, (subjects.ALL_INBOUND,)),
        Consumer(
            subjects.CONSUMER_GATEWAY_OUTCOMES,
            subjects.STREAM_EVENTS,
            (*OUTCOMES, subjects.events_of_type("task.needs_input")),
        ),
        Consumer(subjects.CONSUMER_TOOL_LOOP_RUN, subjects.STREAM_COMMANDS, (subjects.COMMAND_RUN_TASK,)),
        Consumer(subjects.CONSUMER_GATE_RUNNER_JUDGE, subjects.STREAM_COMMANDS, (subjects.COMMAND_JUDGE,)),
        Consumer(subjects.CONSUMER_LEARNING_OUTCOMES, subjects.STREAM_EVENTS, OUTCOMES),
    )
}

_TAKEN: Final = tuple(
    (
        stream.name,
        re.compile(
            r"\.".join(
                subjects.TOKEN_PATTERN.strip("^$") if part == "*" else re.escape(part)
                for part in stream.subject.split(".")
            )
        ),
    )
    for stream in STREAMS
)


def stream_of(subject: str) -> str | None:
    """The stream in which `subject` has its place, or None: then nothing of ours is ever published there.

    A broker would take more, but its protocol carries a subject only up to a length and a client only some characters.
    """
    return next((name for name, taken in _TAKEN if taken.fullmatch(subject)), None)


def digest(replicas: int = 1) -> str:
    """A SHA-256 that changes whenever a definition here, or the number of replicas, does."""
    streams = [asdict(stream) for stream in STREAMS]
    definitions = [streams, [asdict(consumer) for consumer in CONSUMERS.values()], replicas]
    return sha256_hex(json.dumps(definitions, sort_keys=True))


async def apply(js: JetStreamContext, replicas: int = 1) -> None:
    """Make the broker's streams and consumers what they are here; what is so already is left alone.

    Each stream and its consumers are kept by `replicas` nodes of a cluster.
    """
    for stream in STREAMS:
        await apply_stream(js, stream, replicas)
    for consumer in CONSUMERS.values():
        await apply_consumer(js, consumer)


async def are_there(js: JetStreamContext) -> bool:
    """Whether the broker has every stream."""
    from nats.js.errors import NotFoundError

    try:
        for stream in STREAMS:
            await js.stream_info(stream.name)
    except NotFoundError:
        return False
    return True


async def apply_stream(js: JetStreamContext, stream: Stream, replicas: int = 1) -> None:
    """Make or change one stream."""
    from nats.js import api
    from nats.js.errors import NotFoundError

    config = api.StreamConfig(
        name=stream.name,
        subjects=[stream.subject],
        retention=api.RetentionPolicy.WORK_QUEUE if stream.retention == "workqueue" else api.RetentionPolicy.LIMITS,
        discard=api.DiscardPolicy.NEW if stream.discard == "new" else api.DiscardPolicy.OLD,
        max_age=stream.max_age,
        max_bytes=stream.max_bytes,
        duplicate_window=stream.duplicate_window,
        storage=api.StorageType.FILE,
        num_replicas=replicas,
        allow_direct=True,
        allow_atomic=stream.atomic,
    )
    try:
        await js.stream_info(stream.name)
    except NotFoundError:
        await js.add_stream(config)
    else:
        await js.update_stream(config)


async def apply_consumer(js: JetStreamContext, consumer: Consumer) -> None:
    """Make or change one durable."""
    from nats.js import api

    single = len(consumer.filters) == 1
    config = api.ConsumerConfig(
        name=consumer.name,
        durable_name=consumer.name,
        filter_subject=consumer.filters[0] if single else None,
        filter_subjects=None if single else list(consumer.filters),
        ack_policy=api.AckPolicy.EXPLICIT,
        ack_wait=consumer.ack_wait,
        max_deliver=-1,
        max_ack_pending=consumer.max_ack_pending,
    )
    await js.add_consumer(consumer.stream, config)

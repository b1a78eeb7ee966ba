"""Arreio as an adapter's process sees it: what it handed in, and replies for it, on a real NATS."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import nats
from arreio_contracts import adapters, envelope, subjects
from arreio_contracts.messages import InboundMessage, OutboundMessage, Receipt
from arreio_contracts.task import TaskState
from nats.js import JetStreamContext
from pydantic import BaseModel

from shared.bus.adapter_durables import make_durable
from shared.engine.channel_users import set_user
from shared.engine.paths import DataDir
from shared.settings import Settings
from tests.support.programs import Program, start, until

Value = TypeVar("Value")


class AdapterSide:
    """A channel of a test's own, and its adapter's processes."""

    def __init__(self, settings: Settings, channel: str, place: Path, *command: str, **secret: str) -> None:
        """`command` follows `arreio adapters run`; `secret` are variables of the adapter's environment."""
        self.channel = channel
        self._settings = settings
        self._place = place
        asyncio.run(make_durable(settings, channel))
        self.password = set_user(DataDir(settings.home), channel)
        (server,) = settings.nats_options("operator")["servers"]
        self._command = [*command, "--channel", channel, "--nats-url", server]
        # What the next process finds in its environment.
        self.secrets = {"ARREIO_CHANNEL_PASSWORD": self.password, **secret}

    def redeliver_after(self, seconds: float) -> None:
        """Have the broker wait so long for a dead adapter's word; one that lives and is slow may get a reply twice."""
        asyncio.run(make_durable(self._settings, self.channel, ack_wait=seconds))

    def start(self, *, ready: bool = True) -> Program:
        """Start the adapter; returns when it says that it is ready."""
        program = start(["-m", "arreio", "adapters", "run", *self._command], self._place, self.secrets)
        if ready:
            program.line(lambda line: line.startswith("ready: "))
        return program

    def handed_in(self, count: int) -> list[InboundMessage]:
        """What was published on the channel, once there are so many."""

        until(lambda: self.stored() >= count, what=f"{count} messages")

        async def read(stream: JetStreamContext) -> list[InboundMessage]:
            found: list[InboundMessage] = []
            seq, subject = 0, subjects.inbound(self.channel)
            while len(found) < count:
                # Nothing consumes here, and a work queue has no other readers.
                stored = await stream.get_msg(subjects.STREAM_INBOUND, seq + 1, subject=subject, next=True)
                seq = stored.seq or 0
                _, body = envelope.read(stored.headers, stored.data or b"")
                assert isinstance(body, InboundMessage)
                found.append(body)
            return found

        return self._do(read)

    def stored(self) -> int:
        """How many messages were published on the channel."""

        async def count(stream: JetStreamContext) -> int:
            info = await stream.stream_info(subjects.STREAM_INBOUND, subjects_filter=subjects.inbound(self.channel))
            return (info.state.subjects or {}).get(subjects.inbound(self.channel), 0)

        return self._do(count)

    def reply(self, text: str, conversation: str, **fields: Any) -> None:
        """Say something on the channel as the gateway does."""
        known: dict[str, Any] = {"kind": "reply", "state": TaskState.COMPLETE, "session_id": "s_x", "task_id": "t_x"}
        self._say("outbound.message", OutboundMessage(text=text, conversation=conversation, **{**known, **fields}))

    def refuse(self, conversation: str, message_id: str, field: str, reason: str) -> None:
        """Refuse a message as the gateway does."""
        receipt = Receipt(
            conversation=conversation, message_id=message_id, status="refused", field=field, reason=reason
        )
        self._say("outbound.receipt", receipt)

    def unacknowledged(self) -> int:
        """How many replies the durable still has."""

        async def count(stream: JetStreamContext) -> int:
            info = await stream.consumer_info(subjects.STREAM_OUTBOUND, adapters.durable(self.channel))
            return (info.num_pending or 0) + (info.num_ack_pending or 0)

        return self._do(count)

    def wait_until_acknowledged(self) -> None:
        """Wait until the adapter is done with every reply."""
        until(lambda: self.unacknowledged() == 0, 120, what="the acknowledgement of every reply")

    def _say(self, kind: str, body: BaseModel) -> None:
        attributes = envelope.envelope(kind, id=secrets.token_hex(8), source="gateway")

        async def publish(stream: JetStreamContext) -> None:
            await stream.publish(
                subjects.outbound(self.channel),
                body.model_dump_json().encode(),
                stream=subjects.STREAM_OUTBOUND,
                headers=envelope.headers(attributes),
            )

        self._do(publish)

    def _do(self, work: Callable[[JetStreamContext], Awaitable[Value]]) -> Value:
        async def run() -> Value:
            client = await nats.connect(**self._settings.nats_options("services"))
            try:
                return await work(client.jetstream())
            finally:
                await client.close()

        return asyncio.run(run())

"""Progress on a real NATS and PostgreSQL: said on the task's own channel where that wants it, and seldom."""

from __future__ import annotations

from arreio_contracts import envelope, subjects
from arreio_contracts.events import MessageReceived, Metadata
from arreio_contracts.messages import InboundMessage, OutboundMessage

from services.gateway.channels import registry
from services.gateway.channels.features import Features, change
from services.gateway.progress import Progress
from shared.bus.broker import Broker
from shared.settings import Settings
from shared.store.events import EventStore, event_of
from shared.store.tasks import TaskPatch
from tests.support.store import connect, fresh, store_of
from tests.support.waiting import eventually


async def at_work(settings: Settings, log: EventStore, channel: str, state: str = "IN_PROGRESS") -> tuple[str, str]:
    """A task that began with a message of a channel a hundred seconds ago; its session and itself."""
    session_id, task_id = fresh("s"), fresh("t")
    message = InboundMessage(conversation="k1", thread="9", message_id="m1", sender="ana", text="Go on.")
    received = MessageReceived(channel=channel, message=message)
    await log.append_fact(
        session_id,
        [event_of(received, Metadata(service="gateway"), task_id=task_id)],
        task=TaskPatch(task_id=task_id, state=state, goal="Go on."),
    )
    with connect(settings, "owner") as connection:
        connection.execute(
            "UPDATE arreio.tasks SET created_at = created_at - interval '100 s' WHERE task_id = %s", (task_id,)
        )
    return session_id, task_id


async def test_a_task_at_work_is_told_of_once_in_a_period_on_a_channel_that_wants_it(engine: Settings) -> None:
    wants, wants_not = fresh("ch"), fresh("ch")
    async with (
        store_of(engine, "gateway", size=2) as (_, pool),
        store_of(engine, "operator", size=2) as (_, operator),
        store_of(engine, "owner", size=2) as (log, _),
    ):
        for name in (wants, wants_not):
            await registry.add_channel(operator, name)
        await change(operator, wants, Features(progress=60))
        broker = Broker(engine, "test")
        await broker.start()
        try:
            progress = Progress(broker, pool)
            await progress.look()
            told = await at_work(engine, log, wants)
            others = [await at_work(engine, log, wants_not), await at_work(engine, log, wants, "COMPLETE")]
            last = await at_work(engine, log, wants)
            for session_id, task_id in (told, told, *others, told, last):
                finished = envelope.envelope(
                    "tool.finished", id=fresh("e"), source="tool_loop", subject=task_id, partitionkey=session_id
                )
                subject = subjects.event(session_id, "tool.finished")
                await broker.client.publish(subject, b"{}", headers=envelope.headers(finished))

            async def said() -> list[OutboundMessage]:
                stream, found, seq = broker.jetstream, [], 0
                info = await stream.stream_info(subjects.STREAM_OUTBOUND, subjects_filter=subjects.outbound(wants))
                count = (info.state.subjects or {}).get(subjects.outbound(wants), 0)
                for _ in range(count):
                    raw = await stream.get_msg(
                        subjects.STREAM_OUTBOUND, seq + 1, subject=subjects.outbound(wants), next=True
                    )
                    seq = raw.seq or 0
                    _, body = envelope.read(raw.headers, raw.data or b"")
                    assert isinstance(body, OutboundMessage)
                    found.append(body)
                return found if any(one.task_id == last[1] for one in found) else []

            found = await eventually(said)
            assert [one.task_id for one in found] == [told[1], last[1]]
            first = found[0]
            assert (first.kind, first.conversation, first.thread, first.reply_to) == ("progress", "k1", "9", "m1")
            assert first.text.startswith("Still at work: ")
            none = await broker.jetstream.stream_info(
                subjects.STREAM_OUTBOUND, subjects_filter=subjects.outbound(wants_not)
            )
            assert not none.state.subjects
        finally:
            await broker.stop()
            for name in (wants, wants_not):
                await registry.remove_channel(operator, name)

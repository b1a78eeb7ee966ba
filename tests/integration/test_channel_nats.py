"""An adapter's NATS user: it publishes on its own channel, reads its own replies, and nothing of anybody else's."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import nats
import nats.errors
import pytest
from arreio_contracts import adapters, subjects
from nats.aio.client import Client

from shared.bus.adapter_durables import make_durable, remove_durable
from shared.engine.channel_users import remove_user, set_user
from shared.engine.engine import Engine
from shared.engine.paths import DataDir
from shared.settings import Settings
from tests.support.engines import own_engine
from tests.support.waiting import eventually


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Settings, Engine]]:
    with own_engine(tmp_path_factory.mktemp("channels")) as found:
        yield found


async def added(settings: Settings, channel: str) -> str:
    await make_durable(settings, channel)
    return set_user(DataDir(settings.home), channel)


@asynccontextmanager
async def adapter(settings: Settings, channel: str, password: str) -> AsyncIterator[tuple[Client, list[str]]]:
    """An adapter's connection, and what the server refused it."""
    refused: list[str] = []

    async def note(error: Exception) -> None:
        refused.append(str(error).lower())

    client = await nats.connect(
        settings.nats_options("operator")["servers"],
        user=adapters.nats_user(channel),
        password=password,
        inbox_prefix=adapters.inbox_prefix(channel).encode(),
        allow_reconnect=False,
        error_cb=note,
    )
    try:
        yield client, refused
    finally:
        await client.close()


async def say(settings: Settings, channel: str, *texts: bytes) -> None:
    services = await nats.connect(**settings.nats_options("services"))
    for text in texts:
        await services.jetstream().publish(subjects.outbound(channel), text, stream=subjects.STREAM_OUTBOUND)
    await services.close()


async def test_an_adapter_publishes_and_reads_on_its_own_channel_in_order(own: tuple[Settings, Engine]) -> None:
    settings, _ = own
    password = await added(settings, "slack")
    async with adapter(settings, "slack", password) as (client, refused):
        stored = await client.jetstream().publish(subjects.inbound("slack"), b"{}", stream=subjects.STREAM_INBOUND)
        assert stored.stream == subjects.STREAM_INBOUND
        await say(settings, "slack", b"one", b"two")
        replies = await client.jetstream().pull_subscribe_bind(
            durable=adapters.durable("slack"), stream=subjects.STREAM_OUTBOUND
        )
        (first,) = await replies.fetch(1, timeout=10)
        await first.nak()
        seen = []
        for _ in range(2):
            (message,) = await replies.fetch(1, timeout=10)
            seen.append(message.data)
            await message.ack_sync()
        assert seen == [b"one", b"two"]
        assert refused == []


async def test_an_adapter_reaches_nothing_of_another_channel(own: tuple[Settings, Engine]) -> None:
    settings, _ = own
    password = await added(settings, "telegram")
    await added(settings, "other")
    await say(settings, "other", b"for other only")
    theirs = adapters.durable("other")
    publishing = (
        subjects.inbound("other"),
        subjects.outbound("telegram"),
        subjects.COMMAND_RUN_TASK,
        subjects.RPC_INSTRUCTIONS,
        f"$JS.API.CONSUMER.MSG.NEXT.{subjects.STREAM_OUTBOUND}.{theirs}",
        f"$JS.API.CONSUMER.INFO.{subjects.STREAM_OUTBOUND}.{theirs}",
        f"$JS.API.CONSUMER.CREATE.{subjects.STREAM_OUTBOUND}",
        f"$JS.API.STREAM.MSG.GET.{subjects.STREAM_OUTBOUND}",
        f"$JS.API.DIRECT.GET.{subjects.STREAM_OUTBOUND}",
        f"$JS.ACK.{subjects.STREAM_OUTBOUND}.{theirs}.1.1.1.1.1",
    )
    reading = (
        *("arreio.v1.>", ">", subjects.ALL_OUTBOUND, subjects.outbound("other"), subjects.outbound("telegram")),
        *("_INBOX.>", "_INBOX_services.>", f"{adapters.inbox_prefix('other')}.>", "$JS.API.>"),
    )
    async with adapter(settings, "telegram", password) as (client, refused):
        for subject in publishing:
            await client.publish(subject, b"{}")
        for subject in reading:
            await client.subscribe(subject)
        await client.flush()

        async def all_refused() -> bool:
            return sum("permissions violation" in text for text in refused) == len(publishing) + len(reading)

        await eventually(all_refused)


async def test_a_removed_adapter_is_cut_off_and_the_others_outlive_a_restart(own: tuple[Settings, Engine]) -> None:
    settings, engine = own
    gone, stays = await added(settings, "gone"), await added(settings, "stays")
    async with adapter(settings, "gone", gone) as (client, _):
        remove_user(DataDir(settings.home), "gone")
        await remove_durable(settings, "gone")

        async def closed() -> bool:
            return not client.is_connected

        await eventually(closed)
    engine.nats.stop()
    engine.nats.prepare()
    engine.nats.spawn()
    engine.wait_ready()
    async with adapter(settings, "stays", stays) as (client, _):
        assert client.is_connected
    with pytest.raises(nats.errors.Error):
        await nats.connect(
            settings.nats_options("operator")["servers"],
            user=adapters.nats_user("gone"),
            password=gone,
            allow_reconnect=False,
            max_reconnect_attempts=0,
        )

"""A JetStream cluster whose three nodes each keep everything: one is killed under load, and nothing is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import nats
import nats.errors
import pytest
from arreio_contracts import envelope, messages, subjects
from arreio_contracts.messages import InboundMessage, OutboundMessage, Receipt
from nats.aio.client import Client
from psycopg.conninfo import conninfo_to_dict

from services.gateway.handlers import Gateway
from shared.bus.broker import Broker
from shared.bus.consume import Received, consume
from shared.outbox.relay import run_relay
from shared.provision import ProvisionError, is_current, provision
from shared.settings import Settings
from shared.store.connection import Pool
from shared.store.events import EventStore
from tests.support.cluster import Cluster, running_cluster
from tests.support.engines import all_published, own_engine, published, seq_of
from tests.support.store import store_of
from tests.support.waiting import eventually

MESSAGES = 300
SESSIONS = 20


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Settings, Cluster]]:
    """PostgreSQL of an engine of this module's own, and a cluster beside it, provisioned with three replicas."""
    with (
        own_engine(tmp_path_factory.mktemp("engine")) as (engine, _),
        running_cluster(tmp_path_factory.mktemp("nodes")) as nodes,
    ):
        url = _as_url(engine.database_dsn("admin"))
        found = Settings(home=engine.home, database_url=url, nats_url=nodes.url, nats_replicas=3)
        asyncio.run(_formed(found))
        provision(found)
        yield found, nodes


def _as_url(dsn: str) -> str:
    parts = {name: str(value) for name, value in conninfo_to_dict(dsn).items()}
    login = f"{quote(parts['user'])}:{quote(parts['password'])}"
    return f"postgresql://{login}@/{parts['dbname']}?host={quote(parts['host'], safe='')}&port={parts['port']}"


async def _formed(found: Settings) -> None:
    """Wait until the nodes have found each other and chosen who leads."""

    async def leads() -> bool:
        try:
            client = await nats.connect(**found.nats_options("services"), max_reconnect_attempts=1)
            try:
                await client.jetstream(timeout=1).account_info()
                return True
            finally:
                await client.close()
        except (nats.errors.Error, OSError, TimeoutError):
            return False

    await eventually(leads, within=60)


@asynccontextmanager
async def accepting(found: Settings, store: EventStore, pool: Pool) -> AsyncIterator[None]:
    """A gateway that accepts what comes, and a relay."""
    gateway = Gateway(pool, data_dir=Path("/nonexistent"), code_version="test")
    broker = Broker(found, "test")

    async def inbound(received: Received[InboundMessage]) -> None:
        await gateway.accept("test", received.body, received.envelope)

    consume(broker, subjects.CONSUMER_GATEWAY_INBOUND, inbound, InboundMessage, pool=pool, workers=4)
    await broker.start()
    relay = asyncio.create_task(run_relay(found, service="gateway", poll=0.2, standby=0.05))
    try:
        yield
    finally:
        relay.cancel()
        with suppress(asyncio.CancelledError):
            await relay
        await broker.stop()


def message(number: int) -> InboundMessage:
    return InboundMessage(
        conversation=f"cluster-{number % SESSIONS}", message_id=f"m{number}", sender="ana", text=f"do {number}"
    )


async def say(client: Client, number: int) -> None:
    """Publish until the cluster has taken it."""
    attributes = envelope.envelope("inbound.message", id=f"m-{number}", source="test")
    body = message(number).model_dump_json().encode()
    while True:
        try:
            await client.jetstream().publish(
                subjects.inbound("test"),
                body,
                stream=subjects.STREAM_INBOUND,
                headers=envelope.headers(attributes),
                timeout=2,
            )
            return
        except (nats.errors.Error, TimeoutError):
            # The stream has no leader now.
            await asyncio.sleep(0.1)


async def test_a_node_that_is_killed_under_load_costs_no_message_and_no_event(
    cluster: tuple[Settings, Cluster],
) -> None:
    found, nodes = cluster
    client = await nats.connect(
        **found.nats_options("services"), max_reconnect_attempts=-1, reconnect_time_wait=0.1, error_cb=_silent
    )
    info = await client.jetstream().stream_info(subjects.STREAM_EVENTS)
    assert info.config.num_replicas == 3 and info.cluster is not None and info.cluster.leader in nodes.servers
    async with store_of(found, "gateway") as (store, pool), accepting(found, store, pool):
        for number in range(MESSAGES):
            await say(client, number)
            if number == MESSAGES // 3:
                nodes.kill(info.cluster.leader)
        sessions = [messages.session_id("test", message(number)) for number in range(SESSIONS)]

        async def accepted() -> bool:
            return sum([await _count(store, session) for session in sessions]) == MESSAGES

        await eventually(accepted, within=90)
        await eventually(lambda: all_published(pool), within=90)
        for session in sessions:
            head = len(await store.read(session))
            told = await published(client, subjects.session_events(session), head)
            assert list(dict.fromkeys(map(seq_of, told))) == list(range(1, head + 1))
        assert await _receipts(client) == {f"m{number}" for number in range(MESSAGES)}
    await client.close()


async def _count(store: EventStore, session: str) -> int:
    return sum(event.type == "message.received" for event in await store.read(session))


async def _receipts(client: Client) -> set[str]:
    """What the channel's adapter was told of."""
    info = await client.jetstream().stream_info(subjects.STREAM_OUTBOUND)
    read = [
        envelope.read(one.headers, one.data)[1]
        for one in await published(client, subjects.outbound("test"), info.state.messages)
    ]
    assert all(isinstance(one, Receipt | OutboundMessage) for one in read)
    return {one.message_id for one in read if isinstance(one, Receipt)}


async def _silent(_: Exception) -> None:
    """What breaks is seen by the call that meets it."""


def test_as_many_replicas_as_were_asked_for_are_part_of_what_is_provisioned(cluster: tuple[Settings, Cluster]) -> None:
    found, _ = cluster
    assert is_current(found)
    assert not is_current(found.model_copy(update={"nats_replicas": 1}))


def test_more_replicas_than_there_are_nodes_are_refused_in_one_line(cluster: tuple[Settings, Cluster]) -> None:
    found, _ = cluster
    with pytest.raises(ProvisionError, match="ARREIO_NATS_REPLICAS"):
        provision(found.model_copy(update={"nats_replicas": 5}))

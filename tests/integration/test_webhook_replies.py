"""Replies posted to a stand-in of a platform: signed, in order, again until they are taken, and nowhere else."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from arreio_contracts import envelope, subjects
from arreio_contracts.messages import OutboundMessage
from arreio_contracts.task import TaskState
from structlog.testing import capture_logs

from services.gateway.channels import registry
from services.gateway.channels.features import OFF, Features, change
from services.gateway.channels.posting import NotPosted, Post, new_client, post
from services.gateway.channels.webhook import check
from services.gateway.channels.webhook_replies import CONSUMER, WebhookReplies
from shared.bus.adapter_durables import make_durable
from shared.bus.broker import Broker
from shared.errors import ArreioError
from shared.outbox.dead_letters import list_dead
from shared.settings import Settings
from shared.store.connection import Pool
from tests.support.store import fresh, store_of
from tests.support.waiting import eventually


@dataclass
class Platform:
    """Takes posts, or answers as it is told: `says` maps a text to the statuses of its first posts."""

    url: str = ""
    says: dict[str, list[int]] = field(default_factory=dict)
    got: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)

    @property
    def taken(self) -> list[str]:
        """The texts that were taken, in their order."""
        return [text for text, _, _ in self.got]

    async def has(self, wanted: Callable[[list[str]], bool]) -> None:
        """Wait until what was taken is as wanted."""

        async def look() -> bool:
            return wanted(self.taken)

        await eventually(look, within=60)


@pytest.fixture
def platform() -> Iterator[Platform]:
    found = Platform()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            text = json.loads(body)["text"]
            status = found.says[text].pop(0) if found.says.get(text) else 200
            if status == 200:
                found.got.append((text, {name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(status)
            self.send_header("Location", f"{found.url}/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield found
    server.shutdown()
    thread.join()
    server.server_close()


@dataclass(frozen=True)
class Line:
    """A channel whose replies are posted, and what says something on it."""

    settings: Settings
    pool: Pool
    operator: Pool
    name: str
    secret: str
    broker: Broker

    async def say(self, conversation: str, text: str) -> None:
        said = OutboundMessage(
            kind="reply", conversation=conversation, text=text, state=TaskState.COMPLETE, session_id=f"s_{conversation}"
        )
        attributes = envelope.envelope("outbound.message", id=fresh("e"), source="gateway")
        await self.broker.jetstream.publish(
            subjects.outbound(self.name),
            said.model_dump_json().encode(),
            stream=subjects.STREAM_OUTBOUND,
            headers=envelope.headers(attributes),
        )


Lines = Callable[[str], AbstractAsyncContextManager[Line]]


@pytest.fixture
def line(engine: Settings) -> Lines:
    @asynccontextmanager
    async def of(url: str, delays: tuple[float, ...] = (0.05, 0.05)) -> AsyncIterator[Line]:
        name = fresh("ch")
        async with store_of(engine, "gateway") as (_, pool), store_of(engine, "operator") as (_, operator):
            keys = await registry.add_channel(operator, name, signed=True)
            await change(operator, name, Features(reply_url=url, reply_private=True))
            await make_durable(engine, name)
            broker = Broker(engine, "test")
            await broker.start()
            serving = asyncio.create_task(WebhookReplies(broker, pool, delays=delays).run())
            try:
                yield Line(engine, pool, operator, name, keys.signing_secret or "", broker)
            finally:
                serving.cancel()
                await asyncio.gather(serving, return_exceptions=True)
                await broker.stop()
                await change(operator, name, Features(reply_url=OFF))

    return of


async def test_a_reply_is_posted_signed_with_the_channels_secret(line: Lines, platform: Platform) -> None:
    async with line(f"{platform.url}/hook?x=1") as shop:
        await shop.say("k", "hello")
        await platform.has(lambda taken: taken == ["hello"])
    _, head, body = platform.got[0]
    check(shop.secret, head["webhook-id"], head["webhook-timestamp"], head["webhook-signature"], body, now=time.time())
    assert json.loads(body)["conversation"] == "k" and head["host"] in platform.url


async def test_a_conversation_keeps_its_order_over_failures_and_holds_up_no_other(
    line: Lines, platform: Platform
) -> None:
    platform.says = {"a1": [500, 429]}
    async with line(platform.url) as shop:
        for number in (1, 2, 3):
            for conversation in "ab":
                await shop.say(conversation, f"{conversation}{number}")
        await platform.has(lambda taken: len(taken) == 6)
    for conversation in "ab":
        mine = [text for text in platform.taken if text.startswith(conversation)]
        assert mine == [f"{conversation}{number}" for number in (1, 2, 3)]


async def test_what_is_never_taken_becomes_a_dead_letter_and_the_next_goes_on(line: Lines, platform: Platform) -> None:
    platform.says = {"bad": [500] * 99, "gone": [410]}
    with capture_logs() as logs:
        async with line(f"{platform.url}/hook?token=zq81") as shop:
            for text in ("bad", "gone", "good"):
                await shop.say("k", text)
            await platform.has(lambda taken: taken == ["good"])
            dead = [one for one in await list_dead(shop.operator) if one.subject == subjects.outbound(shop.name)]
    assert [(one.consumer, one.deliveries) for one in reversed(dead)] == [(CONSUMER, 3), (CONSUMER, 1)]
    assert all(one.headers["ce-type"] == "arreio.outbound.message" for one in dead), "it can be resent"
    told = repr(logs) + repr([(one.problem, one.body) for one in dead])
    assert "zq81" not in told and shop.secret not in told


async def test_a_redirect_is_not_followed(line: Lines, platform: Platform) -> None:
    platform.says = {"hello": [307]}
    async with line(platform.url) as shop:
        await shop.say("k", "hello")
        await platform.has(lambda taken: taken == ["hello"])
    assert platform.says == {"hello": []}, "it was posted again, to the same place"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]"])
async def test_this_machine_is_not_posted_to_unless_configured(platform: Platform, host: str) -> None:
    port = platform.url.rpartition(":")[2]
    reply = Post("m", b'{"text": "x"}', f"https://{host}:{port}/", "whsec_" + "0" * 24)
    async with new_client() as client:
        with pytest.raises(NotPosted, match="may not be posted to"):
            await post(client, reply)
    assert platform.got == [] and "whsec" not in repr(reply) and host not in repr(reply)


async def test_a_channel_is_changed_only_to_what_can_be_used(engine: Settings) -> None:
    name = fresh("ch")
    async with store_of(engine, "operator") as (_, pool):
        await registry.add_channel(pool, name)
        for features in (Features(reply_url="http://example.org"), Features(reply_url="https://127.0.0.1/")):
            with pytest.raises(ArreioError, match="the reply URL is"):
                await change(pool, name, features)
        secret = await change(pool, name, Features(reply_url="https://example.org/a/secret?t=1", progress=5))
        assert secret is not None and secret.startswith("whsec_")
        [found] = [one for one in await registry.list_channels(pool) if one.name == name]
        assert (found.replies_to, found.progress, found.signed) == ("https://example.org", 5, True)
        assert await change(pool, name, Features(reply_url=OFF, progress=0)) is None
        [found] = [one for one in await registry.list_channels(pool) if one.name == name]
        assert (found.replies_to, found.progress) == (None, None)
        with pytest.raises(registry.NoSuchChannel):
            await change(pool, fresh("ch"), Features(pairing=True))

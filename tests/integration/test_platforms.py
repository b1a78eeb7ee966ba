"""Telegram and Slack as platforms in this process, against stand-ins of their APIs: what is heard, and what is said."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from arreio_contracts.messages import InboundMessage, OutboundMessage
from arreio_contracts.task import TaskState

from services.gateway.adapters.delivering import deliver_all
from services.gateway.adapters.journal import Journal
from services.gateway.adapters.platform import Platform
from services.gateway.adapters.slack.app import PATH, Keys, Slack
from services.gateway.adapters.telegram import bot
from services.gateway.adapters.telegram.bot import Telegram
from tests.support.slack_server import APP_TOKEN, BOT_TOKEN, ME, SIGNING_SECRET, SlackServer, post_raw, post_signed
from tests.support.telegram_server import TOKEN, TelegramServer


@pytest.fixture
def telegram() -> Iterator[TelegramServer]:
    with TelegramServer() as server:
        yield server


@pytest.fixture
def slack() -> Iterator[SlackServer]:
    with SlackServer() as server:
        yield server


@asynccontextmanager
async def hearing(platform: Platform) -> AsyncIterator[list[InboundMessage]]:
    """What a platform hands in, while it listens."""
    heard: list[InboundMessage] = []

    async def hand_in(message: InboundMessage) -> None:
        heard.append(message)

    await platform.begin()
    listening = asyncio.create_task(platform.listen(hand_in))
    try:
        yield heard
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        await platform.close()


async def until(condition: Callable[[], object], what: str) -> None:
    for _ in range(3000):
        if condition():
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"{what} did not come")


def photo(name: str) -> list[dict[str, Any]]:
    return [{"file_id": name, "file_unique_id": name, "width": 9, "height": 9}]


async def test_an_album_whose_pictures_come_with_two_polls_is_one_message(telegram: TelegramServer) -> None:
    telegram.files = {"a": b"a", "b": b"b", "c": b"c"}
    async with hearing(Telegram(TOKEN, telegram.url)) as heard:
        first = telegram.say(caption="What are these?", photo=photo("a"), media_group_id="g")
        await until(lambda: first in telegram.given_out, "the first poll")
        telegram.say("And who are you?", sender=8)
        telegram.say(photo=photo("b"), media_group_id="g")
        telegram.say(photo=photo("c"), media_group_id="g")
        await until(lambda: len(heard) == 2, "both messages")
        album, other = heard
        assert (album.text, album.message_id, len(album.attachments)) == ("What are these?", str(first), 3)
        assert other.text == "And who are you?"
        telegram.say("And now?")
        await until(lambda: len(heard) == 3, "the message behind them")
        await until(lambda: telegram.pending() == [], "the confirmation of every update")
    assert [one.text for one in heard] == ["What are these?", "And who are you?", "And now?"]


async def test_telegram_keeps_an_album_until_it_was_handed_in(
    telegram: TelegramServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot, "ALBUM_PAUSE", 0.05)
    telegram.files = {"a": b"a", "b": b"b"}
    told, go_on = asyncio.Event(), asyncio.Event()

    async def hand_in(message: InboundMessage) -> None:
        told.set()
        await go_on.wait()

    platform = Telegram(TOKEN, telegram.url)
    await platform.begin()
    telegram.say(photo=photo("a"), media_group_id="g")
    telegram.say(photo=photo("b"), media_group_id="g")
    listening = asyncio.create_task(platform.listen(hand_in))
    await asyncio.wait_for(told.wait(), 60)
    assert telegram.pending() == [1, 2]
    go_on.set()
    await until(lambda: telegram.pending() == [], "the confirmation")
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    await platform.close()


async def test_who_sends_what_cannot_be_read_is_told_and_nobody_else_waits(telegram: TelegramServer) -> None:
    async with hearing(Telegram(TOKEN, telegram.url)) as heard:
        where = telegram.say(location={"latitude": 38.7, "longitude": -9.1})
        telegram.say("Hello.", sender=8)
        await until(lambda: heard, "the message behind it")
    assert [one.text for one in heard] == ["Hello."]
    (said,) = telegram.sent
    assert (said["chat_id"], said["reply_parameters"]["message_id"]) == (7, where)
    assert said["text"].startswith("I cannot read a location.")


async def test_who_cannot_be_told_holds_nobody_up(telegram: TelegramServer) -> None:
    telegram.answers = [(403, {"description": "Forbidden: bot was blocked by the user"})]
    async with hearing(Telegram(TOKEN, telegram.url)) as heard:
        telegram.say(dice={"emoji": "🎲", "value": 3})
        telegram.say("Hello.", sender=8)
        await until(lambda: heard, "the message behind it")


@dataclass
class Reply:
    """A reply of the channel's durable."""

    id: str
    body: OutboundMessage

    async def done(self) -> None:
        pass


async def say(platform: Platform, conversation: str, place: Path, *texts: str) -> None:
    """Say texts one after the other, and return when the platform has them all."""

    async def replies() -> AsyncIterator[Reply]:
        for number, text in enumerate(texts):
            fields: dict[str, Any] = {"kind": "reply", "state": TaskState.COMPLETE, "session_id": "s"}
            yield Reply(str(number), OutboundMessage(text=text, conversation=conversation, **fields))

    async def no_pause(_: float) -> None:
        await asyncio.sleep(0)

    await platform.begin()
    try:
        await deliver_all(replies(), platform, Journal(place / "journal.json"), sleep=no_pause)
    finally:
        await platform.close()


async def test_telegram_that_takes_a_reply_and_never_answers_gets_it_once_more(
    telegram: TelegramServer, tmp_path: Path
) -> None:
    telegram.answers = [None, None]
    await say(Telegram(TOKEN, telegram.url, patience=0.5), "7", tmp_path, "Only once, please.", "Next.")
    assert telegram.texts() == ["Only once, please.", "Only once, please.", "Next."]


async def test_slack_that_takes_a_reply_and_never_answers_gets_it_once_more(slack: SlackServer, tmp_path: Path) -> None:
    slack.answers = [None, None]
    platform = Slack(Keys(BOT_TOKEN, APP_TOKEN), api_base=slack.api, patience=1)
    await say(platform, "D1", tmp_path, "Only once, please.", "Next.")
    assert slack.texts() == ["Only once, please.", "Only once, please.", "Next."]


async def test_a_refusal_that_is_an_answer_is_tried_until_it_is_none(slack: SlackServer, tmp_path: Path) -> None:
    slack.answers = [(429, {"Retry-After": "0"}, {"ok": False, "error": "ratelimited"})] * 5
    await say(Slack(Keys(BOT_TOKEN, APP_TOKEN), api_base=slack.api), "D1", tmp_path, "Hello.")
    assert slack.texts() == ["Hello."] and slack.refused == 5


def listening_on(port: int) -> bool:
    with closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


NO_EVENTS: tuple[Any, ...] = ([], "x", 5, {"type": "message", "subtype": []})
STRANGE: tuple[Any, ...] = ([[]], {"a": []}, 5, "x", None)


async def test_bad_input_to_the_address_for_events_is_refused_and_what_is_good_is_taken(slack: SlackServer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    platform = Slack(Keys(BOT_TOKEN, None, SIGNING_SECRET), listen_on=("127.0.0.1", port), api_base=slack.api)
    url = f"http://127.0.0.1:{port}{PATH}"

    async def posted(send: Callable[..., int], *body: Any, **more: str) -> int:
        return await asyncio.to_thread(send, url, *body, **more)

    good = slack.event(f"<@{ME}> please look", channel="C1")
    async with hearing(platform) as heard:
        await until(lambda: listening_on(port), "the port")
        for raw in (b"", b"{", b"null", b"[]", b'"x"', b"\xff", b"[" * 100_000, b'{"a": NaN', b"1" * 5000):
            assert await posted(post_raw, raw) == 400, raw[:20]
        for event in NO_EVENTS:
            assert await posted(post_signed, {**good, "event": event}) == 400, event
        for field in ("team_id", "authorizations", "enterprise", "team", "user", "type", "is_enterprise_install"):
            for value in STRANGE:
                strange = {**slack.event("nothing"), field: value, "event": {"type": "reaction_added"}}
                assert await posted(post_signed, strange) < 500, strange
        assert await posted(post_raw, b"x" * (2 << 20)) == 413
        assert await posted(post_signed, good, secret="another") == 401
        for wrong in ("soon", "²", "-1", "9" * 5000):
            assert await posted(post_signed, good, **{"X-Slack-Request-Timestamp": wrong}) == 401, wrong
        assert await posted(post_signed, good, **{"X-Slack-Signature": "é"}) == 401
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        assert await posted(post_raw, b"command=%2Fx", **form) == 404
        assert heard == []
        assert await posted(post_signed, {"type": "url_verification", "challenge": "c"}) == 200
        assert await posted(post_signed, good) == 200
        assert [one.text for one in heard] == ["please look"]

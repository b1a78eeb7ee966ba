"""The adapters that come with Arreio on a whole Arreio: a message becomes a task, and its reply is said once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from shared.bus.adapter_durables import make_durable
from tests.support.house import House, last_json
from tests.support.programs import Program, kill, start, until
from tests.support.scripted_server import Reply, ScriptedServer
from tests.support.scripts import call
from tests.support.slack_server import APP_TOKEN, BOT_TOKEN, ME, SlackServer
from tests.support.telegram_server import TOKEN, TelegramServer

HOLD = threading.Event()


def talking(request: dict[str, Any]) -> Reply:
    """A model that goes by what was said last, and is slow when it is asked to be."""
    said = str(request["messages"][-1]["content"])
    if "be slow" in said:
        return {"content": "late", "hold": HOLD}
    if "blue" in said:
        return call("task_complete", reply="Painted blue.")
    if "paint" in said:
        return call("need_input", question="Which colour?")
    return call("task_complete", reply="Good day.")


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """An Arreio with a model of its own, which adapters' messages need not name."""
    with ScriptedServer(talking) as model:
        place = tmp_path_factory.mktemp("hub")
        with House(place, ARREIO_MODEL="openai/scripted", ARREIO_API_BASE=model.url) as running:
            yield running
            HOLD.set()


@contextmanager
def adapter(hub: House, kind: str, channel: str, api_base: str, **secrets: str) -> Iterator[Program]:
    """An adapter's process beside the data directory, from which it has its password."""
    command = ["-m", "arreio", "adapters", "run", kind, "--channel", channel, "--api-base", api_base]
    program = start(command, hub.place, secrets)
    program.line(lambda line: line.startswith("ready: "))
    yield program
    assert program.end() == 0, program.lines


def added(hub: House, channel: str, *senders: str) -> dict[str, Any]:
    made = last_json(hub.arreio("channels", "add", channel, "--json").stdout)
    for sender in senders:
        assert hub.arreio("channels", "allow", channel, sender).returncode == 0
    return made


def tasks_of(hub: House, channel: str) -> list[tuple[Any, ...]]:
    """The goal and state of every task of a channel."""
    return hub.rows(
        "SELECT t.goal, t.state FROM arreio.tasks t JOIN arreio.session_events e "
        "ON e.task_id = t.task_id AND e.type = 'task.created' "
        "WHERE e.data::jsonb ->> 'channel' = %s ORDER BY t.created_at",
        channel,
    )


def test_telegram_from_the_message_to_the_reply(hub: House) -> None:
    token = added(hub, "tg", "7")["token"]
    with TelegramServer() as telegram:
        telegram.files = {"large.bin": b"x" * (2 << 20)}
        secrets = {"TELEGRAM_BOT_TOKEN": TOKEN, "ARREIO_CHANNEL_TOKEN": token}
        with adapter(hub, "telegram", "tg", telegram.url, **secrets) as program:
            telegram.say("Hello.")
            telegram.wait_for(lambda: telegram.texts() == ["Good day."], 120)
            telegram.say("Hello.", sender=8)
            telegram.wait_for(lambda: len(telegram.sent) == 2, 120)
            assert telegram.sent[1]["chat_id"] == 8 and "I do not know you here yet" in telegram.texts()[1]
            telegram.say("paint it")
            telegram.wait_for(lambda: telegram.texts()[2:] == ["Which colour?"], 120)
            telegram.say("blue")
            telegram.wait_for(lambda: telegram.texts()[3:] == ["Painted blue."], 120)
            telegram.say("be slow")
            until(lambda: tasks_of(hub, "tg")[-1:] == [("be slow", "IN_PROGRESS")], what="the slow task")
            telegram.say("/status")
            telegram.wait_for(lambda: any(text.startswith("IN_PROGRESS: be slow") for text in telegram.texts()), 120)
            telegram.say("/cancel")
            telegram.wait_for(lambda: telegram.texts()[-1].startswith("BLOCKED (cancelled)"), 120)
            document = {"file_id": "large.bin", "file_unique_id": "l", "file_name": "large.bin", "file_size": 2 << 20}
            telegram.say(caption="Keep this.", document=document)
            telegram.wait_for(lambda: telegram.texts()[-1] == "Good day.", 120)
        assert not any(secret in line for secret in (TOKEN, token) for line in program.lines)
    ((attached,),) = hub.rows(
        "SELECT b.content FROM arreio.blobs b, arreio.session_events e WHERE e.type = 'message.received' "
        "AND encode(b.sha256, 'hex') = e.data::jsonb #>> '{message,attachments,0,sha256}'"
    )
    assert len(attached) == 2 << 20


def test_a_message_that_telegram_repeats_after_a_death_is_one_task(hub: House) -> None:
    added(hub, "again", "7")
    # The first adapter may die with the reply in its hands.
    asyncio.run(make_durable(hub.settings, "again", ack_wait=3))
    with TelegramServer() as telegram:
        place = hub.place
        command = ["-m", "arreio", "adapters", "run", "telegram", "--channel", "again", "--api-base", telegram.url]
        first = start(command, place, {"TELEGRAM_BOT_TOKEN": TOKEN})
        first.line("ready: ")
        telegram.forgetful = True
        telegram.say("Hello once.")
        until(lambda: tasks_of(hub, "again"), what="the task")
        kill(first.process.pid)
        first.wait()
        assert telegram.pending(), "Telegram was told that it arrived"
        telegram.forgetful = False
        with adapter(hub, "telegram", "again", telegram.url, TELEGRAM_BOT_TOKEN=TOKEN):
            telegram.say("And another.")
            telegram.wait_for(lambda: telegram.texts() == ["Good day.", "Good day."], 120)
    assert [goal for goal, _ in tasks_of(hub, "again")] == ["Hello once.", "And another."]


def test_slack_from_the_mention_to_the_reply_in_its_thread(hub: House) -> None:
    added(hub, "sl", "U7")
    with SlackServer() as slack:
        secrets = {"SLACK_BOT_TOKEN": BOT_TOKEN, "SLACK_APP_TOKEN": APP_TOKEN}
        with adapter(hub, "slack", "sl", slack.api, **secrets):
            body = slack.event(f"<@{ME}> paint it", channel="C1")
            thread = body["event"]["ts"]
            slack.tell(body)
            slack.tell(body)
            slack.wait_for(lambda: slack.texts() == ["Which colour?"], 120)
            slack.say(f"<@{ME}> blue", channel="C1", thread_ts=thread)
            slack.wait_for(lambda: slack.texts()[1:] == ["Painted blue."], 120)
            slack.say("Hello.", user="U8")
            slack.wait_for(lambda: len(slack.sent) == 3, 120)
    assert [one.get("thread_ts") for one in slack.sent] == [thread, thread, None]
    assert "I do not know you here yet" in slack.texts()[2]
    assert tasks_of(hub, "sl") == [("paint it", "COMPLETE")]

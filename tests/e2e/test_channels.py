"""Adapters on a whole Arreio: by HTTP and by NATS, through two deaths of the gateway, and as the guide shows them."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import nats
import pytest
from arreio_contracts import adapters, envelope, messages, subjects
from arreio_contracts.messages import InboundMessage

from tests.support.house import House, last_json
from tests.support.programs import kill, until

CONVERSATIONS, EACH = 100, 10
GUIDE = Path(__file__).resolve().parents[2] / "docs" / "channels.md"


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """An Arreio whose gateway is killed."""
    with House(tmp_path_factory.mktemp("hub")) as running:
        yield running


def added(hub: House, name: str, *options: str) -> dict[str, Any]:
    made = hub.arreio("channels", "add", name, "--json", *options)
    assert made.returncode == 0, made.stderr
    return last_json(made.stdout)


def http_url(hub: House) -> str:
    return str(until(lambda: last_json(hub.arreio("info", "--json").stdout)["http"]["url"], what="the HTTP API"))


def message(conversation: int, number: int) -> InboundMessage:
    return InboundMessage(
        conversation=f"k{conversation}",
        message_id=f"m{number}",
        sender=f"p{conversation}",
        text="/status" if number % 2 else f"do {number}",
    )


def talk_by_http(hub: House, channel: dict[str, Any], conversations: range) -> None:
    """Post messages one after the other, each until the gateway has said that it is accepted."""
    with httpx.Client(headers={"Authorization": f"Bearer {channel['token']}"}, timeout=20) as client:
        for number in range(EACH):
            for conversation in conversations:
                body = message(conversation, number).model_dump_json()

                def posted(body: str = body) -> bool:
                    # No address, or nobody there: the gateway is dead, and comes again.
                    with suppress(FileNotFoundError, httpx.TransportError):
                        url = json.loads((hub.place / "run" / "http.json").read_text())["url"]
                        said = client.post(f"{url}/v1/channels/{channel['channel']}/messages", content=body)
                        return said.status_code in (200, 202)
                    return False

                until(posted, 180, what="the acceptance of a message")


async def talk_by_nats(channel: dict[str, Any], conversations: range) -> None:
    """Publish one after the other without waiting for the gateway: what is stored is its to keep in order."""
    found = channel["nats"]
    client = await nats.connect(
        found["url"], user=found["user"], password=found["password"], inbox_prefix=found["inbox_prefix"].encode()
    )
    for number in range(EACH):
        for conversation in conversations:
            attributes = envelope.envelope("inbound.message", id=f"{conversation}-{number}", source="adapter")
            await client.jetstream().publish(
                found["publish"],
                message(conversation, number).model_dump_json().encode(),
                timeout=120,
                stream=subjects.STREAM_INBOUND,
                headers=envelope.headers(attributes),
            )
    await client.close()


def received(hub: House, channel: str) -> dict[str, list[str]]:
    """The messages of each conversation as the log has them."""
    found: dict[str, list[str]] = {}
    rows = hub.rows(
        "SELECT data::jsonb #>> '{message,conversation}', data::jsonb #>> '{message,message_id}' "
        "FROM arreio.session_events WHERE type = 'message.received' AND data::jsonb ->> 'channel' = %s "
        "ORDER BY session_id, seq",
        channel,
    )
    for conversation, message_id in rows:
        found.setdefault(conversation, []).append(message_id)
    return found


def at_least(hub: House, count: float) -> bool:
    """Whether so many messages stand in the log."""
    return sum(map(len, (received(hub, "web") | received(hub, "bus")).values())) >= count


def another_gateway(hub: House, killed: int) -> bool:
    """Whether one runs that was not killed."""
    return hub.pids("gateway") not in ([], [killed])


@pytest.mark.timeout(900)
def test_no_message_is_lost_or_doubled_or_out_of_order_though_the_gateway_is_killed_twice(hub: House) -> None:
    web, bus = added(hub, "web", "--open"), added(hub, "bus", "--open")
    http_url(hub)
    hub.redeliver_after(subjects.CONSUMER_GATEWAY_INBOUND, 6)
    half = CONVERSATIONS // 2
    with ThreadPoolExecutor(6) as pool:
        talks = [pool.submit(talk_by_http, hub, web, range(first, half, 5)) for first in range(5)]
        talks.append(pool.submit(asyncio.run, talk_by_nats(bus, range(half, CONVERSATIONS))))
        for share in (0.2, 0.6):
            until(partial(at_least, hub, share * CONVERSATIONS * EACH), 300)
            (pid,) = hub.pids("gateway")
            kill(pid)
            until(partial(another_gateway, hub, pid), what="another gateway")
        for talk in talks:
            talk.result(600)
    expected = {f"k{number}": [f"m{one}" for one in range(EACH)] for number in range(CONVERSATIONS)}
    until(partial(at_least, hub, CONVERSATIONS * EACH), 300, what="every message")
    assert received(hub, "web") | received(hub, "bus") == expected
    sessions = {messages.session_id("bus", message(number, 0)) for number in range(half, CONVERSATIONS)}
    ((with_tasks,),) = hub.rows(
        "SELECT count(DISTINCT session_id) FROM arreio.tasks WHERE session_id = ANY(%s)", [*sessions]
    )
    assert with_tasks == half
    _assert_nowhere(hub, web["token"], bus["token"], bus["nats"]["password"])


def _assert_nowhere(hub: House, *secrets: str) -> None:
    """No log and no event holds a token; the credentials file alone holds what NATS needs."""
    logs = "".join(path.read_text(errors="replace") for path in (hub.place / "logs").glob("*"))
    for secret in secrets:
        assert secret not in logs
        assert (
            hub.rows("SELECT FROM arreio.session_events WHERE strpos(data || metadata, %s) > 0 LIMIT 1", secret) == []
        )
        assert secret not in "".join(hub.arreio(*words).stdout for words in (["channels", "list"], ["info"]))


def test_the_adapter_of_the_guide_works(hub: House, tmp_path: Path) -> None:
    (source,) = re.findall(r"```python\n(# adapter\.py\n.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(source.splitlines()) <= 30
    (tmp_path / "adapter.py").write_text(source)
    channel = added(hub, "guide")
    assert hub.arreio("channels", "allow", "guide", "ana").returncode == 0
    done = subprocess.run(
        [sys.executable, "adapter.py", http_url(hub), "guide", "ana", "Please say hello."],
        cwd=tmp_path,
        env={"ARREIO_TOKEN": channel["token"], "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    # No model was named in this house, and that is what the adapter is told.
    assert done.stdout.splitlines()[-1].startswith("BLOCKED: no model was named")


def test_the_adapter_by_nats_of_the_guide_works_with_the_contracts_alone(hub: House, tmp_path: Path) -> None:
    guide = GUIDE.with_name("adapters.md").read_text(encoding="utf-8")
    (source,) = re.findall(r"```python\n(# nats_adapter\.py\n.*?)```", guide, re.DOTALL)
    assert len(source.splitlines()) <= 30
    (tmp_path / "nats_adapter.py").write_text(source)
    channel = added(hub, "guided")
    assert hub.arreio("channels", "allow", "guided", "ana").returncode == 0

    def say(sender: str) -> list[str]:
        done = subprocess.run(
            [sys.executable, "nats_adapter.py", channel["nats"]["url"], "guided", sender, "Please say hello."],
            cwd=tmp_path,
            env={
                "ARREIO_CHANNEL_PASSWORD": channel["nats"]["password"],
                "PYTHONPATH": str(GUIDE.parents[1] / "contracts"),
                "PATH": "/usr/bin:/bin",
            },
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    # What was said to somebody else lies in the channel's durable, and is nobody else's.
    other = ("--conversation", "cleo", "--sender", "ana", "--message-id", "m")
    assert hub.arreio("send", "Hello.", "--channel", "guided", *other).returncode == 0
    lines = say("ana")
    assert lines[0].startswith("to cleo: ")
    receipt, reply = (line for line in lines if line.startswith("to ana: "))
    assert receipt == "to ana: receipt: accepted"
    assert reply.startswith("to ana: reply: BLOCKED (unknown_model)")
    assert say("bea")[-1].startswith("to bea: receipt: I do not know you here yet.")


def test_an_unknown_sender_is_refused_on_nats_too_and_told_so(hub: House) -> None:
    channel = added(hub, "strict")

    async def ask() -> messages.Receipt:
        found = channel["nats"]
        client = await nats.connect(
            found["url"], user=found["user"], password=found["password"], inbox_prefix=found["inbox_prefix"].encode()
        )
        attributes = envelope.envelope("inbound.message", id="x", source="adapter")
        body = InboundMessage(conversation="c", message_id="m", sender="bea", text="hello").model_dump_json().encode()
        await client.jetstream().publish(found["publish"], body, headers=envelope.headers(attributes))
        replies = await client.jetstream().pull_subscribe_bind(durable=found["durable"], stream=found["stream"])
        (said,) = await replies.fetch(1, timeout=60)
        await said.ack_sync()
        await client.close()
        return messages.Receipt.model_validate_json(said.data)

    receipt = asyncio.run(ask())
    assert (receipt.status, receipt.field) == ("refused", "data.sender")
    assert "arreio channels allow strict bea" in (receipt.reason or "")


def test_the_commands_say_what_there_is_and_what_is_wrong(hub: House) -> None:
    added(hub, "mine", "--webhook")
    listed = [json.loads(line) for line in hub.arreio("channels", "list", "--json").stdout.splitlines()]
    assert {"mine"} == {one["name"] for one in listed if one["signed"]}
    for words, problem in (
        (["add", "mine"], "there is a channel 'mine' already"),
        (["add", "cli"], "the local operator's own"),
        (["add", "a b"], "is not 1 to 128 of A-Z a-z 0-9 _ -"),
        (["rotate", "nobody"], "there is no channel 'nobody'"),
        (["allow", "nobody", "ana"], "there is no channel 'nobody'"),
        (["deny", "mine", "ana"], "was not allowed"),
        (["allow", "mine", ""], "a sender has a name"),
        (["set", "mine", "--progress", "inf"], "1 to 86400 seconds"),
        (["set", "mine", "--progress", "0.5"], "1 to 86400 seconds"),
    ):
        refused = hub.arreio("channels", *words)
        assert refused.returncode == 1 and problem in refused.stderr and refused.stderr.count("\n") == 1
    assert (
        "no pattern; for everybody: arreio channels set mine --open"
        in hub.arreio("channels", "allow", "mine", "*").stdout
    )
    rotated = last_json(hub.arreio("channels", "rotate", "mine", "--json").stdout)
    assert rotated["nats"]["user"] == adapters.nats_user("mine")
    assert hub.arreio("channels", "rm", "mine").returncode == 0
    assert adapters.nats_user("mine") not in hub.arreio("info").stdout

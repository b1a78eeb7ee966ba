"""The HTTP API on a real database: accepted once, each channel for itself, strangers refused, nothing of it lost."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from arreio_contracts.events import ModelReplied, TaskBlocked, TaskNeedsInput, TaskStarted, Totals
from arreio_contracts.task import Reason

from services.gateway.attachments import MAX_BYTES
from services.gateway.channels import registry
from services.gateway.channels.webhook import WINDOW, signature
from shared.settings import Settings
from shared.store.leases import claim
from shared.store.tasks import list_tasks
from tests.support.http_server import HttpServer, OwnChannel, append, as_operator, own_channel
from tests.support.store import fresh, store_of

TOTALS = Totals(steps=1, tool_calls=0, prompt_tokens=0, completion_tokens=0, cost_usd=0.0, seconds=0.1)
ENDED = TaskBlocked(reason=Reason(code="loop", text="in circles"), totals=TOTALS)


@pytest.fixture(scope="module")
def server(engine: Settings) -> Iterator[HttpServer]:
    with HttpServer(engine) as running:
        yield running


@pytest.fixture
def channel(engine: Settings) -> OwnChannel:
    return own_channel(engine)


@pytest.fixture
def client(server: HttpServer, channel: OwnChannel) -> Iterator[httpx.Client]:
    with server.client(channel.token) as found:
        yield found


def post(client: httpx.Client, to: OwnChannel, /, **message: Any) -> httpx.Response:
    body = {"conversation": "c", "message_id": fresh("m"), "sender": "ana", "text": "do it", **message}
    return client.post(f"/v1/channels/{to.name}/messages", json=body)


def end(engine: Settings, receipt: dict[str, Any]) -> None:
    reason = {"reason_code": "loop", "reason_text": "in circles"}
    append(engine, receipt["session_id"], receipt["task_id"], TaskStarted(), ENDED, state="BLOCKED", **reason)


def events_of(client: httpx.Client, task_id: str, **options: Any) -> list[tuple[int, dict[str, Any]]]:
    """The server-sent events of a stream that comes to its end: seq and data."""
    found, seq = [], 0
    with client.stream("GET", f"/v1/tasks/{task_id}/events", **options) as stream:
        assert stream.status_code == 200 and stream.headers["content-type"].startswith("text/event-stream")
        for line in stream.iter_lines():
            name, _, value = line.partition(": ")
            if name == "id":
                seq = int(value)
            elif name == "data":
                found.append((seq, json.loads(value)))
    return found


def test_a_message_is_accepted_and_its_repetition_is_a_duplicate_of_the_same_task(
    client: httpx.Client, channel: OwnChannel
) -> None:
    first, again = (post(client, channel, message_id="m1") for _ in range(2))
    assert (first.status_code, again.status_code) == (202, 200)
    assert again.json() == {**first.json(), "status": "duplicate"}


def test_the_repetition_of_an_answer_names_the_task_that_it_answered(
    engine: Settings, client: httpx.Client, channel: OwnChannel
) -> None:
    asked = post(client, channel).json()
    question = TaskNeedsInput(question="which?", expires_ms=0)
    state = {"state": "NEEDS_INPUT", "awaiting": "input", "question": "which?"}
    append(engine, asked["session_id"], asked["task_id"], TaskStarted(), question, **state)
    view = client.get(f"/v1/tasks/{asked['task_id']}").json()
    assert (view["state"], view["a2a_state"]) == ("NEEDS_INPUT", "TASK_STATE_INPUT_REQUIRED")
    assert view["question"] == "which?"
    answers = [post(client, channel, message_id="answer", text="the blue one").json() for _ in range(2)]
    assert [(one["status"], one["task_id"]) for one in answers] == [
        ("accepted", asked["task_id"]),
        ("duplicate", asked["task_id"]),
    ]
    assert client.get(f"/v1/tasks/{asked['task_id']}").json()["question"] is None


def test_the_same_message_sent_by_many_at_once_is_one_task(
    engine: Settings, client: httpx.Client, channel: OwnChannel
) -> None:
    with ThreadPoolExecutor(16) as pool:
        said = list(pool.map(lambda _: post(client, channel, message_id="m1"), range(16)))
    assert sorted(one.status_code for one in said) == [200] * 15 + [202]
    assert len({one.json()["task_id"] for one in said}) == 1

    async def count() -> int:
        async with store_of(engine, "gateway") as (_, pool):
            return len(await list_tasks(pool, session_id=said[0].json()["session_id"]))

    assert asyncio.run(count()) == 1


def test_of_messages_that_race_for_a_session_one_runs_and_the_others_wait_their_turn(
    engine: Settings, client: httpx.Client, channel: OwnChannel
) -> None:
    """NousResearch/hermes-agent#2086: looking for a running agent and taking its place were two steps, so two ran."""
    with ThreadPoolExecutor(8) as threads:
        said = [one.json() for one in threads.map(lambda _: post(client, channel), range(8))]

    async def raced() -> list[str]:
        async with store_of(engine, "tool_loop") as (_, pool):
            rows = await list_tasks(pool, session_id=said[0]["session_id"])
            first = min(rows, key=lambda row: row.created_seq).task_id
            # Two workers try for every task, as a restart that resumes and a new message do.
            owners = ("host/boot/1/1", "host/boot/2/1")
            tries = [claim(pool, "task", row.task_id, owner, 30) for row in rows for owner in owners]
            held = [one for one in await asyncio.gather(*tries) if one is not None]
            assert [one.id for one in held] == [first]
            return [row.task_id for row in rows]

    assert set(asyncio.run(raced())) == {one["task_id"] for one in said}


def test_a_token_opens_its_own_channel_and_what_belongs_to_it_alone(
    engine: Settings, server: HttpServer, client: httpx.Client, channel: OwnChannel
) -> None:
    content = base64.b64encode(b"secret plans").decode()
    mine = post(client, channel, attachments=[{"name": "plans", "content": content}]).json()
    end(engine, mine)
    sha256 = hashlib.sha256(b"secret plans").hexdigest()
    blob = f"/v1/sessions/{mine['session_id']}/blobs/{sha256}"
    places = (
        f"/v1/tasks/{mine['task_id']}",
        f"/v1/tasks/{mine['task_id']}/events",
        f"/v1/sessions/{mine['session_id']}/events",
        blob,
    )
    assert [client.get(place).status_code for place in places] == [200] * 4
    assert client.get(blob).content == b"secret plans"
    other = own_channel(engine)
    with server.client(other.token) as stranger:
        assert [stranger.get(place).status_code for place in places] == [404] * 4
        assert stranger.post(f"/v1/tasks/{mine['task_id']}/cancel").status_code == 404
        assert post(stranger, channel).status_code == 403
        assert stranger.post(f"/v1/channels/{channel.name}/blobs", content=b"x").status_code == 403
        # Not even who knows its hash gets another channel's blob.
        refused = post(stranger, other, attachments=[{"name": "plans", "sha256": sha256}])
        assert (refused.status_code, refused.json()["field"]) == (422, "data.attachments.0.sha256")
        for words in (
            {"text": f"what is {sha256}?"},
            {"text": sha256, "conversation": sha256, "thread": sha256, "message_id": sha256, "reply_to": sha256},
        ):
            theirs = post(stranger, other, **words).json()
            assert stranger.get(f"/v1/sessions/{theirs['session_id']}/blobs/{sha256}").status_code == 404
    for token in ("", "arreio_guessed", channel.token[:-1]):
        with server.client(token) as nobody:
            said = nobody.get(places[0])
            assert said.status_code == 401 and said.headers["www-authenticate"].startswith("Bearer")


def test_an_unknown_sender_is_refused_politely_until_the_operator_allows_it(
    engine: Settings, client: httpx.Client, channel: OwnChannel
) -> None:
    refused = post(client, channel, sender="bea o'hara")
    assert refused.status_code == 403 and refused.json()["field"] == "data.sender"
    assert f"arreio channels allow {channel.name} 'bea o'\"'\"'hara'" in refused.json()["reason"]
    assert post(client, channel, sender="a\0b").status_code == 403
    as_operator(engine, lambda pool: registry.allow(pool, channel.name, "bea o'hara"))
    assert post(client, channel, sender="bea o'hara").status_code == 202
    as_operator(engine, lambda pool: registry.deny(pool, channel.name, "bea o'hara"))
    assert post(client, channel, sender="bea o'hara").status_code == 403


def test_a_rotated_token_stays_valid_for_its_grace_and_no_longer(
    engine: Settings, server: HttpServer, channel: OwnChannel
) -> None:
    def works(token: str) -> bool:
        with server.client(token) as client:
            return post(client, channel).status_code == 202

    new = as_operator(engine, lambda pool: registry.rotate_channel(pool, channel.name, grace=600))
    assert works(channel.token) and works(new.token)
    newer = as_operator(engine, lambda pool: registry.rotate_channel(pool, channel.name, grace=0))
    assert [works(token) for token in (channel.token, new.token, newer.token)] == [False, False, True]
    as_operator(engine, lambda pool: registry.remove_channel(pool, channel.name))
    assert not works(newer.token)


def test_what_is_refused_names_its_field(client: httpx.Client, channel: OwnChannel) -> None:
    for message, field in (
        ({"text": "  "}, "data.text"),
        ({"colour": "red"}, "data.colour"),
        ({"message_id": ""}, "data.message_id"),
        ({"contract": {"workspace": "/etc"}}, "data.contract.workspace"),
        ({"channel": "other"}, "data.channel"),
        ({"attachments": [{"name": "a", "content": "!"}]}, "data.attachments.0.content"),
    ):
        refused = post(client, channel, **message)
        assert (refused.status_code, refused.json()["field"]) == (422, field)
    large = client.post(f"/v1/channels/{channel.name}/blobs", content=b"x" * (MAX_BYTES + 1))
    assert large.status_code == 413
    assert client.post(f"/v1/channels/{channel.name}/messages", content=b"{").status_code == 422


def test_an_upload_is_attached_by_its_hash(client: httpx.Client, channel: OwnChannel) -> None:
    sha256 = client.post(f"/v1/channels/{channel.name}/blobs", content=b"a picture").json()["sha256"]
    receipt = post(client, channel, text="", attachments=[{"name": "p.png", "sha256": sha256}])
    assert receipt.status_code == 202
    page = client.get(f"/v1/sessions/{receipt.json()['session_id']}/events").json()
    (created,) = [one["data"] for one in page["events"] if one["type"] == "arreio.task.created"]
    assert "p.png" in created["goal"]
    assert created["attachments"] == [
        {"name": "p.png", "media_type": "application/octet-stream", "sha256": sha256, "content": None}
    ]


def test_the_stream_tells_the_past_and_what_comes_to_the_tasks_end_and_goes_on_where_it_broke(
    engine: Settings, client: httpx.Client, channel: OwnChannel
) -> None:
    receipt = post(client, channel).json()
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(events_of, client, receipt["task_id"])
        append(engine, receipt["session_id"], receipt["task_id"], TaskStarted(), state="IN_PROGRESS")
        append(engine, receipt["session_id"], receipt["task_id"], ModelReplied(content="olá \ud800"))
        end(engine, receipt)
        whole = reading.result(60)
    kinds = [data["type"] for _, data in whole]
    assert kinds[:2] == ["arreio.message.received", "arreio.task.created"] and kinds[-1] == "arreio.task.blocked"
    assert [int(data["sequence"]) for _, data in whole] == [seq for seq, _ in whole]
    for place, (seq, _) in enumerate(whole[:-1], 1):
        rest = events_of(client, receipt["task_id"], headers={"Last-Event-ID": str(seq)})
        assert rest == whole[place:]
    last = {"Last-Event-ID": str(whole[-1][0])}
    assert client.get(f"/v1/tasks/{receipt['task_id']}/events", headers=last).status_code == 204
    told = events_of(client, receipt["task_id"], params={"format": "agui"})
    assert told[0][1]["type"] == "RUN_STARTED"
    assert told[-1][1] == {"type": "RUN_ERROR", "message": "in circles", "code": "loop"}


def test_a_question_ends_the_stream_of_ag_ui_and_its_answer_is_told_to_who_comes_again(
    engine: Settings, client: httpx.Client, channel: OwnChannel
) -> None:
    receipt = post(client, channel).json()
    question = TaskNeedsInput(question="which?", expires_ms=0)
    state = {"state": "NEEDS_INPUT", "awaiting": "input", "question": "which?"}
    append(engine, receipt["session_id"], receipt["task_id"], TaskStarted(), question, **state)
    asked = events_of(client, receipt["task_id"], params={"format": "agui"})
    assert (asked[-1][1]["type"], asked[-1][1]["outcome"]["type"]) == ("RUN_FINISHED", "interrupt")
    post(client, channel, text="the blue one")
    end(engine, receipt)
    last = {"Last-Event-ID": str(asked[-1][0])}
    later = [one["type"] for _, one in events_of(client, receipt["task_id"], params={"format": "agui"}, headers=last)]
    assert later[0] == "RUN_STARTED" and later[-1] == "RUN_ERROR" and "RUN_FINISHED" not in later
    whole = events_of(client, receipt["task_id"], params={"format": "agui"})
    assert len(whole) == len(asked) + len(later)


def test_a_message_id_that_comes_again_in_another_thread_is_a_duplicate_in_its_own_session(
    client: httpx.Client, channel: OwnChannel
) -> None:
    first, again = (post(client, channel, message_id="m1", thread=thread).json() for thread in ("one", "two"))
    assert again == {**first, "status": "duplicate"}
    assert client.get(f"/v1/sessions/{again['session_id']}/events").status_code == 200


@pytest.mark.parametrize("length", [MAX_BYTES * 4, 10**30])
@pytest.mark.parametrize("place", ["messages", "blobs"])
def test_a_body_that_says_it_is_too_long_is_refused_before_it_has_come(
    client: httpx.Client, channel: OwnChannel, length: int, place: str
) -> None:
    with socket.create_connection((client.base_url.host, client.base_url.port), timeout=60) as raw:
        raw.sendall(
            f"POST /v1/channels/{channel.name}/{place} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {channel.token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{{".encode()
        )
        assert raw.recv(4096).split(b" ")[1] in (b"413", b"400")


def test_a_client_that_hangs_up_before_its_body_has_come_leaves_no_error(
    engine: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    channel = own_channel(engine)
    with HttpServer(engine) as server, server.client(channel.token) as client:
        for place in ("messages", "blobs"):
            with socket.create_connection((client.base_url.host, client.base_url.port), timeout=60) as raw:
                raw.sendall(
                    f"POST /v1/channels/{channel.name}/{place} HTTP/1.1\r\nHost: x\r\n"
                    f"Authorization: Bearer {channel.token}\r\nContent-Length: 100\r\n\r\n{{".encode()
                )
        assert post(client, channel).status_code == 202
    assert not [one for one in caplog.records if one.exc_info]


def test_pages_of_events_come_to_an_end(engine: Settings, client: httpx.Client, channel: OwnChannel) -> None:
    receipt = post(client, channel).json()
    end(engine, receipt)
    after: int | None = 0
    seen: list[int] = []
    while after is not None:
        page = client.get(f"/v1/sessions/{receipt['session_id']}/events", params={"after": after, "limit": 2}).json()
        seen += [int(one["sequence"]) for one in page["events"]]
        after = page["next_after"]
    assert seen == [1, 2, 3, 4, 5]


def test_a_task_is_cancelled_once_and_not_after_its_end(
    engine: Settings, client: httpx.Client, channel: OwnChannel
) -> None:
    receipt = post(client, channel).json()
    place = f"/v1/tasks/{receipt['task_id']}"
    said = [client.post(f"{place}/cancel") for _ in range(2)]
    assert [(one.status_code, one.json()["status"]) for one in said] == [(202, "accepted"), (202, "duplicate")]
    assert client.get(place).json()["cancel_requested"]
    end(engine, receipt)
    assert client.post(f"{place}/cancel").status_code == 409


def test_a_sender_who_speaks_too_often_is_told_when_to_come_again(engine: Settings) -> None:
    channel = own_channel(engine, senders=("ana", "bea"))
    with HttpServer(engine, rate=6) as server, server.client(channel.token) as client:
        said = [post(client, channel) for _ in range(4)]
        assert [one.status_code for one in said] == [202, 202, 429, 429]
        assert 1 <= int(said[2].headers["retry-after"]) <= 10
        assert post(client, channel, sender="bea").status_code == 202


def webhook(client: httpx.Client, channel: OwnChannel, body: bytes, *, at: int, secret: str) -> httpx.Response:
    head = {
        "webhook-id": "w1",
        "webhook-timestamp": str(at),
        "webhook-signature": signature(secret, "w1", at, body),
    }
    return client.post(f"/v1/webhooks/{channel.name}", content=body, headers=head)


def test_a_webhook_is_believed_by_its_signature_and_only_now(
    engine: Settings, server: HttpServer, channel: OwnChannel
) -> None:
    now = int(time.time())
    body = json.dumps({"conversation": "c", "message_id": "m", "sender": "ana", "text": "do it"}).encode()
    other = own_channel(engine)
    with server.client() as client:
        assert webhook(client, channel, body, at=now, secret=other.secret).status_code == 401
        assert webhook(client, channel, body, at=now - WINDOW - 60, secret=channel.secret).status_code == 401
        said = [webhook(client, channel, body, at=now, secret=channel.secret) for _ in range(2)]
        assert [one.status_code for one in said] == [202, 200]
        assert webhook(client, OwnChannel("nobody", "", ""), body, at=now, secret=channel.secret).status_code == 401
        assert client.post(f"/v1/webhooks/{channel.name}", content=body).status_code == 422

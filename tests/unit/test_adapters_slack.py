"""Which of Slack's events are for us, in which thread they stand, and what they say."""

from __future__ import annotations

from typing import Any

import pytest
from arreio_contracts.messages import InboundMessage

from services.gateway.adapters.slack.app import Keys, Slack
from services.gateway.adapters.slack.events import inbound, spoken, thread_of

ME = "UBOT"


def read(text: str = f"<@{ME}> please look", **fields: Any) -> Any:
    event = {"type": "message", "channel": "C1", "channel_type": "channel", "user": "U7", "ts": "5.1", "text": text}
    return inbound({"team_id": "T1", "event": {**event, **fields}}, ME)


def test_a_mention_in_a_channel_begins_a_thread() -> None:
    found = read()
    assert (found.account, found.conversation, found.thread, found.sender) == ("T1", "C1", "5.1", "U7")
    assert (found.text, found.direct, found.reply_to) == ("please look", False, None)
    assert thread_of(found.message_id) == "5.1"
    assert read(type="app_mention", channel_type=None) == found


def test_a_mention_in_a_thread_stays_there() -> None:
    found = read(thread_ts="3.1")
    assert (found.thread, found.message_id, found.reply_to) == ("3.1", "3.1:5.1", "3.1:3.1")


def test_a_direct_message_needs_no_mention_and_has_a_thread_only_in_one() -> None:
    plain = read("please look", channel="D1", channel_type="im")
    assert plain.direct and (plain.thread, plain.message_id) == ("", "5.1") and thread_of(plain.message_id) == ""
    assert read("and now?", channel="D1", channel_type="im", thread_ts="5.1").thread == "5.1"


@pytest.mark.parametrize("subtype", ["file_share", "thread_broadcast"])
def test_a_file_or_a_broadcast_of_a_thread_is_a_message(subtype: str) -> None:
    assert read(subtype=subtype) is not None


@pytest.mark.parametrize(
    "fields",
    [
        {"text": "talking among themselves"},
        {"text": "<@UOTHER> please look"},
        {"subtype": "message_changed", "message": {"text": f"<@{ME}> x", "user": "U7", "ts": "5.1"}},
        {"subtype": "message_deleted", "deleted_ts": "5.1"},
        {"subtype": "bot_message", "bot_id": "B9"},
        {"subtype": "channel_join"},
        {"bot_id": "B9"},
        {"user": ME},
        {"user": None},
        {"hidden": True},
        {"type": "reaction_added"},
    ],
)
def test_nothing_else_is(fields: dict[str, Any]) -> None:
    assert read(**fields) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"<@{ME}> hello", "hello"),
        (f"<@{ME}|helper>: hello", "hello"),
        (f"hello <@{ME}>", "hello"),
        (f"ask <@{ME}> and <@U9>", f"ask @{ME} and @U9"),
        ("in <#C2|general>, <!here>", "in #general, @here"),
        ("1 &lt; 2 &amp;&amp; 3 &gt; 2", "1 < 2 && 3 > 2"),
        ("<https://example.org/a?b=1&amp;c=2|the docs>", "the docs (https://example.org/a?b=1&c=2)"),
        ("<https://example.org>", "https://example.org"),
        ("<mailto:ana@example.org|ana@example.org>", "ana@example.org"),
        (f"<@{ME}> !cancel", "/cancel"),
        ("!STATUS", "/status"),
        ("!help", "/help"),
        ("!cancel t_1", "/cancel t_1"),
        ("!cancel please", "!cancel please"),
        (f"<@{ME}> /cancel t_1", "/cancel t_1"),
        ("!important is no word of control", "!important is no word of control"),
    ],
)
def test_markup_becomes_plain_text(text: str, expected: str) -> None:
    assert spoken(text, ME) == expected


@pytest.mark.parametrize("body", [{}, {"event": None}, {"event": {}}, {"event": {"type": "message"}}])
def test_what_holds_no_message_is_none(body: dict[str, Any]) -> None:
    assert inbound(body, ME) is None


@pytest.mark.parametrize(
    "file",
    [
        {"size": "ten", "url_private": "https://files.slack.com/a"},
        {"size": 10, "url_private": "http://[x"},
        {"size": 10, "url_private": "https://files.slack.com:many/a"},
        {"size": 10, "url_private": ["https://files.slack.com/a"]},
    ],
)
async def test_a_file_of_a_form_that_nobody_thought_of_is_left_out_as_others_are(file: dict[str, Any]) -> None:
    slack = Slack(Keys("xoxb-1", "xapp-1"))
    taken: list[InboundMessage] = []

    async def hand_in(message: InboundMessage) -> None:
        taken.append(message)

    slack._hand_in = hand_in
    said = {"type": "message", "channel": "D1", "channel_type": "im", "user": "U7", "ts": "5.1", "text": "Look."}
    await slack._on_event({"event": {**said, "files": [{"name": "a.csv", **file}, None]}}, {})  # type: ignore[arg-type]
    assert [one.text for one in taken] == ["Look.\n[The attachment a.csv was left out.]"]

"""Which of Telegram's messages are for us, whose they are, and what they say."""

from __future__ import annotations

import json
from typing import Any

import pytest
from structlog.testing import capture_logs
from telegram import Bot, Update, User
from telegram.error import BadRequest, Forbidden, InvalidToken, RetryAfter, TelegramError

from services.gateway.adapters.platform import Away
from services.gateway.adapters.telegram.bot import Telegram
from services.gateway.adapters.telegram.requests import UpdateRequests
from services.gateway.adapters.telegram.updates import File, files, inbound, message_id, place_of, posts, unreadable
from tests.support.telegram_server import ME

BOT = User.de_json(ME, None)
GROUP = {"id": -100, "type": "supergroup", "title": "Team"}
FORUM = {**GROUP, "is_forum": True}
OURS = {"message_id": 3, "date": 1, "chat": GROUP, "from": ME, "text": "Yes?"}
THEIRS = {
    "message_id": 3,
    "date": 1,
    "chat": GROUP,
    "from": {"id": 8, "is_bot": False, "first_name": "Bea"},
    "text": "x",
}


def update(number: int = 5, **fields: Any) -> Update:
    message = {
        "message_id": number,
        "date": 1,
        "chat": {"id": 7, "type": "private"},
        "from": {"id": 7, "is_bot": False, "first_name": "Ana"},
        **fields,
    }
    return Update.de_json({"update_id": number, "message": message}, None)


def photo(name: str) -> list[dict[str, Any]]:
    sizes = {"width": 1, "height": 1, "file_unique_id": name}
    return [{**sizes, "file_id": f"{name}-small"}, {**sizes, "file_id": name, "file_size": 10}]


def read(**fields: Any) -> Any:
    (post,) = posts([update(**fields)])
    return inbound(post, BOT)


def test_a_private_message_is_a_direct_one() -> None:
    found = read(text="Please look.")
    assert (found.account, found.conversation, found.sender, found.message_id) == ("123456", "7", "7", "5")
    assert found.direct and found.thread == "" and found.text == "Please look."


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"text": "@helper_bot please look"}, "please look"),
        ({"text": "@Helper_Bot: please look"}, "please look"),
        ({"text": "please look, @helper_bot"}, "please look, @helper_bot"),
        ({"text": "yes", "reply_to_message": OURS}, "yes"),
        ({"text": "/cancel"}, "/cancel"),
        ({"text": "/cancel@helper_bot t_1"}, "/cancel t_1"),
        ({"text": "/status@Helper_bot"}, "/status"),
        ({"text": "/start"}, "/status"),
        ({"text": "/start@helper_bot aGVsbG8-1_x"}, "/status"),
        ({"text": "/start the engine, please"}, "/start the engine, please"),
        ({"text": "/ask@helper_bot\nWhat is this?\n\nAnd that?"}, "/ask\nWhat is this?\n\nAnd that?"),
        ({"text": "/ask\nWhat is this?"}, "/ask\nWhat is this?"),
        ({"text": "(@helper_bot) please look"}, "(@helper_bot) please look"),
        ({"text": "@helper_bot\nplease look"}, "please look"),
    ],
)
def test_in_a_group_commands_mentions_and_replies_to_us_are_for_us(fields: dict[str, Any], text: str) -> None:
    found = read(chat=GROUP, **fields)
    assert found.text == text and found.conversation == "-100" and not found.direct


@pytest.mark.parametrize(
    "fields",
    [
        {"chat": GROUP, "text": "talking among themselves"},
        {"chat": GROUP, "text": "no, you", "reply_to_message": THEIRS},
        {"chat": GROUP, "text": "/cancel@other_bot"},
        {"chat": GROUP, "text": "/ask@other_bot\nWhat is this?"},
        {"chat": GROUP, "text": "@helper_bot2 please look"},
        {"chat": GROUP, "text": "please look, @helper_bots"},
        {"chat": GROUP, "text": "write to me@helper_bot"},
        {"text": "I am a bot", "from": {"id": 9, "is_bot": True, "first_name": "Bot"}},
        {"chat": GROUP, "text": "@helper_bot", "from": None, "sender_chat": GROUP},
        {"chat": GROUP, "new_chat_title": "Another title"},
        {"chat": GROUP, "new_chat_members": [ME]},
    ],
)
def test_nothing_else_is(fields: dict[str, Any]) -> None:
    assert read(**fields) is None


def test_an_edited_message_is_none() -> None:
    edited = {"message_id": 5, "date": 1, "chat": {"id": 7, "type": "private"}, "text": "x", "edit_date": 2}
    (post,) = posts([Update.de_json({"update_id": 9, "edited_message": edited}, None)])
    assert inbound(post, BOT) is None and post.updates == (9,)


def test_a_topic_is_a_thread_and_a_reply_in_a_plain_group_is_not() -> None:
    topic = read(chat=FORUM, text="/status", message_thread_id=11, is_topic_message=True)
    assert (topic.thread, topic.message_id) == ("11", "11:5")
    assert place_of(topic.message_id) == (11, 5)
    plain = read(chat=GROUP, text="/status", message_thread_id=3, reply_to_message=OURS)
    assert (plain.thread, plain.message_id, plain.reply_to) == ("", "5", "3")
    assert place_of(message_id("", 5)) == (None, 5)


def test_an_album_is_one_message_with_its_caption_and_all_its_pictures() -> None:
    first = update(5, media_group_id="g", photo=photo("a"), caption="What are these?")
    second = update(6, media_group_id="g", photo=photo("b"))
    between = update(8, text="And now?", chat={"id": 8, "type": "private"})
    third = update(9, media_group_id="g", photo=photo("c"))
    album, single = posts([first, second, between, third])
    message = inbound(album, BOT)
    assert message is not None and (message.text, message.message_id) == ("What are these?", "5")
    assert [one.id for one in files(album.messages)] == ["a", "b", "c"]
    assert (album.updates, single.updates) == ((5, 6, 9), (8,))
    assert album.may_grow and not single.may_grow


def test_an_album_of_ten_is_whole_and_one_of_another_chat_is_another() -> None:
    whole = [update(number, media_group_id="g", photo=photo("a")) for number in range(10)]
    elsewhere = update(11, media_group_id="g", photo=photo("a"), chat={"id": 8, "type": "private"})
    ten, other = posts([*whole, elsewhere])
    assert not ten.may_grow and len(ten.messages) == 10 and other.updates == (11,)


def test_every_kind_of_file_has_a_name_and_a_type() -> None:
    document = {"file_id": "d", "file_unique_id": "d", "file_name": "report.pdf", "mime_type": "application/pdf"}
    voice = {"file_id": "v", "file_unique_id": "v", "duration": 3, "mime_type": "audio/ogg", "file_size": 9}
    (post,) = posts([update(document=document)])
    assert [(one.name, one.media_type, one.size) for one in files(post.messages)] == [
        ("report.pdf", "application/pdf", None)
    ]
    (post,) = posts([update(voice=voice)])
    assert [(one.name, one.media_type) for one in files(post.messages)] == [("voice-5.ogg", "audio/ogg")]
    assert inbound(post, BOT) is not None


def test_an_animation_and_a_round_video_are_files_too() -> None:
    film = {"file_id": "f", "file_unique_id": "f", "duration": 3, "width": 9, "height": 9, "mime_type": "video/mp4"}
    (post,) = posts([update(animation=film, document={**film, "file_name": "funny.mp4"})])
    assert [(one.id, one.name, one.media_type) for one in files(post.messages)] == [
        ("f", "animation-5.mp4", "video/mp4")
    ]
    round_one = {"file_id": "r", "file_unique_id": "r", "duration": 3, "length": 9}
    (post,) = posts([update(video_note=round_one)])
    assert [(one.name, one.media_type) for one in files(post.messages)] == [("video_note-5.mp4", "video/mp4")]
    assert inbound(post, BOT) is not None and unreadable(post, BOT) is None


STICKER = {"file_id": "s", "file_unique_id": "s", "width": 9, "height": 9, "type": "regular"}
STICKER |= {"is_animated": False, "is_video": False}
PLACE = {"latitude": 38.7, "longitude": -9.1}


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"sticker": STICKER}, "a sticker"),
        ({"location": PLACE}, "a location"),
        ({"location": PLACE, "venue": {"location": PLACE, "title": "Café", "address": "Rua 1"}}, "a place"),
        ({"contact": {"phone_number": "1", "first_name": "Bea"}}, "a contact"),
        ({"dice": {"emoji": "🎲", "value": 3}}, "a dice"),
        ({"hologram": {"file_id": "h"}}, "a message of that kind"),
        ({"sticker": STICKER, "chat": GROUP, "reply_to_message": OURS}, "a sticker"),
        ({"sticker": STICKER, "chat": GROUP}, None),
        ({"hologram": {"file_id": "h"}, "chat": GROUP}, None),
        ({"sticker": STICKER, "from": {"id": 9, "is_bot": True, "first_name": "Bot"}}, None),
        ({"text": "plain"}, None),
        ({"new_chat_title": "Another title", "chat": GROUP}, None),
        ({"pinned_message": {**OURS, "chat": {"id": 7, "type": "private"}}}, None),
    ],
)
def test_what_cannot_be_read_is_known_where_it_was_meant_for_us(fields: dict[str, Any], what: str | None) -> None:
    (post,) = posts([update(**fields)])
    assert unreadable(post, BOT) == what
    if what is not None:
        assert inbound(post, BOT) is None


def answer(*results: Any) -> bytes:
    return json.dumps({"ok": True, "result": list(results)}).encode()


def raw(number: int, **fields: Any) -> dict[str, Any]:
    chat, sender = {"id": 7, "type": "private"}, {"id": 7, "is_bot": False, "first_name": "Ana"}
    message = {"message_id": number, "date": 1, "chat": chat, "from": sender, "text": "my secret plan", **fields}
    return {"update_id": number, "message": {name: value for name, value in message.items() if value is not None}}


@pytest.mark.parametrize(
    "fields",
    [{"date": None}, {"chat": None}, {"date": "soon"}, {"date": 10**30}, {"chat": 5}, {"photo": 3}, {"from": "me"}],
)
def test_an_update_that_cannot_be_read_takes_none_with_it(fields: dict[str, Any]) -> None:
    with capture_logs() as logs:
        found = UpdateRequests.parse_json_payload(answer(raw(1), raw(2, **fields), raw(3)))["result"]
    updates = Update.de_list(found, None)
    assert [(one.update_id, one.message is not None) for one in updates] == [(1, True), (2, False), (3, True)]
    assert [post.updates for post in posts(updates)] == [(1,), (2,), (3,)]
    assert [one["update"] for one in logs] == [2] and "secret" not in str(logs)


def test_what_is_no_update_is_left_out_and_an_answer_without_any_is_none() -> None:
    found = UpdateRequests.parse_json_payload(answer(5, {"update_id": "x"}, raw(3)))
    assert [one["update_id"] for one in found["result"]] == [3]
    assert UpdateRequests.parse_json_payload(answer())["result"] == []
    for nothing in (answer(5), b'{"ok": true, "result": {}}', b"[]", b"my secret plan", b"[" * 100_000):
        with pytest.raises(TelegramError, match="Invalid server response"):
            UpdateRequests.parse_json_payload(nothing)


def test_what_telegram_refuses_is_read_as_before() -> None:
    assert UpdateRequests.parse_json_payload(b'{"ok": false, "description": "no"}')["description"] == "no"


def test_an_answer_that_the_library_cannot_read_is_an_absence_and_no_end_of_the_adapter() -> None:
    with pytest.raises(Away, match="cannot be read"), Telegram("123456:x")._told():
        raise KeyError("date")


@pytest.mark.parametrize("refusal", [InvalidToken("Not Found"), Forbidden("no"), BadRequest("no"), RetryAfter(60)])
async def test_a_file_that_is_not_to_be_had_soon_is_asked_for_once(
    refusal: TelegramError, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    async def get_file(self: Bot, name: str) -> None:
        asked.append(name)
        raise refusal

    monkeypatch.setattr(Bot, "get_file", get_file)
    assert await Telegram("123456:x")._fetched(File("f", "a.csv", None, 10)) is None
    assert asked == ["f"]

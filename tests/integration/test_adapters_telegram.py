"""The Telegram adapter as a process, between a stand-in of the Bot API and a real NATS."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from shared.engine.channel_users import set_user
from shared.engine.engine import Engine
from shared.engine.paths import DataDir
from shared.settings import Settings
from tests.support.adapter_side import AdapterSide
from tests.support.engines import own_engine
from tests.support.programs import Program, kill, until
from tests.support.telegram_server import TOKEN, TelegramServer

FORUM = {"id": -100, "type": "supergroup", "title": "Team", "is_forum": True}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Settings, Engine]]:
    with own_engine(tmp_path_factory.mktemp("nats")) as found:
        yield found


@pytest.fixture
def telegram() -> Iterator[TelegramServer]:
    with TelegramServer() as server:
        yield server


@pytest.fixture
def side(
    own: tuple[Settings, Engine], telegram: TelegramServer, tmp_path: Path, request: pytest.FixtureRequest
) -> AdapterSide:
    channel = f"c{abs(hash(request.node.name)):x}"
    command = ("telegram", "--api-base", telegram.url)
    return AdapterSide(own[0], channel, tmp_path / "home", *command, TELEGRAM_BOT_TOKEN=TOKEN)


@contextmanager
def running(side: AdapterSide) -> Iterator[Program]:
    """The adapter's process, which ends in good order when it is told to, and tells no secret."""
    program = side.start()
    yield program
    assert program.end() == 0, program.lines
    assert_silent(side, program)


def assert_silent(side: AdapterSide, *programs: Program) -> None:
    said = "\n".join(line for program in programs for line in program.lines)
    assert TOKEN not in said and side.password not in said


def test_messages_go_in_and_replies_come_out_where_they_belong(side: AdapterSide, telegram: TelegramServer) -> None:
    with running(side):
        asked = telegram.say("Please look.")
        in_topic = telegram.say("/status", chat=FORUM, message_thread_id=11, is_topic_message=True)
        private, topic = side.handed_in(2)
        assert (private.text, private.direct, private.message_id) == ("Please look.", True, str(asked))
        assert (topic.conversation, topic.thread, topic.message_id) == ("-100", "11", f"11:{in_topic}")
        side.reply("I looked.", private.conversation, reply_to=private.message_id)
        side.reply("Nothing is running.", topic.conversation, thread="11", reply_to=topic.message_id)
        side.refuse("-100", topic.message_id, "data.sender", "I do not know you here yet.")
        telegram.wait_for(lambda: len(telegram.sent) == 3)
        side.wait_until_acknowledged()
    first, second, third = telegram.sent
    assert (first["chat_id"], first["text"], first["reply_parameters"]["message_id"]) == (7, "I looked.", asked)
    assert (second["chat_id"], second["message_thread_id"]) == (-100, 11)
    assert (third["text"], third["message_thread_id"]) == ("I do not know you here yet.", 11)


def test_files_come_with_their_message_and_one_that_is_too_large_is_told(
    side: AdapterSide, telegram: TelegramServer
) -> None:
    def document(name: str, size: int) -> dict[str, object]:
        return {"file_id": name, "file_unique_id": name, "file_name": name, "mime_type": "text/csv", "file_size": size}

    telegram.files = {"numbers.csv": b"1,2,3\n"}
    photo = {"file_id": "numbers.csv", "file_unique_id": "p", "width": 9, "height": 9}
    with running(side):
        telegram.say(caption="Add these.", document=document("numbers.csv", 6))
        telegram.say(photo=[photo])
        telegram.say(caption="And these.", document=document("huge.csv", 11 << 20))
        with_file, picture, without = side.handed_in(3)
    (file,) = with_file.attachments
    assert (with_file.text, file.name, file.media_type) == ("Add these.", "numbers.csv", "text/csv")
    assert base64.b64decode(file.content or "") == b"1,2,3\n"
    assert picture.text == "(attached: photo-2.jpg)" and picture.attachments[0].media_type == "image/jpeg"
    assert without.text == "And these.\n[The attachment huge.csv was left out.]" and without.attachments == ()


def test_a_long_reply_comes_in_pieces_and_a_rate_limit_is_kept(side: AdapterSide, telegram: TelegramServer) -> None:
    limit = {"description": "Too Many Requests: retry after 1", "parameters": {"retry_after": 1}}
    telegram.answers = [(200, {}), (429, limit), (502, {"description": "Bad Gateway"})]
    text = "\n".join(f"line {number} of a long reply" for number in range(400))
    with running(side):
        side.reply(text, "7")
        side.reply("And one more.", "7")
        telegram.wait_for(lambda: telegram.texts()[-1:] == ["And one more."])
        side.wait_until_acknowledged()
    *pieces, last = telegram.texts()
    assert len(pieces) == 3 and "\n".join(pieces) == text and last == "And one more."
    assert telegram.refused == 2


def test_a_chat_that_is_gone_holds_up_no_other(side: AdapterSide, telegram: TelegramServer) -> None:
    telegram.answers = [(403, {"description": "Forbidden: bot was blocked by the user"})]
    with running(side):
        side.reply("Are you there?", "8")
        side.reply("Hello.", "7")
        telegram.wait_for(lambda: telegram.texts() == ["Hello."])
        side.wait_until_acknowledged()


def test_killed_before_telegram_answered_it_says_it_once_more_and_never_a_third_time(
    side: AdapterSide, telegram: TelegramServer
) -> None:
    telegram.answers = [None, None]
    side.redeliver_after(3)
    lives = []
    for life in (1, 2):
        program = side.start()
        lives.append(program)
        if life == 1:
            side.reply("Only once, please.", "7")
        telegram.wait_for(lambda life=life: telegram.texts() == ["Only once, please."] * life, 90)  # type: ignore[misc]
        kill(program.process.pid)
        program.wait()
    with running(side):
        side.reply("Next.", "7")
        telegram.wait_for(lambda: telegram.texts()[2:] == ["Next."], 90)
        side.wait_until_acknowledged()
    assert_silent(side, *lives)


def test_killed_between_storing_and_confirming_no_message_is_lost(side: AdapterSide, telegram: TelegramServer) -> None:
    program = side.start()
    sent = [telegram.say(f"message {number}") for number in range(20)]
    until(lambda: side.stored() >= 5, what="some messages")
    kill(program.process.pid)
    program.wait()
    sent += [telegram.say(f"message {number}") for number in range(20, 25)]
    with running(side):
        until(lambda: str(sent[-1]) in {one.message_id for one in side.handed_in(side.stored())}, what="the last one")
    heard = [one.message_id for one in side.handed_in(side.stored())]
    # What is handed in twice has the same id, by which the gateway knows it.
    assert list(dict.fromkeys(heard)) == [str(number) for number in sent]


def test_a_topic_that_was_deleted_is_answered_in_the_chat(side: AdapterSide, telegram: TelegramServer) -> None:
    telegram.answers = [(400, {"description": "Bad Request: message thread not found"})]
    with running(side):
        side.reply("Where are you?", "-100", thread="11", reply_to="11:3")
        telegram.wait_for(lambda: telegram.texts() == ["Where are you?"])
        side.wait_until_acknowledged()
    assert "message_thread_id" not in telegram.sent[0]


def test_nats_that_is_down_is_waited_for(
    own: tuple[Settings, Engine], side: AdapterSide, telegram: TelegramServer
) -> None:
    _, engine = own
    with running(side):
        side.reply("Before.", "7")
        telegram.wait_for(lambda: telegram.texts() == ["Before."])
        side.wait_until_acknowledged()
        engine.nats.stop()
        said = [telegram.say(f"said meanwhile {number}") for number in range(3)]
        until(lambda: said[0] in telegram.given_out, what="that the adapter has it")
        engine.nats.prepare()
        engine.nats.spawn()
        engine.wait_ready()
        heard = side.handed_in(3)
        assert list(dict.fromkeys(one.message_id for one in heard)) == [str(number) for number in said]
        side.reply("After.", "7")
        telegram.wait_for(lambda: telegram.texts() == ["Before.", "After."], 120)


def test_a_password_that_was_rotated_ends_it_with_the_way_out(own: tuple[Settings, Engine], side: AdapterSide) -> None:
    program = side.start()
    set_user(DataDir(own[0].home), side.channel)
    assert program.wait(120) == 1
    assert program.lines[-1].startswith("arreio: NATS refuses the user of the channel")


def test_a_platform_that_is_down_is_waited_for(side: AdapterSide, telegram: TelegramServer) -> None:
    telegram.go_away()
    program = side.start(ready=False)
    program.line("the platform cannot be reached")
    side.reply("Said while it was down.", "7")
    telegram.come_back()
    program.line("ready: @helper_bot", 120)
    telegram.wait_for(lambda: telegram.texts() == ["Said while it was down."])
    telegram.go_away()
    side.reply("Said while it was down again.", "7")
    program.line("did not take a reply")
    telegram.come_back()
    telegram.say("Are you back?")
    telegram.wait_for(lambda: len(telegram.sent) == 2, 120)
    side.wait_until_acknowledged()
    assert [one.text for one in side.handed_in(1)] == ["Are you back?"]
    assert program.end() == 0
    assert_silent(side, program)


def test_what_is_wrong_is_one_line_with_the_way_out(
    side: AdapterSide, telegram: TelegramServer, tmp_path: Path
) -> None:
    with running(side):
        second = side.start(ready=False)
        assert second.wait() == 1
        assert second.lines == [
            f"arreio: the channel '{side.channel}' is served by another process here; end that one first"
        ]
    side.secrets["TELEGRAM_BOT_TOKEN"] = "1:wrong"
    refused = side.start(ready=False)
    assert refused.wait() == 1
    assert refused.lines == ["arreio: Telegram refuses the bot's token; ask @BotFather for the bot's token"]
    side.secrets["ARREIO_CHANNEL_PASSWORD"] = "wrong"
    strange = side.start(ready=False)
    assert strange.wait() == 1
    # Under load NATS may hang up on a first try, which is logged.
    (said,) = [line for line in strange.lines if not line.startswith("{")]
    assert "NATS refuses the user of the channel" in said
    del side.secrets["TELEGRAM_BOT_TOKEN"]
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "TELEGRAM_BOT_TOKEN").write_text("1:wrong\n")
    side.secrets["ARREIO_SECRETS_DIR"] = str(tmp_path / "folder")
    by_file = side.start(ready=False)
    assert by_file.wait() == 1
    assert "NATS refuses the user" in by_file.lines[-1]
    del side.secrets["ARREIO_SECRETS_DIR"]
    unset = side.start(ready=False)
    assert unset.wait() == 1
    assert unset.lines[0].startswith("arreio: TELEGRAM_BOT_TOKEN is not set: it holds the bot's token")

"""The Slack adapter as a process, between a stand-in of Slack and a real NATS: by Socket Mode and by signed events."""

from __future__ import annotations

import base64
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from shared.engine.engine import Engine
from shared.settings import Settings
from tests.support.adapter_side import AdapterSide
from tests.support.engines import own_engine
from tests.support.programs import Program, kill, until
from tests.support.slack_server import APP_TOKEN, BOT_TOKEN, ME, SIGNING_SECRET, SlackServer, post_signed


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Settings, Engine]]:
    with own_engine(tmp_path_factory.mktemp("nats")) as found:
        yield found


@pytest.fixture
def slack() -> Iterator[SlackServer]:
    with SlackServer() as server:
        yield server


def made(settings: Settings, slack: SlackServer, place: Path, name: str, *options: str) -> AdapterSide:
    secrets = {"SLACK_BOT_TOKEN": BOT_TOKEN, "SLACK_APP_TOKEN": APP_TOKEN, "SLACK_SIGNING_SECRET": SIGNING_SECRET}
    return AdapterSide(settings, name, place, "slack", "--api-base", slack.api, *options, **secrets)


@pytest.fixture
def side(
    own: tuple[Settings, Engine], slack: SlackServer, tmp_path: Path, request: pytest.FixtureRequest
) -> AdapterSide:
    return made(own[0], slack, tmp_path / "home", f"c{abs(hash(request.node.name)):x}")


@contextmanager
def running(side: AdapterSide) -> Iterator[Program]:
    """The adapter's process, which ends in good order when it is told to, and tells no secret."""
    program = side.start()
    yield program
    assert program.end() == 0, program.lines
    said = "\n".join(program.lines)
    assert not any(secret in said for secret in (BOT_TOKEN, APP_TOKEN, SIGNING_SECRET, side.password))


def test_messages_go_in_and_replies_come_out_in_their_threads(side: AdapterSide, slack: SlackServer) -> None:
    with running(side):
        private = slack.say("Please look.")
        mention = slack.say(f"<@{ME}> and here?", channel="C1")
        slack.say("talking among themselves", channel="C1")
        slack.say(f"<@{ME}> I am a bot", channel="C1", bot_id="B9")
        slack.say(f"<@{ME}> edited", channel="C1", subtype="message_changed")
        slack.say("!cancel")
        first, second, third = side.handed_in(3)
        slack.wait_for(lambda: len(slack.acknowledged) == 6)
        assert (first.text, first.direct, first.message_id, first.account) == ("Please look.", True, private, "T1")
        assert (second.text, second.thread) == ("and here?", mention)
        assert third.text == "/cancel"
        side.reply("**I looked.**", "D1", reply_to=first.message_id)
        side.reply("Here too.", "C1", thread=mention, reply_to=second.message_id)
        side.refuse("C1", second.message_id, "data.sender", "I do not know you here yet.")
        slack.wait_for(lambda: len(slack.sent) == 3)
        side.wait_until_acknowledged()
        assert side.stored() == 3
    assert [(one["channel"], one["text"], one.get("thread_ts")) for one in slack.sent] == [
        ("D1", "*I looked.*", None),
        ("C1", "Here too.", mention),
        ("C1", "I do not know you here yet.", mention),
    ]


def test_files_come_with_their_message_and_the_token_goes_to_slack_alone(side: AdapterSide, slack: SlackServer) -> None:
    slack.files = {"numbers.csv": b"1,2,3\n"}

    def file(name: str, place: str, size: int = 6) -> dict[str, object]:
        return {"id": "F1", "name": name, "mimetype": "text/csv", "size": size, "url_private_download": place}

    ours = f"{slack.url}/files/numbers.csv"
    with SlackServer() as stranger, running(side):
        stranger.files = slack.files
        slack.say("Add these.", subtype="file_share", files=[file("numbers.csv", ours)])
        slack.say("", subtype="file_share", files=[file("numbers.csv", ours)])
        theirs = file("theirs.csv", f"{stranger.url}/files/numbers.csv")
        slack.say("And these.", subtype="file_share", files=[theirs, file("huge.csv", ours, 11 << 20)])
        with_file, bare, without = side.handed_in(3)
    (attached,) = with_file.attachments
    assert (with_file.text, attached.name, attached.media_type) == ("Add these.", "numbers.csv", "text/csv")
    assert base64.b64decode(attached.content or "") == b"1,2,3\n"
    assert bare.text == "(attached: numbers.csv)"
    assert without.attachments == ()
    assert without.text.splitlines() == [
        "And these.",
        "[The attachment theirs.csv was left out.]",
        "[The attachment huge.csv was left out.]",
    ]


def test_a_long_reply_comes_in_pieces_and_a_rate_limit_is_kept(side: AdapterSide, slack: SlackServer) -> None:
    slack.answers = [
        (200, {}, {"ok": True}),
        (429, {"Retry-After": "1"}, {"ok": False, "error": "ratelimited"}),
        (503, {}, {"ok": False, "error": "service_unavailable"}),
        (200, {}, {"ok": True}),
        (200, {}, {"ok": True}),
        (200, {}, {"ok": False, "error": "channel_not_found"}),
    ]
    lines = [f"line {number} of a long reply" for number in range(360)]
    with running(side):
        side.reply("\n".join(["```", *lines, "```"]), "D1")
        side.reply("Nobody is there.", "D0")
        side.reply("And one more.", "D1")
        slack.wait_for(lambda: slack.texts()[-1:] == ["And one more."])
        side.wait_until_acknowledged()
    *pieces, last = slack.texts()
    assert last == "And one more." and slack.refused == 3
    assert all(len(piece) <= 4000 and piece.startswith("```\n") and piece.endswith("\n```") for piece in pieces)
    assert [line for piece in pieces for line in piece.splitlines() if line != "```"] == lines


def test_killed_before_slack_answered_it_says_it_once_more(side: AdapterSide, slack: SlackServer) -> None:
    slack.answers = [None]
    side.redeliver_after(3)
    program = side.start()
    side.reply("Only once, please.", "D1")
    slack.wait_for(lambda: slack.texts() == ["Only once, please."])
    kill(program.process.pid)
    program.wait()
    with running(side):
        side.reply("Next.", "D1")
        slack.wait_for(lambda: slack.texts()[1:] == ["Only once, please.", "Next."], 90)
        side.wait_until_acknowledged()


def test_no_event_is_lost_over_a_death_and_an_absence_of_slack(side: AdapterSide, slack: SlackServer) -> None:
    program = side.start()
    said = [slack.say(f"message {number}") for number in range(10)]
    until(lambda: side.stored() >= 1, what="a message")
    kill(program.process.pid)
    program.wait()
    said += [slack.say(f"message {number}") for number in range(10, 15)]
    with running(side):
        until(lambda: {one.message_id for one in side.handed_in(side.stored())} >= set(said), what="every message")
        slack.go_away()
        side.reply("Said while it was down.", "D1")
        slack.come_back()
        slack.wait_for(lambda: slack.texts() == ["Said while it was down."], 120)
        slack.tell(slack.event("Are you back?", ts="9.9"))
        until(lambda: side.handed_in(side.stored())[-1].message_id == "9.9", 120, what="the last message")


def test_signed_events_are_taken_and_others_refused(
    own: tuple[Settings, Engine], slack: SlackServer, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    side = made(own[0], slack, tmp_path / "home", "signed", "--listen", f"127.0.0.1:{port}")
    url = f"http://127.0.0.1:{port}/slack/events"
    with running(side):
        body = slack.event(f"<@{ME}> please look", channel="C1")
        status = until(lambda: _answered(url, body), what="the port")
        assert status == 200
        again = post_signed(url, body, **{"X-Slack-Retry-Num": "1", "X-Slack-Retry-Reason": "http_timeout"})
        assert again == 200
        assert post_signed(url, slack.event("forged"), secret="another secret") == 401
        assert post_signed(url, {"type": "url_verification", "challenge": "c"}) == 200
        assert post_signed(url, slack.event("", subtype="message_deleted")) == 200
        # Slack's repetition has the same id, by which the gateway knows it.
        first, second = side.handed_in(2)
        assert first == second and first.text == "please look"
        assert side.stored() == 2


def test_a_token_that_slack_refuses_ends_it_with_one_line(side: AdapterSide, slack: SlackServer) -> None:
    for variable, wrong in (("SLACK_APP_TOKEN", "xapp-wrong"), ("SLACK_BOT_TOKEN", "xoxb-wrong")):
        side.secrets[variable] = wrong
        program = side.start(ready=False)
        assert program.wait() == 1
        assert program.lines[-1].startswith("arreio: Slack refuses the app's token: invalid_auth; ")
        assert not any(wrong in line for line in program.lines)


def _answered(url: str, body: dict[str, object]) -> int | None:
    try:
        return post_signed(url, body)
    except OSError:
        return None

"""What adapters do without their platforms: splitting, markup, what is for us, and what is sent again after a death."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from arreio_contracts.messages import Attachment, InboundMessage, OutboundMessage, Receipt
from arreio_contracts.task import TaskState
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import BaseModel

from arreio.__main__ import main
from arreio.adapter_process import need
from arreio.platform_options import http_address, nats_addresses, token
from services.gateway.adapters.delivering import deliver_all
from services.gateway.adapters.fitting import attachment, fitted
from services.gateway.adapters.journal import MOST_TRIES, Journal
from services.gateway.adapters.platform import LONGEST_SAID, Away, HandIn, Undeliverable
from services.gateway.adapters.saying import Saying, saying_of
from services.gateway.adapters.slack.mrkdwn import WHOLE, mrkdwn
from services.gateway.adapters.splitting import SMALLEST_LIMIT, split, utf16_units
from shared.errors import ArreioError

LINES = st.one_of(
    st.sampled_from(["```", "```python", "~~~", "````", "", "   ", "- a point", "x" * 400, "word " * 90, "😀" * 200]),
    st.text(max_size=60),
)
TEXTS = st.lists(LINES, max_size=40).map("\n".join)


def fences_left_open(piece: str) -> str:
    """The marker of the code block that a piece leaves open."""
    marker = ""
    for line in piece.splitlines():
        found = re.match(r" {0,3}(`{3,10}|~{3,10})(?!`)", line)
        if found and not marker:
            marker = found[1]
        elif found and found[1].startswith(marker) and not line.strip().strip(marker[0]):
            marker = ""
    return marker


@given(TEXTS, st.integers(SMALLEST_LIMIT, 400))
@example("```python\n" + "x = 1\n" * 100 + "```", SMALLEST_LIMIT)
def test_no_piece_is_too_long_or_blank_or_leaves_a_code_block_open(text: str, limit: int) -> None:
    for size in (len, utf16_units):
        for piece in split(text, limit, size):
            assert piece.strip() and size(piece) <= limit
            assert not fences_left_open(piece)


@given(st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=50), max_size=200))
def test_splitting_loses_no_word_and_changes_no_order(words: list[str]) -> None:
    text = "\n".join(" ".join(words[at : at + 7]) for at in range(0, len(words), 7))
    assert [word for piece in split(text, SMALLEST_LIMIT) for word in piece.split()] == words


@given(
    st.lists(
        st.sampled_from(["&", "<", ">", "a", " ", "[the docs of it](https://a.example/x?y=1&z=2) ", "word ", "\n"]),
        min_size=100,
        max_size=400,
    ).map("".join)
)
def test_no_entity_and_no_link_of_slacks_is_cut(text: str) -> None:
    marked = mrkdwn(text)
    pieces = split(marked, SMALLEST_LIMIT, whole=WHOLE)
    assert [one for piece in pieces for one in WHOLE.findall(piece)] == WHOLE.findall(marked)
    for piece in pieces:
        assert len(piece) <= SMALLEST_LIMIT and not re.search(r"[&<>]", WHOLE.sub("", piece))


def test_a_code_block_goes_on_in_the_next_piece_in_its_own_language() -> None:
    lines = [f"value_{number} = {number}" for number in range(40)]
    pieces = split("\n".join(["Look:", "```python", *lines, "```", "That is all."]), 200)
    assert len(pieces) > 2
    assert all(piece.startswith("```python\n") for piece in pieces[1:-1])
    assert [line for piece in pieces for line in piece.splitlines() if line.startswith("value_")] == lines


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("**bold** and *italic* and ~~gone~~", "*bold* and _italic_ and ~gone~"),
        ("__bold__ but snake_case__name stays", "*bold* but snake_case__name stays"),
        ("## A heading", "*A heading*"),
        ("## A **bold** heading", "*A bold heading*"),
        ("- one\n* two\n  + three", "• one\n• two\n  • three"),
        ("[the docs](https://example.org/a_(b)?x=1&y=2)", "<https://example.org/a_(b)?x=1&amp;y=2|the docs>"),
        ("![a picture](https://example.org/p.png)", "<https://example.org/p.png|a picture>"),
        ("**[bold](https://example.org/__a__)**", "*<https://example.org/__a__|bold>*"),
        ("see https://example.org/a_b_c*", "see https://example.org/a_b_c*"),
        ("<https://example.org>", "<https://example.org>"),
        ("[all](!channel) [her](@U1)", "[all](!channel) [her](@U1)"),
        ("1 < 2 && 3 > 2", "1 &lt; 2 &amp;&amp; 3 &gt; 2"),
        ("`**code** & <b>` **bold**", "`**code** &amp; &lt;b&gt;` *bold*"),
        ("```python\n**not bold** <x>\n```", "```\n**not bold** &lt;x&gt;\n```"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("## Heading ##  ", "*Heading*"),
        ("[a [b](https://example.org)", "[a <https://example.org|b>"),
        (f"[a](https://example.org/{'x' * 2000})", f"a https://example.org/{'x' * 2000}"),
        ("<!channel> <@U1>", "&lt;!channel&gt; &lt;@U1&gt;"),
        ("~~~\nopen", "```\nopen\n```"),
    ],
)
def test_markdown_becomes_slacks_markup(markdown: str, expected: str) -> None:
    assert mrkdwn(markdown) == expected


@given(st.lists(st.sampled_from([*"<>!@|[]()`*_ ", "!channel", "https://a.b/"])).map("".join))
def test_no_text_of_a_model_can_call_a_whole_channel(text: str) -> None:
    assert "<!" not in mrkdwn(text) and "<@" not in mrkdwn(text)


def outbound(text: str, **fields: Any) -> OutboundMessage:
    known: dict[str, Any] = {"kind": "reply", "conversation": "c", "state": TaskState.COMPLETE, "session_id": "s"}
    return OutboundMessage(text=text, **{**known, **fields})


def test_people_hear_replies_and_refusals_and_nothing_of_receipts_that_went_well() -> None:
    assert saying_of(Receipt(conversation="c", message_id="m", status="accepted")) is None
    assert saying_of(Receipt(conversation="c", message_id="m", status="duplicate")) is None
    stranger = Receipt(
        conversation="c", message_id="t:m", status="refused", field="data.sender", reason="I do not know you."
    )
    assert saying_of(stranger) == Saying("c", "", "t:m", "I do not know you.")
    wrong = stranger.model_copy(update={"field": "data.text", "reason": "the message is empty"})
    assert saying_of(wrong) == Saying("c", "", "t:m", "I could not take that message: the message is empty.")
    assert saying_of(outbound("Hello", thread="t", reply_to="m")) == Saying("c", "t", "m", "Hello")
    assert saying_of(outbound("  ")) == Saying("c", "", None, "Done.")


class Died(Exception):
    """Stands for the death of the process."""


@dataclass
class Reply:
    """A reply of the durable that knows whether it was acknowledged."""

    id: str
    body: BaseModel
    acknowledged: bool = False

    async def done(self) -> None:
        self.acknowledged = True


@dataclass
class FakePlatform:
    """Takes a line a part, does what it is told first, and knows what arrived."""

    answers: list[Exception | None] = field(default_factory=list)
    arrived: list[str] = field(default_factory=list)

    async def begin(self) -> str:
        return "fake"

    async def listen(self, hand_in: HandIn) -> None:
        raise NotImplementedError

    def parts(self, saying: Saying) -> Sequence[str]:
        return saying.text.splitlines()

    async def send(self, saying: Saying, number: int, text: str) -> None:
        answer = self.answers.pop(0) if self.answers else None
        if isinstance(answer, Away | Undeliverable):
            raise answer
        self.arrived.append(text)
        if answer is not None:
            raise answer

    async def close(self) -> None:
        pass


async def given_out(*replies: Reply) -> AsyncIterator[Reply]:
    for one in replies:
        yield one


async def test_a_platform_that_is_away_gets_every_part_once_and_in_order(tmp_path: Path) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    platform = FakePlatform([None, Away("down"), Away("down"), Away("slow down", 7.0), None])
    first, second = Reply("1", outbound("a\nb")), Reply("2", outbound("c"))
    await deliver_all(given_out(first, second), platform, Journal(tmp_path / "j.json"), sleep=sleep)
    assert platform.arrived == ["a", "b", "c"]
    assert waited == [1.0, 2.0, 7.0]
    assert first.acknowledged and second.acknowledged


async def test_a_platform_that_names_no_time_or_none_to_wait_is_asked_less_and_less_often(tmp_path: Path) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    answers = [Away("slow down", 0.0), Away("slow down", -1.0), Away("slow down", 0.0), Away("tomorrow", 1e300), None]
    await deliver_all(
        given_out(Reply("1", outbound("a"))), FakePlatform([*answers]), Journal(tmp_path / "j.json"), sleep=sleep
    )
    assert waited == [1.0, 2.0, 4.0, LONGEST_SAID]


@dataclass
class Mute(FakePlatform):
    """Takes what it is sent and does not answer; `away`: how often it cannot be reached at all in between."""

    away: int = 0
    begun: int = 0

    async def begin(self) -> str:
        self.begun += 1
        if self.away:
            self.away -= 1
            raise Away("down")
        return "fake"

    async def send(self, saying: Saying, number: int, text: str) -> None:
        self.arrived.append(text)
        if saying.conversation == "mute":
            raise Away("no answer", unknown=True)


async def test_what_is_never_answered_is_sent_once_more_and_holds_nothing_up(tmp_path: Path) -> None:
    async def sleep(_: float) -> None:
        pass

    platform = Mute(away=3)
    first, second = Reply("1", outbound("a\nb", conversation="mute")), Reply("2", outbound("c"))
    await deliver_all(given_out(first, second), platform, Journal(tmp_path / "j.json"), sleep=sleep)
    assert platform.arrived == ["a", "a", "b", "b", "c"]
    assert first.acknowledged and second.acknowledged
    # Before each further try it has answered something.
    assert platform.begun == 3 + 4


async def test_a_reply_that_is_never_taken_holds_nothing_up(tmp_path: Path) -> None:
    platform = FakePlatform([Undeliverable("the chat is gone")])
    lost, next_one = Reply("1", outbound("a\nb")), Reply("2", outbound("c"))
    await deliver_all(given_out(lost, next_one), platform, Journal(tmp_path / "j.json"))
    assert platform.arrived == ["c"]
    assert lost.acknowledged and next_one.acknowledged


@given(deaths=st.lists(st.integers(0, 2), max_size=6))
def test_after_deaths_every_part_has_arrived_and_none_more_than_once_more(
    tmp_path_factory: pytest.TempPathFactory, deaths: list[int]
) -> None:
    """`deaths`: in each life, how many parts are sent before it dies just after the next arrived."""
    file = tmp_path_factory.mktemp("journal") / "j.json"
    arrived: list[str] = []
    for after in deaths:
        platform = FakePlatform([*[None] * after, Died()], arrived)
        reply = Reply("1", outbound("a\nb\nc"))
        try:
            asyncio.run(deliver_all(given_out(reply), platform, Journal(file)))
        except Died:
            assert not reply.acknowledged
    last = Reply("1", outbound("a\nb\nc"))
    asyncio.run(deliver_all(given_out(last), FakePlatform([], arrived), Journal(file)))
    assert last.acknowledged
    assert set(arrived) == {"a", "b", "c"} and sorted(arrived) == arrived
    assert all(arrived.count(part) <= MOST_TRIES for part in "abc")


async def test_what_was_sent_and_not_acknowledged_is_not_sent_again(tmp_path: Path) -> None:
    file = tmp_path / "j.json"
    platform = FakePlatform()
    await deliver_all(given_out(Reply("1", outbound("a"))), platform, Journal(file))
    again = Reply("1", outbound("a"))
    await deliver_all(given_out(again), platform, Journal(file))
    assert platform.arrived == ["a"] and again.acknowledged


def test_a_journal_is_its_owner_s_alone_also_where_it_was_not(tmp_path: Path) -> None:
    file = tmp_path / "adapters" / "c.json"
    before = os.umask(0)
    try:
        Journal(file).sent("1", 0)
        assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
        file.with_suffix(".new").write_text("")
        file.with_suffix(".new").chmod(0o644)
        Journal(file).sent("2", 0)
        assert file.stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(before)


def test_a_journal_that_was_torn_is_as_none(tmp_path: Path) -> None:
    for torn in (b"", b"{", b"[]", b'{"id": "1"}', b"\xff"):
        (tmp_path / "j.json").write_bytes(torn)
        assert Journal(tmp_path / "j.json").next_part("1") == 0


async def test_what_is_too_large_for_nats_is_uploaded_and_else_told() -> None:
    small, large = attachment("small.txt", "text/plain", b"s" * 100), attachment("large.bin", None, b"x" * 5000)
    message = InboundMessage(conversation="c", message_id="m", sender="ana", text="See.", attachments=(small, large))

    async def upload(content: bytes) -> str | None:
        return "a" * 64 if len(content) == 5000 else None

    uploaded = await fitted(message, 2000, upload)
    assert uploaded.attachments == (
        small,
        Attachment(name="large.bin", media_type="application/octet-stream", sha256="a" * 64),
    )
    left_out = await fitted(message, 2000, None)
    assert left_out.attachments == (small,)
    assert left_out.text == "See.\n[The attachment large.bin was left out.]"
    assert await fitted(message, 100_000, None) == message
    broken = message.model_copy(update={"text": "a \ud800 b"})
    assert (await fitted(broken, 100_000, None)).text == "a ? b"


def test_a_platform_whose_library_is_missing_is_told_how_to_be_had() -> None:
    with pytest.raises(ArreioError, match=re.escape("pip install 'arreio[carrier-pigeons]'")):
        need("no_such_library", "carrier-pigeons")


@pytest.mark.parametrize(
    "wrong", ["notaurl", "", "//host", "ftp://host", "http://", "http://:80", "http://h:x", "http://[::1", "http://a b"]
)
def test_an_address_that_is_none_is_said_at_once(wrong: str) -> None:
    with pytest.raises(ArreioError, match="--api-base"):
        http_address("--api-base", wrong)


def test_addresses_that_are_some_are_taken_as_they_are() -> None:
    for right in ("https://api.telegram.org", "http://127.0.0.1:8081/bot", "http://[::1]:80"):
        assert http_address("--api-base", right) == right
    assert nats_addresses("--nats-url", "nats://ana:pass@one:4222, two:4223,wss://three") == (
        "nats://one:4222",
        "nats://two:4223",
        "wss://three",
    )


@pytest.mark.parametrize(
    "wrong",
    ["", " , ", "http://host", "http:/host", "nats://host/path", "nats://", "nats://ana:pass@host:x", "nats://a b"],
)
def test_an_address_of_nats_that_is_none_is_said_without_its_password(wrong: str) -> None:
    with pytest.raises(ArreioError, match="--nats-url") as refused:
        nats_addresses("--nats-url", wrong)
    assert "pass" not in str(refused.value)


@pytest.mark.parametrize("wrong", ["xoxb-1 2", "xoxb-\n1", "xoxb-é"])
def test_a_token_that_is_none_is_not_repeated(wrong: str) -> None:
    with pytest.raises(ArreioError, match="SLACK_BOT_TOKEN") as refused:
        token("SLACK_BOT_TOKEN", wrong)
    assert wrong not in str(refused.value)


@pytest.mark.parametrize("kind", ["telegram", "slack"])
@pytest.mark.parametrize("option", ["--api-base", "--nats-url", "--url"])
@pytest.mark.timeout(60)
def test_misuse_is_one_line_and_ends_at_once(
    kind: str, option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for variable in ("TELEGRAM_BOT_TOKEN", "SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "ARREIO_CHANNEL_PASSWORD"):
        monkeypatch.setenv(variable, "something")
    monkeypatch.setenv("ARREIO_HOME", str(tmp_path / "home"))
    given = {"--nats-url": "nats://127.0.0.1:1", option: "http:/notaurl"}
    arguments = [part for pair in given.items() for part in pair]
    assert main(["adapters", "run", kind, "--channel", "c", *arguments]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"arreio: {option} http:/notaurl: that is no address of ")

"""The rules of the HTTP API and of channels: states and events in others' words, limits, signatures, subjects."""

import asyncio
import base64
from contextlib import nullcontext
from pathlib import Path

import httpx
import openapi_spec_validator
import pytest
from arreio_contracts import adapters, subjects
from arreio_contracts.errors import InvalidBody
from arreio_contracts.events import (
    EventData,
    InputReceived,
    ModelReplied,
    TaskBlocked,
    TaskCancelRequested,
    TaskCompleted,
    TaskFailed,
    TaskNeedsInput,
    TaskStarted,
    ToolCall,
    ToolFinished,
    Totals,
)
from arreio_contracts.messages import Attachment
from arreio_contracts.task import FileContainsCriterion, Reason, TaskState, parse_criterion
from hypothesis import given
from hypothesis import strategies as st
from psycopg_pool import AsyncConnectionPool

from services.gateway.attachments import MAX_BYTES, MAX_COUNT, decoded
from services.gateway.channels.tokens import new_signing_secret, new_token, token_hash
from services.gateway.channels.webhook import WINDOW, BadSignature, check, signature
from services.gateway.handlers import Gateway
from services.gateway.http.__main__ import document
from services.gateway.http.agui import AguiRun
from services.gateway.http.api import Api
from services.gateway.http.app import create
from services.gateway.http.sender_limits import SenderLimits
from services.gateway.http.states import a2a_state
from shared.engine.nats_config import render
from shared.secrets import mask
from shared.store.connection import Pool

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "openapi.json"
TOTALS = Totals(steps=1, tool_calls=1, prompt_tokens=1, completion_tokens=1, cost_usd=0, seconds=1)
SECRET = new_signing_secret()


def test_the_openapi_document_is_current_and_sound() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), "docs/openapi.json is stale: run `make schemas`"
    openapi_spec_validator.validate(create().openapi())


async def test_a_database_that_is_away_is_said_with_when_to_come_again() -> None:
    pool: Pool = AsyncConnectionPool("", open=False)
    gateway = Gateway(pool, data_dir=Path("/nonexistent"), code_version="test")
    app = create(Api(gateway, pool, SenderLimits(60), lambda _: nullcontext(asyncio.Event())))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
        said = await client.get("/v1/tasks/t_1", headers={"Authorization": "Bearer arreio_x"})
        assert said.status_code == 503 and int(said.headers["retry-after"]) > 0
        assert said.json()["status"] == "refused"
        assert (await client.get("/healthz")).status_code == 200


@pytest.mark.parametrize(
    ("state", "code", "word"),
    [
        ("PENDING", None, "SUBMITTED"),
        ("IN_PROGRESS", None, "WORKING"),
        ("NEEDS_INPUT", None, "INPUT_REQUIRED"),
        ("COMPLETE", None, "COMPLETED"),
        ("FAILED", "max_steps", "FAILED"),
        ("BLOCKED", "cancelled", "CANCELED"),
        ("BLOCKED", "unsatisfiable_gate", "REJECTED"),
        ("BLOCKED", "loop", "FAILED"),
    ],
)
def test_every_state_has_its_word_in_a2a(state: str, code: str | None, word: str) -> None:
    assert a2a_state(TaskState(state), code) == f"TASK_STATE_{word}"


def told(*events: EventData) -> list[dict[str, object]]:
    run = AguiRun("s", "t")
    return [one for number, event in enumerate(events) for one in run.events(f"e{number}", event)]


def test_a_task_is_a_run_of_ag_ui_with_its_words_and_calls() -> None:
    call = ToolCall(id="c1", name="read_file", arguments={"path": "a.py"})
    seen = told(
        TaskStarted(),
        ModelReplied(content="I look.", calls=(call,)),
        ToolFinished(call_id="c1", tool="read_file", status="ok", text="text of a.py"),
        TaskCompleted(claim_id="c", reply="Done.", totals=TOTALS),
    )
    assert [one["type"] for one in seen] == [
        *("RUN_STARTED", "CUSTOM"),
        *("TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"),
        *("TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_RESULT"),
        *("TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"),
        "RUN_FINISHED",
    ]
    assert seen[6]["delta"] == '{"path": "a.py"}'
    assert seen[-1]["outcome"] == {"type": "success"} and seen[-1]["runId"] == "t"


def test_a_question_ends_the_run_of_ag_ui_and_the_answer_begins_another() -> None:
    seen = told(
        TaskStarted(),
        TaskNeedsInput(question="which?", expires_ms=0),
        InputReceived(text="the blue one", message_id="m2"),
        TaskCompleted(claim_id="c", reply="Done.", totals=TOTALS),
    )
    lifecycle = [(one["type"], one["runId"]) for one in seen if "runId" in one]
    assert lifecycle == [("RUN_STARTED", "t"), ("RUN_FINISHED", "t"), ("RUN_STARTED", "e2"), ("RUN_FINISHED", "e2")]
    asked = {"id": "e1", "reason": "input_required", "message": "which?"}
    assert seen[2]["outcome"] == {"type": "interrupt", "interrupts": [asked]}


def test_a_run_of_ag_ui_that_was_cancelled_is_no_error_and_others_are() -> None:
    cancelled = TaskBlocked(reason=Reason(code="cancelled", text="x"), totals=TOTALS)
    assert told(cancelled)[-1]["outcome"] == {"type": "cancelled"}
    for event in (
        TaskBlocked(reason=Reason(code="loop", text="in circles"), totals=TOTALS),
        TaskFailed(reason=Reason(code="max_steps", text="in circles"), totals=TOTALS),
    ):
        assert told(event)[-1]["type"] == "RUN_ERROR" and told(event)[-1]["message"] == "in circles"


@given(st.lists(st.sampled_from(["received", "started", "said", "asked", "answered"]), max_size=12), st.booleans())
def test_nothing_of_ag_ui_ever_stands_outside_a_run_and_nothing_is_lost(kinds: list[str], cancelled: bool) -> None:
    events: dict[str, EventData] = {
        "received": TaskCancelRequested(by="ana"),
        "started": TaskStarted(),
        "said": ModelReplied(content="I look."),
        "asked": TaskNeedsInput(question="which?", expires_ms=0),
        "answered": InputReceived(text="the blue one", message_id="m2"),
    }
    reason = Reason(code="cancelled" if cancelled else "loop", text="x")
    seen = told(*(events[kind] for kind in kinds), TaskBlocked(reason=reason, totals=TOTALS))
    run = None
    for one in seen:
        if one["type"] == "RUN_STARTED":
            assert run is None
            run = one["runId"]
        else:
            assert run is not None, one
            if one["type"] in ("RUN_FINISHED", "RUN_ERROR"):
                assert one.get("runId", run) == run
                run = None
    assert run is None and len({one["runId"] for one in seen if one["type"] == "RUN_STARTED"}) >= 1
    ours = [one["name"] for one in seen if one["type"] == "CUSTOM"]
    assert ours == [events[kind].type for kind in kinds if kind in ("received", "started", "answered")]
    assert sum(one["type"] == "TEXT_MESSAGE_END" for one in seen) == kinds.count("said")


@given(
    st.integers(1, 600),
    st.lists(st.tuples(st.sampled_from("ab"), st.floats(0, 30)), max_size=200),
)
def test_no_sender_ever_gets_more_through_than_the_rate_and_one_burst(
    rate: int, posts: list[tuple[str, float]]
) -> None:
    limits, now, passed = SenderLimits(rate), 0.0, {"a": 0, "b": 0}
    for sender, pause in posts:
        now += pause
        passed[sender] += limits.wait("c", sender, now) == 0
        assert passed[sender] <= max(1.0, rate / 3) + now * rate / 60 + 1e-6


@given(st.integers(1, 600))
def test_a_sender_who_waits_as_told_gets_through(rate: int) -> None:
    limits, now = SenderLimits(rate), 0.0
    while not (wait := limits.wait("c", "ana", now)):
        pass
    assert limits.wait("c", "bea", now) == 0
    assert limits.wait("c", "ana", now + wait + 1e-6) == 0


def test_a_signature_is_what_the_published_scheme_makes_it() -> None:
    # The example of the Standard Webhooks specification.
    body = b'{"test": 2432232314}'
    made = signature("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body)
    assert made == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


@given(st.binary(max_size=50), st.text("abc.", min_size=1, max_size=8), st.floats(-WINDOW, WINDOW))
def test_what_was_signed_is_believed_within_the_window(body: bytes, message_id: str, late: float) -> None:
    now = 1_700_000_000
    made = signature(SECRET, message_id, now, body)
    check(SECRET, message_id, str(now), f"v1,b3RoZXI= {made}", body, now=now + late)
    for changed in (
        {"body": body + b"x"},
        {"message_id": message_id + "x"},
        {"timestamp": str(now + 1)},
        {"secret": new_signing_secret()},
        {"signatures": made[:-2]},
        {"signatures": ""},
        {"timestamp": "٣"},
        {"timestamp": "-1"},
    ):
        given_ = {
            "secret": SECRET,
            "message_id": message_id,
            "timestamp": str(now),
            "signatures": made,
            "body": body,
            **changed,
        }
        with pytest.raises(BadSignature):
            check(**given_, now=now)  # type: ignore[arg-type]
    with pytest.raises(BadSignature):
        check(SECRET, message_id, str(now), made, body, now=now + WINDOW + 1)


def test_a_token_is_stored_as_a_hash_and_masked_wherever_it_is_said() -> None:
    token, secret = new_token(), new_signing_secret()
    assert token.encode() not in token_hash(token) and len(token_hash(token)) == 32
    assert token not in mask(f"Authorization: Bearer {token}")
    assert secret not in mask(f"the secret is {secret}")


def test_attachments_are_refused_by_their_field() -> None:
    good = Attachment(name="a", content=base64.b64encode(b"x").decode())
    assert decoded((good, Attachment(name="b", sha256="0" * 64))) == [b"x", None]
    for media_type in ("text/plain; charset=utf-8", "image/svg+xml", 'a/b; c="d e"', "application/vnd.ms-excel"):
        assert decoded((good.model_copy(update={"media_type": media_type}),)) == [b"x"]
    large = base64.b64encode(b"x" * (MAX_BYTES + 1)).decode()
    for attachments, field in (
        ((good,) * (MAX_COUNT + 1), "data.attachments"),
        ((good, Attachment(name="b")), "data.attachments.1"),
        ((Attachment(name="b", content="", sha256="0" * 64),), "data.attachments.0"),
        ((Attachment(name="b", content="no base64!"),), "data.attachments.0.content"),
        *(
            ((Attachment(name="b", content="", media_type=one),), "data.attachments.0.media_type")
            for one in ("", "text", "text/", "a/b\r\nX: y", "text/plain; x", "te xt/plain", "téxt/plain", "<b>/x")
        ),
        ((Attachment(name="b", content=large),), "data.attachments.0.content"),
    ):
        refused = decoded(attachments)
        assert isinstance(refused, tuple) and refused[0] == field


def test_a_pattern_that_no_machine_can_hold_is_refused_as_any_wrong_one() -> None:
    with pytest.raises(InvalidBody):
        parse_criterion("file_contains: a.txt :: x{99999999999999999999}")
    with pytest.raises(ValueError, match="not a regular expression"):
        FileContainsCriterion(path="a.txt", regex="x{99999999999999999999}")


def test_an_adapters_user_may_publish_its_own_channel_and_read_its_own_durable_alone(tmp_path: Path) -> None:
    config = render(port=1, store=tmp_path, pid_file=tmp_path / "p", users={"channel-slack": "x"})
    for subject in (*adapters.may_publish("slack"), *adapters.may_subscribe("slack")):
        assert f'"{subject}"' in config
        assert "slack" in subject
    assert subjects.inbound("slack") in adapters.may_publish("slack")
    assert adapters.channel_of_user(adapters.nats_user("slack")) == "slack"
    assert adapters.channel_of_user("operator") is None

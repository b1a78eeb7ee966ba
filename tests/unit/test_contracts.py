"""The contracts: what is refused names its field, what is generated is current, and ids are injective."""

import importlib.metadata
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from arreio_contracts import envelope, generate, messages, subjects
from arreio_contracts.errors import (
    ContractError,
    InvalidBody,
    InvalidEnvelope,
    InvalidSubject,
    UnknownType,
    UnknownVersion,
)
from arreio_contracts.events import EVENTS, EventData
from arreio_contracts.messages import InboundMessage
from arreio_contracts.task import CRITERION_KINDS, TRANSITIONS, TaskState, criterion_text, parse_criterion
from hypothesis import given
from hypothesis import strategies as st

CONTRACTS = Path(__file__).resolve().parents[2] / "contracts"
BODY = {"conversation": "c", "message_id": "m", "sender": "s", "text": "olá"}


def found_headers(**changes: str | None) -> dict[str, str]:
    """The headers of an inbound message, with some changed or (None) left out."""
    headers = envelope.headers(envelope.envelope("inbound.message", id="1", source="test"))
    merged: dict[str, str | None] = {**headers, **{name.replace("_", "-"): value for name, value in changes.items()}}
    return {name: value for name, value in merged.items() if value is not None}


def test_generated_files_are_current() -> None:
    for path, text in generate.files().items():
        assert (CONTRACTS / path).read_text(encoding="utf-8") == text, f"{path} is stale: run `make schemas`"
    on_disk = {f"schemas/{path.name}" for path in (CONTRACTS / "schemas").glob("*.json")}
    assert on_disk == {path for path in generate.files() if path.startswith("schemas/")}


def test_every_schema_is_a_json_schema_and_takes_what_its_contract_takes() -> None:
    for schema in generate.schemas().values():
        jsonschema.Draft202012Validator.check_schema(schema)
    schema = generate.schemas()["inbound.message.v1.json"]
    jsonschema.validate(BODY, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**BODY, "surprise": 1}, schema)


def test_every_reference_of_the_asyncapi_document_leads_somewhere() -> None:
    document = generate.asyncapi()
    references = re.findall(r'"\$ref": "([^"]+)"', json.dumps(document))
    assert references
    for reference in references:
        if reference.startswith("#/"):
            place: Any = document
            for part in reference[2:].split("/"):
                place = place[part]
        else:
            assert (CONTRACTS / reference).is_file()


def test_the_asyncapi_document_describes_every_stream() -> None:
    addresses = [channel["address"] for channel in generate.asyncapi()["channels"].values()]
    for pattern in subjects.STREAM_SUBJECTS.values():
        regex = re.escape(pattern).replace(r"\*", r"([^.]+|\{[a-z]+\})")
        assert any(re.fullmatch(regex, address) for address in addresses), pattern


def test_a_message_survives_the_wire() -> None:
    attributes, data = envelope.read(found_headers(), json.dumps(BODY).encode())
    assert isinstance(data, InboundMessage) and data.text == "olá"
    assert attributes.type == "arreio.inbound.message"


def test_header_names_are_read_whatever_their_case() -> None:
    headers = {name.upper(): value for name, value in found_headers().items()}
    assert isinstance(envelope.read(headers, json.dumps(BODY).encode())[1], InboundMessage)


@pytest.mark.parametrize(
    ("headers", "body", "error", "field"),
    [
        (found_headers(), b"{", InvalidBody, "data"),
        (found_headers(), b"[]", InvalidBody, "data"),
        (found_headers(), json.dumps({**BODY, "conversation": 7}).encode(), InvalidBody, "data.conversation"),
        (found_headers(), json.dumps({**BODY, "surprise": 1}).encode(), InvalidBody, "data.surprise"),
        (found_headers(), json.dumps({"conversation": "c"}).encode(), InvalidBody, "data.message_id"),
        (found_headers(), b"\xff\xfe", InvalidBody, "data"),
        ({}, b"{}", InvalidEnvelope, "ce-id"),
        (found_headers(ce_id=None), b"{}", InvalidEnvelope, "ce-id"),
        (found_headers(ce_specversion="0.3"), b"{}", InvalidEnvelope, "ce-specversion"),
        (found_headers(ce_sequence="x"), b"{}", InvalidEnvelope, "ce-sequence"),
        (found_headers(content_type="text/plain"), b"{}", InvalidEnvelope, "content-type"),
        (found_headers(ce_type="arreio.no.such"), b"{}", UnknownType, "ce-type"),
        (found_headers(ce_type="inbound.message"), b"{}", UnknownType, "ce-type"),
        (found_headers(ce_dataschema="arreio:schema:inbound.message:2"), b"{}", UnknownVersion, "ce-dataschema"),
        (found_headers(ce_dataschema="arreio:schema:task.created:1"), b"{}", InvalidEnvelope, "ce-dataschema"),
    ],
)
def test_what_breaks_the_contract_is_refused_with_its_field(
    headers: dict[str, str], body: bytes, error: type[ContractError], field: str
) -> None:
    with pytest.raises(error) as caught:
        envelope.read(headers, body)
    assert caught.value.field == field


@given(st.text(max_size=40))
def test_header_values_are_printable_ascii_and_come_back(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        return
    attributes = envelope.envelope("inbound.message", id="1", source="test", correlationid=text)
    headers = envelope.headers(attributes)
    assert all(value.isascii() and value.isprintable() for value in headers.values())
    assert envelope.read_headers(headers).correlationid == text


@pytest.mark.parametrize("name", ["", "a.b", "a b", "*", ">", "é", "a" * 129, "a\n"])
def test_a_name_that_is_not_one_token_is_refused(name: str) -> None:
    with pytest.raises(InvalidSubject):
        subjects.inbound(name)


def test_the_channel_is_what_the_subject_says() -> None:
    assert subjects.channel_of(subjects.inbound("slack")) == "slack"
    for subject in ("arreio.v1.inbound", "arreio.v1.events.s.t", "other.v1.inbound.slack", "arreio.v1.inbound.a.b"):
        with pytest.raises(InvalidSubject):
            subjects.channel_of(subject)


parts = st.tuples(st.text(max_size=4), st.text(min_size=1, max_size=4), st.text(max_size=4))


@given(parts, parts)
def test_different_conversations_have_different_sessions(one: Any, other: Any) -> None:
    def session(key: Any) -> str:
        account, conversation, thread = key
        message = InboundMessage(account=account, conversation=conversation, thread=thread, message_id="m", sender="s")
        return messages.session_id("cli", message)

    assert (session(one) == session(other)) == (one == other)
    assert subjects.token(session(one)) == session(one)


def test_a_direct_message_has_a_session_of_its_sender() -> None:
    def session(sender: str, direct: bool) -> str:
        message = InboundMessage(conversation="c", message_id="m", sender=sender, direct=direct)
        return messages.session_id("cli", message)

    assert session("a", False) == session("b", False)
    assert session("a", True) != session("b", True)


@pytest.mark.parametrize(
    "text",
    [
        "tests: pytest -q",
        "command: make build",
        "file_exists: a/b.txt",
        "file_contains: a.txt :: ^x :: y$",
        "contract: out.json :: schema.json",
        "diff: src/**, docs/*.md",
        "screenshot: site/index.html",
        "screenshot: a#b/12:30.html",
        "tests: pytest a.py::test_b -k 'a :: b'",
        "command: awk -F :: '{print $1}' a.txt",
        "screenshot: index.html :: 360x640",
        "answer:",
    ],
)
def test_a_criterion_is_read_as_it_is_written(text: str) -> None:
    assert criterion_text(parse_criterion(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tests",
        "tests:",
        "nonsense: x",
        "file_exists: /etc/passwd",
        "file_exists: ../x",
        "file_contains: a.txt",
        "file_contains: a.txt :: (",
        "contract: a",
        "diff:",
        "diff: !x",
        "diff: #x",
        "diff: ../x",
        "screenshot:",
        "screenshot: ../a.html",
        "screenshot: a.html :: wide",
        "screenshot: a.html :: 5x5",
        "screenshot: http://localhost:3000",
        "screenshot: localhost:3000",
        "screenshot: http:/a.html",
        "screenshot: index.html#top",
        "file_exists: https://a/b",
        "tests: pytest -q ::",
        "tests: pytest -q :: out.txt",
    ],
)
def test_a_criterion_that_cannot_be_used_is_refused(text: str) -> None:
    with pytest.raises(InvalidBody):
        parse_criterion(text)


def test_every_criterion_kind_can_be_written() -> None:
    specs = {"file_contains": "a :: b", "contract": "a :: b", "answer": ""}
    assert {parse_criterion(f"{kind}: {specs.get(kind, 'x')}").kind for kind in CRITERION_KINDS} == set(CRITERION_KINDS)


def test_terminal_states_lead_nowhere_and_every_state_is_reachable() -> None:
    assert {state for state in TaskState if state.terminal} == {
        TaskState.COMPLETE,
        TaskState.BLOCKED,
        TaskState.FAILED,
    }
    reached, waiting = {TaskState.PENDING}, [TaskState.PENDING]
    while waiting:
        for after in TRANSITIONS[waiting.pop()] - reached:
            reached.add(after)
            waiting.append(after)
    assert reached == set(TaskState)


def test_every_event_has_a_type_a_version_and_a_writer() -> None:
    for kind, contract in EVENTS.items():
        assert issubclass(contract, EventData)
        assert contract.type == kind and contract.version >= 1
        assert subjects.wire_type(kind) == kind.replace(".", "_")
        if contract.decision:
            assert contract.writer == "tool_loop"


def test_the_package_needs_pydantic_alone() -> None:
    declared = tomllib.loads((CONTRACTS / "pyproject.toml").read_text())["project"]
    assert [re.split(r"[><=~!]", one)[0] for one in declared["dependencies"]] == ["pydantic"]
    allowed = set(importlib.metadata.packages_distributions()) - {"pydantic", "nats"}
    for path in (CONTRACTS / "arreio_contracts").glob("*.py"):
        for found in re.findall(r"^(?:from|import) ([a-z_]+)", path.read_text(), re.MULTILINE):
            assert found not in allowed, f"{path.name} imports {found}"


@pytest.mark.parametrize(
    "text",
    [
        r"file_contains: a :: \d{99999999999}",
        "file_contains: a :: " + "(" * 5000 + "x" + ")" * 5000,
        "file_contains: a :: (",
        "file_exists: " + "n" * 256,
        "file_exists: d/" + "é" * 128,
        "file_exists: " + "d/" * 1500 + "f",
        "contract: a.json :: " + "s" * 256,
        "screenshot: a\0b.html",
    ],
)
def test_a_criterion_that_nothing_can_judge_is_refused_by_name(text: str) -> None:
    with pytest.raises(InvalidBody, match=r"not a regular expression|bytes|NUL"):
        parse_criterion(text)


@pytest.mark.parametrize("text", [r"file_contains: a :: (\d{3})+$", "file_exists: d/" + "n" * 255])
def test_a_criterion_at_the_edge_of_what_can_be_judged_is_taken(text: str) -> None:
    assert criterion_text(parse_criterion(text)) == text

"""What outbox rows say on the wire."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from arreio_contracts import subjects
from arreio_contracts.envelope import read
from arreio_contracts.messages import InboundMessage, JudgeClaim, Receipt

from shared.canonical import canonical_json
from shared.outbox.bodies import OutboxRow, Unpublishable, publication

ROW = OutboxRow(
    id=1,
    session_id="s_1",
    seq=7,
    event_id="e1",
    n=0,
    subject=subjects.event("s_1", "task.started"),
    sending=1,
    type="task.started",
    schema_version=1,
    task_id="t_1",
    data_text="{}",
    metadata_text='{"causation":"","code_version":"","correlation":"m1","service":"tool_loop","traceparent":""}',
    recorded_at=datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC),
)


def test_an_event_carries_its_envelope_and_its_data_as_recorded() -> None:
    found = publication(ROW)
    assert (found.subject, found.body) == ("arreio.v1.events.s_1.task_started", b"{}")
    assert found.headers == {
        "Nats-Msg-Id": "e1/0",
        "content-type": "application/json",
        "ce-specversion": "1.0",
        "ce-id": "e1",
        "ce-source": "arreio/tool_loop",
        "ce-type": "arreio.task.started",
        "ce-time": "2026-01-02T03:04:05.000006Z",
        "ce-dataschema": "arreio:schema:task.started:1",
        "ce-subject": "t_1",
        "ce-partitionkey": "s_1",
        "ce-sequence": "00000000000000000007",
        "ce-correlationid": "m1",
    }
    read(found.headers, found.body)


def test_a_row_sent_again_has_another_message_id_and_the_same_event_id() -> None:
    found = publication(replace(ROW, sending=2))
    assert (found.headers["Nats-Msg-Id"], found.headers["ce-id"]) == ("e1/0#2", "e1")


def test_a_claim_wakes_the_gate_runner() -> None:
    row = replace(
        ROW, n=1, subject=subjects.COMMAND_JUDGE, type="completion.claimed", data_text='{"claim_id":"c_1","by":"model"}'
    )
    envelope, body = read(publication(row).headers, publication(row).body)
    assert body == JudgeClaim(session_id="s_1", task_id="t_1", claim_id="c_1")
    assert (envelope.id, envelope.causationid) == ("e1/1", "e1")


def test_an_accepted_message_is_answered_with_a_receipt() -> None:
    message = InboundMessage(conversation="k␛", message_id="m1", sender="p", text="hi")
    data = {"channel": "c", "message": message.model_dump(mode="json")}
    row = replace(ROW, n=1, subject=subjects.outbound("c"), type="message.received", data_text=canonical_json(data))
    _, body = read(publication(row).headers, publication(row).body)
    assert body == Receipt(conversation="k␛", message_id="m1", status="accepted", session_id="s_1", task_id="t_1")


@pytest.mark.parametrize(
    ("subject", "type", "data", "code"),
    [
        (subjects.outbound("c"), "task.started", "{}", "no_body"),
        ("arreio.v1.commands.nobody.run", "task.started", "{}", "no_body"),
        ("elsewhere", "task.started", "{}", "no_body"),
        (subjects.COMMAND_JUDGE, "completion.claimed", "{}", "invalid_body"),
        (subjects.outbound("c"), "reply.queued", '{"kind":"reply"}', "invalid_body"),
    ],
)
def test_what_no_retry_can_publish_is_told_apart(subject: str, type: str, data: str, code: str) -> None:
    with pytest.raises(Unpublishable) as refused:
        publication(replace(ROW, subject=subject, type=type, data_text=data))
    assert refused.value.code == code


def test_an_event_whose_metadata_no_envelope_takes_is_its_own_sessions_trouble() -> None:
    for metadata in ('{"correlation":5}', '{"traceparent":{"a":1}}', "[]", "not JSON"):
        with pytest.raises(Unpublishable):
            publication(replace(ROW, metadata_text=metadata))
    with pytest.raises(Unpublishable):
        publication(replace(ROW, subject=subjects.outbound("c"), type="message.received", data_text='{"message":7}'))


def test_the_size_counts_headers_as_the_server_does() -> None:
    found = publication(ROW)
    wire = b"NATS/1.0\r\n" + b"".join(f"{k}: {v}\r\n".encode() for k, v in found.headers.items()) + b"\r\n"
    assert found.size >= len(wire) + len(found.body)

"""An adapter's message: accepted once, known again, and where it is malformed a dead letter that names the field."""

from __future__ import annotations

import asyncio
import base64
import json

import nats
import pytest
from arreio_contracts import envelope, subjects
from arreio_contracts.messages import DeadLetter

from tests.support.house import House, last_json
from tests.support.programs import until

TO = ("--channel", "helpdesk", "--conversation", "c1")


def test_a_message_is_accepted_once_and_its_repetition_is_a_duplicate(house: House) -> None:
    first = house.arreio("send", *TO, "--message-id", "m1", "--json", "Please look.")
    again = house.arreio("send", *TO, "--message-id", "m1", "--json", "Please look.")
    assert (first.returncode, again.returncode) == (0, 0)
    accepted, duplicate = last_json(first.stdout), last_json(again.stdout)
    assert accepted["status"] == "accepted"
    assert duplicate == {**accepted, "status": "duplicate"}
    events = house.events(accepted["session_id"])
    assert [event.type for event in events].count("message.received") == 1
    assert [event.type for event in events].count("task.created") == 1
    ended = house.wait_for_end(accepted["session_id"])
    assert ended.data["reason"]["code"] == "unknown_model"


def test_a_message_that_is_not_acceptable_is_refused_with_the_field(house: House) -> None:
    refused = house.arreio("send", *TO, "--message-id", "m2", "   ")
    assert refused.returncode == 1
    assert refused.stderr.startswith("arreio: refused: data.text: the message is empty; ")
    assert refused.stderr.count("\n") == 1


MALFORMED = {
    "a body that is not JSON": (b"{", {}, "invalid_body", "data"),
    "a body without its conversation": (
        b'{"message_id": "m", "sender": "s", "text": "t"}',
        {},
        "invalid_body",
        "data.conversation",
    ),
    "a field that no contract knows": (
        b'{"conversation": "c", "message_id": "m", "sender": "s", "colour": "red"}',
        {},
        "invalid_body",
        "data.colour",
    ),
    "a version that is not known": (
        b'{"conversation": "c", "message_id": "m", "sender": "s", "text": "t"}',
        {"ce-dataschema": "arreio:schema:inbound.message:2"},
        "unknown_version",
        "ce-dataschema",
    ),
    "a type that is not known": (b"{}", {"ce-type": "arreio.inbound.letter"}, "unknown_type", "ce-type"),
    "an envelope without an id": (b"{}", {"ce-id": ""}, "invalid_envelope", "ce-id"),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_a_malformed_message_becomes_a_dead_letter_that_names_the_field(house: House, case: str) -> None:
    body, changed, code, field = MALFORMED[case]
    good = envelope.headers(envelope.envelope("inbound.message", id="x1", source="adapter"))
    headers = {name: value for name, value in {**good, **changed}.items() if value}
    before = len(dead_letters(house))
    seq = asyncio.run(publish(house, body, headers))
    letters = until(lambda: dead_letters(house)[before:], what="a dead letter")
    assert letters == [("gateway_inbound", "arreio.v1.inbound.helpdesk", code, field, body)]
    # The row is committed before the message is published.
    buried = until(
        lambda: [one for one in [asyncio.run(last_buried(house))] if one.field == field], what="its message"
    )[0]
    assert (buried.code, base64.b64decode(buried.body)) == (code, body)
    assert seq > 0


def dead_letters(house: House) -> list[tuple[object, ...]]:
    return house.rows("SELECT consumer, subject, code, field, body FROM arreio.dead_letters ORDER BY id")


async def publish(house: House, body: bytes, headers: dict[str, str]) -> int:
    """Publish as an adapter does: stored once the broker has said so."""
    client = await nats.connect(**house.settings.nats_options("operator"))
    try:
        stored = await client.jetstream().publish(
            subjects.inbound("helpdesk"), body, stream=subjects.STREAM_INBOUND, headers=headers
        )
        return stored.seq
    finally:
        await client.close()


async def last_buried(house: House) -> DeadLetter:
    """The newest message on `dead.gateway_inbound`."""
    client = await nats.connect(**house.settings.nats_options("operator"))
    try:
        found = await client.jetstream().get_last_msg(subjects.STREAM_DEAD, subjects.dead("gateway_inbound"))
        return DeadLetter.model_validate(json.loads(found.data or b""))
    finally:
        await client.close()

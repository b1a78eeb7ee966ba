"""What newer code wrote with fields that this version does not know is read, folded, replayed and passed on whole."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from arreio_contracts import envelope, subjects
from arreio_contracts.errors import InvalidBody
from arreio_contracts.events import EVENTS, Metadata, TaskProfiled
from arreio_contracts.generate import schemas
from arreio_contracts.messages import InboundMessage, JudgeClaim, Receipt, RunTask
from arreio_contracts.task import TaskContract
from arreio_contracts.upcasting import read_event
from jsonschema import Draft202012Validator
from pydantic import BaseModel, ValidationError

from arreio.commands import replay as command
from arreio.replaying import Finding, replay
from services.context_builder.history import SessionHistory
from services.gate_runner.case import case_of
from services.tool_loop.copying import fork, fork_names, imported
from services.tool_loop.heuristics import otherwise
from services.tool_loop.log import to_recorded
from services.tool_loop.loop_memory import LoopMemory
from services.tool_loop.replay import stamped
from shared.canonical import canonical_json
from shared.outbox.bodies import OutboxRow, publication
from shared.store.events import RecordedEvent
from shared.store.exports import read_exports, write_export
from tests.support.histories import NAMES, BlobsInMemory, history
from tests.support.newer import FIELD, newer, newer_session
from tests.unit.test_upcasting import fixture

KINDS = sorted(EVENTS)


def data_of_newer_code(kind: str) -> dict[str, Any]:
    found = fixture(kind, EVENTS[kind].version)
    return newer(found, read_event(kind, EVENTS[kind].version, found))


@pytest.mark.parametrize("kind", KINDS)
def test_fields_of_newer_code_are_passed_over_at_every_level(kind: str) -> None:
    version = EVENTS[kind].version
    found = data_of_newer_code(kind)
    assert FIELD in found
    assert read_event(kind, version, found) == read_event(kind, version, fixture(kind, version))
    with pytest.raises(InvalidBody, match="Extra inputs") as refused:
        read_event(kind, version, found, exact=True)
    assert FIELD in refused.value.field


def test_the_invented_fields_stand_inside_too() -> None:
    assert data_of_newer_code("task.created")["contract"]["budgets"][FIELD]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_recorded_is_kept_as_it_was_and_published_so(kind: str) -> None:
    version, text = EVENTS[kind].version, canonical_json(data_of_newer_code(kind))
    now = datetime.now(UTC)
    event = RecordedEvent(
        "s_1", 1, "e1", kind, version, None, text, f'{{"service":"gateway","{FIELD}":1}}', now, b"", b""
    )
    assert event.data == json.loads(text) and event.data_text == text
    assert event.contract == read_event(kind, version, fixture(kind, version))
    assert event.metadata == Metadata(service="gateway")
    row = OutboxRow(
        1, "s_1", 1, "e1", 0, subjects.event("s_1", kind), 1, kind, version, None, text, event.metadata_text, now
    )
    message = publication(row)
    assert message.body.decode() == text
    assert envelope.read(message.headers, message.body)[1] == event.contract


@pytest.mark.parametrize("name", NAMES)
async def test_a_session_of_newer_code_replays_and_says_what_was_passed_over(name: str) -> None:
    before, export = history(name), newer_session(history(name))
    finding = await replay(export.session, BlobsInMemory(export.blobs), heuristics=True)
    assert finding.problem is None
    assert finding.decisions > 0 and sum(finding.unknown.values()) == finding.events
    assert f"task.created data.{FIELD}" in " ".join(finding.unknown) or FIELD in str(finding.unknown)
    assert "only newer code knows" in command._line(finding)
    texts = {name: content.decode(errors="replace") for name, content in before.blobs.items()}
    assert finding.otherwise == tuple(otherwise([to_recorded(one) for one in before.session.events], texts))
    assert not (await replay(before.session, BlobsInMemory(before.blobs))).unknown


async def test_a_session_of_newer_code_still_diverges_where_a_decision_differs() -> None:
    export = history("promised")
    place = next(n for n, one in enumerate(export.session.events) if one.type == "turn.rejected")
    event, events = export.session.events[place], [*export.session.events]
    events[place] = replace(event, data_text=canonical_json({**event.data, "code": "question"}))
    changed = newer_session(replace(export, session=replace(export.session, events=events)))
    problem = (await replay(changed.session, BlobsInMemory(changed.blobs))).problem
    assert problem is not None and (problem.kind, problem.seq) == ("decision", event.seq)


@pytest.mark.parametrize("name", NAMES)
def test_a_session_of_newer_code_is_exported_and_imported_as_it_was_and_forked_with_what_it_holds(name: str) -> None:
    export = newer_session(history(name))
    lines = list(write_export(export.session, export.blobs))
    (again,) = read_exports(lines)
    assert list(write_export(again.session, again.blobs)) == lines
    copied = imported(again.session, now_ms=0)
    assert [one.data_text for one in copied.events][: len(export.session.events)] == [
        one.data_text for one in export.session.events
    ]
    forked = fork(export.session, len(export.session.events), fork_names(), "/w", now_ms=0)
    assert all(FIELD in one.data_text for one in forked.events[: len(export.session.events)])


@pytest.mark.parametrize("name", NAMES)
def test_the_other_folds_make_of_newer_fields_what_they_make_without(name: str) -> None:
    old, new = history(name).session.events, newer_session(history(name)).session.events
    told = []
    for events in (old, new):
        prompts, memory, shown = SessionHistory(), LoopMemory(), []
        for event in events:
            prompts.fold(event)
            shown.append([task.all_entries() for task in prompts.tasks.values()])
            if event.task_id is not None:
                memory.take(stamped(to_recorded(event)))
        claims = [one for one in events if one.type == "completion.claimed"]
        judged = [
            case_of(
                JudgeClaim(session_id=one.session_id, task_id=one.task_id or "", claim_id=one.data["claim_id"]),
                events[: place + 1],
            )
            for place, one in enumerate(events)
            if one in claims
        ]
        told.append((shown, prompts.past, judged))
    assert told[0] == told[1]


def test_a_newer_limit_of_a_capability_profile_is_passed_over() -> None:
    profiled = TaskProfiled.known_of(fixture("task.profiled", 1))
    raised = profiled.model_copy(update={"capability": {**profiled.capability, "anti_loop": {FIELD: 1, "n_repeat": 2}}})
    event = next(one for one in history("completed").session.events if one.type == "task.profiled")
    LoopMemory().take(stamped(to_recorded(event))._replace(data=raised))


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("command.run_task", RunTask(session_id="s", task_id="t")),
        ("outbound.receipt", Receipt(conversation="k", message_id="m", status="accepted", session_id="s", task_id="t")),
    ],
)
def test_a_message_of_a_newer_arreio_is_read(kind: str, message: BaseModel) -> None:
    found = envelope.headers(envelope.envelope(kind, id="1", source="test"))
    assert envelope.read(found, json.dumps({**message.model_dump(mode="json"), FIELD: 1}).encode())[1] == message


@pytest.mark.parametrize("kind", KINDS)
def test_the_published_schema_takes_what_newer_code_writes(kind: str) -> None:
    schema = schemas()[f"{kind}.v{EVENTS[kind].version}.json"]
    assert Draft202012Validator(schema).is_valid(data_of_newer_code(kind))


def test_the_published_schema_of_what_others_write_is_closed() -> None:
    message = {"conversation": "k", "message_id": "m", "sender": "p", "text": "hi"}
    validator = Draft202012Validator(schemas()["inbound.message.v1.json"])
    assert validator.is_valid(message) and not validator.is_valid({**message, FIELD: 1})


def test_who_writes_an_unknown_field_is_refused_by_name() -> None:
    found = envelope.headers(envelope.envelope("inbound.message", id="1", source="test"))
    message = InboundMessage(conversation="k", message_id="m", sender="p", text="hi", contract=TaskContract())
    for body in (
        {**message.model_dump(mode="json"), FIELD: 1},
        {**message.model_dump(mode="json", exclude={"contract"}), "contract": {FIELD: 1}},
    ):
        with pytest.raises(InvalidBody) as refused:
            envelope.read(found, json.dumps(body).encode())
        assert FIELD in refused.value.field
    for kind in KINDS:
        with pytest.raises(ValidationError):
            EVENTS[kind].model_validate(data_of_newer_code(kind))


def test_the_line_of_a_session_with_nothing_unknown_says_nothing_of_it() -> None:
    assert "newer" not in command._line(Finding("s_1", 1, 0, 0, None))

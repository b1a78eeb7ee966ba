"""Events of every version that was ever written stay readable, a step at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from arreio_contracts import envelope
from arreio_contracts.errors import InvalidBody, UnknownType, UnknownVersion
from arreio_contracts.events import EVENTS, EventData
from arreio_contracts.upcasting import UPCASTERS, read_event, upcast, upcaster

from shared.store.events import RecordedEvent

FIXTURES = Path(__file__).parents[1] / "data" / "events"
VERSIONS = [(kind, version) for kind, contract in EVENTS.items() for version in range(1, contract.version + 1)]


def fixture(kind: str, version: int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FIXTURES.joinpath(f"{kind}.v{version}.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize(("kind", "version"), VERSIONS)
def test_every_version_of_every_type_has_a_fixture_that_still_reads(kind: str, version: int) -> None:
    data = read_event(kind, version, fixture(kind, version))
    assert isinstance(data, EVENTS[kind])


def _without_new_fields(read: Any, stored: Any) -> Any:
    """What was read without the fields, at any depth, that came with a default after it was stored."""
    if isinstance(read, dict) and isinstance(stored, dict):
        return {name: _without_new_fields(read[name], value) for name, value in stored.items()}
    if isinstance(read, list) and isinstance(stored, list) and len(read) == len(stored):
        return [_without_new_fields(one, other) for one, other in zip(read, stored, strict=True)]
    return read


@pytest.mark.parametrize("kind", sorted(EVENTS))
def test_the_fixture_of_the_current_version_is_whole_and_means_what_it_says(kind: str) -> None:
    contract = EVENTS[kind]
    found = fixture(kind, contract.version)
    required = {name for name, field in contract.model_fields.items() if field.is_required()}
    assert required <= found.keys() <= set(contract.model_fields)
    # What a reader makes of it says the same again: no field is dropped, renamed or read as something else.
    dumped = read_event(kind, contract.version, found).model_dump(mode="json")
    assert _without_new_fields(dumped, found) == found


def test_there_is_no_fixture_of_anything_else() -> None:
    assert {path.name for path in FIXTURES.iterdir()} == {f"{kind}.v{version}.json" for kind, version in VERSIONS}


def test_there_is_a_step_from_each_old_version_and_from_no_other() -> None:
    assert set(UPCASTERS) == {(kind, version) for kind, version in VERSIONS if version < EVENTS[kind].version}


class ToyMade(EventData):
    """A type in its third version: the second split the name, the third counts from one."""

    type = "toy.made"
    version = 3
    first: str
    last: str
    number: int


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(EVENTS, "toy.made", ToyMade)
    monkeypatch.setitem(envelope.MESSAGES, "toy.made", (ToyMade, 3))

    @upcaster("toy.made", 1)
    def _split(data: dict[str, Any]) -> dict[str, Any]:
        first, last = data.pop("name").split(" ", 1)
        return {**data, "first": first, "last": last}

    @upcaster("toy.made", 2)
    def _from_one(data: dict[str, Any]) -> dict[str, Any]:
        return {**data, "number": data["number"] + 1}

    yield
    for version in (1, 2):
        UPCASTERS.pop(("toy.made", version), None)


OLD = {"name": "Ana Maria Braga", "number": 0}
NOW = ToyMade(first="Ana", last="Maria Braga", number=1)


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize(
    ("version", "data"),
    [(1, OLD), (2, {"first": "Ana", "last": "Maria Braga", "number": 0}), (3, NOW.model_dump())],
)
def test_each_version_is_brought_to_the_current_one_step_by_step(version: int, data: dict[str, Any]) -> None:
    before = dict(data)
    assert read_event("toy.made", version, data) == NOW
    assert data == before


@pytest.mark.usefixtures("toys")
def test_an_old_event_of_the_log_reads_as_the_current_version_and_keeps_its_text() -> None:
    text = json.dumps(OLD)
    event = RecordedEvent("s_1", 1, "e1", "toy.made", 1, None, text, "{}", datetime.now(UTC), b"", b"")
    assert event.data == NOW.model_dump()
    assert event.contract == NOW
    assert event.data_text == text


@pytest.mark.usefixtures("toys")
def test_an_old_event_on_the_wire_reads_as_the_current_version() -> None:
    attributes = envelope.envelope("toy.made", id="1", source="test")
    old = attributes.model_copy(update={"dataschema": envelope.dataschema("toy.made", 1)})
    assert envelope.read(envelope.headers(old), json.dumps(OLD).encode())[1] == NOW
    for body in (b"{", b"[]"):
        with pytest.raises(InvalidBody):
            envelope.read(envelope.headers(old), body)


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize("version", [0, 4])
def test_a_version_that_is_not_known_is_refused(version: int) -> None:
    with pytest.raises(UnknownVersion):
        read_event("toy.made", version, OLD)


@pytest.mark.usefixtures("toys")
def test_a_step_that_is_missing_is_named() -> None:
    del UPCASTERS["toy.made", 2]
    with pytest.raises(UnknownVersion, match="from version 2 to 3"):
        read_event("toy.made", 1, OLD)


@pytest.mark.usefixtures("toys")
def test_a_step_is_registered_once() -> None:
    with pytest.raises(ValueError, match="already"):
        upcaster("toy.made", 1)(dict)


def test_a_type_that_nobody_knows_is_left_as_it_is_and_never_read() -> None:
    assert upcast("no.such", 7, {"a": 1}) == {"a": 1}
    with pytest.raises(UnknownType):
        read_event("no.such", 1, {})


def test_data_that_does_not_fit_names_the_place() -> None:
    with pytest.raises(InvalidBody) as refused:
        read_event("task.resumed", 1, {"cause": "whim"})
    assert refused.value.field == "data.cause"

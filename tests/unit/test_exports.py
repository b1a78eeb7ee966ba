"""An exported session is read back exactly; whatever is missing or was changed is refused with its line."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.canonical import canonical_json
from shared.store.exports import BLOB, HEADER, BadExport, NotCanonicalText, read_exports, write_export
from shared.store.hashing import Anchor, event_hash
from tests.support.histories import NAMES, history, history_lines

LINES = history_lines("completed")


@pytest.mark.parametrize("name", NAMES)
def test_reading_and_writing_again_gives_the_same_bytes(name: str) -> None:
    export = history(name)
    assert "".join(write_export(export.session, export.blobs)) == "".join(history_lines(name))


def test_every_line_is_a_cloudevent() -> None:
    for line in map(json.loads, LINES):
        assert line["specversion"] == "1.0" and line["id"] and line["source"] and line["type"]
        assert all(name.isalnum() and name.islower() for name in line if name != "data_base64")
        extensions = {name: value for name, value in line.items() if name != "data"}
        assert all(isinstance(value, str) for value in extensions.values())


def test_sessions_written_one_after_the_other_are_read_as_several() -> None:
    lines = [line for name in ("asked", "completed") for line in history_lines(name)]
    found = [export.session.session_id for export in read_exports(lines)]
    assert found == [history(name).session.session_id for name in ("asked", "completed")]


def test_a_session_that_stands_twice_in_a_file_is_refused_with_the_line_of_the_second() -> None:
    with pytest.raises(BadExport, match="stands twice in the file") as refused:
        list(read_exports([*LINES, *history_lines("asked"), *LINES]))
    assert refused.value.line_number == len(LINES) + len(history_lines("asked")) + 1


def test_bytes_that_are_no_text_and_replaced_characters_survive() -> None:
    export = history("declared_blocked")
    (last,) = export.session.events[-1:]
    data = {"text": "\x00 \ud800 \u241b", "blob": "0" * 64}
    text = canonical_json({**data, "blob": _hash(b"\xff\x00")})
    changed = replace(last, data_text=text)
    changed = replace(changed, hash=event_hash(changed.prev, changed))
    session = replace(
        export.session, events=[*export.session.events[:-1], changed], anchor=Anchor(last.seq, changed.hash)
    )
    blobs = {**export.blobs, _hash(b"\xff\x00"): b"\xff\x00"}
    (found,) = read_exports(write_export(session, blobs))
    assert found.session == session and found.blobs == blobs


def test_text_that_is_not_canonical_is_not_exported() -> None:
    session = history("completed").session
    spaced = replace(session.events[0], data_text=session.events[0].data_text.replace(":", ": ", 1))
    with pytest.raises(NotCanonicalText):
        list(write_export(replace(session, events=[spaced, *session.events[1:]]), {}))


@given(st.integers(1, len(LINES) - 1))
def test_a_line_that_is_missing_is_noticed(place: int) -> None:
    with pytest.raises(BadExport):
        list(read_exports([*LINES[:place], *LINES[place + 1 :]]))


@given(st.integers(1, len(LINES) - 1))
def test_a_file_that_is_cut_off_is_noticed(kept: int) -> None:
    with pytest.raises(BadExport):
        list(read_exports(LINES[:kept]))


EVENT_PLACES = [place for place, line in enumerate(LINES) if json.loads(line)["type"] not in (HEADER, BLOB)]


COVERED = sorted({name for place in EVENT_PLACES for name in json.loads(LINES[place])})


@given(st.sampled_from(EVENT_PLACES), st.sampled_from([*COVERED, "extra"]), st.data())
def test_an_event_that_was_changed_anywhere_is_noticed_with_its_line(
    place: int, field: str, data: st.DataObject
) -> None:
    line = json.loads(LINES[place])
    other = json.loads(LINES[data.draw(st.sampled_from([one for one in EVENT_PLACES if one != place]))])
    other["extra"] = "1"
    if line.get(field) == other.get(field):
        return
    changed = {**line, field: other.get(field)}
    with pytest.raises(BadExport) as refused:
        list(read_exports([*LINES[:place], json.dumps(changed) + "\n", *LINES[place + 1 :]]))
    assert refused.value.line_number == place + 1


def test_a_chain_that_was_made_anew_is_noticed_by_whoever_knows_its_hash() -> None:
    # Whoever rewrites the whole file can make it fit; its head then differs from the one that the database kept.
    session = history("completed").session
    forged, prev = [], session.base.hash
    for event in session.events:
        changed = replace(event, data_text=event.data_text.replace("Hello", "Bye"), prev=prev)
        prev = event_hash(prev, changed)
        forged.append(replace(changed, hash=prev))
    anchor = Anchor(len(forged), prev)
    lines = list(write_export(replace(session, events=forged, anchor=anchor), history("completed").blobs))
    (found,) = read_exports(lines)
    assert session.anchor is not None and found.session.anchor != session.anchor


def _without(name: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda line: {key: value for key, value in line.items() if key != name}


MALFORMED = {
    "not JSON": "{\n",
    "no object": "[]\n",
    "no CloudEvent": '{"type": "arreio.blob"}\n',
    "a blob without content": json.dumps(_without("data")(json.loads(LINES[1]))) + "\n",
    "a blob of another hash": json.dumps({**json.loads(LINES[1]), "data": "x"}) + "\n",
    "a number that is none": json.dumps({**json.loads(LINES[EVENT_PLACES[0]]), "sequence": "x"}) + "\n",
    "a blob in two forms": json.dumps({**json.loads(LINES[1]), "data_base64": ""}) + "\n",
    "a blob that says more": json.dumps({**json.loads(LINES[1]), "extra": "1"}) + "\n",
    "a day before all days": json.dumps({**json.loads(LINES[EVENT_PLACES[0]]), "time": "0001-01-01T00:00:00+23:59"})
    + "\n",
    "a key twice": LINES[EVENT_PLACES[0]].replace('"type":', '"type":"arreio.task.created","type":', 1),
    "a key twice inside": LINES[EVENT_PLACES[0]].replace('"data":{', '"data":{"goal":"other","goal":"another",', 1),
    "no number that JSON has": LINES[EVENT_PLACES[0]].replace('"data":{', '"data":{"n":NaN,'),
}


@pytest.mark.parametrize("what", sorted(MALFORMED))
def test_a_malformed_line_is_named(what: str) -> None:
    with pytest.raises(BadExport, match="line 2: "):
        list(read_exports([LINES[0], MALFORMED[what], *LINES[1:]]))


def test_a_blob_that_stands_twice_is_refused_at_the_second() -> None:
    with pytest.raises(BadExport, match=f"line 3: the blob {json.loads(LINES[1])['id']} stands twice"):
        list(read_exports([*LINES[:2], *LINES[1:]]))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("first_seq", True),
        ("first_seq", "1"),
        ("first_seq", 1.0),
        ("first_seq", 0),
        ("seq", -1),
        ("blobs", None),
        ("hash", 7),
        ("more", 1),
    ],
)
def test_a_sessions_line_of_wrong_types_or_numbers_is_refused(name: str, value: object) -> None:
    head = json.loads(LINES[0])
    head["data"][name] = value
    with pytest.raises(BadExport, match="line 1: "):
        list(read_exports([json.dumps(head), *LINES[1:]]))


@pytest.mark.parametrize("name", ["id", "source", "sequence", "partitionkey"])
def test_what_a_sessions_line_says_twice_must_fit(name: str) -> None:
    head = {**json.loads(LINES[0]), name: 7}
    with pytest.raises(BadExport, match="line 1: "):
        list(read_exports([json.dumps(head), *LINES[1:]]))


@pytest.mark.parametrize("lines", [[], ["\n"], LINES[1:]])
def test_a_file_without_a_session_is_refused(lines: list[str]) -> None:
    with pytest.raises(BadExport):
        list(read_exports(lines))


def _hash(content: bytes) -> str:
    from shared.canonical import sha256_hex

    return sha256_hex(content)

"""The hash chain finds every change of a session, wherever it is made."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.store.hashing import GENESIS, Anchor, chain_break, event_hash, first_bad_seq


@dataclass(frozen=True)
class Event:
    session_id: str
    seq: int
    event_id: str
    type: str
    schema_version: int
    task_id: str | None
    data_text: str
    metadata_text: str
    recorded_at: datetime
    prev: bytes
    hash: bytes


def session(length: int) -> tuple[list[Event], Anchor]:
    events: list[Event] = []
    prev = GENESIS
    for seq in range(1, length + 1):
        at = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(microseconds=seq)
        event = Event("s_1", seq, f"e{seq}", "a.b", 1, "t_1", f'{{"n":{seq}}}', "{}", at, prev, b"")
        prev = event_hash(prev, event)
        events.append(replace(event, hash=prev))
    return events, Anchor(length, prev)


lengths = st.integers(1, 8)


@given(lengths)
def test_an_untouched_session_is_sound(length: int) -> None:
    events, anchor = session(length)
    assert first_bad_seq(events, anchor) is None


def test_a_session_without_events_is_sound() -> None:
    assert first_bad_seq([], None) is None


CHANGES = {
    "event_id": "other",
    "type": "a.c",
    "schema_version": 2,
    "task_id": None,
    "data_text": "{}",
    "metadata_text": '{"a":1}',
    "recorded_at": datetime(2020, 1, 1, tzinfo=UTC),
    "session_id": "s_2",
}


@given(lengths, st.data(), st.sampled_from(sorted(CHANGES)))
def test_a_changed_event_is_named(length: int, data: st.DataObject, field: str) -> None:
    events, anchor = session(length)
    at = data.draw(st.integers(0, length - 1))
    events[at] = replace(events[at], **{field: CHANGES[field]})  # type: ignore[arg-type]
    assert first_bad_seq(events, anchor) == at + 1


@given(lengths, st.data())
def test_a_cut_tail_shows_by_the_anchor(length: int, data: st.DataObject) -> None:
    events, anchor = session(length)
    kept = data.draw(st.integers(0, length - 1))
    assert first_bad_seq(events[:kept], anchor) == kept + 1


@given(lengths, st.data())
def test_a_hole_is_named(length: int, data: st.DataObject) -> None:
    events, anchor = session(length)
    at = data.draw(st.integers(0, length - 1))
    assert first_bad_seq(events[:at] + events[at + 1 :], anchor) == at + 1


def test_a_changed_event_with_a_hash_made_anew_breaks_the_next_one_or_the_anchor() -> None:
    events, anchor = session(3)
    for at in range(3):
        forged = replace(events[at], data_text="{}")
        forged = replace(forged, hash=event_hash(forged.prev, forged))
        expected = at + 2 if at < 2 else 3
        assert first_bad_seq([*events[:at], forged, *events[at + 1 :]], anchor) == expected


def test_a_session_without_its_anchor_is_not_sound() -> None:
    events, _ = session(2)
    assert first_bad_seq(events, None) == 2


def test_what_is_wrong_with_a_chain_is_told_apart() -> None:
    events, anchor = session(3)
    changed = replace(events[1], data_text="{}")
    broken = [
        ([events[0], changed, events[2]], anchor, 2, {"hash"}),
        ([events[0], replace(events[1], prev=GENESIS), events[2]], anchor, 2, {"prev"}),
        ([events[0], events[2]], anchor, 2, {"seq"}),
        (events[:2], anchor, 3, {"head"}),
        (events, None, 3, {"head"}),
        (events, Anchor(3, GENESIS), 3, {"head"}),
    ]
    for found, head, seq, names in broken:
        said = chain_break(found, head)
        assert said is not None and said.seq == seq
        assert said.recorded.keys() == said.recomputed.keys() == names
        assert said.recorded != said.recomputed

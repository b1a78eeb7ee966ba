"""Which rows of a session go to the broker together."""

from collections.abc import Sequence
from dataclasses import replace

from arreio_contracts import subjects
from hypothesis import given
from hypothesis import strategies as st

from shared.bus.streams import stream_of
from shared.outbox.batches import LARGEST, LEAST, MOST, in_batch, leading_batch
from shared.outbox.bodies import OutboxRow, Publication
from tests.unit.test_outbox_bodies import ROW

SUBJECTS = (subjects.event("s_1", "task.started"), subjects.COMMAND_RUN_TASK, "arreio.v1.nowhere")


def rows(count: int, subject: str = SUBJECTS[0], size: int = 2) -> list[OutboxRow]:
    return [replace(ROW, id=n, seq=n, subject=subject, data_text="x" * size) for n in range(count)]


@given(
    st.lists(
        st.tuples(st.sampled_from(SUBJECTS), st.integers(1, 40), st.sampled_from((2, 9_000, LARGEST + 1))), max_size=4
    )
)
def test_a_batch_is_always_the_first_rows_in_their_order_of_one_stream_and_within_its_bounds(
    runs: Sequence[tuple[str, int, int]],
) -> None:
    queue = [row for subject, count, size in runs for row in rows(count, subject, size)]
    found = leading_batch(queue)
    assert found == queue[: len(found)]
    assert not found or LEAST <= len(found) <= MOST
    assert len({stream_of(row.subject) for row in found} - {None}) == bool(found)
    assert sum(len(row.data_text) for row in found) <= LARGEST


def test_few_rows_go_one_by_one_and_many_together() -> None:
    assert leading_batch(rows(LEAST - 1)) == []
    assert leading_batch(rows(LEAST)) == rows(LEAST)
    assert leading_batch(rows(MOST + 1)) == rows(MOST)


def test_a_row_of_another_stream_ends_the_batch() -> None:
    assert leading_batch([*rows(LEAST), *rows(LEAST, SUBJECTS[1])]) == rows(LEAST)
    assert leading_batch([*rows(1, SUBJECTS[1]), *rows(LEAST)]) == []


def test_the_messages_keep_their_ids_and_the_last_one_commits() -> None:
    plain = [Publication("a", {"Nats-Msg-Id": f"e{n}/0"}, b"") for n in range(3)]
    found = in_batch("b1", plain)
    assert [one.headers["Nats-Msg-Id"] for one in found] == ["e0/0", "e1/0", "e2/0"]
    assert [one.headers["Nats-Batch-Sequence"] for one in found] == ["1", "2", "3"]
    assert {one.headers["Nats-Batch-Id"] for one in found} == {"b1"}
    assert [one.headers.get("Nats-Batch-Commit") for one in found] == [None, None, "1"]
    assert plain[-1].headers == {"Nats-Msg-Id": "e2/0"}

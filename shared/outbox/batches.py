"""Which rows of a session go to the broker together, and the headers by which it takes all of them or none (ADR-50)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Final

from shared.bus.streams import stream_of
from shared.outbox.bodies import OutboxRow, Publication

LEAST: Final = 16
"""Below so many rows a batch costs the broker more than their messages one by one: it writes each batch aside first."""
MOST: Final = 64
LARGEST: Final = 512 * 1024
"""Bytes of the rows of a batch: it is sent without waiting in between."""
FIRST_SERVER: Final = (2, 12)
"""The first version of the NATS server that knows batches; those before would take each message by itself."""
_ID, _SEQUENCE, _COMMIT = "Nats-Batch-Id", "Nats-Batch-Sequence", "Nats-Batch-Commit"


def leading_batch(rows: Iterable[OutboxRow]) -> list[OutboxRow]:
    """The first rows that go together, of one stream and in their order; none where they had better go one by one."""
    found: list[OutboxRow] = []
    stream, size = None, 0
    for row in islice(rows, MOST):
        here = stream_of(row.subject)
        size += len(row.body or b"") + len(row.data_text or "") + len(row.metadata_text or "")
        if here is None or here != (stream or here) or size > LARGEST:
            break
        stream = here
        found.append(row)
    return found if len(found) >= LEAST else []


def in_batch(batch_id: str, messages: list[Publication]) -> list[Publication]:
    """The messages with their places in the batch; the last one commits it."""
    found = [
        Publication(
            one.subject, {**one.headers, "Nats-Batch-Id": batch_id, "Nats-Batch-Sequence": str(place)}, one.body
        )
        for place, one in enumerate(messages, 1)
    ]
    found[-1].headers[_COMMIT] = "1"
    return found

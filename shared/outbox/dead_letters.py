"""Dead letters: what the relay parked and what consumers gave up, listed, shown and sent again by a person."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from arreio_contracts import subjects
from arreio_contracts.envelope import envelope, headers
from arreio_contracts.messages import DeadLetter
from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from shared.canonical import canonical_json
from shared.errors import ArreioError
from shared.outbox.bodies import MESSAGE_ID_HEADER
from shared.store.connection import Pool, connected

if TYPE_CHECKING:
    from nats.js import JetStreamContext


class NoSuchDeadLetter(ArreioError):
    """There is no open dead letter with this number."""

    def __init__(self, id: int) -> None:
        super().__init__(f"there is no open dead letter {id}", "`arreio dead list` shows them")


@dataclass(frozen=True)
class DeadLetterRow:
    """A dead letter as it is kept. `source` outbox: its session is parked until it is resent or skipped."""

    id: int
    source: Literal["outbox", "consumer"]
    consumer: str
    subject: str
    session_id: str | None
    outbox_id: int | None
    message_id: str | None
    code: str
    field: str | None
    problem: str
    headers: dict[str, str]
    body: bytes
    deliveries: int
    created_at: datetime
    resolved_at: datetime | None
    resolution: Literal["resent", "skipped"] | None


async def bury(pool: Pool, stream: JetStreamContext, letter: DeadLetter, message_id: str) -> int:
    """Keep a message that a consumer gave up, as a row and as a message on `dead.<consumer>`; the row's number.

    Burying the same message of the same consumer again changes its row, and the broker drops the second message.

    Raises:
        StoreUnavailable: PostgreSQL cannot be reached.
        nats.errors.Error: the broker did not take the message; the row is there.
    """
    async with connected(pool) as connection:
        cursor = await connection.execute(
            "SELECT arreio.dead_letter(%s, %s, %s, %s, %s, %s, %s, %b, %s)",
            (
                letter.consumer,
                letter.subject,
                message_id,
                letter.code,
                letter.field,
                _storable(letter.problem),
                Jsonb(letter.headers, dumps=canonical_json),
                base64.b64decode(letter.body),
                letter.deliveries,
            ),
        )
        row = await cursor.fetchone()
    assert row is not None
    found = envelope("dead.letter", id=f"dead/{row[0]}", source=letter.consumer)
    await stream.publish(
        subjects.dead(letter.consumer),
        letter.model_dump_json().encode(),
        headers={MESSAGE_ID_HEADER: f"dead/{row[0]}", **headers(found)},
    )
    return int(row[0])


async def list_dead(pool: Pool, *, all: bool = False, limit: int = 100) -> list[DeadLetterRow]:
    """Dead letters, the newest first; only the open ones unless `all`."""
    async with connected(pool) as connection, connection.cursor(row_factory=class_row(DeadLetterRow)) as cursor:
        await cursor.execute(
            "SELECT * FROM arreio.dead_letters WHERE %s OR resolved_at IS NULL ORDER BY id DESC LIMIT %s", (all, limit)
        )
        return await cursor.fetchall()


async def show_dead(pool: Pool, id: int) -> DeadLetterRow | None:
    """One dead letter."""
    async with connected(pool) as connection, connection.cursor(row_factory=class_row(DeadLetterRow)) as cursor:
        await cursor.execute("SELECT * FROM arreio.dead_letters WHERE id = %s", (id,))
        return await cursor.fetchone()


async def resend(pool: Pool, id: int) -> None:
    """Have a dead letter sent again by the relay, under a new message id: a parked row, or a message given up.

    A message that was given up goes to every consumer of its subject; those that had handled it know it by their inbox.

    Raises:
        NoSuchDeadLetter: there is none open with this number.
    """
    await _resolve(pool, id, "resent")


async def skip(pool: Pool, id: int) -> None:
    """Give a dead letter up for good; a parked session goes on behind it. Raises NoSuchDeadLetter."""
    await _resolve(pool, id, "skipped")


async def _resolve(pool: Pool, id: int, resolution: str) -> None:
    async with connected(pool) as connection:
        row = await (await connection.execute("SELECT arreio.resolve_dead_letter(%s, %s)", (id, resolution))).fetchone()
    if not (row and row[0]):
        raise NoSuchDeadLetter(id)


def _storable(text: str) -> str:
    # PostgreSQL's text takes neither NUL nor a lone surrogate.
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()

"""Dead letters: what the relay parked and what consumers gave up, listed, shown and sent again by a person."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal

from arreio_contracts import subjects
from arreio_contracts.envelope import envelope, headers
from arreio_contracts.messages import DeadLetter
from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from shared.canonical import canonical_json
from shared.errors import ArreioError
from shared.outbox.bodies import MESSAGE_ID_HEADER, Publication, Unpublishable, check_carried, sent_again
from shared.store.connection import Pool, connected

if TYPE_CHECKING:
    from nats.aio.client import Client


LONGEST: Final = 2000
"""Characters that are kept of what was wrong; whoever wrote the message may have written that too."""


class NotCarried(ArreioError):
    """A dead letter that the relay could not send, however often."""

    def __init__(self, id: int, why: Unpublishable) -> None:
        super().__init__(
            f"dead letter {id} cannot be sent again: {why.message}",
            f"`arreio dead show {id}` shows it, `arreio dead skip {id}` gives it up",
        )


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


async def bury(pool: Pool, client: Client, letter: DeadLetter, message_id: str) -> int | None:
    """Keep a message that a consumer gave up, as a row and as a message on `dead.<consumer>`; the row's number.

    None: it is malformed, and as many such letters of its subject (100) or its consumer (1,000) are open as are kept.
    Then it is counted onto the newest of them, and that is all that stays of it.

    Burying the same message of the same consumer again changes its row, and the broker drops the second message. The
    row has all of it; what would be too large for the broker in base64 leaves the body and the headers out.

    Raises:
        StoreUnavailable: PostgreSQL cannot be reached.
        nats.errors.Error: the broker did not take the message; the row is there.
    """
    letter = _storable(letter)
    async with connected(pool) as connection:
        cursor = await connection.execute(
            "SELECT arreio.dead_letter(%s, %s, %s, %s, %s, %s, %s, %b, %s)",
            (
                letter.consumer,
                letter.subject,
                message_id,
                letter.code,
                letter.field,
                letter.problem,
                Jsonb(letter.headers, dumps=canonical_json),
                base64.b64decode(letter.body),
                letter.deliveries,
            ),
        )
        row = await cursor.fetchone()
    assert row is not None
    if row[0] < 0:
        return None
    found = envelope("dead.letter", id=f"dead/{row[0]}", source=letter.consumer)
    message = Publication(
        subjects.dead(letter.consumer),
        {MESSAGE_ID_HEADER: f"dead/{row[0]}", **headers(found)},
        letter.model_dump_json().encode(),
    )
    if message.size > client.max_payload:
        message = replace(
            message, body=letter.model_copy(update={"body": "", "headers": {}}).model_dump_json().encode()
        )
    await client.jetstream().publish(message.subject, message.body, headers=message.headers)
    return int(row[0])


async def counted_onto(pool: Pool, ids: Sequence[int]) -> dict[int, int]:
    """How many messages were counted onto these letters and not kept; a letter that is left out has none."""
    async with connected(pool) as connection:
        cursor = await connection.execute(
            "SELECT letter, messages FROM arreio.dead_letters_more WHERE letter = ANY (%s)", (list(ids),)
        )
        return dict(await cursor.fetchall())


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
        NotCarried: it cannot be sent; it stays open.
    """
    letter = await show_dead(pool, id)
    if letter is not None and letter.resolved_at is None:
        try:
            check_carried(letter.subject, sent_again(letter.headers))
        except Unpublishable as error:
            raise NotCarried(id, error) from error
    await _resolve(pool, id, "resent")


async def skip(pool: Pool, id: int) -> None:
    """Give a dead letter up for good; a parked session goes on behind it. Raises NoSuchDeadLetter."""
    await _resolve(pool, id, "skipped")


async def _resolve(pool: Pool, id: int, resolution: str) -> None:
    async with connected(pool) as connection:
        row = await (await connection.execute("SELECT arreio.resolve_dead_letter(%s, %s)", (id, resolution))).fetchone()
    if not (row and row[0]):
        raise NoSuchDeadLetter(id)


def _storable(letter: DeadLetter) -> DeadLetter:
    """The letter as PostgreSQL and UTF-8 take it, and no longer than a person reads, but for headers and body."""
    return letter.model_copy(
        update={
            "subject": _clean(letter.subject),
            "field": None if letter.field is None else _cut(_clean(letter.field)),
            "problem": _cut(_clean(letter.problem)),
            "headers": {_clean(name): _clean(value) for name, value in letter.headers.items()},
        }
    )


def _clean(text: str) -> str:
    # PostgreSQL's text takes neither NUL nor a lone surrogate.
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"

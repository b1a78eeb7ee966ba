"""The replies that wait to be posted: at least once, in order within a conversation, each conversation for itself."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from shared.store.connection import Pool, connected

TAKEN: Final = 30.0
"""Seconds that a reply is one gateway's to post; longer than a post may take."""
_KEEP: Final = """
INSERT INTO gateway.reply_posts (channel, session_id, message_id, body, headers)
SELECT name, %s, %s, %b, %s FROM gateway.channels WHERE name = %s ON CONFLICT DO NOTHING
"""
_TAKE: Final = """
UPDATE gateway.reply_posts p SET taken_until = clock_timestamp() + make_interval(secs => %(taken)s),
    attempts = p.attempts + 1
FROM gateway.channels c
WHERE c.name = p.channel AND c.reply_url IS NOT NULL
  AND (p.taken_until IS NULL OR p.taken_until < clock_timestamp()) AND p.next_at <= clock_timestamp()
  AND p.id IN (
    SELECT h.id FROM (SELECT DISTINCT ON (channel, session_id) id, next_at, taken_until FROM gateway.reply_posts
                      ORDER BY channel, session_id, id) h
    WHERE h.next_at <= clock_timestamp() AND (h.taken_until IS NULL OR h.taken_until < clock_timestamp())
    ORDER BY h.next_at LIMIT %(most)s)
RETURNING p.id, p.channel, p.session_id, p.message_id, p.body, p.headers, p.attempts, c.reply_url AS url,
    convert_from(c.signing_secret, 'UTF8') AS secret, c.reply_private AS private
"""
_AGAIN: Final = """
UPDATE gateway.reply_posts SET taken_until = NULL, next_at = clock_timestamp() + make_interval(secs => %s) WHERE id = %s
"""


@dataclass(frozen=True)
class Waiting:
    """A reply that is this gateway's to post now; `attempts` counts this one."""

    id: int
    channel: str
    session_id: str
    message_id: str
    body: bytes
    headers: dict[str, str]
    attempts: int
    url: str = field(repr=False)
    secret: str = field(repr=False)
    private: bool


async def posting_channels(pool: Pool) -> list[str]:
    """The channels whose replies are posted."""
    async with connected(pool) as connection:
        found = await connection.execute("SELECT name FROM gateway.channels WHERE reply_url IS NOT NULL ORDER BY name")
        return [row[0] for row in await found.fetchall()]


async def keep(
    pool: Pool, channel: str, session_id: str, message_id: str, body: bytes, headers: dict[str, str]
) -> None:
    """Have a reply wait behind those of its conversation; keeping it again changes nothing."""
    async with connected(pool) as connection:
        await connection.execute(_KEEP, (session_id, message_id, body, Jsonb(headers), channel))


async def take(pool: Pool, most: int) -> Sequence[Waiting]:
    """The first replies of conversations that are due and nobody's."""
    async with connected(pool) as connection, connection.cursor(row_factory=class_row(Waiting)) as cursor:
        await cursor.execute(_TAKE, {"taken": TAKEN, "most": most})
        return await cursor.fetchall()


async def put_off(pool: Pool, waiting: Waiting, seconds: float) -> None:
    """Have it tried again after a while; what comes behind it waits too."""
    async with connected(pool) as connection:
        await connection.execute(_AGAIN, (seconds, waiting.id))


async def done(pool: Pool, waiting: Waiting) -> None:
    """It was taken, or given up."""
    async with connected(pool) as connection:
        await connection.execute("DELETE FROM gateway.reply_posts WHERE id = %s", (waiting.id,))

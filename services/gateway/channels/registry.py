"""The channels as the database knows them: made, listed, given new tokens, and asked who may speak."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from arreio_contracts import subjects
from psycopg.rows import class_row

from shared.errors import ArreioError
from shared.store.connection import Pool, connected

from ..rights import OPERATOR_CHANNELS
from .tokens import new_signing_secret, new_token, token_hash

GRACE: Final = 24 * 3600.0
"""Seconds that the token before stays valid after a rotation, unless said otherwise."""

_ADD: Final = """
INSERT INTO gateway.channels (name, token_hash, open, signing_secret) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING
"""
_ROTATE: Final = """
UPDATE gateway.channels SET former_hash = CASE WHEN %(grace)s > 0 THEN token_hash END,
    former_until = clock_timestamp() + make_interval(secs => %(grace)s), token_hash = %(hash)s,
    updated_at = clock_timestamp()
WHERE name = %(name)s
"""
_OF_TOKEN: Final = """
SELECT name FROM gateway.channels
WHERE token_hash = %(hash)s OR (former_hash = %(hash)s AND former_until > clock_timestamp())
"""
_LIST: Final = """
SELECT name, open, signing_secret IS NOT NULL AS signed, created_at, pairing, progress,
    substring(reply_url FROM '^https?://[^/?]+') AS replies_to,
    CASE WHEN former_until > clock_timestamp() THEN former_until END AS former_until,
    ARRAY(SELECT sender FROM gateway.channel_senders s WHERE s.channel = c.name ORDER BY sender) AS senders
FROM gateway.channels c ORDER BY name
"""
_KNOWN: Final = """
SELECT c.open OR EXISTS (SELECT FROM gateway.channel_senders s WHERE s.channel = c.name AND s.sender = %s)
FROM gateway.channels c WHERE c.name = %s
"""
_NO_ROW: Final = "SELECT NOT EXISTS (SELECT FROM gateway.channels)"


class NoSuchChannel(ArreioError):
    """A name that no channel has."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no channel {name!r}", "see 'arreio channels list'")


@dataclass(frozen=True)
class Channel:
    """A channel as people see it. `former_until`: until when the token before is still valid.

    `replies_to` is where replies are posted, without what follows the host, which may hold a token.
    """

    name: str
    open: bool
    signed: bool
    created_at: datetime
    former_until: datetime | None
    pairing: bool
    progress: float | None
    replies_to: str | None
    senders: Sequence[str]


@dataclass(frozen=True)
class Keys:
    """What an adapter proves itself with; shown once, never again."""

    token: str = field(repr=False)
    signing_secret: str | None = field(default=None, repr=False)


async def add_channel(pool: Pool, name: str, *, open: bool = False, signed: bool = False) -> Keys:
    """Make a channel with its first token.

    Raises:
        ArreioError: the name is taken, or the local operator's own.
        InvalidSubject: the name cannot be one subject token.
    """
    subjects.token(name, "channel")
    if name in OPERATOR_CHANNELS:
        raise ArreioError(f"the channel {name!r} is the local operator's own", "choose another name")
    keys = Keys(new_token(), new_signing_secret() if signed else None)
    secret = None if keys.signing_secret is None else keys.signing_secret.encode()
    async with connected(pool) as connection:
        made = await connection.execute(_ADD, (name, token_hash(keys.token), open, secret))
    if not made.rowcount:
        raise ArreioError(f"there is a channel {name!r} already", f"'arreio channels rotate {name}' gives a new token")
    return keys


async def rotate_channel(pool: Pool, name: str, *, grace: float = GRACE) -> Keys:
    """Give a channel a new token; the one before stays valid for `grace` seconds. Raises NoSuchChannel."""
    keys = Keys(new_token())
    async with connected(pool) as connection:
        done = await connection.execute(_ROTATE, {"name": name, "hash": token_hash(keys.token), "grace": grace})
    if not done.rowcount:
        raise NoSuchChannel(name)
    return keys


async def remove_channel(pool: Pool, name: str) -> None:
    """Take a channel away with its tokens and senders; its sessions stay. Raises NoSuchChannel."""
    async with connected(pool) as connection:
        done = await connection.execute("DELETE FROM gateway.channels WHERE name = %s", (name,))
    if not done.rowcount:
        raise NoSuchChannel(name)


async def list_channels(pool: Pool) -> list[Channel]:
    """Every channel, by name."""
    async with connected(pool) as connection, connection.cursor(row_factory=class_row(Channel)) as cursor:
        await cursor.execute(_LIST)
        return await cursor.fetchall()


async def allow(pool: Pool, name: str, sender: str) -> None:
    """Let a sender speak on a channel. Raises NoSuchChannel."""
    async with connected(pool) as connection:
        await connection.execute(
            "INSERT INTO gateway.channel_senders (channel, sender) "
            "SELECT name, %s FROM gateway.channels WHERE name = %s ON CONFLICT DO NOTHING",
            (sender, name),
        )
        found = await connection.execute("SELECT FROM gateway.channels WHERE name = %s", (name,))
    if not found.rowcount:
        raise NoSuchChannel(name)


async def deny(pool: Pool, name: str, sender: str) -> None:
    """Let a sender no longer speak on a channel. Raises ArreioError when nobody of that name was allowed."""
    async with connected(pool) as connection:
        done = await connection.execute(
            "DELETE FROM gateway.channel_senders WHERE channel = %s AND sender = %s", (name, sender)
        )
    if not done.rowcount:
        raise ArreioError(f"{sender!r} was not allowed on the channel {name!r}", "see 'arreio channels list'")


async def channel_of_token(pool: Pool, token: str) -> str | None:
    """The channel that a token is of, now; None where it is nobody's or its grace is over."""
    async with connected(pool) as connection:
        row = await (await connection.execute(_OF_TOKEN, {"hash": token_hash(token)})).fetchone()
    return None if row is None else str(row[0])


async def signing_secret(pool: Pool, name: str) -> str | None:
    """What the channel's webhooks are signed with; None where it takes none."""
    async with connected(pool) as connection:
        found = await connection.execute("SELECT signing_secret FROM gateway.channels WHERE name = %s", (name,))
        row = await found.fetchone()
    return None if row is None or row[0] is None else bytes(row[0]).decode()


async def is_known(pool: Pool, channel: str, sender: str) -> bool:
    """Whether a sender may speak on a channel.

    A channel that was never added has no adapter: only the local operator's own user can publish on it.
    """
    # PostgreSQL can hold no NUL; nobody of such a name can have been allowed.
    allowed = None if "\0" in sender else sender
    async with connected(pool) as connection:
        row = await (await connection.execute(_KNOWN, (allowed, channel))).fetchone()
    return row is None or bool(row[0])


async def any_channel(pool: Pool) -> bool:
    """Whether there is a channel with an adapter."""
    async with connected(pool) as connection:
        row = await (await connection.execute(_NO_ROW)).fetchone()
    return row is not None and not row[0]

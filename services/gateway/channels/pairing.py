"""Pairing codes: an unknown sender is told one, and the operator lets in whoever it was told, by naming it.

The code proves to the operator that the person who shows it is the one who wrote. It lets nobody in by itself.
"""

import secrets
from typing import Final

from shared.errors import ArreioError
from shared.store.connection import Pool, connected

VALID: Final = 600.0
"""Seconds that a code is valid."""
MOST_WAITING: Final = 20
"""Senders of one channel that may have a code at the same time; a stranger cannot fill the table."""
LENGTH: Final = 8
_ALPHABET: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without what looks alike: 32 letters, so 40 bits."""
_GIVE: Final = """
WITH gone AS (DELETE FROM gateway.pairing_codes WHERE channel = %(channel)s AND expires_at <= clock_timestamp()
              AND sender <> %(sender)s)
INSERT INTO gateway.pairing_codes AS known (channel, sender, code, expires_at)
SELECT name, %(sender)s, %(code)s, clock_timestamp() + make_interval(secs => %(valid)s) FROM gateway.channels c
WHERE c.name = %(channel)s AND c.pairing AND (
    SELECT count(*) FROM gateway.pairing_codes p
    WHERE p.channel = c.name AND p.sender <> %(sender)s AND p.expires_at > clock_timestamp()) < %(most)s
ON CONFLICT (channel, sender) DO UPDATE SET
    code = CASE WHEN known.expires_at > clock_timestamp() THEN known.code ELSE excluded.code END,
    expires_at = CASE WHEN known.expires_at > clock_timestamp() THEN known.expires_at ELSE excluded.expires_at END
RETURNING code
"""
_PAIR: Final = """
WITH used AS (
    DELETE FROM gateway.pairing_codes WHERE channel = %(channel)s AND code = %(code)s
    RETURNING sender, expires_at > clock_timestamp() AS valid
), allowed AS (
    INSERT INTO gateway.channel_senders (channel, sender) SELECT %(channel)s, sender FROM used WHERE valid
    ON CONFLICT DO NOTHING
)
SELECT sender FROM used WHERE valid
"""


class NoSuchCode(ArreioError):
    """A code that nobody has, or has any more."""

    def __init__(self, channel: str) -> None:
        super().__init__(
            f"there is no such code on the channel {channel!r}, or it is no longer valid",
            "codes hold for ten minutes and once; a new message of the person gives another",
        )


async def code_for(pool: Pool, channel: str, sender: str, *, valid: float = VALID) -> str | None:
    """The code of an unknown sender, the same one as long as it is valid; None where the channel gives none now.

    Raises:
        StoreUnavailable: PostgreSQL cannot be reached.
    """
    if "\0" in sender:
        return None
    values = {"channel": channel, "sender": sender, "code": _new_code(), "valid": valid, "most": MOST_WAITING}
    async with connected(pool) as connection:
        row = await (await connection.execute(_GIVE, values)).fetchone()
    return None if row is None else shown(str(row[0]))


async def pair(pool: Pool, channel: str, code: str) -> str:
    """Let in the sender who was told a code, which is used up by that; the sender.

    Raises:
        NoSuchCode: nobody has it.
    """
    plain = "".join(one for one in code.upper() if one in _ALPHABET)
    async with connected(pool) as connection:
        row = await (await connection.execute(_PAIR, {"channel": channel, "code": plain})).fetchone()
    if row is None:
        raise NoSuchCode(channel)
    return str(row[0])


def shown(code: str) -> str:
    """A code as people read it."""
    return f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}"


def _new_code() -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(LENGTH))

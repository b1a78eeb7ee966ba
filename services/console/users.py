"""Who may use the console, as the database knows them."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal

import psycopg
from psycopg.rows import class_row

from shared.errors import ArreioError
from shared.store.connection import Pool, connected

from .passwords import password_hash

Role = Literal["viewer", "operator"]
"""A viewer only reads; an operator also acts."""
_COLUMNS: Final = "name, role, password_hash, epoch, created_at, updated_at"


class NoSuchUser(ArreioError):
    """A name that nobody has."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the console has no user {name!r}", "see 'arreio console users list'")


@dataclass(frozen=True)
class User:
    """A person who may sign in. A new `epoch` ends every session of theirs."""

    name: str
    role: Role
    password_hash: str = field(repr=False)
    epoch: int
    created_at: datetime
    updated_at: datetime


async def add_user(pool: Pool, name: str, role: Role, password: str) -> None:
    """Let a person sign in.

    Raises:
        ArreioError: the name is taken, or cannot be one; the password cannot be one.
    """
    kept = password_hash(password)
    try:
        async with connected(pool) as connection:
            made = await connection.execute(
                "INSERT INTO console.users (name, role, password_hash) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
                (name, role, kept),
            )
    except (psycopg.errors.CheckViolation, psycopg.DataError) as error:
        raise ArreioError(f"{name!r} cannot be a user's name", "give 1 to 64 of A-Z a-z 0-9 . _ @ -") from error
    if not made.rowcount:
        raise ArreioError(f"the console has a user {name!r} already", "'arreio console users password' changes theirs")


async def change_user(pool: Pool, name: str, *, password: str | None = None, role: Role | None = None) -> None:
    """Give a person another password or role, and end their sessions. Raises NoSuchUser, BadPassword."""
    kept = None if password is None else password_hash(password)
    async with connected(pool) as connection:
        done = await connection.execute(
            "UPDATE console.users SET password_hash = coalesce(%s, password_hash), role = coalesce(%s, role), "
            "epoch = epoch + 1, updated_at = clock_timestamp() WHERE name = %s",
            (kept, role, name),
        )
    if not done.rowcount:
        raise NoSuchUser(name)


async def remove_user(pool: Pool, name: str) -> None:
    """Let a person no longer sign in, and end their sessions. Raises NoSuchUser."""
    async with connected(pool) as connection:
        done = await connection.execute("DELETE FROM console.users WHERE name = %s", (name,))
    if not done.rowcount:
        raise NoSuchUser(name)


async def list_users(pool: Pool) -> list[User]:
    """Everybody, by name."""
    async with connected(pool) as connection, connection.cursor(row_factory=class_row(User)) as cursor:
        await cursor.execute(f"SELECT {_COLUMNS} FROM console.users ORDER BY name")
        return await cursor.fetchall()


async def find_user(pool: Pool, name: str) -> User | None:
    """The user of a name."""
    if "\0" in name or not name.isprintable():  # what PostgreSQL cannot even look for
        return None
    async with connected(pool) as connection, connection.cursor(row_factory=class_row(User)) as cursor:
        await cursor.execute(f"SELECT {_COLUMNS} FROM console.users WHERE name = %s", (name,))
        return await cursor.fetchone()


async def end_sessions(pool: Pool, name: str) -> None:
    """End every session of a user."""
    async with connected(pool) as connection:
        await connection.execute("UPDATE console.users SET epoch = epoch + 1 WHERE name = %s", (name,))


async def signing_key(pool: Pool) -> bytes:
    """The key that signs cookies and forms, the same for every replica."""
    async with connected(pool) as connection:
        row = await (await connection.execute("SELECT key FROM console.signing")).fetchone()
    assert row is not None  # the migration made it
    return bytes(row[0])

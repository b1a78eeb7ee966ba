"""What a channel does beside taking messages: pairing, progress, and where its replies are posted."""

from dataclasses import dataclass, fields
from typing import Final

from psycopg.sql import SQL, Identifier, Placeholder

from shared.errors import ArreioError
from shared.store.connection import Pool, connected

from .addresses import url_problem
from .registry import NoSuchChannel
from .tokens import new_signing_secret

OFF: Final = ""
"""In place of a URL: replies are posted nowhere any more."""


@dataclass(frozen=True)
class Features:
    """What is to be changed of a channel; None leaves it. `progress`: seconds, or 0; `reply_url`: a URL, or `OFF`."""

    open: bool | None = None
    pairing: bool | None = None
    progress: float | None = None
    reply_url: str | None = None
    reply_private: bool | None = None


async def change(pool: Pool, name: str, wanted: Features) -> str | None:
    """Change a channel; its new signing secret, where it needed one and had none.

    Raises:
        ArreioError: replies cannot be posted to that URL.
        NoSuchChannel: there is none of that name.
    """
    changes = {field.name: value for field in fields(wanted) if (value := getattr(wanted, field.name)) is not None}
    if "progress" in changes:
        changes["progress"] = changes["progress"] or None
    made = None
    async with connected(pool) as connection, connection.transaction():
        found = await connection.execute(
            "SELECT reply_url, reply_private, signing_secret IS NOT NULL FROM gateway.channels "
            "WHERE name = %s FOR UPDATE",
            (name,),
        )
        row = await found.fetchone()
        if row is None:
            raise NoSuchChannel(name)
        url = changes.get("reply_url", row[0])
        private = changes.get("reply_private", row[1])
        if url and (problem := url_problem(url, private=private)):
            raise ArreioError(f"the reply URL {problem}", "give an https URL, or --reply-private for one near by")
        if "reply_url" in changes:
            changes["reply_url"] = url or None
        if url and not row[2]:
            made = new_signing_secret()
            changes["signing_secret"] = made.encode()
        if changes:
            sets = SQL(", ").join(SQL("{} = {}").format(Identifier(one), Placeholder(one)) for one in changes)
            query = SQL("UPDATE gateway.channels SET {}, updated_at = clock_timestamp() WHERE name = {}")
            await connection.execute(query.format(sets, Placeholder("name")), {**changes, "name": name})
    return made

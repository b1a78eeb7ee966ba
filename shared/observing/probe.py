"""Questions to PostgreSQL that must not wait for the service's own: one connection apart, opened when first needed."""

from __future__ import annotations

import asyncio
from typing import LiteralString

import psycopg
from psycopg.rows import TupleRow

from shared.store.connection import Connection, connection_arguments


class StoreProbe:
    """A connection of its own: a pool whose connections are all at work is not a database that is away."""

    def __init__(self, dsn: str, name: str) -> None:
        self._dsn = dsn
        self._name = name
        self._connection: Connection | None = None
        self._turn = asyncio.Lock()

    async def query(self, query: LiteralString) -> list[TupleRow]:
        """The rows of a query.

        Raises:
            psycopg.Error: PostgreSQL does not answer, or refuses.
        """
        async with self._turn:
            if self._connection is None:
                self._connection = await psycopg.AsyncConnection.connect(
                    self._dsn,
                    autocommit=True,
                    **connection_arguments(self._name),  # type: ignore[arg-type]
                )
                await self._connection.execute("SET statement_timeout = 4000")
            try:
                return await (await self._connection.execute(query)).fetchall()
            except BaseException:
                # Whatever it was: the next question is put to a new connection.
                await self.close()
                raise

    async def close(self) -> None:
        """Let the connection go."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

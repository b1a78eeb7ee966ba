"""Blobs: large values kept once by their SHA-256."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Final

from shared.store.connection import Pool, connected
from shared.store.errors import MissingBlob

KNOWN_HASHES: Final = 20_000


class BlobStore:
    """The blobs, with a memory of the hashes that are known to be stored."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._known: OrderedDict[str, None] = OrderedDict()

    async def put_many(self, contents: Sequence[str | bytes]) -> list[str]:
        """Store what is new of these values and return the hash of each; texts are stored as UTF-8.

        They are on the disk when this returns: whoever is told a hash may name it in an event after a crash of the
        server, which would otherwise have forgotten the value.

        Raises:
            UnicodeEncodeError: a text holds a lone surrogate (see `shared.canonical`).
        """
        values = [content.encode() if isinstance(content, str) else content for content in contents]
        hashes = [hashlib.sha256(value).hexdigest() for value in values]
        new = {name: value for name, value in zip(hashes, values, strict=True) if name not in self._known}
        if new:
            async with connected(self._pool) as connection:
                await connection.execute("SELECT arreio.put_blobs(%b::bytea[])", (list(new.values()),))
        self._remember(hashes)
        return hashes

    async def put(self, content: str | bytes) -> str:
        """Store one value and return its hash."""
        return (await self.put_many([content]))[0]

    async def get_many(self, hashes: Iterable[str]) -> dict[str, bytes]:
        """The values with these hashes, in this order.

        Raises:
            MissingBlob: there is none with one of them.
        """
        wanted = list(dict.fromkeys(hashes))
        if not wanted:
            return {}
        async with connected(self._pool) as connection:
            cursor = await connection.execute(
                "SELECT encode(sha256, 'hex'), content FROM arreio.blobs WHERE sha256 = ANY (%b::bytea[])",
                ([bytes.fromhex(name) for name in wanted],),
                binary=True,
            )
            found: dict[str, bytes] = dict(await cursor.fetchall())
        for name in wanted:
            if name not in found:
                raise MissingBlob(name)
        return {name: found[name] for name in wanted}

    async def get(self, sha256: str) -> bytes:
        """The value with this hash. Raises MissingBlob when there is none."""
        return (await self.get_many([sha256]))[sha256]

    def _remember(self, hashes: Iterable[str]) -> None:
        for name in hashes:
            self._known[name] = None
            self._known.move_to_end(name)
        while len(self._known) > KNOWN_HASHES:
            self._known.popitem(last=False)

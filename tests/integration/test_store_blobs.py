"""Blobs in a real PostgreSQL."""

from __future__ import annotations

import hashlib

import pytest

from shared.settings import Settings
from shared.store.blobs import BlobStore
from shared.store.errors import MissingBlob
from tests.support.store import fresh, store_of


async def test_values_are_kept_once_by_their_hash(engine: Settings) -> None:
    async with store_of(engine, "context_builder") as (_, pool):
        blobs, text = BlobStore(pool), fresh() + "é"
        hashes = await blobs.put_many([text, b"\x00\xff", text, ""])
        assert hashes[0] == hashes[2] == hashlib.sha256(text.encode()).hexdigest()
        assert await BlobStore(pool).put(text) == hashes[0]
        assert await blobs.get_many(hashes) == {hashes[0]: text.encode(), hashes[1]: b"\x00\xff", hashes[3]: b""}


async def test_a_missing_blob_is_named(engine: Settings) -> None:
    async with store_of(engine) as (_, pool):
        with pytest.raises(MissingBlob, match="ab" * 32):
            await BlobStore(pool).get("ab" * 32)

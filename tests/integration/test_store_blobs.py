"""Blobs in a real PostgreSQL."""

from __future__ import annotations

import asyncio
import hashlib
import re
from pathlib import Path

import pytest

from shared.engine.engine import running_engine
from shared.provision import provision
from shared.settings import Settings
from shared.store.blobs import BlobStore
from shared.store.errors import MissingBlob
from tests.support.programs import kill, processes_of
from tests.support.store import fresh, store_of


async def test_values_are_kept_once_by_their_hash(engine: Settings) -> None:
    async with store_of(engine, "context_builder") as (_, pool):
        blobs, text = BlobStore(pool), fresh() + "é"
        hashes = await blobs.put_many([text, b"\x00\xff", text, ""])
        assert hashes[0] == hashes[2] == hashlib.sha256(text.encode()).hexdigest()
        assert await BlobStore(pool).put(text) == hashes[0]
        assert await blobs.get_many(hashes) == {hashes[0]: text.encode(), hashes[1]: b"\x00\xff", hashes[3]: b""}
        # In whatever order they were stored, and lie on the disk.
        for order in (sorted(hashes), sorted(hashes, reverse=True)):
            assert list(await blobs.get_many(order)) == list(dict.fromkeys(order))


async def test_a_missing_blob_is_named(engine: Settings) -> None:
    async with store_of(engine) as (_, pool):
        with pytest.raises(MissingBlob, match="ab" * 32):
            await BlobStore(pool).get("ab" * 32)


async def test_a_value_whose_hash_was_told_survives_the_sudden_death_of_the_server(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "data", database_url=None, nats_url=None)
    with running_engine(settings):
        await asyncio.to_thread(provision, settings)
        (server,) = [pid for pid, command in processes_of(tmp_path).items() if re.match(r"\S*/postgres ", command)]
        async with store_of(settings, "context_builder") as (_, pool):
            name = await BlobStore(pool).put("told")
            kill(server)
    with running_engine(settings):
        async with store_of(settings, "context_builder") as (_, pool):
            assert await BlobStore(pool).get(name) == b"told"

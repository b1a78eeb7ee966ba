"""How appends of one process share statements."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import cast

import pytest

from shared.store.committing import AT_ONCE, MOST_TOGETHER, Arguments, Committer, Row
from shared.store.connection import Pool


class Counted(Committer):
    """Answers with how many appends a statement had, after as many turns of the loop."""

    def __init__(self) -> None:
        super().__init__(cast("Pool", None))
        self.sizes: list[int] = []

    async def _rows(self, together: Sequence[Arguments]) -> list[Row | None]:
        self.sizes.append(len(together))
        for _ in range(8 + 2 * len(together)):
            await asyncio.sleep(0)
        return [(len(together),) for _ in together]


async def _written(writers: int, appends: int) -> list[int]:
    committer = Counted()

    async def write(session: str) -> None:
        for _ in range(appends):
            assert await committer.append((session,)) is not None

    async with asyncio.timeout(10):
        await asyncio.gather(*(write(f"s{number}") for number in range(writers)))
    assert sum(committer.sizes) == writers * appends
    return committer.sizes


@pytest.mark.parametrize("writers", [4, 8, 20])
async def test_what_queues_is_shared_out_evenly(writers: int) -> None:
    sizes = await _written(writers, 50)
    even = writers // AT_ONCE
    assert sizes.count(even) * even > 0.9 * writers * 50


async def test_a_statement_is_never_larger_than_it_may_be() -> None:
    assert max(await _written(100, 5)) == MOST_TOGETHER


async def test_a_writer_that_is_left_alone_waits_for_nobody() -> None:
    committer = Counted()
    await asyncio.gather(*(committer.append((f"s{number}",)) for number in range(8)))
    async with asyncio.timeout(10):
        assert [await committer.append(("s1",)) for _ in range(3)] == [(1,)] * 3

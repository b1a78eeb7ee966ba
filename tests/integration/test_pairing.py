"""Pairing: a stranger is told a code, and only the operator lets him in with it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from arreio_contracts.envelope import envelope
from arreio_contracts.messages import InboundMessage, Receipt

from services.gateway.channels import pairing, registry
from services.gateway.channels.features import Features, change
from services.gateway.handlers import Gateway
from shared.settings import Settings
from shared.store.connection import Pool
from tests.support.store import fresh, store_of


class Door:
    """A channel with pairing, as a gateway and an operator see it."""

    def __init__(self, pool: Pool, operator: Pool) -> None:
        self.name, self.pool, self.operator = fresh("ch"), pool, operator
        self.gateway = Gateway(pool, data_dir=Path("/nonexistent"), code_version="test")

    async def knock(self, sender: str, text: str = "let me in") -> Receipt:
        message = InboundMessage(conversation="c", message_id=fresh("m"), sender=sender, text=text)
        return await self.gateway.accept(self.name, message, envelope("inbound.message", id=fresh("m"), source="test"))

    async def code(self, sender: str) -> str:
        receipt = await self.knock(sender)
        assert (receipt.status, receipt.field) == ("refused", "data.sender")
        return (receipt.reason or "").partition("your code is ")[2].partition(",")[0]


@pytest.fixture
async def door(engine: Settings) -> AsyncIterator[Door]:
    async with store_of(engine, "gateway") as (_, pool), store_of(engine, "operator") as (_, operator):
        found = Door(pool, operator)
        await registry.add_channel(operator, found.name)
        await change(operator, found.name, Features(pairing=True))
        yield found


async def test_a_stranger_is_told_a_code_and_the_operator_lets_him_in_by_it(door: Door) -> None:
    code = await door.code("rui")
    assert len(code) == 9 and await door.code("rui") == code, "the same code as long as it is valid"
    assert await pairing.pair(door.operator, door.name, code.lower().replace("-", " ")) == "rui"
    assert (await door.knock("rui")).status == "accepted"


async def test_saying_the_code_lets_nobody_in(door: Door) -> None:
    code = await door.code("rui")
    for sender in ("rui", "eva"):
        for text in (code, f"/pair {code}", f"arreio channels pair {door.name} {code}"):
            assert (await door.knock(sender, text)).status == "refused"


async def test_a_code_holds_once_on_its_own_channel_and_not_for_long(door: Door) -> None:
    other = fresh("ch")
    await registry.add_channel(door.operator, other)
    code = await door.code("rui")
    with pytest.raises(pairing.NoSuchCode):
        await pairing.pair(door.operator, other, code)
    await pairing.pair(door.operator, door.name, code)
    await registry.deny(door.operator, door.name, "rui")
    with pytest.raises(pairing.NoSuchCode):
        await pairing.pair(door.operator, door.name, code)
    late = await pairing.code_for(door.pool, door.name, "eva", valid=0.0)
    assert late is not None
    with pytest.raises(pairing.NoSuchCode):
        await pairing.pair(door.operator, door.name, late)
    assert (await door.knock("eva")).status == "refused"


async def test_strangers_without_end_get_no_codes_without_end(door: Door) -> None:
    codes = [await door.code(f"p{number}") for number in range(pairing.MOST_WAITING + 3)]
    assert [bool(code) for code in codes] == [True] * pairing.MOST_WAITING + [False] * 3
    assert len(set(codes)) == pairing.MOST_WAITING + 1
    assert await door.code("p0") == codes[0]


async def test_of_messages_at_once_of_one_stranger_all_are_told_the_same_code(door: Door) -> None:
    assert len(set(await asyncio.gather(*(door.code("rui") for _ in range(6))))) == 1


async def test_without_pairing_there_is_no_code(door: Door) -> None:
    await change(door.operator, door.name, Features(pairing=False))
    receipt = await door.knock("rui")
    assert "arreio channels allow" in (receipt.reason or "") and "code" not in (receipt.reason or "")

"""Waiting for a condition in a test, instead of sleeping and hoping."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

Value = TypeVar("Value")


async def eventually(condition: Callable[[], Awaitable[Value | None]], *, within: float = 20.0) -> Value:
    """The first true value of `condition`; fails the test when there is none `within` seconds."""
    async with asyncio.timeout(within):
        while True:
            value = await condition()
            if value:
                return value
            await asyncio.sleep(0.01)

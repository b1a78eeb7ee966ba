"""Holding a JetStream message while it is worked on for longer than the broker waits for an acknowledgement."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import nats.errors

if TYPE_CHECKING:
    from nats.aio.msg import Msg


@contextlib.asynccontextmanager
async def kept(raw: Msg, every: float) -> AsyncIterator[None]:
    """Tell the broker every so often that the message is still being worked on."""

    async def tell() -> None:
        while True:
            await asyncio.sleep(every)
            with contextlib.suppress(nats.errors.Error):
                await raw.in_progress()

    telling = asyncio.create_task(tell())
    try:
        yield
    finally:
        telling.cancel()

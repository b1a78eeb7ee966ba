"""Work for a page is done as long as somebody waits for that page."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from fastapi import Request

from shared.errors import ArreioError

Value = TypeVar("Value")


class Left(ArreioError):
    """The browser went away before the answer was there."""

    def __init__(self) -> None:
        super().__init__("nobody waits for it any more", "ask again")


async def while_there(request: Request, work: Coroutine[Any, Any, Value]) -> Value:
    """What the work comes to; it is cancelled when the client goes away. The request's body has been read, or is empty.

    Raises:
        Left: the client went away.
    """
    doing, leaving = asyncio.create_task(work), asyncio.create_task(_left(request))
    try:
        await asyncio.wait({doing, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            raise Left
        return doing.result()
    finally:
        for task in (doing, leaving):
            task.cancel()
        await asyncio.gather(doing, leaving, return_exceptions=True)


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass

"""Work for a page ends with the client that waits for it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from fastapi import Request

from services.console.presence import Left, while_there


class Client:
    """A client that has sent its request, and goes away when told."""

    def __init__(self) -> None:
        self.gone, self.told = asyncio.Event(), False

    async def receive(self) -> dict[str, Any]:
        if not self.told:
            self.told = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self.gone.wait()
        return {"type": "http.disconnect"}

    def request(self) -> Request:
        return Request({"type": "http", "method": "GET", "headers": []}, self.receive)


async def test_an_answer_or_an_error_comes_through_while_the_client_waits() -> None:
    async def wrong() -> None:
        raise ValueError("wrong")

    assert await while_there(Client().request(), asyncio.sleep(0, "answer")) == "answer"
    with pytest.raises(ValueError, match="wrong"):
        await while_there(Client().request(), wrong())


@pytest.mark.parametrize("how", ["the client goes", "the request is cancelled"])
async def test_work_is_cancelled_when_nobody_waits_any_more(how: str) -> None:
    client, begun, ended = Client(), asyncio.Event(), asyncio.Event()

    async def work() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    asked = asyncio.create_task(while_there(client.request(), work()))
    await begun.wait()
    if how == "the client goes":
        client.gone.set()
    else:
        asked.cancel()
    with pytest.raises((Left, asyncio.CancelledError)):
        await asked
    assert ended.is_set()

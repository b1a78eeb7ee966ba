"""Blobs by the HTTP API, for attachments that are too large for NATS."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from shared.backoff import Backoff
from shared.telemetry import get_logger

from .fitting import Upload

log = get_logger(__name__)

TRIES: Final = 5
"""How often the gateway is asked before an attachment is left out, over some 15 seconds."""


def uploading(channel: str, token: str, address: Callable[[], str | None]) -> Upload:
    """An upload with the channel's token to wherever `address` says that the API is at that moment."""
    import httpx

    async def upload(content: bytes) -> str | None:
        backoff = Backoff(first=1.0, most=10.0)
        async with httpx.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as client:
            for _ in range(TRIES):
                try:
                    if (url := address()) is not None:
                        answer = await client.post(f"{url.rstrip('/')}/v1/channels/{channel}/blobs", content=content)
                        if answer.status_code == 201:
                            return str(answer.json()["sha256"])
                        log.warning("an upload was not taken", status=answer.status_code)
                        if answer.status_code < 500 and answer.status_code != 429:
                            return None
                except httpx.TransportError as error:
                    log.warning("an upload did not arrive", why=str(error) or type(error).__name__)
                await asyncio.sleep(backoff.delay(0.0))
        return None

    return upload

"""Waits for the first channel whose replies are posted; what posts them is loaded only then."""

import asyncio
import importlib
from typing import Final

from shared.bus.broker import Broker
from shared.store.connection import Pool, retrying

from .reply_posts import posting_channels

_LOOK_EVERY: Final = 2.0


async def post_replies(broker: Broker, pool: Pool) -> None:
    """Serve until cancelled."""
    while True:
        if await retrying(lambda: posting_channels(pool)):
            break
        await asyncio.sleep(_LOOK_EVERY)
    # An HTTP client takes a while to import, which the messages that come meanwhile shall not wait for.
    await asyncio.to_thread(importlib.import_module, "services.gateway.channels.webhook_replies")
    from .webhook_replies import WebhookReplies

    await WebhookReplies(broker, pool).run()

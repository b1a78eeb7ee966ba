"""A service under observation: its endpoint and its traces, from its start to its end, where settings ask for them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from shared.engine.paths import DataDir
from shared.observing import metrics
from shared.observing.tracing import traced
from shared.telemetry import get_logger
from shared.version import CODE_VERSION

if TYPE_CHECKING:
    from shared.observing.health import Health
    from shared.settings import Settings

log = get_logger(__name__)


@asynccontextmanager
async def watched(settings: Settings, service: str) -> AsyncIterator[Health | None]:
    """Serve and trace while the block runs; what it gives wants to be told how the service fares, None: nobody asks.

    Raises:
        ArreioError: a setting cannot be followed.
    """
    with traced(service):
        if settings.metrics is None:
            yield None
            return
        # Only here: neither is imported where nobody asks.
        from shared.observing.addresses import announced
        from shared.observing.endpoint import Endpoint, served
        from shared.observing.health import Health

        health = Health(settings, service)
        registry = metrics.switch_on()
        metrics.BUILD.set(1, service, CODE_VERSION)
        try:
            async with served(settings.metrics, Endpoint(health, registry)) as url:
                with announced(DataDir(settings.home), service, url):
                    log.info("metrics served", url=url)
                    yield health
        finally:
            metrics.switch_off()
            await health.close()

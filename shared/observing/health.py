"""Whether this process lives, and whether it can do its work now."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from shared.observing.checks import Check, Provisioned, nats_problem
from shared.observing.lag import Reading, consumer_reading, store_reading
from shared.observing.probe import StoreProbe

if TYPE_CHECKING:
    from shared.bus.broker import Broker
    from shared.settings import Settings


class Health:
    """The health of one service. It is not ready before `begun`, nor from `ending` on.

    A process is alive as long as its event loop turns, which answering shows; what others do does not count.
    """

    def __init__(self, settings: Settings, name: str) -> None:
        self._phase = "it is starting"
        self._probe = StoreProbe(settings.database_dsn(name), f"arreio_{name}_health")
        self._checks = [Check("PostgreSQL", Provisioned(self._probe, settings.nats_replicas))]
        self._readings: list[Reading] = [store_reading(self._probe)]

    def connected(self, broker: Broker, consumers: tuple[str, ...]) -> None:
        """Look at this connection to NATS, and at these durables, too."""
        self._checks.append(Check("NATS", lambda: nats_problem(broker, consumers)))
        self._readings.append(consumer_reading(broker, consumers))

    def begun(self) -> None:
        """The service does its work."""
        self._phase = ""

    def ending(self) -> None:
        """The service takes no more work."""
        self._phase = "it is stopping"

    async def problems(self) -> list[str]:
        """What stands against its doing its work now, a line each; nothing: it is ready."""
        found = await asyncio.gather(*(check.problem() for check in self._checks))
        return [said for said in (self._phase, *found) if said]

    async def refresh(self) -> None:
        """Have the gauges that are read on demand say what is so now."""
        await asyncio.gather(*(reading.refresh() for reading in self._readings))

    async def close(self) -> None:
        """Ask nobody any more."""
        for check in self._checks:
            check.close()
        for reading in self._readings:
            reading.close()
        await self._probe.close()

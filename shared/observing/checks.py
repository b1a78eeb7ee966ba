"""What must hold for a service to do its work, asked anew each time: PostgreSQL, provisioning, NATS, its consumers."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

import nats.errors
import psycopg
from nats.js.errors import Error as JetStreamError
from nats.js.errors import NotFoundError

from shared.bus.streams import CONSUMERS
from shared.observing.probe import StoreProbe
from shared.provision import digests
from shared.served_code import provisioned_for
from shared.telemetry import mask_passwords

if TYPE_CHECKING:
    from nats.aio.client import Client

    from shared.bus.broker import Broker

PATIENCE: Final = 2.0
"""Seconds that a server has to answer; less than any prober waits for us."""
ROUND_TRIP: Final = 5.0


class Check:
    """One question, which is put once at a time: a server that hangs is not asked again before it has answered."""

    def __init__(self, about: str, look: Callable[[], Awaitable[str | None]]) -> None:
        """`look` says what is wrong; None: nothing."""
        self._about = about
        self._look = look
        self._looking: asyncio.Future[str | None] | None = None

    async def problem(self, patience: float = PATIENCE) -> str | None:
        """What is wrong, in one line."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.ensure_future(self._look())
        await asyncio.wait({self._looking}, timeout=patience)
        if not self._looking.done():
            return f"{self._about} does not answer within {patience:.0f} s"
        error = self._looking.exception()
        said = f"{type(error).__name__}: {error}" if error is not None else self._looking.result()
        return said and mask_passwords(f"{self._about}: {said}".partition("\n")[0])

    def close(self) -> None:
        """Ask no more."""
        if self._looking is not None:
            self._looking.cancel()


class Provisioned:
    """Whether the database answers, and was provisioned for this code, or by newer code that serves it.

    Once it was, newer code may provision it: a rolling upgrade must not take every old replica away at once.
    """

    def __init__(self, probe: StoreProbe, replicas: int) -> None:
        self._probe = probe
        self._replicas = replicas
        self._was = False

    async def __call__(self) -> str | None:
        """What is wrong."""
        try:
            found = await self._probe.query("SELECT what, digest FROM arreio.provisioned")
        except (psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName):
            return "not provisioned; run `arreio provision`"
        except psycopg.Error as error:
            return str(error) or type(error).__name__
        self._was = self._was or provisioned_for(dict(found), await asyncio.to_thread(digests, self._replicas))
        return None if self._was else "provisioned for other code than this; run `arreio provision`"


async def nats_problem(broker: Broker, consumers: tuple[str, ...]) -> str | None:
    """What is wrong with the connection to NATS, or with a durable that the service reads."""
    if not broker.config.connection_state or not broker.client.is_connected:
        return "not connected"
    try:
        await _round_trip(broker.client)
        for consumer in consumers:
            await broker.jetstream.consumer_info(CONSUMERS[consumer].stream, consumer)
    except NotFoundError:
        return f"there is no consumer {consumer}; run `arreio provision`"
    except (nats.errors.Error, JetStreamError, TimeoutError, OSError) as error:
        return str(error) or type(error).__name__
    return None


async def _round_trip(client: Client) -> None:
    """Send a message to oneself. Not `flush()`: a pong after its time-out ends nats-py's reading for good."""
    inbox = client.new_inbox()
    subscription = await client.subscribe(inbox)
    try:
        await client.publish(inbox)
        await subscription.next_msg(timeout=ROUND_TRIP)
    finally:
        with contextlib.suppress(nats.errors.Error):
            await subscription.unsubscribe()

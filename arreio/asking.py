"""Asking a service to do what only it may: it is the one writer of its tables."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, TypeVar

from pydantic import BaseModel

from shared.errors import ArreioError
from shared.settings import Settings

if TYPE_CHECKING:
    from nats.aio.client import Client as Nats

PATIENCE: Final = 30.0
"""Seconds to wait for a service that is just starting."""

Reply = TypeVar("Reply", bound=BaseModel)


async def ask(settings: Settings, subject: str, wanted: BaseModel, contract: type[Reply], *, hint: str = "") -> Reply:
    """What the service that serves `subject` answers; the engine is joined, or started.

    Raises:
        ArreioError: it refused (`hint` says where to look, where the refusal does not), or nobody answers.
    """
    from arreio.client import connected
    from arreio.launcher import ensure_up

    ensure_up(settings, keep=False)
    async with connected(settings) as client:
        return await _answered(client.connection, subject, wanted, contract, hint)


async def _answered(connection: Nats, subject: str, wanted: BaseModel, contract: type[Reply], hint: str) -> Reply:
    from shared.bus.rpc import RpcError, RpcUnavailable, call

    loop = asyncio.get_running_loop()
    until = loop.time() + PATIENCE
    while True:
        try:
            return await call(connection, subject, wanted, contract, timeout=10)
        except RpcError as error:
            problem = error.message.partition(": ")[2]
            raise ArreioError(problem, hint) from error
        except RpcUnavailable as error:
            if loop.time() > until:
                service = subject.split(".")[-2].replace("_", "-")
                raise ArreioError(f"the {service} service does not answer", "see 'arreio status'") from error
        await asyncio.sleep(0.1)

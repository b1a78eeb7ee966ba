"""Events, sessions and connections for tests of what stands on the event store."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import psycopg
from arreio_contracts.events import Metadata, Service
from arreio_contracts.task import TaskState

from shared.settings import Settings
from shared.store.connection import Pool, open_pool
from shared.store.events import EventStore, NewEvent, new_event_id
from shared.store.tasks import TASK_COLUMNS
from shared.store.writers import WRITERS

OWNER = "host/boot/1/1"


def fresh(prefix: str = "s") -> str:
    """An id that no other test uses."""
    return f"{prefix}_{new_event_id().replace('-', '')}"


def event(
    type: str = "tool.started",
    *,
    task_id: str | None = None,
    routes: tuple[str, ...] = (),
    service: Service = "tool_loop",
    **data: Any,
) -> NewEvent:
    """An event of any shape."""
    metadata = Metadata(service=service, correlation="m1", causation="e0")
    return NewEvent(type=type, data=data, metadata=metadata, task_id=task_id, routes=routes)


@asynccontextmanager
async def store_of(
    settings: Settings, role: str = "tool_loop", size: int = 8
) -> AsyncIterator[tuple[EventStore, Pool]]:
    """The event store as one role sees it, and its pool. `owner` may here write what any service may."""
    if role == "owner":
        _let_the_owner_write(settings)
    async with open_pool(settings.database_dsn(role), name=f"test_{role}", size=size) as pool:
        yield EventStore(pool), pool


def _let_the_owner_write(settings: Settings) -> None:
    rights = (
        [kind for writer in WRITERS for kind in writer.types],
        [consumer for writer in WRITERS for consumer in writer.consumers],
        ["task", "gate"],
        list(TASK_COLUMNS),
        [state.value for state in TaskState],
    )
    with connect(settings, "owner") as connection:
        connection.execute(
            "INSERT INTO arreio.writers VALUES ('arreio_owner', %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING", rights
        )


def connect(settings: Settings, role: str) -> psycopg.Connection[Any]:
    """A plain connection of a role, in autocommit."""
    return psycopg.connect(settings.database_dsn(role), autocommit=True)

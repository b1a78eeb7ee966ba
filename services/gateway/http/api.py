"""What every operation of the HTTP API stands on, and how it knows whose request it is."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Annotated

from arreio_contracts import subjects
from arreio_contracts.events import TaskCreated
from fastapi import Depends, Path, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from shared.store.blobs import BlobStore
from shared.store.connection import Pool, connected
from shared.store.events import EventStore
from shared.store.tasks import TaskRow, show_task

from ..channels.registry import channel_of_token
from ..handlers import Gateway
from .errors import Refusal
from .sender_limits import SenderLimits

Told = Callable[[str], AbstractAsyncContextManager[asyncio.Event]]
"""Within it, the event is set whenever a session may have gone on. It may be told too often, and never is a promise."""

Token = Annotated[str, Path(pattern=subjects.TOKEN_PATTERN)]
"""A path parameter that can be one subject token: a channel, a session's or a task's id."""
_AT_ONCE = 4


@dataclass(frozen=True)
class Api:
    """The gateway behind the API. `accepting` keeps many requests from taking all connections to the database."""

    gateway: Gateway
    pool: Pool
    limits: SenderLimits
    told: Told
    accepting: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_AT_ONCE))

    @property
    def store(self) -> EventStore:
        """The log."""
        return EventStore(self.pool)

    @property
    def blobs(self) -> BlobStore:
        """The blobs."""
        return BlobStore(self.pool)


def _api(request: Request) -> Api:
    found: Api = request.app.state.api
    return found


ApiOf = Annotated[Api, Depends(_api)]
_bearer = HTTPBearer(auto_error=False, description="A channel's token: `arreio channels add CHANNEL` shows it once.")


async def _authenticated(
    api: ApiOf, credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]
) -> str:
    if credentials is None:
        raise Refusal(401, "send the channel's token: Authorization: Bearer TOKEN")
    channel = await channel_of_token(api.pool, credentials.credentials)
    if channel is None:
        raise Refusal(401, "the token is not valid; 'arreio channels rotate CHANNEL' gives a new one")
    return channel


ChannelOf = Annotated[str, Depends(_authenticated)]
"""The channel whose token the request bears."""


def _own_channel(channel: Token, authenticated: ChannelOf) -> str:
    if channel != authenticated:
        raise Refusal(403, "the token is another channel's", "path.channel")
    return channel


OwnChannel = Annotated[str, Depends(_own_channel)]
"""The channel that the path names, which is the token's own."""


async def _own_task(api: ApiOf, task_id: Token, channel: ChannelOf) -> TaskRow:
    task = await show_task(api.pool, task_id)
    if task is not None:
        created = await api.store.read_task(task.session_id, task_id, types=("task.created",))
        data = created[0].contract if created else None
        if isinstance(data, TaskCreated) and data.channel == channel:
            return task
    # Also where it is another channel's: whether it exists is not for this one to know.
    raise Refusal(404, "there is no such task on this channel", "path.task_id")


OwnTask = Annotated[TaskRow, Depends(_own_task)]
"""A task of the token's channel."""


async def _own_session(api: ApiOf, session_id: Token, channel: ChannelOf) -> str:
    async with connected(api.pool) as connection:
        found = await connection.execute(
            "SELECT FROM arreio.session_events WHERE session_id = %s AND type = 'session.created' "
            "AND data::jsonb ->> 'channel' = %s LIMIT 1",
            (session_id, channel),
        )
    if not found.rowcount:
        raise Refusal(404, "there is no such session on this channel", "path.session_id")
    return session_id


OwnSession = Annotated[str, Depends(_own_session)]
"""A session of the token's channel."""

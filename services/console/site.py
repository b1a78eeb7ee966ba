"""What every page of the console stands on."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Annotated, Final, Protocol

from arreio_contracts import subjects
from fastapi import Depends, Path, Query, Request

from shared.store.blobs import BlobStore
from shared.store.connection import Pool
from shared.store.events import EventStore

from .followers import Followers
from .login_limits import LoginLimits
from .users import signing_key
from .workings import Workings

LARGEST_SEQ: Final = (1 << 63) - 1
Told = Callable[[str], AbstractAsyncContextManager[asyncio.Event]]
"""Within it, the event is set whenever a session may have gone on. It may be told too often, and never is a promise."""


@dataclass(frozen=True)
class Lag:
    """How far a consumer is behind: messages not delivered yet, delivered and not acknowledged, delivered again."""

    consumer: str
    stream: str
    pending: int
    unacknowledged: int
    redelivered: int
    problem: str = ""


class Lags(Protocol):
    """Asks the bus how far its consumers are."""

    async def __call__(self) -> Sequence[Lag]:
        """The lag of each consumer; one that cannot be asked says why."""


@dataclass
class Site:
    """The console: the store it reads, and what it has done by others."""

    pool: Pool
    workings: Workings
    told: Told
    lags: Lags
    code_version: str
    limits: LoginLimits = field(default_factory=LoginLimits)
    followers: Followers = field(default_factory=Followers)
    hashing: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(2))
    """Passwords hashed at once: each takes 32 MiB."""
    _key: bytes | None = None

    @property
    def store(self) -> EventStore:
        """The log."""
        return EventStore(self.pool)

    @property
    def blobs(self) -> BlobStore:
        """The blobs."""
        return BlobStore(self.pool)

    async def key(self) -> bytes:
        """The key that signs cookies and forms."""
        if self._key is None:
            self._key = await signing_key(self.pool)
        return self._key


def _site(request: Request) -> Site:
    found: Site = request.app.state.site
    return found


SiteOf = Annotated[Site, Depends(_site)]
Id = Annotated[str, Path(pattern=subjects.TOKEN_PATTERN, max_length=128)]
"""A session's, a task's, an event's or a proposal's id."""
Seq = Annotated[int, Query(ge=1, le=LARGEST_SEQ)]
SeqInPath = Annotated[int, Path(ge=1, le=LARGEST_SEQ)]
OptionalSeq = Annotated[int | None, Query(ge=1, le=LARGEST_SEQ)]

"""Copying a session into a new one, with the folder in which its open tasks go on."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from arreio.fork_workspace import put_back
from services.tool_loop import copying
from services.tool_loop.copying import Copy
from shared.errors import ArreioError
from shared.store.connection import Pool
from shared.store.events import EventStore, StoredSession
from shared.store.sessions import add_session
from shared.version import CODE_VERSION


class NotSound(ArreioError):
    """A session that does not fit its hash chain or its anchor is neither copied, exported nor dropped."""

    def __init__(self, session_id: str, seq: int) -> None:
        super().__init__(f"session {session_id} does not fit its hash chain at seq {seq}", "see `arreio replay`")


@dataclass(frozen=True)
class Forked:
    """A fork that was made; `why_not` says why its folder was not filled."""

    copy: Copy
    conversation: str
    upto: int
    place: Path
    why_not: str | None


async def fork_session(
    pool: Pool, data_dir: Path, session_id: str, at: int | None, workspace: Path | None = None
) -> Forked:
    """Copy a session up to the event `at` (None: all of it) into a new one, whose open tasks work in `workspace`.

    Raises:
        ArreioError: there is no such session or event, or it is not sound.
    """
    source = await sound(pool, session_id)
    upto = source.events[-1].seq if at is None else at
    if not source.events[0].seq <= upto <= source.events[-1].seq:
        held = f"{source.events[0].seq} to {source.events[-1].seq}"
        raise ArreioError(f"session {session_id} has no event {upto}; it holds {held}", "see `arreio events show`")
    names = copying.fork_names()
    place = workspace or data_dir / "workspaces" / names.session_id
    made = copying.fork(source, upto, names, str(place), now_ms=time.time_ns() // 1_000_000, code_version=CODE_VERSION)
    why_not = None
    if made.parked:
        place.mkdir(parents=True, exist_ok=True)
        why_not = await put_back(pool, data_dir, source, upto, place)
    await add_session(pool, made.session_id, source.base, made.events, made.tasks)
    return Forked(made, names.conversation, upto, place, why_not)


async def sound(pool: Pool, session_id: str) -> StoredSession:
    """A session that fits its hash chain and its anchor.

    Raises:
        ArreioError: there is none, or nothing of it is left here.
        NotSound: it does not fit.
    """
    found = await EventStore(pool).session(session_id)
    if found is None:
        raise ArreioError(f"there is no session {session_id}", "see 'arreio tasks list'")
    bad = found.first_bad_seq
    if bad is not None:
        raise NotSound(session_id, bad)
    if not found.events:
        raise ArreioError(f"session {session_id} was pruned at seq {found.base.seq}", "import its export first")
    return found

"""What pages ask of the database: each a query or two whose cost is a page's, however much there is."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from psycopg.rows import class_row

from shared.canonical import restore_text
from shared.store.connection import connected
from shared.store.events import COLUMNS, RecordedEvent

from .site import LARGEST_SEQ, Site

ROWS: Final = 50
"""Tasks or sessions of a page."""
EVENTS: Final = 100
"""Events of a page."""
_OPEN: Final = "('PENDING', 'IN_PROGRESS', 'NEEDS_INPUT')"

_TASKS: Final = """
SELECT task_id, session_id, state, left(goal, 200) AS goal, agent, model, reason_code, steps, tool_calls, tokens, cost,
    awaiting, created_at, updated_at
FROM arreio.tasks t
WHERE (%(states)s::text[] IS NULL OR state = ANY (%(states)s))
  AND (%(session)s::text IS NULL OR session_id = %(session)s)
  AND (%(task)s::text IS NULL OR task_id = %(task)s)
  AND (%(text)s::text IS NULL OR position(lower(%(text)s) IN lower(goal)) > 0 OR task_id = %(text)s
       OR reason_code = %(text)s)
  AND (%(at)s::timestamptz IS NULL OR (created_at, task_id) < (%(at)s, %(id)s))
ORDER BY created_at DESC, task_id DESC LIMIT %(limit)s
"""
_SESSIONS: Final = f"""
SELECT h.session_id, h.seq, h.pruned_seq, h.created_at, h.updated_at,
    (SELECT count(*) FROM arreio.tasks t WHERE t.session_id = h.session_id) AS tasks,
    (SELECT count(*) FROM arreio.tasks t WHERE t.session_id = h.session_id AND t.state IN {_OPEN}) AS open
FROM arreio.session_heads h
WHERE (%(text)s::text IS NULL OR starts_with(h.session_id, %(text)s))
  AND (NOT %(open)s OR EXISTS (SELECT FROM arreio.tasks t WHERE t.session_id = h.session_id AND t.state IN {_OPEN}))
  AND (%(at)s::timestamptz IS NULL OR (h.updated_at, h.session_id) < (%(at)s, %(id)s))
ORDER BY h.updated_at DESC, h.session_id DESC LIMIT %(limit)s
"""
_WINDOW: Final = (
    f"SELECT {COLUMNS} FROM arreio.session_events WHERE session_id = %(session)s AND seq < %(before)s "
    "AND seq > %(after)s AND (%(types)s::text[] IS NULL OR type = ANY (%(types)s)) "
    "AND (%(task)s::text IS NULL OR task_id = %(task)s) ORDER BY seq "
)


_PLACES: Final = """
SELECT 1, '/sessions/' || session_id FROM arreio.session_heads WHERE session_id = %(id)s
UNION ALL SELECT 2, '/sessions/' || session_id || '?task=' || task_id FROM arreio.tasks WHERE task_id = %(id)s
UNION ALL SELECT 3, '/sessions/' || session_id || '/events/' || seq FROM arreio.session_events WHERE event_id = %(id)s
UNION ALL SELECT 4, '/proposals/' || proposal_id FROM learning.proposals WHERE proposal_id = %(id)s
ORDER BY 1 LIMIT 1
"""


@dataclass(frozen=True)
class TaskLine:
    """A task as the list shows it."""

    task_id: str
    session_id: str
    state: str
    goal: str
    agent: str | None
    model: str | None
    reason_code: str | None
    steps: int
    tool_calls: int
    tokens: int
    cost: float
    awaiting: str | None
    created_at: datetime
    updated_at: datetime

    def __post_init__(self) -> None:
        object.__setattr__(self, "goal", restore_text(self.goal))


@dataclass(frozen=True)
class SessionLine:
    """A session as the list shows it."""

    session_id: str
    seq: int
    pruned_seq: int
    created_at: datetime
    updated_at: datetime
    tasks: int
    open: int


@dataclass(frozen=True)
class After:
    """Where a list goes on: behind the row with this moment and id."""

    at: datetime | None = None
    id: str = ""


async def tasks_page(
    site: Site,
    *,
    states: Sequence[str],
    text: str,
    session: str | None,
    after: After,
    task: str | None = None,
    limit: int = ROWS,
) -> list[TaskLine]:
    """Tasks, the newest first, or one alone. `text` is in the goal, or is the id or the reason's code."""
    wanted = {
        "states": list(states) or None,
        "session": session,
        "text": text or None,
        "task": task,
        "at": after.at,
        "id": after.id,
        "limit": limit,
    }
    async with connected(site.pool) as connection, connection.cursor(row_factory=class_row(TaskLine)) as cursor:
        await cursor.execute(_TASKS, wanted)
        return await cursor.fetchall()


async def task_counts(site: Site) -> dict[str, int]:
    """How many tasks are in each state."""
    async with connected(site.pool) as connection:
        cursor = await connection.execute("SELECT state, count(*) FROM arreio.tasks GROUP BY state")
        return dict(await cursor.fetchall())


async def sessions_page(site: Site, *, text: str, open: bool, after: After) -> list[SessionLine]:
    """Sessions, those written to last first. Their ids begin with `text`."""
    wanted = {"text": text or None, "open": open, "at": after.at, "id": after.id, "limit": ROWS}
    async with connected(site.pool) as connection, connection.cursor(row_factory=class_row(SessionLine)) as cursor:
        await cursor.execute(_SESSIONS, wanted)
        return await cursor.fetchall()


async def session_line(site: Site, session_id: str) -> SessionLine | None:
    """One session."""
    wanted = {"text": session_id, "open": False, "at": None, "id": "", "limit": 1}
    query = _SESSIONS.replace("starts_with(h.session_id, %(text)s)", "h.session_id = %(text)s")
    async with connected(site.pool) as connection, connection.cursor(row_factory=class_row(SessionLine)) as cursor:
        await cursor.execute(query, wanted)
        return await cursor.fetchone()


async def events_window(
    site: Site,
    session_id: str,
    *,
    types: Sequence[str] | None,
    task: str | None = None,
    before: int | None = None,
    after: int | None = None,
) -> list[RecordedEvent]:
    """The first events after a seq, or else the last before one (None: the last of all), in order."""
    wanted = {
        "session": session_id,
        "before": before or LARGEST_SEQ,
        "after": after or 0,
        "task": task,
        "types": None if types is None else list(types),
        "limit": EVENTS,
    }
    async with connected(site.pool) as connection:
        order = "ASC" if after is not None else "DESC"
        cursor = await connection.execute(f"{_WINDOW}{order} LIMIT %(limit)s", wanted, binary=True)
        found = [RecordedEvent(*row) for row in await cursor.fetchall()]
    return found if after is not None else found[::-1]


async def one_event(site: Site, session_id: str, seq: int) -> RecordedEvent | None:
    """The event of a session at a seq."""
    found = await site.store.read(session_id, after=seq - 1, upto=seq)
    return found[0] if found else None


async def prompts_beside(site: Site, session_id: str, seq: int) -> tuple[int | None, int | None]:
    """The seqs of the prompts before and behind an event."""
    prompts = "SELECT seq FROM arreio.session_events WHERE session_id = %(session)s AND type = 'context.built'"
    async with connected(site.pool) as connection:
        cursor = await connection.execute(
            f"SELECT ({prompts} AND seq < %(seq)s ORDER BY seq DESC LIMIT 1), "
            f"({prompts} AND seq > %(seq)s ORDER BY seq LIMIT 1)",
            {"session": session_id, "seq": seq},
        )
        row = await cursor.fetchone()
    return (None, None) if row is None else (row[0], row[1])


async def place_of(site: Site, id: str) -> str | None:
    """The page of whatever has this id, which is a token: a session, a task, an event or a proposal."""
    async with connected(site.pool) as connection:
        row = await (await connection.execute(_PLACES, {"id": id})).fetchone()
    return None if row is None else str(row[1])

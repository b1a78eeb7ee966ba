"""The projection of tasks: the patch that an append writes, and the questions that the command line asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, TypedDict, cast

from psycopg.rows import class_row

from shared.canonical import canonical_json, restore_text
from shared.store.connection import Pool, connected

GOAL_EXCERPT: Final = 500
"""Characters of a task's goal that the projection keeps; the whole goal is in `task.created`."""


class _Named(TypedDict):
    task_id: str


class TaskPatch(_Named, total=False):
    """What an append changes of a task. Only the keys present are changed; a task that is new is inserted.

    `awaiting` says what a task waits for; while it is set, the task is not runnable before `wake_at` (or a request to
    cancel). `wake_in` sets `wake_at` to so many seconds from now by the database's clock; `wake_at: None` clears it.
    """

    state: str
    goal: str
    agent: str | None
    workspace: str | None
    model: str | None
    reason_code: str | None
    reason_text: str | None
    question: str | None
    reply: str | None
    steps: int
    tool_calls: int
    tokens: int
    cost: float
    awaiting: Literal["gate", "input", "timer"] | None
    awaiting_id: str | None
    wake_in: float
    wake_at: None
    cancel_requested: bool


TASK_COLUMNS: Final = frozenset(TaskPatch.__annotations__) | {"task_id"}
"""The keys that a patch may have."""


@dataclass(frozen=True)
class TaskRow:
    """A task as the projection shows it; `owner` is who holds its lease now."""

    task_id: str
    session_id: str
    state: str
    goal: str
    agent: str | None
    workspace: str | None
    model: str | None
    reason_code: str | None
    reason_text: str | None
    question: str | None
    reply: str | None
    steps: int
    tool_calls: int
    tokens: int
    cost: float
    awaiting: str | None
    awaiting_id: str | None
    wake_at: datetime | None
    cancel_requested: bool
    created_seq: int
    last_seq: int
    created_at: datetime
    updated_at: datetime
    owner: str | None

    def __post_init__(self) -> None:
        for name in ("goal", "reason_text", "question", "reply"):
            text = getattr(self, name)
            if text is not None:
                object.__setattr__(self, name, restore_text(text))


_SELECT: Final = (
    "SELECT t.*, CASE WHEN l.expires_at > clock_timestamp() THEN l.owner END AS owner "
    "FROM arreio.tasks t LEFT JOIN arreio.leases l ON l.kind = 'task' AND l.id = t.task_id "
)


def patch_json(patch: TaskPatch) -> str:
    """The patch as the JSON that `arreio.append` takes.

    Raises:
        TypeError: a key is not a column.
    """
    unknown = patch.keys() - TASK_COLUMNS
    if unknown:
        raise TypeError(f"not a column of arreio.tasks: {', '.join(sorted(unknown))}")
    goal = patch.get("goal")
    if goal is not None and len(goal) > GOAL_EXCERPT:
        patch = cast(TaskPatch, {**patch, "goal": goal[:GOAL_EXCERPT]})
    return canonical_json(cast(Mapping[str, Any], patch))


async def list_tasks(
    pool: Pool, *, states: Sequence[str] | None = None, session_id: str | None = None, limit: int = 100
) -> list[TaskRow]:
    """Tasks, the newest first."""
    async with connected(pool) as connection, connection.cursor(row_factory=class_row(TaskRow)) as cursor:
        await cursor.execute(
            _SELECT + "WHERE (%s::text[] IS NULL OR t.state = ANY (%s)) AND (%s::text IS NULL OR t.session_id = %s) "
            "ORDER BY t.created_at DESC, t.created_seq DESC LIMIT %s",
            (states and list(states), states and list(states), session_id, session_id, limit),
        )
        return await cursor.fetchall()


async def show_task(pool: Pool, task_id: str) -> TaskRow | None:
    """One task."""
    async with connected(pool) as connection, connection.cursor(row_factory=class_row(TaskRow)) as cursor:
        await cursor.execute(_SELECT + "WHERE t.task_id = %s", (task_id,))
        return await cursor.fetchone()


async def open_task(pool: Pool, session_id: str) -> TaskRow | None:
    """The active task of a session: its earliest that has not ended."""
    async with connected(pool) as connection, connection.cursor(row_factory=class_row(TaskRow)) as cursor:
        await cursor.execute(
            _SELECT + "WHERE t.session_id = %s AND t.state IN ('PENDING', 'IN_PROGRESS', 'NEEDS_INPUT') "
            "ORDER BY t.created_seq LIMIT 1",
            (session_id,),
        )
        return await cursor.fetchone()


async def unfinished(pool: Pool) -> int:
    """How many tasks have work left to do: PENDING or IN_PROGRESS."""
    async with connected(pool) as connection:
        cursor = await connection.execute("SELECT count(*) FROM arreio.tasks WHERE state IN ('PENDING', 'IN_PROGRESS')")
        row = await cursor.fetchone()
    return 0 if row is None else int(row[0])

"""Replaying one session: its chain, contracts, decisions, prompts and rows of tasks, checked in this order."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import psycopg
from arreio_contracts.errors import ContractError, InvalidBody
from arreio_contracts.events import EVENTS, ContextBuilt
from arreio_contracts.task import TaskState

from services.tool_loop.heuristics import Otherwise, cut_texts, otherwise
from services.tool_loop.log import to_recorded
from services.tool_loop.projection import task_patch
from services.tool_loop.prompts import Blobs, PromptCheck
from services.tool_loop.replay import Divergence, Recorded, Verification
from services.tool_loop.state import LoopState
from shared.errors import ArreioError
from shared.store.blobs import BlobStore
from shared.store.connection import Pool
from shared.store.errors import MissingBlob
from shared.store.events import EventStore, RecordedEvent, StoredSession
from shared.store.tasks import TaskRow, list_tasks

TURN: Final = 200
"""Events after which others in this process get their turn."""
_DECISIONS: Final = frozenset(name for name, kind in EVENTS.items() if kind.decision)
_ALL: Final = 1 << 31
"""More tasks than a session has."""


@dataclass(frozen=True)
class Problem:
    """The first thing that does not come out as it was recorded."""

    seq: int
    kind: str
    recorded: Any
    recomputed: Any


_COMPARED = ("state", "reason_code", "reply")
"""What the sweeps and `tasks list` go by; the rest of a row is for show, or counts from a moment."""
UNREAD = ("hash", "contract", "row")
"""The kinds of problem after which a session's events cannot be shown."""


@dataclass(frozen=True)
class Finding:
    """The result of one session: None of `problem` means that it verifies. `otherwise` and `unknown` are information.

    `unknown` are fields that newer code wrote and this version passes over: the first of each event, by type and place,
    and how many events have it.
    """

    session_id: str
    events: int
    decisions: int
    pruned: int
    problem: Problem | None
    otherwise: tuple[Otherwise, ...] = ()
    unknown: Mapping[str, int] = field(default_factory=dict)

    def as_json(self) -> Mapping[str, Any]:
        """The finding for programs."""
        problem = self.problem
        return {
            "session_id": self.session_id,
            "events": self.events,
            "decisions": self.decisions,
            "pruned": self.pruned,
            "verified": problem is None,
            "divergence": None if problem is None else {"session_id": self.session_id, **vars(problem)},
            **({"otherwise": [vars(one) for one in self.otherwise]} if self.otherwise else {}),
            **({"unknown": dict(self.unknown)} if self.unknown else {}),
        }


def unreadable(session_id: str, seq: int, why: str) -> Finding:
    """The result of a session that holds an event which cannot even be read."""
    return Finding(session_id, 0, 0, 0, Problem(seq, "row", why, None))


async def replay(
    session: StoredSession, blobs: Blobs, *, rows: Sequence[TaskRow] | None = None, heuristics: bool = False
) -> Finding:
    """Replay one session. `rows`: its tasks in the projection, read no earlier than the session, to be compared too.

    With `heuristics`, today's rules are run on what was recorded.
    """
    unknown: Counter[str] = Counter()
    problem = await _problem(session, blobs, rows, unknown)
    decisions = sum(event.type in _DECISIONS for event in session.events)
    differing: tuple[Otherwise, ...] = ()
    if heuristics and (problem is None or problem.kind not in UNREAD):
        read = [to_recorded(event) for event in session.events]
        found = await blobs.get_many(cut_texts(read))
        differing = tuple(otherwise(read, {name: content.decode() for name, content in found.items()}))
    return Finding(session.session_id, len(session.events), decisions, session.base.seq, problem, differing, unknown)


async def replay_stored(
    pool: Pool, session_id: str, *, heuristics: bool = False
) -> tuple[StoredSession | None, Finding]:
    """Replay a session out of the store; it is None where it holds an event that cannot even be read.

    Raises:
        ArreioError: there is none, or nothing of it is left here.
    """
    store = EventStore(pool)
    try:
        session = await store.session(session_id)
    except psycopg.DataError as error:
        return None, unreadable(session_id, await store.first_unreadable(session_id) or 1, str(error))
    rows = await list_tasks(pool, session_id=session_id, limit=_ALL)
    if session is None or (not session.events and session.first_bad_seq is None):
        if rows and await store.read(session_id, limit=1):
            return await replay_stored(pool, session_id, heuristics=heuristics)  # it came between the two reads
        if rows:
            return session, Finding(session_id, 0, 0, session.base.seq if session else 0, _without_events(rows[0]))
        if session is None:
            raise ArreioError(f"there is no session {session_id}", "see 'arreio tasks list'")
        raise ArreioError(f"session {session_id} was pruned at seq {session.base.seq}", "import its export first")
    finding = await replay(session, BlobStore(pool), rows=rows, heuristics=heuristics)
    ahead = [row for row in rows if session.events and row.last_seq > session.events[-1].seq]
    if finding.problem is None and ahead:
        finding = replace(finding, problem=_beyond(ahead, (await store.head(session_id)).seq))
    return session, finding


async def _problem(
    session: StoredSession, blobs: Blobs, rows: Sequence[TaskRow] | None, unknown: Counter[str]
) -> Problem | None:
    """What does not come out as it was recorded: a hash, a contract or a decision anywhere before any prompt.

    Fields that only newer code knows are counted in `unknown`; a decision is compared by what this version knows of it.
    """
    broken = session.chain_break
    if broken is not None:
        return Problem(broken.seq, "hash", broken.recorded, broken.recomputed)
    verification, prompts = Verification(session.session_id), PromptCheck(blobs)
    wrong_prompt: Problem | None = None
    divergence: Divergence | None = None
    # One by one: a session that was kept whole in memory would be read at half the speed.
    for number, event in enumerate(session.events):
        if number % TURN == 0:
            await asyncio.sleep(0)
        try:
            recorded = _recorded(event, unknown)
        except ContractError as error:
            return Problem(event.seq, "contract", str(error), None)
        divergence = verification.take(recorded)
        if divergence is not None:
            break
        if wrong_prompt is None and type(recorded.data) is ContextBuilt:
            wrong_prompt = await _prompt(prompts, recorded, session.events[-1].seq)
    divergence = divergence or verification.end()
    if divergence is not None:
        return Problem(divergence.seq, "decision", divergence.recorded, divergence.recomputed)
    if wrong_prompt is None and rows is not None:
        return _wrong_row(session, verification.states, rows)
    return wrong_prompt


def _recorded(event: RecordedEvent, unknown: Counter[str]) -> Recorded:
    """An event as its contract; a field that it does not know is counted."""
    try:
        return to_recorded(event, exact=True)
    except InvalidBody as error:
        recorded = to_recorded(event)
        unknown[f"{event.type} {error.field}"] += 1
        return recorded


def _wrong_row(session: StoredSession, states: Mapping[str, LoopState], rows: Sequence[TaskRow]) -> Problem | None:
    """A row of the projection that is not what its task's events make it. One that has moved on since is not judged."""
    last, by_id = session.events[-1].seq, {row.task_id: row for row in rows}
    for state in states.values():
        row = by_id.get(state.task_id)
        if state.created is None or (row is not None and row.last_seq > last):
            continue
        patch = task_patch(state, 0)
        told = {name: value for name, value in patch.items() if name in _COMPARED}
        recorded = None if row is None else {name: getattr(row, name) for name in told}
        ended = state.state.terminal or (row is not None and TaskState(row.state).terminal)
        # An answer is in the row before the tool-loop has read it: of open tasks only their being there is compared.
        if recorded != told and (ended or recorded is None):
            return Problem(last if row is None else row.last_seq, "task", recorded, told)
    # After a prune, a task that began before it has no beginning here; its row went with it, and may have come back.
    begun = {state.task_id for state in states.values() if state.created is not None or session.base.seq}
    ghosts = [row for row in rows if row.task_id not in begun and row.last_seq <= last]
    return _without_events(ghosts[0]) if ghosts else None


def _without_events(row: TaskRow) -> Problem:
    """A row of a task that no event began."""
    return Problem(row.last_seq, "task", {"task_id": row.task_id, "state": row.state, "last_seq": row.last_seq}, None)


def _beyond(rows: Sequence[TaskRow], head: int) -> Problem | None:
    """A row that is further than a head that was read after it: the log's tail is gone."""
    for row in rows:
        if row.last_seq > head:
            recorded = {"task_id": row.task_id, "state": row.state, "last_seq": row.last_seq}
            return Problem(row.last_seq, "task", recorded, {"head": head})
    return None


async def _prompt(prompts: PromptCheck, event: Recorded, last_seq: int) -> Problem | None:
    """What is wrong with the event's prompt, if it has one."""
    try:
        found = await prompts.differs(event)
    except MissingBlob as error:
        return Problem(last_seq, "blob", error.sha256, None)
    return None if found is None else Problem(found.seq, "prompt", found.recorded, found.rebuilt)

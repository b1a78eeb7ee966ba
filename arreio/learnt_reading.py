"""Proposals as the operator sees them: how each stands, what it came from, and how the tasks went that had it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from services.learning.tables import Scored
    from shared.store.connection import Pool
    from shared.store.events import EventStore, RecordedEvent

_ROWS: Final = """
SELECT proposal_id, kind, state, name, version, title, body, session_id, task_id, tasks, created_at, decided_at,
       decided_by, why
FROM learning.proposals ORDER BY created_at, proposal_id
"""
_ACTS: Final = (
    *("proposal.created", "proposal.supported", "proposal.approved", "proposal.rejected"),
    *("learnt.rolled_back", "learnt.promoted", "learnt.demoted", "learnt.expired"),
)


async def proposals(pool: Pool) -> list[dict[str, Any]]:
    """Every proposal, the oldest first, with its score; `body` holds the rest of it."""
    from services.learning.tables import scored

    async with pool.connection() as connection:
        rows = await (await connection.execute(_ROWS)).fetchall()
        scores = {
            (one.learnt.kind, one.learnt.name, one.learnt.version): one
            for one in await scored(connection, all_versions=True)
        }
    return [_plain(row, scores.get((row[1], row[3], row[4]))) for row in rows]


def _plain(row: tuple[Any, ...], score: Scored | None) -> dict[str, Any]:
    proposal_id, kind, state, name, version, title, body, session_id, task_id, tasks, created, decided, by, why = row
    return {
        "proposal_id": proposal_id,
        "kind": kind,
        "state": state,
        "standing": score.standing if score is not None else None,
        "name": name,
        "version": version,
        "title": title,
        "session_id": session_id,
        "task_id": task_id,
        "tasks": list(tasks),
        "tainted": bool(body.get("taint")),
        "used": score.score.successes + score.score.failures if score is not None else 0,
        "with": _share(score.score.successes, score.score.failures) if score is not None else None,
        "without": _share(score.score.successes_without, score.score.failures_without) if score is not None else None,
        "created_at": created.isoformat(),
        "decided_at": decided and decided.isoformat(),
        "decided_by": by,
        "why": why,
        "expires_at": score.expires_at.isoformat() if score is not None and score.expires_at is not None else None,
        "body": body,
    }


def _share(successes: int, failures: int) -> dict[str, int]:
    return {"succeeded": successes, "of": successes + failures}


async def provenance(pool: Pool, body: dict[str, Any]) -> list[dict[str, Any]]:
    """The events that a proposal rests on, as `arreio events show SESSION` finds them."""
    from shared.store.events import EventStore

    known = {one["event_id"]: one for one in body.get("evidence") or ()}
    store = EventStore(pool)
    for event_id in body["provenance"]:
        if event_id not in known and (event := await store.find(event_id)) is not None:
            known[event_id] = {
                "session_id": event.session_id,
                "seq": event.seq,
                "event_id": event_id,
                "type": event.type,
            }
    return [{**one, **await _speaker(store, one)} for one in known.values()]


async def _speaker(store: EventStore, one: dict[str, Any]) -> dict[str, str]:
    """On which channel and by whom it was said, where an event is a person's message."""
    event = await store.find(one["event_id"])
    named = event.data.get("message_id") if event is not None else None
    if named is None:
        return {}
    for received in await store.read(one["session_id"], types=("message.received",)):
        message = received.data["message"]
        if message["message_id"] == named:
            return {"channel": received.data["channel"], "sender": message["sender"]}
    return {}


async def history(pool: Pool, proposal: dict[str, Any]) -> list[dict[str, Any]]:
    """What became of a proposal, act by act, with who did it; `seq` is of the session `learning_proposals`."""
    from services.learning.stream import STREAM
    from shared.store.events import EventStore

    learnt = {"kind": proposal["kind"], "name": proposal["name"], "version": proposal["version"]}
    return [
        _act(event)
        for event in await EventStore(pool).read(STREAM, types=_ACTS)
        if event.data.get("proposal_id") == proposal["proposal_id"] or event.data.get("learnt") == learnt
    ]


def _act(event: RecordedEvent) -> dict[str, Any]:
    data = event.data
    shown = {key: data[key] for key in ("by", "why", "source_task", "to_version", "score", "rule") if data.get(key)}
    return {"seq": event.seq, "type": event.type, "at": event.recorded_at.isoformat(), **shown}

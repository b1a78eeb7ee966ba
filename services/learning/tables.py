"""Reads the tables of learning for the rules that decide on them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from arreio_contracts.events import Learnt, Preconditions, Score

from shared.canonical import sha256_hex
from shared.store.connection import Connection

from .approving import Proposal, Version
from .merging import Known
from .scoring import Versions
from .standing import MOST_WITHOUT

_MOST_KNOWN: Final = 2000
_KNOWN: Final = """
SELECT proposal_id, kind, coalesce(body->>'target', ''), name, state, coalesce(nullif(body->>'gist', ''), title),
       body->>'text', tasks
FROM learning.proposals WHERE state <> 'superseded' ORDER BY created_at DESC LIMIT %s
"""
_PROPOSAL: Final = """
SELECT p.proposal_id, p.kind, p.state, p.name, p.body, t.workspace, p.version
FROM learning.proposals p LEFT JOIN learning.outcomes t USING (task_id) WHERE p.proposal_id = %s
"""
_VERSIONS: Final = {
    "rule": "SELECT version, standing, active, coalesce(expires_at < clock_timestamp(), false) FROM learning.rules "
    "WHERE name = %s ORDER BY version",
    "skill": "SELECT version, standing, active, coalesce(expires_at < clock_timestamp(), false) FROM learning.skills "
    "WHERE name = %s ORDER BY version",
}
_CHANGES: Final = """
SELECT version, state, state = 'approved', false FROM learning.proposals WHERE name = %s AND version IS NOT NULL
"""
_SCORED: Final = """
WITH learnt AS (
    SELECT 'rule' AS kind, name, version, standing, expires_at, preconditions, active FROM learning.rules
    UNION ALL
    SELECT 'skill', name, version, standing, expires_at, preconditions, active FROM learning.skills
)
SELECT l.kind, l.name, l.version, l.standing, l.active, l.expires_at, clock_timestamp(), had.good, had.bad, had.last,
       without.good, without.bad
FROM learnt l
CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE outcome = 'success') AS good,
           count(*) FILTER (WHERE outcome = 'failure' AND (l.standing = 'demoted' OR NOT EXISTS (
               SELECT FROM learning.uses beside JOIN learnt blamed USING (kind, name, version)
               WHERE beside.task_id = u.task_id AND blamed.standing = 'demoted'
           ))) AS bad,
           max(ended_at) FILTER (WHERE outcome = 'success') AS last
    FROM learning.uses u JOIN learning.outcomes o USING (task_id)
    WHERE (u.kind, u.name, u.version) = (l.kind, l.name, l.version)
) had
CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE outcome = 'success') AS good, count(*) FILTER (WHERE outcome = 'failure') AS bad
    FROM (
        SELECT outcome FROM learning.outcomes o
        WHERE outcome <> 'neutral'
        AND (l.preconditions->>'workspace' IS NULL OR o.workspace = l.preconditions->>'workspace')
        AND (coalesce(l.preconditions->'criteria', '[]') = '[]'
             OR l.preconditions->'criteria' ?| o.criteria)
        AND NOT EXISTS (
            SELECT FROM learning.uses u WHERE u.task_id = o.task_id AND (u.kind, u.name) = (l.kind, l.name))
        ORDER BY ended_at DESC LIMIT %s
    ) latest
) without
WHERE l.active OR %s
"""


@dataclass(frozen=True)
class Scored:
    """A version of a rule or skill with what is known of it. Times are the database's."""

    learnt: Learnt
    standing: str
    active: bool
    expires_at: datetime | None
    now: datetime
    score: Score
    last_success: datetime | None


async def known(connection: Connection) -> list[Known]:
    """The proposals that a candidate is compared with, the latest."""
    rows = await (await connection.execute(_KNOWN, (_MOST_KNOWN,))).fetchall()
    return [
        Known(proposal_id, kind, target, name, state, gist, text, frozenset(tasks))
        for proposal_id, kind, target, name, state, gist, text, tasks in rows
    ]


async def proposal(connection: Connection, proposal_id: str) -> Proposal | None:
    """One proposal."""
    row = await (await connection.execute(_PROPOSAL, (proposal_id,))).fetchone()
    if row is None:
        return None
    body: dict[str, Any] = row[4]
    return Proposal(
        proposal_id=row[0],
        kind=row[1],
        state=row[2],
        name=row[3],
        text=body["text"],
        preconditions=Preconditions.known_of(body.get("preconditions") or {}),
        expires_days=body.get("expires_days") or 30,
        tainted=bool(body.get("taint")),
        workspace=row[5],
        version=row[6],
    )


async def versions(connection: Connection, kind: str, name: str) -> list[Version]:
    """All versions of what is called so, the first one first."""
    query = _VERSIONS.get(kind, _CHANGES)
    return [Version(*row) for row in await (await connection.execute(query.encode(), (name,))).fetchall()]


async def rule_versions(connection: Connection) -> Versions:
    """Every version of every rule, by name and the hash of its text as prompts name it."""
    rows = await (
        await connection.execute("SELECT name, body, version FROM learning.rules ORDER BY version")
    ).fetchall()
    return {(name, sha256_hex(body.strip())): version for name, body, version in rows}


async def scored(connection: Connection, *, all_versions: bool = False) -> list[Scored]:
    """Every version in force, or every one that ever was, with its score.

    A task that failed with a version that was demoted has had its blame, and counts for no other that it had.
    """
    rows = await (await connection.execute(_SCORED, (MOST_WITHOUT, all_versions))).fetchall()
    return [
        Scored(
            learnt=Learnt(kind=kind, name=name, version=version),
            standing=standing,
            active=active,
            expires_at=expires_at,
            now=now,
            score=Score(successes=good, failures=bad, successes_without=good_without, failures_without=bad_without),
            last_success=last,
        )
        for kind, name, version, standing, active, expires_at, now, good, bad, last, good_without, bad_without in rows
    ]

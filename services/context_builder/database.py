"""Reads what the operator and the approved rules say: tables that others own, in one query a turn."""

from typing import Final, Protocol

from arreio_contracts.events import Preconditions

from shared.store.connection import Pool, connected

from .instruction_files import AgentInstructions
from .rows import FromDatabase, Rule

_QUERY: Final = """
SELECT 'project', slug, '', '', 0::bigint, NULL::timestamptz, '' FROM gateway.projects WHERE workspace = %(workspace)s
UNION ALL
SELECT 'instructions', coalesce(project, ''), agent, text, version, updated_at, ''
FROM gateway.agent_instructions
WHERE agent = %(agent)s
AND (project IS NULL OR project IN (SELECT slug FROM gateway.projects WHERE workspace = %(workspace)s))
UNION ALL
SELECT 'rule', '', name, body, version::bigint, created_at, preconditions::text FROM learning.rules
WHERE active AND (expires_at IS NULL OR expires_at > clock_timestamp())
"""


class Database(Protocol):
    """Where the rows come from."""

    async def read(self, agent: str, workspace: str | None) -> FromDatabase:
        """What is in force now."""
        ...


class NoDatabase:
    """No rows."""

    async def read(self, agent: str, workspace: str | None) -> FromDatabase:
        """Nothing."""
        return FromDatabase()


class PostgresRows:
    """The rows of `gateway.agent_instructions` and `learning.rules`, which others own and write."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def read(self, agent: str, workspace: str | None) -> FromDatabase:
        """What is in force now.

        Raises:
            StoreUnavailable: PostgreSQL cannot be reached.
        """
        async with connected(self._pool) as connection:
            cursor = await connection.execute(_QUERY, {"agent": agent, "workspace": workspace}, binary=True)
            rows = await cursor.fetchall()
        projects = sorted(project for kind, project, *_ in rows if kind == "project")
        return FromDatabase(
            projects[0] if projects else "",
            tuple(
                AgentInstructions(name, text, version, project)
                for kind, project, name, text, version, *_ in rows
                if kind == "instructions"
            ),
            tuple(
                Rule(name, text, since, Preconditions.known_of_json(preconditions))
                for kind, _, name, text, _, since, preconditions in rows
                if kind == "rule"
            ),
        )

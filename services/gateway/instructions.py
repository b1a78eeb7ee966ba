"""Keeps what the operator says to the agents: the one writer of `agent_instructions`."""

from typing import Final

import psycopg.errors
from arreio_contracts.errors import InvalidBody
from arreio_contracts.messages import InstructionsKept, SetInstructions

from shared.store.connection import Connection, Pool, connected

from .projects import make_project, project_of

_WRITE: Final = """
INSERT INTO gateway.agent_instructions AS kept (agent, project, text) VALUES (%(agent)s, %(project)s, %(text)s)
ON CONFLICT ON CONSTRAINT agent_instructions_key DO UPDATE
SET text = excluded.text, version = excluded.version, updated_at = clock_timestamp()
WHERE kept.text IS DISTINCT FROM excluded.text
RETURNING version
"""
_VERSION: Final = """
SELECT version FROM gateway.agent_instructions WHERE agent = %(agent)s AND project IS NOT DISTINCT FROM %(project)s
"""
_REMOVE: Final = """
DELETE FROM gateway.agent_instructions WHERE agent = %(agent)s AND project IS NOT DISTINCT FROM %(project)s
RETURNING version
"""


async def keep(pool: Pool, wanted: SetInstructions) -> InstructionsKept:
    """Write or remove one row. Running tasks use it from their next turn on.

    Raises:
        InvalidBody: there is no such project, or it is another folder's.
        StoreUnavailable: PostgreSQL cannot be reached; asking again is right.
    """
    async with connected(pool) as connection:
        return await (_remove if wanted.text is None else _write)(connection, wanted)


async def _write(connection: Connection, wanted: SetInstructions) -> InstructionsKept:
    project = wanted.project
    if wanted.workspace is not None:
        project = await make_project(connection, wanted.workspace, project)
    values = {"agent": wanted.agent, "project": project, "text": wanted.text}
    try:
        written = await (await connection.execute(_WRITE, values)).fetchone()
    except psycopg.errors.ForeignKeyViolation:
        raise InvalidBody("project", f"there is no project {project!r}; a workspace beside it makes it") from None
    known = written or await (await connection.execute(_VERSION, values)).fetchone()
    return InstructionsKept(version=known[0] if known else None, changed=written is not None, project=project)


async def _remove(connection: Connection, wanted: SetInstructions) -> InstructionsKept:
    project = wanted.project
    if wanted.workspace is not None and project is None:
        project = await project_of(connection, wanted.workspace)
        if project is None:
            return InstructionsKept(version=None, changed=False)
    removed = await (await connection.execute(_REMOVE, {"agent": wanted.agent, "project": project})).fetchone()
    return InstructionsKept(version=None, changed=removed is not None, project=project)

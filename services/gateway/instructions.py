"""Keeps what the operator says to the agents: the one writer of `agent_instructions`."""

from typing import Final

import psycopg.errors
from arreio_contracts.errors import InvalidBody
from arreio_contracts.messages import InstructionsKept, SetInstructions

from shared.store.connection import Pool, connected

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
        InvalidBody: there is no such project.
        StoreUnavailable: PostgreSQL cannot be reached; asking again is right.
    """
    values = wanted.model_dump()
    async with connected(pool) as connection:
        if wanted.text is None:
            removed = await (await connection.execute(_REMOVE, values)).fetchone()
            return InstructionsKept(version=None, changed=removed is not None)
        try:
            written = await (await connection.execute(_WRITE, values)).fetchone()
        except psycopg.errors.ForeignKeyViolation:
            raise InvalidBody("project", f"there is no project {wanted.project!r}") from None
        if written is not None:
            return InstructionsKept(version=written[0], changed=True)
        known = await (await connection.execute(_VERSION, values)).fetchone()
    return InstructionsKept(version=known[0] if known else None, changed=False)

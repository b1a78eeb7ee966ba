"""Projects: a slug for a workspace. One comes to be when the operator first says something for its folder."""

import re
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Final

from arreio_contracts.errors import InvalidBody

from shared.store.connection import Connection

_OF: Final = "SELECT slug FROM gateway.projects WHERE workspace = %s ORDER BY slug LIMIT 1"
_MAKE: Final = """
INSERT INTO gateway.projects AS known (slug, workspace) VALUES (%(slug)s, %(workspace)s)
ON CONFLICT (slug) DO UPDATE SET workspace = excluded.workspace, updated_at = clock_timestamp()
WHERE known.workspace IS NULL
"""
_WHERE: Final = "SELECT workspace FROM gateway.projects WHERE slug = %s"
_NO_SLUG: Final = re.compile(r"[^A-Za-z0-9_-]+")
_LONGEST: Final = 100


async def project_of(connection: Connection, workspace: str) -> str | None:
    """The project of a workspace; None where it has none."""
    found = await (await connection.execute(_OF, (workspace,))).fetchone()
    return None if found is None else str(found[0])


async def make_project(connection: Connection, workspace: str, slug: str | None = None) -> str:
    """The project of a workspace, called `slug` or else after the folder; made where there is none.

    Raises:
        InvalidBody: the project of that name is another folder's, or the folder's is called otherwise.
    """
    known = await project_of(connection, workspace)
    if known is not None and slug in (None, known):
        return known
    if known is not None:
        raise InvalidBody("project", f"{workspace} is the project {known!r} already; name that one, or none")
    for name in slugs(workspace) if slug is None else (slug,):
        place = await _made(connection, workspace, name)
        if place == workspace:
            return name
    raise InvalidBody("project", f"the project {name!r} is {place}; give {workspace} another name")


async def _made(connection: Connection, workspace: str, slug: str) -> str | None:
    """Make a project unless there is one; its workspace."""
    await connection.execute(_MAKE, {"slug": slug, "workspace": workspace})
    found = await (await connection.execute(_WHERE, (slug,))).fetchone()
    return None if found is None else found[0]


def slugs(workspace: str) -> tuple[str, str]:
    """What a folder's project may be called: after the folder, or, where that is taken, with its path's digest."""
    name = _NO_SLUG.sub("-", PurePosixPath(workspace).name).strip("-")[:_LONGEST] or "project"
    return name, f"{name}-{sha256(workspace.encode('utf-8', 'surrogateescape')).hexdigest()[:12]}"

"""The skills that a person approved: the table `learning.skills`, which learning writes and others only read."""

import asyncio
from pathlib import Path
from typing import Final

from arreio_contracts.events import Preconditions

from shared.learnt import meant_for
from shared.skills.skill import Broken, Problem, Skill, read_skill
from shared.store.connection import Pool, connected
from shared.workspace.worktrees import home_of

_IN_FORCE: Final = """
SELECT name, version, body, preconditions::text FROM learning.skills
WHERE active AND (expires_at IS NULL OR expires_at > clock_timestamp()) ORDER BY name, version DESC
"""


async def learned_skills(pool: Pool, workspace: Path | None) -> tuple[list[Skill], list[Problem]]:
    """The skills in force that are meant for a workspace, and what is wrong with rows that are none.

    What is meant for a repository is meant for its worktrees too.
    A row's body is the text of a SKILL.md.

    Raises:
        StoreUnavailable: PostgreSQL cannot be reached.
    """
    async with connected(pool) as connection:
        rows = await (await connection.execute(_IN_FORCE)).fetchall()
    places = [None] if workspace is None else [str(workspace), await asyncio.to_thread(home_of, str(workspace))]
    skills: list[Skill] = []
    problems: list[Problem] = []
    for name, version, body, preconditions in rows:
        wanted = Preconditions.known_of_json(preconditions)
        if not any(meant_for(wanted, place) for place in places):
            continue
        path = f"learned:{name}@{version}"
        try:
            skill, said = read_skill(body, source="learned", path=path, beside=name, version=version)
        except Broken as error:
            problems.append(Problem(path, str(error)))
            continue
        skills.append(skill)
        problems.extend(Problem(path, why, loaded=True) for why in said)
    return skills, problems

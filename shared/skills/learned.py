"""The skills that a person approved: the table `learning.skills`, which learning writes and others only read."""

from typing import Final

from shared.skills.skill import Broken, Problem, Skill, read_skill
from shared.store.connection import Pool, connected

_IN_FORCE: Final = "SELECT name, version, body FROM learning.skills WHERE active ORDER BY name, version DESC"


async def learned_skills(pool: Pool) -> tuple[list[Skill], list[Problem]]:
    """The skills in force, and what is wrong with rows that are none. A row's body is the text of a SKILL.md.

    Raises:
        StoreUnavailable: PostgreSQL cannot be reached.
    """
    async with connected(pool) as connection:
        rows = await (await connection.execute(_IN_FORCE)).fetchall()
    skills: list[Skill] = []
    problems: list[Problem] = []
    for name, version, body in rows:
        path = f"learned:{name}@{version}"
        try:
            skill, said = read_skill(body, source="learned", path=path, beside=name, version=version)
        except Broken as error:
            problems.append(Problem(path, str(error)))
            continue
        skills.append(skill)
        problems.extend(Problem(path, why, loaded=True) for why in said)
    return skills, problems

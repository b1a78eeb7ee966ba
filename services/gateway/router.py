"""The router: which skills a new task may and must use, and whether it is told taste.

What it found is recorded in `task.created`, so that whoever goes on with the task, and replay, need not look again.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arreio_contracts.events import RoutedSkill, SkillRouting
from arreio_contracts.messages import SkippedFile
from arreio_contracts.task import TaskContract

from shared.skills import Catalogue, Problem, called, catalogue, folder_skills, learned_skills
from shared.store.blobs import BlobStore
from shared.store.connection import Pool

from .lexemes import Lexemes
from .relevance import RULE, Stems, relevant, scores, told_for
from .ui_tasks import why_ui

MOST_LISTED: Final = 40
"""Skills that a task's record names; what is beyond can still be loaded by name."""
_MOST_PROBLEMS: Final = 20


class NoSuchSkill(Exception):
    """A contract forces a skill that there is not, or that cannot be read; the text says which and what there is."""


@dataclass(frozen=True)
class Routed:
    """What the router found: no skills at all are None; `ui` says why it counts as a task that people see."""

    skills: SkillRouting | None
    ui: str


class Router:
    """Looks at the workspace, the profile's folder and the database."""

    def __init__(self, pool: Pool, data_dir: Path) -> None:
        self._pool = pool
        self._data_dir = data_dir
        self._blobs = BlobStore(pool)
        self._lexemes = Lexemes(pool)

    async def route(self, contract: TaskContract, goal: str) -> Routed:
        """Route a new task.

        Raises:
            NoSuchSkill: the contract forces one that cannot be had.
            StoreUnavailable: PostgreSQL cannot be reached; trying again is right.
        """
        known = await self._catalogue(contract)
        forced = {_wanted(known, name) for name in contract.skills}
        if not known.skills and not known.problems:
            return Routed(None, why_ui(contract, goal))
        found = await self._scores(known, goal)
        about = relevant(found)
        ordered = sorted(known.skills, key=lambda one: (one.name not in forced, -found[one.name], one.name))
        listed = ordered[: max(MOST_LISTED, len(forced))]
        kept = await self._blobs.put_many([one.text for one in listed if one.name in forced])
        routing = SkillRouting(
            rule=RULE,
            skills=tuple(
                RoutedSkill(
                    name=one.name,
                    description=one.description,
                    source=one.source,
                    path=one.path,
                    version=one.version,
                    forced=one.name in forced,
                    relevant=one.name in about,
                    score=found[one.name],
                    blob=kept[number] if one.name in forced else None,
                )
                for number, one in enumerate(listed)
            ),
            unlisted=len(ordered) - len(listed),
            problems=_problems(known.problems),
        )
        return Routed(routing, why_ui(contract, goal))

    async def _catalogue(self, contract: TaskContract) -> Catalogue:
        workspace = Path(contract.workspace) if contract.workspace else None
        profile = self._data_dir / "skills" / (contract.profile or "default")
        further = [Path(one) for one in contract.skill_folders]
        folders = await asyncio.to_thread(folder_skills, workspace, profile, further)
        return catalogue(folders, await learned_skills(self._pool, workspace))

    async def _scores(self, known: Catalogue, goal: str) -> dict[str, float]:
        texts = [text for one in known.skills for text in (one.name, told_for(one.description))]
        request, *words = await self._lexemes.of([goal, *texts])
        stems = [Stems.of(one) for one in words]
        return scores(request, {one.name: (stems[2 * at], stems[2 * at + 1]) for at, one in enumerate(known.skills)})


def _wanted(known: Catalogue, name: str) -> str:
    skill = known.find(name)
    if skill is not None:
        return skill.name
    broken = [one for one in known.problems if not one.loaded and called(name) in map(called, Path(one.path).parts)]
    if broken:
        raise NoSuchSkill(f"the skill {name!r} cannot be used: {broken[0].path}: {broken[0].why}")
    near = ", ".join(known.near(name))
    raise NoSuchSkill(f"there is no skill {name!r}; {f'there is {near}' if near else 'there is none at all'}")


def _problems(found: Sequence[Problem]) -> tuple[SkippedFile, ...]:
    return tuple(SkippedFile(path=one.path, why=one.why) for one in found if not one.loaded)[:_MOST_PROBLEMS]

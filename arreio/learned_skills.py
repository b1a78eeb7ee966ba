"""The skills of the database as commands see them, also where no engine is up."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from arreio.terminal import visible
from shared.errors import ArreioError
from shared.settings import Settings

if TYPE_CHECKING:
    from shared.skills import Problem, Skill


def from_database(settings: Settings, place: Path | None) -> tuple[list[Skill], list[Problem]]:
    """The database's skills, where an engine is up; that it cannot be read is said, and no error."""
    from shared.engine.errors import EngineDown

    try:
        dsn = settings.database_dsn("operator")
    except EngineDown:
        return [], []
    try:
        return asyncio.run(_read(dsn, place))
    except ArreioError as error:
        sys.stderr.write(f"arreio: the database's skills are not shown: {visible(error.message)}\n")
        return [], []


async def _read(dsn: str, place: Path | None) -> tuple[list[Skill], list[Problem]]:
    from arreio.reading import reaching
    from shared.skills import learned_skills

    async with reaching(dsn, size=1) as pool:
        return await learned_skills(pool, place)

"""Puts a skill before the model: what it says, or one of the files that lie beside it."""

import asyncio
import os
from itertools import islice
from pathlib import Path
from typing import Final

from arreio_contracts.events import Effect, SkillLoaded

from shared.secrets import mask
from shared.skills import FILE_NAME, Skill, catalogue, folder_skills, learned_skills
from shared.store.connection import Pool, retrying
from shared.workspace import confine

from .base import (
    Arguments,
    Refused,
    ToolContext,
    ToolResult,
    as_text,
    failure,
    load,
    number_argument,
    schema,
    shown,
    shown_name,
    text_argument,
)

_MOST_FILES: Final = 100
_MOST_FOLDERS: Final = 500


class LoadSkill:
    """The skills of the workspace, of the profile and of the database, as they are at the call."""

    name = "load_skill"
    description = "Read a skill: instructions for a kind of work. Load it before you do work that it is about."
    parameters = schema(
        {"name": text_argument("The skill's name.")},
        {
            "file": text_argument(f"A file of the skill, relative to its folder; {FILE_NAME} if left out."),
            "start_line": number_argument("First line to show; 1 if left out."),
        },
    )
    effect: Effect = "read"

    def __init__(self, pool: Pool | None) -> None:
        self._pool = pool

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        try:
            skill = await self._find(str(arguments["name"]), context)
            return await asyncio.to_thread(_shown, skill, arguments, context)
        except Exception as error:  # noqa: BLE001 - every failure is a result
            return failure(error)

    async def _find(self, name: str, context: ToolContext) -> Skill:
        workspace = context.workspace if context.workspace.is_dir() else None
        profile = context.data_dir / "skills" / context.profile if context.data_dir else None
        folders = await asyncio.to_thread(folder_skills, workspace, profile, context.skill_folders)
        pool = self._pool
        learned = await retrying(lambda: learned_skills(pool, context.workspace)) if pool is not None else ([], [])
        known = catalogue(folders, learned)
        skill = known.find(name)
        if skill is None:
            near = ", ".join(known.near(name)) or "none"
            raise Refused(f"there is no skill {name!r}; there are: {near}", "not_found", "error")
        return skill


def _shown(skill: Skill, arguments: Arguments, context: ToolContext) -> ToolResult:
    file, first = str(arguments.get("file") or FILE_NAME), int(arguments.get("start_line") or 1)
    own = file.casefold() == FILE_NAME.casefold()
    lines = (mask(skill.body) if own else _file(skill, file)).split("\n")
    if first > len(lines):
        raise Refused(f"{file} has {len(lines)} lines; start_line {first} is beyond its end", "no_such_line", "error")
    tail = _files(skill, context) if own else ""
    kept = _fitting(lines[first - 1 :], context.most_chars - len(tail) - 400)
    last = first + len(kept) - 1
    more = f'\n[more: load_skill name="{skill.name}" file="{file}" start_line={last + 1}]' if last < len(lines) else ""
    whole = own and first == 1 and not more
    head = f"The skill {skill.name} ({skill.path})" if own else f"{file} of the skill {skill.name}"
    part = "" if first == 1 and not more else f", lines {first}-{last} of {len(lines)}"
    text = "\n".join(kept)
    loaded = SkillLoaded(name=skill.name, source=skill.source, version=skill.version, text_hash=skill.sha256)
    return ToolResult("ok", f"{head}{part}:\n\n{text}{more}{tail}", skill=loaded if whole else None)


def _fitting(lines: list[str], room: int) -> list[str]:
    """As many lines as fit, at least one."""
    size = 0
    for number, line in enumerate(lines):
        size += len(line) + 1
        if number and size > room:
            return lines[:number]
    return lines


def _file(skill: Skill, name: str) -> str:
    if not skill.folder:
        raise Refused(f"the skill {skill.name} has no files beside {FILE_NAME}", "not_found", "error")
    place = confine(Path(skill.folder), name)
    return mask(shown(as_text(load(place), place.name)))


def _files(skill: Skill, context: ToolContext) -> str:
    """What lies beside the SKILL.md, and how it is read."""
    if not skill.folder:
        return ""
    names = sorted(
        shown_name(os.path.relpath(os.path.join(folder, name), skill.folder))  # noqa: PTH118
        for folder, _, files in islice(os.walk(skill.folder), _MOST_FOLDERS)
        for name in files
        if not (name.casefold() == FILE_NAME.casefold() and folder == skill.folder)
    )
    if not names:
        return ""
    here = skill.source == "workspace"
    where = f"In the workspace they lie in {Path(skill.path).parent}/." if here else "They are not in the workspace."
    more = f"\n- … and {len(names) - _MOST_FILES} more" if len(names) > _MOST_FILES else ""
    listed = "\n".join(f"- {name}" for name in names[:_MOST_FILES])
    return f"\n\nIts files (load_skill with file reads one). {where}\n{listed}{more}"

"""`arreio skills list|show|export`: the skills that a task in a folder may use, and what is wrong with the others."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arreio.learned_skills import from_database
from arreio.options import DataDirOption, JsonOption, folder, here, say, say_json
from arreio.terminal import visible, visible_line
from shared.errors import ArreioError
from shared.settings import Settings, load_settings

if TYPE_CHECKING:
    from shared.skills import Catalogue, Skill
    from shared.skills.skill import Problem

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="As `arreio skills list` calls it.")]
WorkspaceOption = Annotated[
    Path | None,
    typer.Option(
        "--workspace", "-w", metavar="DIR", parser=folder, help="Whose skills; the current folder if not given."
    ),
]
ProfileOption = Annotated[str, typer.Option("--profile", metavar="NAME", help="Whose folder DATA_DIR/skills/NAME.")]

app = typer.Typer(no_args_is_help=True, help="The skills that a task may use: list, show, export.")


@app.command("list")
def list_(
    workspace: WorkspaceOption = None,
    profile: ProfileOption = "default",
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """List the skills of a folder, of the profile and, where an engine is up, of the database; and broken files."""
    known = _catalogue(load_settings(data_dir), workspace, profile)
    if as_json:
        say_json({"skills": [_row(one) for one in known.skills], "problems": [_problem(one) for one in known.problems]})
        return
    for skill in known.skills:
        say(f"{skill.name}  [{skill.source}] {skill.path}\n    {skill.description}")
    if not known.skills:
        say("there are no skills; a skill is a folder with a SKILL.md in .agents/skills, .claude/skills or skills")
    for problem in known.problems:
        kind = "note" if problem.loaded else "not used"
        sys.stderr.write(f"arreio: {kind}: {visible(problem.path)}: {visible(problem.why)}\n")


@app.command()
def show(
    name: NameArgument,
    workspace: WorkspaceOption = None,
    profile: ProfileOption = "default",
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Show what one skill says."""
    skill = _found(_catalogue(load_settings(data_dir), workspace, profile), name)
    if as_json:
        say_json({**_row(skill), "body": skill.body, "sha256": skill.sha256})
        return
    say(f"{skill.name}  [{skill.source}] {skill.path}\n{skill.description}\n")
    say(skill.body)


@app.command()
def export(
    name: NameArgument,
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="Where the skill's folder is made.")] = Path(),
    workspace: WorkspaceOption = None,
    profile: ProfileOption = "default",
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Write one skill as a folder DIR/NAME that every program takes which knows Agent Skills.

    Links that lead out of the skill are left out, and told.
    """
    from arreio.copied_folder import copy_folder
    from shared.skills.exporting import skill_file

    skill = _found(_catalogue(load_settings(data_dir), workspace, profile), name)
    place = (to / skill.name).resolve()
    if place.exists():
        raise ArreioError(f"{place} is there already", "remove it, or name another folder with --to")
    left: list[str] = []
    try:
        if skill.folder:
            left = copy_folder(Path(skill.folder), place, without=("SKILL.md", "skill.md"))
        place.mkdir(parents=True, exist_ok=True)
        (place / "SKILL.md").write_text(skill_file(skill), encoding="utf-8")
    except OSError as error:
        raise ArreioError(f"{place} cannot be written: {error}", "name another folder with --to") from error
    for name in left:
        sys.stderr.write(f"arreio: left out: {visible_line(name)}: no file of the skill's own\n")
    if as_json:
        say_json({"name": skill.name, "path": str(place), "left_out": left})
    else:
        say(str(place))


def _found(known: Catalogue, name: str) -> Skill:
    skill = known.find(name)
    if skill is None:
        near = ", ".join(known.near(name))
        raise ArreioError(f"there is no skill {name!r}", f"there is {near}" if near else "see 'arreio skills list'")
    return skill


def _catalogue(settings: Settings, workspace: Path | None, profile: str) -> Catalogue:
    from arreio.profile_files import skill_folders
    from shared.skills import catalogue, folder_skills

    place = workspace or here()
    if not place.is_dir():
        raise ArreioError(f"no such workspace: {place}", "name an existing folder with --workspace")
    further = [Path(one) for one in skill_folders(settings, profile)]
    folders = folder_skills(place, settings.data_dir / "skills" / profile, further)
    return catalogue(folders, from_database(settings, place.resolve()))


def _row(skill: Skill) -> dict[str, Any]:
    return {
        "name": skill.name,
        "description": skill.description,
        "source": skill.source,
        "path": skill.path,
        "version": skill.version,
    }


def _problem(problem: Problem) -> dict[str, Any]:
    return {"path": problem.path, "why": problem.why, "used": problem.loaded}

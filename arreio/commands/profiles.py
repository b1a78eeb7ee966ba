"""`arreio profiles list|show|check`: who gets which agent, workspace and model, and what is wrong with files."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arreio.options import DataDirOption, JsonOption, say, say_json
from arreio.profile_files import looked_at
from arreio.terminal import visible_line
from shared.errors import ArreioError
from shared.settings import Settings, load_settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from services.gateway.profiles.folder import Looked
    from services.gateway.profiles.profile import NamedProfile

app = typer.Typer(no_args_is_help=True, help="Profiles: list, show, check.")


@app.command("list")
def list_(as_json: JsonOption = False, data_dir: DataDirOption = None) -> None:
    """List the profiles and whom they are for, and files that cannot be used."""
    from services.gateway.profiles.matching import told

    settings = load_settings(data_dir)
    found = looked_at(settings)
    for one in found.good.values():
        whom = [told(match) for match in one.profile.match]
        if as_json:
            say_json({"name": one.name, "version": one.version, "match": whom, "problem": None})
        else:
            say(f"{one.name:<16} {one.version[:12]}  {'; or '.join(whom) or _unmatched(one.name)}")
    for bad in found.bad:
        if as_json:
            say_json({"name": bad.name, "version": None, "match": [], "problem": bad.why, "file": str(bad.file)})
        else:
            sys.stderr.write(f"arreio: {visible_line(f'{bad.file}: {bad.why}')}\n")
    if not (found.good or found.bad or as_json):
        say(f"no profiles; they are files NAME.yaml in {settings.profile_folder}")


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="NAME")],
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Show what a profile gives. Secrets are shown as where they lie."""
    settings = load_settings(data_dir)
    one = _named(looked_at(settings), name, settings)
    words = one.profile.model_dump(mode="json", exclude_defaults=True)
    if as_json:
        say_json({"name": one.name, "version": one.version, **words})
        return
    import yaml

    say(f"# {one.name} {one.version}\n{yaml.safe_dump(words, sort_keys=False, allow_unicode=True)}".rstrip())


@app.command()
def check(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Only this one.")] = None,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Check files and everything that they name; exit status 1 where something is wrong."""
    settings = load_settings(data_dir)
    found = looked_at(settings)
    if name is not None and all(bad.name != name for bad in found.bad):
        _named(found, name, settings)
    problems = [(str(bad.file), bad.why) for bad in found.bad if name in (None, bad.name)]
    checked = [one for one in found.good.values() if name in (None, one.name)]
    problems += [(one.name, why) for one in checked for why in _problems(one, settings)]
    problems += [(both[1], why) for both, why in _alike(found) if name is None or name in both]
    for where, why in problems:
        if as_json:
            say_json({"profile": where, "problem": why})
        else:
            sys.stderr.write(f"arreio: {visible_line(f'{where}: {why}')}\n")
    if problems:
        raise typer.Exit(1)
    if not as_json:
        say(f"{len(checked)} {'profile' if len(checked) == 1 else 'profiles'}, nothing wrong")


def _named(found: Looked, name: str, settings: Settings) -> NamedProfile:
    if name in found.good:
        return found.good[name]
    bad = next((one for one in found.bad if one.name == name), None)
    if bad is not None:
        raise ArreioError(f"{bad.file}: {bad.why}", "correct the file")
    raise ArreioError(f"there is no profile {name!r}", f"they are files NAME.yaml in {settings.profile_folder}")


def _unmatched(name: str) -> str:
    return "everybody else" if name == "default" else "only by name"


def _alike(found: Looked) -> list[tuple[tuple[str, str], str]]:
    from services.gateway.profiles.matching import alike

    return [
        ((first, second), f"{first} has the very same match ({match}) and goes before it")
        for first, second, match in alike(found.good.values())
    ]


def _problems(one: NamedProfile, settings: Settings) -> Iterator[str]:
    """What a profile names and is not to be had here."""
    from services.context_builder.agents import UnknownAgent, identity
    from services.gate_runner.taste import taste_of
    from services.gateway.profiles.matching import unclosed
    from services.tool_loop.models.capability import resolve
    from services.tool_loop.models.local_models import is_local, locate
    from services.tool_loop.tools import registry
    from shared.secret_references import NoSecret
    from shared.secret_references import resolve as resolve_secret

    profile = one.profile
    try:
        identity(profile.agent or "developer")
    except UnknownAgent as error:
        yield f"agent: {error}"
    try:
        resolve(profile.model or settings.model or "", profile.capability, settings.capabilities)
        if profile.model is not None and is_local(profile.model):
            locate(profile.model)
    except ArreioError as error:
        yield f"model: {error.line()}"
    try:
        taste_of(settings.data_dir, profile.taste.rules, one.name)
    except ArreioError as error:
        yield f"taste: {error.line()}"
    for tool in sorted(set(profile.tools or ()) - registry().keys()):
        yield f"tools: there is no tool {tool!r}; there is {', '.join(registry())}"
    references: dict[str, str] = {**profile.secrets, **({"api_key": profile.api_key} if profile.api_key else {})}
    for name, reference in references.items():
        try:
            resolve_secret(reference)
        except NoSecret as error:
            yield f"{name}: {error.line()} (as this command sees it)"
    for number, match in enumerate(profile.match):
        for part in unclosed(match):
            yield f"match.{number}.{part}: a [ is not closed; write [[] for the sign itself"
    yield from _folders(profile.model_dump(), settings)
    yield from _skills(one, settings)


def _skills(one: NamedProfile, settings: Settings) -> Iterator[str]:
    from arreio.learned_skills import from_database
    from shared.skills import catalogue, folder_skills

    choice, workspace = one.profile.skills, one.profile.workspace
    if not choice.forced:
        return
    place = Path(workspace.path) if workspace is not None and Path(workspace.path).is_dir() else None
    further = [Path(folder) for folder in choice.folders]
    found = folder_skills(place, settings.data_dir / "skills" / one.name, further)
    known = catalogue(found, from_database(settings, place))
    for name in choice.forced:
        if known.find(name) is None:
            near = ", ".join(known.near(name))
            yield f"skills: there is no skill {name!r}; {f'there is {near}' if near else 'there is none at all'}"


def _folders(profile: dict[str, Any], settings: Settings) -> Iterator[str]:
    from shared.workspace import overlaps
    from shared.workspace.worktrees import WorktreeError, check_repository

    for folder in profile["skills"]["folders"]:
        if not Path(folder).is_dir():
            yield f"skills: there is no folder {folder}"
    workspace = profile["workspace"]
    if workspace is None:
        return
    path = Path(workspace["path"])
    if workspace["mode"] == "worktree":
        try:
            check_repository(str(path), workspace["base"])
        except WorktreeError as error:
            yield f"workspace: {error.line()}"
    elif not path.is_dir():
        yield f"workspace: there is no folder {path}"
    elif not os.access(path, os.R_OK | os.W_OK | os.X_OK):
        yield f"workspace: {path} is not readable and writable"
    elif overlaps(path, settings.data_dir):
        yield f"workspace: {path} and the data directory {settings.data_dir} lie one in the other"

"""`arreio instructions set|show|rm`: what the operator says to an agent, beyond the workspace's AGENTS.md files."""

from __future__ import annotations

import asyncio
import json
import sys
from datetime import datetime
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from arreio_contracts import subjects
from arreio_contracts.messages import InstructionsKept, SetInstructions
from pydantic import ValidationError

from arreio.asking import ask
from arreio.options import DataDirOption, JsonOption, folder, say, say_json
from arreio.reading import reading
from shared.errors import ArreioError
from shared.settings import Settings, load_settings

AgentArgument = Annotated[str, typer.Argument(metavar="AGENT", help="A slug of the roster.")]
ProjectOption = Annotated[
    str | None, typer.Option("--project", metavar="SLUG", help="In this project only; in every one if not given.")
]
WorkspaceOption = Annotated[
    Path | None,
    typer.Option(
        "--workspace",
        "-w",
        metavar="DIR",
        parser=folder,
        help="In this folder's project only; it is made if there is none yet.",
    ),
]

app = typer.Typer(no_args_is_help=True, help="What the operator says to an agent: set, show, rm.")


class Row(NamedTuple):
    """A row of `agent_instructions`."""

    agent: str
    project: str | None
    workspace: str | None
    version: int
    updated_at: datetime
    text: str


@app.command("set")
def set_(
    agent: AgentArgument,
    text: Annotated[str | None, typer.Argument(metavar="[TEXT]", help="The instructions; - reads them.")] = None,
    file: Annotated[Path | None, typer.Option("--file", metavar="FILE", help="Read them from a file.")] = None,
    project: ProjectOption = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Keep instructions for an agent. They win over every AGENTS.md; running tasks use them from the next turn on."""
    _known_agent(agent)
    kept = _ask(load_settings(data_dir), _wanted(agent, project, workspace, _text(text, file)))
    if as_json:
        say(json.dumps({"agent": agent, **kept.model_dump()}))
        return
    where = f" in the project {kept.project}" if kept.project else ""
    say(f"kept{where} as version {kept.version}" if kept.changed else f"unchanged{where}; it is version {kept.version}")


@app.command()
def show(
    agent: Annotated[str | None, typer.Argument(metavar="[AGENT]", help="Only this one's, with its text.")] = None,
    project: ProjectOption = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Show what is kept: a line for each agent, or the text of one."""
    rows = asyncio.run(_rows(load_settings(data_dir)))
    if project is not None:
        rows = [row for row in rows if row.project == project]
    if workspace is not None:
        rows = [row for row in rows if row.workspace == _folder(workspace)]
    if agent is not None:
        rows = [row for row in rows if row.agent == agent]
        if not rows:
            raise ArreioError(f"no instructions are kept for {agent}", f"arreio instructions set {agent} TEXT")
    for row in rows:
        if as_json:
            say_json({**row._asdict(), "updated_at": row.updated_at.isoformat()})
            continue
        where = f" in {row.project} ({row.workspace or 'no folder'})" if row.project else ""
        when = row.updated_at.astimezone().strftime("%Y-%m-%d %H:%M:%S")
        say(f"{row.agent}{where}: version {row.version}, {when}, {len(row.text.encode())} bytes")
        if agent is not None:
            say(row.text)
    if not rows and not as_json:
        say("no instructions are kept")


@app.command()
def rm(
    agent: AgentArgument,
    project: ProjectOption = None,
    workspace: WorkspaceOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Remove what is kept for an agent."""
    kept = _ask(load_settings(data_dir), _wanted(agent, project, workspace, None))
    if not kept.changed:
        where = f" in {project or workspace}" if project or workspace else ""
        raise ArreioError(f"no instructions are kept for {agent}{where}", "see 'arreio instructions show'")
    say("removed")


def _known_agent(agent: str) -> None:
    from services.context_builder.agents import UnknownAgent, identity

    try:
        identity(agent)
    except UnknownAgent as error:
        raise ArreioError(str(error)) from error


def _text(text: str | None, file: Path | None) -> str:
    if (text is None) == (file is None):
        raise ArreioError("give the instructions once", "arreio instructions set AGENT TEXT, or --file FILE")
    try:
        if text == "-" or str(file) == "-":
            raw = sys.stdin.buffer.read()
        elif file is not None:
            raw = file.read_bytes()
        else:
            return text or ""
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        raise ArreioError(f"{file}: {error.strerror}", "name a readable file") from error
    except UnicodeDecodeError as error:
        raise ArreioError(f"{file or 'standard input'} is not UTF-8 (byte {error.start})") from error


def _folder(workspace: Path) -> str:
    """A workspace as projects name it: without links, as tasks resolve it."""
    place = str(workspace.resolve())
    try:
        place.encode()
    except UnicodeEncodeError as error:
        raise ArreioError(f"the path {place} is not UTF-8", "rename the folder, or give --project alone") from error
    return place


def _wanted(agent: str, project: str | None, workspace: Path | None, text: str | None) -> SetInstructions:
    if workspace is not None and text is not None and not workspace.is_dir():
        raise ArreioError(f"no such workspace: {workspace}", "name an existing folder with --workspace")
    place = None if workspace is None else _folder(workspace)
    try:
        return SetInstructions(agent=agent, project=project, workspace=place, text=text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise ArreioError(f"{first['loc'][0]}: {first['msg'].removeprefix('Value error, ')}") from error


def _ask(settings: Settings, wanted: SetInstructions) -> InstructionsKept:
    hint = "see 'arreio instructions --help'"
    return asyncio.run(ask(settings, subjects.RPC_INSTRUCTIONS, wanted, InstructionsKept, hint=hint))


async def _rows(settings: Settings) -> list[Row]:
    async with reading(settings) as pool, pool.connection() as connection:
        cursor = await connection.execute(
            "SELECT agent, project, workspace, version, kept.updated_at, text FROM gateway.agent_instructions AS kept "
            "LEFT JOIN gateway.projects ON slug = project ORDER BY agent, project NULLS FIRST"
        )
        return [Row(*row) for row in await cursor.fetchall()]

"""`arreio context show`: what a prompt is made of, layer by layer, and what was left out; also of turns in the past."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arreio.options import DataDirOption, JsonOption
from shared.errors import ArreioError
from shared.settings import Settings, load_settings

if TYPE_CHECKING:
    from services.context_builder.layers import LayerName
    from services.context_builder.rows import FromDatabase

app = typer.Typer(no_args_is_help=True, help="Show what a prompt is made of.")

DIFFERS = 5
"""Exit status when a recorded prompt does not come out with its recorded hash."""

_FORM = 'it is {LAYER: {"units": [{"id", "text", "order", "pinned"?}]} | {"blob": TEXT}}'


@app.callback()
def _group() -> None:
    """Show what a prompt is made of."""


@app.command()
def show(
    workspace: Annotated[
        Path | None, typer.Option("--workspace", "-w", metavar="DIR", help="The folder; the current one if not given.")
    ] = None,
    agent: Annotated[str, typer.Option(metavar="SLUG", help="Whose identity to show.")] = "developer",
    budget: Annotated[list[str] | None, typer.Option(metavar="LAYER=N", help="Tokens of a layer; repeatable.")] = None,
    tokenizer: Annotated[
        str | None, typer.Option(metavar="NAME", help="approx, approx:FACTOR or tiktoken:ENCODING.")
    ] = None,
    layers: Annotated[
        Path | None, typer.Option(metavar="FILE.json", help="Layers that replace collected ones; - reads stdin.")
    ] = None,
    ignored: Annotated[
        str, typer.Option(metavar="skip|load", help="AGENTS.md in directories that git ignores.")
    ] = "skip",
    touched: Annotated[
        list[str] | None, typer.Option(metavar="PATH", help="Only AGENTS.md on the way to this path; repeatable.")
    ] = None,
    session: Annotated[
        str | None, typer.Option(metavar="S", help="Show a recorded prompt of this session instead.")
    ] = None,
    at: Annotated[int | None, typer.Option("--at", min=1, metavar="SEQ", help="The last one up to this event.")] = None,
    task: Annotated[str | None, typer.Option(metavar="T", help="Of this task.")] = None,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Show each layer with its tokens, what was dropped and why, and the assembled prompt.

    Needs no engine; with one that is up, the database's rows are told too. --session shows a prompt of the past, byte
    for byte as the model got it.
    """
    from arreio.context_view import print_json, print_view

    settings = load_settings(data_dir)
    if session is not None:
        found = asyncio.run(_recorded(settings, session, at, task))
    else:
        if at is not None or task is not None:
            raise ArreioError("--at and --task belong to --session")
        found = _assembled(settings, workspace or Path.cwd(), agent, budget or [], tokenizer, layers, ignored, touched)
    (print_json if as_json else print_view)(found)
    if found.get("differs"):
        raise typer.Exit(DIFFERS)


def _assembled(
    settings: Settings,
    workspace: Path,
    agent: str,
    budget: list[str],
    tokenizer: str | None,
    layers: Path | None,
    ignored: str,
    touched: list[str] | None,
) -> dict[str, Any]:
    from services.context_builder import showing
    from services.context_builder.agents import UnknownAgent
    from services.context_builder.layers import ContextUnfittable
    from services.context_builder.tokenizers import UnknownTokenizer
    from services.context_builder.tokenizers import tokenizer as named

    if not workspace.is_dir():
        raise ArreioError(f"no such workspace: {workspace}", "name an existing folder with --workspace")
    if ignored not in ("skip", "load"):
        raise ArreioError(f"--ignored {ignored}: it is skip or load")
    budgets = _budgets(budget)
    try:
        given = showing.read_layers(_read(layers)) if layers is not None else {}
        shown = showing.show(
            workspace,
            agent,
            named(tokenizer or settings.tokenizer or "approx"),
            budgets=budgets,
            layers=given,
            rows=_rows(settings, agent, workspace),
            ignored="load" if ignored == "load" else "skip",
            touched=touched,
        )
    except showing.BadLayers as error:
        raise ArreioError(f"{layers}: {error}", _FORM) from error
    except (UnknownAgent, UnknownTokenizer) as error:
        raise ArreioError(str(error)) from error
    except ContextUnfittable as error:
        raise ArreioError(f"{error.code}: {error}") from error
    return shown.as_json()


def _budgets(options: list[str]) -> dict[LayerName, int]:
    from services.context_builder.layers import LayerName

    found = {}
    for option in options:
        name, _, number = option.partition("=")
        if name not in set(LayerName):
            raise ArreioError(f"--budget {option}: no such layer", f"the layers are {', '.join(LayerName)}")
        if not (number.isascii() and number.isdigit()):
            raise ArreioError(f"--budget {option}: {number!r} is not a number of tokens", f"write --budget {name}=1000")
        found[LayerName(name)] = int(number)
    return found


def _read(file: Path) -> object:
    try:
        content = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        return json.loads(content)
    except OSError as error:
        raise ArreioError(f"{file}: {error.strerror}", "name a readable file of layers") from error
    except (ValueError, RecursionError) as error:
        raise ArreioError(f"{file} is not JSON: {error}", _FORM) from error


def _rows(settings: Settings, agent: str, workspace: Path) -> FromDatabase | None:
    """The database's rows, where an engine is up; that it cannot be read is said, and no error."""
    from shared.engine.errors import EngineDown

    try:
        dsn = settings.database_dsn("operator")
    except EngineDown:
        return None
    try:
        return asyncio.run(_from_database(dsn, agent, workspace))
    except ArreioError as error:
        problem = error.message
    except Exception as error:
        if type(error).__module__.partition(".")[0] not in ("psycopg", "psycopg_pool"):
            raise
        problem = str(error)
    sys.stderr.write(f"arreio: the database's rows are not shown: {' '.join(problem.split())}\n")
    return None


async def _from_database(dsn: str, agent: str, workspace: Path) -> FromDatabase:
    from services.context_builder.database import PostgresRows
    from arreio.reading import reaching

    async with reaching(dsn, size=1) as pool:
        return await PostgresRows(pool).read(agent, str(workspace.resolve()))


async def _recorded(settings: Settings, session: str, at: int | None, task: str | None) -> dict[str, Any]:
    """The last prompt of a session up to an event, out of its manifest and the blobs."""
    from arreio_contracts.events import ContextBuilt

    from arreio.reading import reading
    from services.tool_loop.prompts import rebuild
    from shared.canonical import canonical_json, sha256_hex
    from shared.store.blobs import BlobStore
    from shared.store.events import EventStore

    async with reading(settings) as pool:
        events = await EventStore(pool).read(session, upto=at, types=("context.built",))
        events = [event for event in events if task is None or event.task_id == task]
        if not events:
            where = f" up to event {at}" if at is not None else ""
            raise ArreioError(f"session {session} has no prompt{where}", "see 'arreio events show'")
        manifest = ContextBuilt.model_validate(events[-1].data).manifest
        about = {"session_id": session, "task_id": events[-1].task_id, "seq": events[-1].seq}
        if manifest.unfittable:
            raise ArreioError(f"event {events[-1].seq} records that no prompt could be made: {manifest.unfittable}")
        messages = await rebuild(BlobStore(pool), manifest)
    from services.context_builder.showing import recorded

    prompt = canonical_json(messages)
    found = {**about, **recorded(manifest), "sha256": sha256_hex(prompt), "prompt": prompt, "messages": messages}
    return found if found["sha256"] == manifest.prompt_sha256 else {**found, "differs": manifest.prompt_sha256}

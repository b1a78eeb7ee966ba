"""`arreio context show`: what a prompt is made of, layer by layer, and what was left out; also of turns in the past."""

from __future__ import annotations

import asyncio
import json
import os
import select
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arreio.options import LARGEST_SEQ, DataDirOption, JsonOption, folder, here, say_json
from arreio.terminal import visible
from shared.errors import ArreioError
from shared.settings import Settings, load_settings

if TYPE_CHECKING:
    from services.context_builder.layers import LayerName
    from services.context_builder.rows import FromDatabase

app = typer.Typer(no_args_is_help=True, help="Show what a prompt is made of.")

DIFFERS = 5
"""Exit status when a recorded prompt does not come out with its recorded hash."""

_DIGITS = 9
_PATIENCE = 2
_LARGEST = 64 << 20

_FORM = 'it is {LAYER: {"units": [{"id", "text", "order", "pinned"?}]} | {"blob": TEXT}}'


@app.callback()
def _group() -> None:
    """Show what a prompt is made of."""


@app.command()
def show(
    workspace: Annotated[
        Path | None,
        typer.Option(
            "--workspace", "-w", metavar="DIR", parser=folder, help="The folder; the current one if not given."
        ),
    ] = None,
    agent: Annotated[
        str | None, typer.Option(metavar="SLUG", help="Whose identity to show; developer if not given.")
    ] = None,
    budget: Annotated[list[str] | None, typer.Option(metavar="LAYER=N", help="Tokens of a layer; repeatable.")] = None,
    tokenizer: Annotated[
        str | None, typer.Option(metavar="NAME", help="approx, approx:FACTOR or tiktoken:ENCODING.")
    ] = None,
    layers: Annotated[
        Path | None, typer.Option(metavar="FILE.json", help="Layers that replace collected ones; - reads stdin.")
    ] = None,
    ignored: Annotated[
        str | None, typer.Option(metavar="skip|load", help="AGENTS.md in directories that git ignores.")
    ] = None,
    touched: Annotated[
        list[str] | None, typer.Option(metavar="PATH", help="Only AGENTS.md on the way to this path; repeatable.")
    ] = None,
    session: Annotated[
        str | None, typer.Option(metavar="S", help="Show a recorded prompt of this session instead.")
    ] = None,
    at: Annotated[
        int | None, typer.Option("--at", min=1, max=LARGEST_SEQ, metavar="SEQ", help="The last one up to this event.")
    ] = None,
    task: Annotated[str | None, typer.Option(metavar="T", help="Of this task.")] = None,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Show each layer with its tokens, what was dropped and why, and the assembled prompt.

    Needs no engine; with one that is up, the database's rows are told too. --session shows a prompt of the past, byte
    for byte as the model got it.
    """
    from arreio.context_view import print_view

    settings = load_settings(data_dir)
    if session is not None:
        collecting = {"workspace": workspace, "agent": agent, "budget": budget, "tokenizer": tokenizer}
        collecting |= {"layers": layers, "ignored": ignored, "touched": touched}
        given = next((name for name, value in collecting.items() if value is not None and value != []), None)
        if given is not None:
            raise ArreioError(f"--{given} does not go with --session", "a recorded prompt is shown as it was")
        found = asyncio.run(_recorded(settings, session, at, task))
    else:
        if at is not None or task is not None:
            raise ArreioError("--at and --task belong to --session")
        place = workspace or here()
        found = _assembled(settings, place, agent or "developer", budget or [], tokenizer, layers, ignored, touched)
    (say_json if as_json else print_view)(found)
    if found.get("differs"):
        raise typer.Exit(DIFFERS)


def _assembled(
    settings: Settings,
    workspace: Path,
    agent: str,
    budget: list[str],
    tokenizer: str | None,
    layers: Path | None,
    ignored: str | None,
    touched: list[str] | None,
) -> dict[str, Any]:
    from services.context_builder import showing
    from services.context_builder.agents import UnknownAgent
    from services.context_builder.layers import ContextUnfittable
    from services.context_builder.tokenizers import UnknownTokenizer
    from services.context_builder.tokenizers import tokenizer as named

    if not workspace.is_dir():
        raise ArreioError(f"no such workspace: {workspace}", "name an existing folder with --workspace")
    if ignored not in (None, "skip", "load"):
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
            touched=[_relative(workspace, path) for path in touched] if touched else None,
        )
    except showing.BadLayers as error:
        raise ArreioError(f"{layers}: {error}", _FORM) from error
    except (UnknownAgent, UnknownTokenizer) as error:
        raise ArreioError(str(error)) from error
    except ContextUnfittable as error:
        raise ArreioError(f"{error.code}: {error}", f"here, give --budget {error.layer}=N") from error
    return shown.as_json()


def _relative(workspace: Path, path: str) -> str:
    """A path in the workspace as tasks name it, whether or not there is such a file."""
    root = os.path.realpath(workspace)
    place = os.path.relpath(os.path.normpath(os.path.join(root, path)), root)  # noqa: PTH118 - nothing is followed
    if place == os.pardir or place.startswith(f"{os.pardir}/"):
        raise ArreioError(f"--touched {path}: it is not in {workspace}", "name a path in the workspace")
    # Of a directory its own instructions count, as where something in it was touched.
    return os.path.normpath(f"{place}/…") if os.path.isdir(f"{root}/{place}") else place  # noqa: PTH112


def _budgets(options: list[str]) -> dict[LayerName, int]:
    from services.context_builder.layers import LayerName

    found = {}
    for option in options:
        name, _, number = option.partition("=")
        if name not in set(LayerName):
            raise ArreioError(f"--budget {option}: no such layer", f"the layers are {', '.join(LayerName)}")
        if not (number.isascii() and number.isdigit()):
            raise ArreioError(f"--budget {option}: {number!r} is not a number of tokens", f"write --budget {name}=1000")
        if len(number.lstrip("0")) > _DIGITS:
            raise ArreioError(f"--budget {name}: more than {_DIGITS} digits", f"write --budget {name}=1000")
        found[LayerName(name)] = int(number)
    return found


def _read(file: Path) -> object:
    try:
        content = sys.stdin.buffer.read() if str(file) == "-" else _content(file)
        return json.loads(content, object_pairs_hook=_without_twins)
    except OSError as error:
        raise ArreioError(f"{file}: {error.strerror}", "name a readable file of layers") from error
    except (ValueError, RecursionError) as error:
        raise ArreioError(f"{file} is not JSON: {error}", _FORM) from error


def _content(file: Path) -> bytes:
    """All of a file; of a pipe, what its writer sends without a pause of two seconds."""
    found = b""
    descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb"):
        while select.select([descriptor], [], [], _PATIENCE)[0]:
            more = os.read(descriptor, 1 << 20)
            found += more
            if not more:
                return found
            if len(found) > _LARGEST:
                raise ArreioError(f"{file}: larger than {_LARGEST} bytes", "name a smaller file of layers")
    raise ArreioError(f"{file}: nothing came in {_PATIENCE} seconds", "name a readable file of layers")


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(name for name in names if names.count(name) > 1)!r} is given twice")
    return found


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
    sys.stderr.write(f"arreio: the database's rows are not shown: {visible(' '.join(problem.split()))}\n")
    return None


async def _from_database(dsn: str, agent: str, workspace: Path) -> FromDatabase:
    from arreio.reading import reaching
    from services.context_builder.database import PostgresRows

    async with reaching(dsn, size=1) as pool:
        return await PostgresRows(pool).read(agent, str(workspace.resolve()))


async def _recorded(settings: Settings, session: str, at: int | None, task: str | None) -> dict[str, Any]:
    from arreio.reading import reading
    from arreio.recorded_prompt import recorded_prompt

    async with reading(settings) as pool:
        return await recorded_prompt(pool, session, at, task)

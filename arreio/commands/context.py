"""`arreio context show`: what a prompt is made of, layer by layer, and what was left out."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arreio.options import JsonOption, say
from shared.errors import ArreioError

if TYPE_CHECKING:
    from services.context_builder.assembler import LayerName, LayerReport
    from services.context_builder.showing import Shown

app = typer.Typer(no_args_is_help=True, help="Show what a prompt is made of.")

_BAR = 24
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
    tokenizer: Annotated[str, typer.Option(metavar="NAME", help="approx or tiktoken:ENCODING.")] = "approx",
    layers: Annotated[
        Path | None, typer.Option(metavar="FILE.json", help="Layers that replace collected ones; - reads stdin.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show each layer with its tokens, what was dropped and why, and the assembled prompt. Needs no engine."""
    from services.context_builder import showing
    from services.context_builder.agents import UnknownAgent
    from services.context_builder.assembler import ContextUnfittable
    from services.context_builder.tokenizers import UnknownTokenizer
    from services.context_builder.tokenizers import tokenizer as named

    place = workspace or Path.cwd()
    if not place.is_dir():
        raise ArreioError(f"no such workspace: {place}", "name an existing folder with --workspace")
    budgets = _budgets(budget or [])
    try:
        given = showing.read_layers(_read(layers)) if layers is not None else {}
        shown = showing.show(place, agent, named(tokenizer), budgets=budgets, layers=given)
    except showing.BadLayers as error:
        raise ArreioError(f"{layers}: {error}", _FORM) from error
    except (UnknownAgent, UnknownTokenizer) as error:
        raise ArreioError(str(error)) from error
    except ContextUnfittable as error:
        raise ArreioError(f"{error.code}: {error}") from error
    if as_json:
        say(json.dumps(shown.as_json(), ensure_ascii=False))
    else:
        _print(shown)


def _budgets(options: list[str]) -> dict[LayerName, int]:
    from services.context_builder.assembler import LayerName

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


def _print(shown: Shown) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    table = Table(box=None, pad_edge=False)
    for heading in ("layer", "", "tokens", "budget", "kept", "dropped"):
        table.add_column(heading, justify="right" if heading in ("tokens", "budget", "kept", "dropped") else "left")
    for layer in shown.assembled.layers:
        report = layer.report
        tokens = f"{'~' if report.estimated else ''}{report.tokens}"
        dropped = "cut" if report.truncated else str(len(report.dropped) or "")
        table.add_row(report.name.value, _bar(report), tokens, str(report.budget), str(len(report.kept)), dropped)
    console.print(table)
    for layer in shown.assembled.layers:
        for unit in layer.report.dropped:
            line = f"dropped {layer.report.name.value}/{unit.id} ({unit.tokens} tokens): {unit.why}"
            console.print(line, markup=False, soft_wrap=True)
    for file in shown.skipped:
        console.print(f"skipped {file.path}: {file.why}", markup=False, soft_wrap=True)
    estimated = " (estimated)" if any(layer.report.estimated for layer in shown.assembled.layers) else ""
    console.print(f"{shown.assembled.tokens} tokens{estimated}, sha256 {shown.assembled.sha256}", soft_wrap=True)
    console.rule(style="dim")
    console.print(shown.assembled.prompt.rstrip("\n"), markup=False, soft_wrap=True)


def _bar(report: LayerReport) -> str:
    full = min(_BAR, round(_BAR * report.tokens / report.budget)) if report.budget else 0
    full = max(full, 1) if report.tokens else 0
    return "█" * full + "░" * (_BAR - full)

"""Options that many commands share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

DataDirOption = Annotated[
    Path | None,
    typer.Option(
        "--data-dir", metavar="DIR", help="Where all state lives (else ARREIO_HOME, else the user's data directory)."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Answer in JSON, for programs.")]


def say_json(value: Any) -> None:
    """Write one line of JSON; characters that UTF-8 cannot hold are escaped."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        text = json.dumps(value)
    typer.echo(text)


def say(text: str) -> None:
    """Write one line on standard output; what UTF-8 cannot hold is shown as `?`."""
    typer.echo(text.encode("utf-8", "replace").decode())

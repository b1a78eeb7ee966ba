"""Options that many commands share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from arreio.terminal import holds_unicode, visible
from shared.errors import ArreioError

DataDirOption = Annotated[
    Path | None,
    typer.Option(
        "--data-dir", metavar="DIR", help="Where all state lives (else ARREIO_HOME, else the user's data directory)."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Answer in JSON, for programs.")]


def folder(value: str) -> Path:
    """What an option names a folder by.

    Raises:
        ArreioError: it is empty, which would be the current one.
    """
    if not value:
        raise ArreioError("--workspace is empty", "name a folder, or leave it out for the current one")
    return Path(value)


LARGEST_SEQ = (1 << 63) - 1


def here() -> Path:
    """The current directory.

    Raises:
        ArreioError: it was deleted.
    """
    try:
        return Path.cwd()
    except OSError as error:
        raise ArreioError(
            f"the current directory cannot be used: {error.strerror}", "go to another, or name one with --workspace"
        ) from error


def json_line(value: Any) -> str:
    """One line of JSON; characters that standard output cannot hold are escaped."""
    text = json.dumps(value, ensure_ascii=not holds_unicode())
    try:
        text.encode()
    except UnicodeEncodeError:
        text = json.dumps(value)
    return text


def say_json(value: Any) -> None:
    """Write one line of JSON on standard output."""
    typer.echo(json_line(value))


def say(text: str) -> None:
    """Write text for a person on standard output; what could steer a terminal is shown as escapes."""
    typer.echo(visible(text))

"""`arreio backup DIR`: a consistent copy of the data directory."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arreio.options import DataDirOption, say


def backup(
    target: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the copy, which is not there yet.")],
    data_dir: DataDirOption = None,
) -> None:
    """Copy database, snapshots, workspaces and credentials as of one moment, while everything runs.

    `arreio up --data-dir DIR` goes on from the copy; the original must not run any more then, or tasks are done twice.
    """
    from arreio.backing_up import back_up
    from arreio.launcher import ensure_up
    from shared.settings import load_settings

    settings = load_settings(data_dir)
    if settings.embedded:
        ensure_up(settings, keep=False)
    place = target.absolute()
    back_up(settings, place)
    say(f"copied to {place}: once this data directory is down, `arreio up --data-dir {place}` goes on from it")

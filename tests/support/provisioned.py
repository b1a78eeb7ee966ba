"""A provisioned data directory, made once a test process and copied, which is quicker than making it."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from shared.engine.engine import running_engine
from shared.provision import provision
from shared.settings import Settings


def lay(place: Path) -> None:
    """Make `place` the data directory of an engine that was provisioned, with nothing in it, and stopped.

    One that has a cluster already stays as it is.
    """
    if not (place / "pg").exists():
        shutil.copytree(_made(), place, symlinks=True, ignore=_of_a_run, dirs_exist_ok=True)


@cache
def _made() -> Path:
    place = Path(tempfile.mkdtemp(prefix="provisioned-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    settings = Settings(home=place, database_url=None, nats_url=None)
    with running_engine(settings):
        provision(settings)
    return place


def _of_a_run(folder: str, names: list[str]) -> list[str]:
    """What belongs to the engine that ran there: its port, its locks, its logs."""
    return [name for name in names if name in ("run", "logs")] if Path(folder) == _made() else []

"""A consistent copy of a data directory while everything runs: `arreio up --data-dir COPY` goes on from it.

PostgreSQL is copied first, as of one moment, and what events point to (snapshots, workspaces) after it: what was there
at that moment is still there. NATS is not copied: its streams are made anew, and the sweeps find what is due.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from shared.engine.child import clean_environment, postgres_binary
from shared.engine.paths import DataDir, os_error
from shared.errors import ArreioError
from shared.settings import Settings

_LEFT_OUT: Final = ("pg", "nats", "run", "logs", "locks")


class BackupFailed(ArreioError):
    """A copy could not be made; nothing is left of it."""


def back_up(settings: Settings, target: Path) -> None:
    """Write a copy of the data directory, of which the engine is up, to a folder that is not there yet.

    Raises:
        BackupFailed: the servers are not those of the data directory, the folder is there, or a program failed.
        DataDirError, DiskFull: the folder cannot be written.
    """
    if not settings.embedded:
        raise BackupFailed("the servers are not Arreio's own", "copy them by their own tools, as pg_basebackup")
    if target.exists():
        raise BackupFailed(f"{target} is there already", "name a folder that is not")
    unfinished = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        unfinished.mkdir(mode=0o700, parents=True)
        _copy_cluster(settings.database_dsn("admin"), unfinished)
        _copy_files(settings.home, unfinished)
        unfinished.rename(target)
    except OSError as error:
        raise os_error(error, target) from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _copy_cluster(dsn: str, place: Path) -> None:
    """Copy PostgreSQL with the log that makes the copy one moment's, and check every file against its checksum."""
    found = conninfo_to_dict(dsn)
    # On the command line every user of the machine could read it.
    password = str(found.pop("password"))
    cluster = str(DataDir(place).postgres)
    where = make_conninfo(**{name: str(value) for name, value in found.items() if name != "dbname"})
    _run("pg_basebackup", ["-d", where, "-D", cluster, "-X", "stream", "--checkpoint=fast"], password)
    _run("pg_verifybackup", ["--quiet", cluster], password)


def _run(program: str, arguments: list[str], password: str) -> None:
    done = subprocess.run(
        [str(postgres_binary(program)), *arguments],
        env={**clean_environment(), "PGPASSWORD": password},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise BackupFailed(f"{program}: {said[-1]}", "is there room, and does `arreio doctor` find anything?")


def _copy_files(source: Path, target: Path) -> None:
    for entry in sorted(source.iterdir()):
        if entry.name in _LEFT_OUT or entry.name.startswith((".", "pg.")):
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.copytree(entry, target / entry.name, symlinks=True, ignore=_special, copy_function=_copy)
        else:
            _copy(str(entry), str(target / entry.name))


def _copy(source: str, target: str) -> None:
    # Tasks go on: what is deleted meanwhile was not to be kept.
    with contextlib.suppress(FileNotFoundError):
        shutil.copy2(source, target, follow_symlinks=False)


def _special(folder: str, names: Iterable[str]) -> set[str]:
    """Sockets, pipes and devices, of which there is no copy."""
    kept = (stat.S_ISREG, stat.S_ISDIR, stat.S_ISLNK)

    def is_special(name: str) -> bool:
        try:
            mode = (Path(folder) / name).lstat().st_mode
        except FileNotFoundError:
            return True
        return not any(kind(mode) for kind in kept)

    return {name for name in names if is_special(name)}

"""The PostgreSQL cluster on disk: made in one step, checked before use, its roles given their passwords."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from shared.engine.child import clean_environment, in_user_namespace, postgres_binary
from shared.engine.credentials import ADMIN_ROLE, LOGIN_ROLES, Credentials
from shared.engine.errors import (
    DataDirError,
    DiskFull,
    EngineError,
    NoUserNamespace,
    StartFailed,
    WrongVersion,
)
from shared.engine.paths import DataDir, os_error, write_private
from shared.processes import die_with_parent

VERSION = "18"
OWNER_ROLE = "arreio_owner"
DATABASE = "arreio"
_STAMP = "arreio.roles"
_PREDECESSOR_PATIENCE = 15.0


def ensure_cluster(data_dir: DataDir, credentials: Credentials) -> None:
    """Have a cluster of our version with the database `arreio` and every role's present password.

    No server may run on it. Raises WrongVersion, DataDirError, DiskFull, NoUserNamespace or StartFailed.
    """
    cluster = data_dir.postgres
    try:
        for leftover in data_dir.root.glob("pg.new-*"):
            shutil.rmtree(leftover, ignore_errors=True)
        if not _exists(cluster):
            _make(data_dir, credentials)
        elif not _stamp_is_current(cluster, credentials):
            _set_roles(data_dir, cluster, credentials)
    except OSError as error:
        raise os_error(error, cluster) from None


def why_unusable(data_dir: DataDir, lines: Sequence[str], log: Path, status: int | None) -> EngineError:
    """The one-line error for a PostgreSQL program that ended, from what it wrote."""
    text = "\n".join(lines)
    if any(sign in text for sign in ("No space left on device", "Check free disk space", "Disk quota exceeded")):
        return DiskFull(data_dir.postgres)
    for line in lines:
        if line.startswith("bwrap: "):
            return NoUserNamespace(line.removeprefix("bwrap: "))
    telling = [line for line in lines if any(mark in line for mark in ("FATAL:", "PANIC:", "error:", "ERROR:"))]
    reason = telling[-1] if telling else (lines[-1] if lines else f"exit status {status}")
    for mark in ("FATAL:", "PANIC:", "ERROR:", "error:"):
        reason = reason.rpartition(mark)[2].strip() if mark in reason else reason
    if "incompatible with server" in text:
        return WrongVersion(reason, "use the Arreio that made it, or choose another --data-dir")
    hint = f"restore a backup or move {data_dir.postgres} away"
    return StartFailed("PostgreSQL", reason, log, hint)


def _exists(cluster: Path) -> bool:
    try:
        version = (cluster / "PG_VERSION").read_text().strip()
    except FileNotFoundError:
        if cluster.exists() and (not cluster.is_dir() or any(cluster.iterdir())):
            raise DataDirError(f"{cluster} is there but is no PostgreSQL cluster") from None
        return False
    if version != VERSION:
        raise WrongVersion(
            f"{cluster} was made by PostgreSQL {version[:20]}, and this Arreio brings {VERSION}",
            "use the Arreio that made it, or choose another --data-dir",
        )
    return True


def _make(data_dir: DataDir, credentials: Credentials) -> None:
    """Make the cluster aside and rename it whole: a crash leaves nothing half-made under the final name."""
    new = data_dir.root / f"pg.new-{os.getpid()}"
    password_file = data_dir.run / "initdb.password"
    write_private(password_file, credentials.postgres[ADMIN_ROLE] + "\n")
    try:
        command = [str(postgres_binary("initdb")), "-D", str(new), "-U", ADMIN_ROLE, f"--pwfile={password_file}"]
        command += ["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--locale-provider=builtin"]
        command += ["--builtin-locale=C.UTF-8", "--no-instructions"]
        command += ["--set", "dynamic_shared_memory_type=mmap"]
        status, lines = _run(in_user_namespace(command, data_dir, needs_passwd=True))
        if status != 0:
            raise why_unusable(data_dir, lines, data_dir.logs / "postgres.log", status)
        _set_roles(data_dir, new, credentials)
        with contextlib.suppress(OSError):
            data_dir.postgres.rmdir()
        new.rename(data_dir.postgres)
    finally:
        password_file.unlink(missing_ok=True)
        shutil.rmtree(new, ignore_errors=True)


def _set_roles(data_dir: DataDir, cluster: Path, credentials: Credentials) -> None:
    """Create database and roles where missing and set passwords, in single-user mode: it needs no password itself."""
    statements = [f"CREATE DATABASE {DATABASE};", _create_role(OWNER_ROLE)]
    statements += [_create_role(role) for role in LOGIN_ROLES]
    statements += [
        f"ALTER ROLE {role} LOGIN PASSWORD '{credentials.postgres[role]}';" for role in (ADMIN_ROLE, *LOGIN_ROLES)
    ]
    statements += [f"ALTER DATABASE {DATABASE} OWNER TO {OWNER_ROLE};"]
    command = [str(postgres_binary("postgres")), "--single", "-D", str(cluster), "-c", "log_min_messages=error"]
    command += ["-c", "log_checkpoints=off", "-c", "dynamic_shared_memory_type=mmap", "postgres"]
    wrapped = in_user_namespace(command, data_dir, needs_passwd=True)
    deadline = time.monotonic() + _PREDECESSOR_PATIENCE
    while True:
        status, lines = _run(wrapped, "\n".join(statements) + "\n")
        if "pre-existing shared memory block" not in "\n".join(lines) or time.monotonic() > deadline:
            break
        time.sleep(0.1)
    problems = [line for line in lines if "ERROR:" in line and "already exists" not in line]
    if status != 0 or problems:
        raise why_unusable(data_dir, problems or lines, data_dir.logs / "postgres.log", status)
    write_private(cluster / _STAMP, _fingerprint(credentials))


def _create_role(role: str) -> str:
    return (
        f"DO $$BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{role}') "
        f"THEN CREATE ROLE {role}; END IF; END$$;"
    )


def _stamp_is_current(cluster: Path, credentials: Credentials) -> bool:
    try:
        return (cluster / _STAMP).read_text() == _fingerprint(credentials)
    except OSError:
        return False


def _fingerprint(credentials: Credentials) -> str:
    return hashlib.sha256(json.dumps(credentials.postgres, sort_keys=True).encode()).hexdigest()


def _run(command: Sequence[str], text: str = "") -> tuple[int, list[str]]:
    parent = os.getpid()
    done = subprocess.run(
        command,
        input=text.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=clean_environment(),
        cwd="/",
        start_new_session=True,
        preexec_fn=lambda: die_with_parent(parent, signal.SIGKILL),
        check=False,
    )
    return done.returncode, done.stdout.decode(errors="replace").splitlines()

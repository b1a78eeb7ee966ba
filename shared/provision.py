"""Provisioning: roles, schemas, migrations, grants, streams and consumers, made or brought up to date by one call."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import psycopg
from psycopg import sql

from shared.bus import service_rights, streams
from shared.engine.nats_config import rights
from shared.errors import ArreioError
from shared.served_code import (
    BREAKS_OLDER,
    NatsRight,
    now_served,
    provisioned_for,
    served,
    takes_away,
    takes_nats,
)
from shared.store import writers
from shared.store.roles_rights import rights_of

if TYPE_CHECKING:
    from alembic.script.base import Script
    from nats.js import JetStreamContext

    from shared.settings import Settings

log = logging.getLogger(__name__)

Result = TypeVar("Result")

OWNER: Final = "arreio_owner"
LOGINS: Final = (
    "arreio_gateway",
    "arreio_context_builder",
    "arreio_tool_loop",
    "arreio_gate_runner",
    "arreio_learning",
    "arreio_console",
    "arreio_operator",
    "arreio_maintenance",
)
SCHEMAS: Final = ("arreio", "gateway", "learning", "console")
MIGRATIONS: Final = Path(__file__).resolve().parent.parent / "migrations"
BOUND: Final = tuple(role for role in LOGINS if role != "arreio_operator")
"""The roles that may not take all of the server's connections; the operator is trusted."""
LEAST_CONNECTIONS: Final = 20
_OWN_SETTINGS: Final = """
    SELECT rolname, setting FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole, unnest(setconfig) setting
    WHERE rolname = ANY (%(roles)s)
      AND s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
"""
_CUT_OFF: Final = """
    WITH holding AS MATERIALIZED (
        SELECT a.pid, a.usename FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
        WHERE l.locktype = 'advisory' AND l.granted AND (l.classid, l.objid, l.objsubid) = (0, %(lock)s, 1)
          AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND a.usename = ANY (%(roles)s)
    )
    SELECT usename FROM holding WHERE pg_terminate_backend(pid)
"""
_LOCK: Final = 0x41525245  # "ARRE": two provisionings at once take turns


class ProvisionError(ArreioError):
    """PostgreSQL or NATS refused what provisioning needs."""


@cache
def digests(replicas: int = 1) -> dict[str, str]:
    """What this code would provision: SHA-256 of the schema's files, the streams' definitions, and who may do what.

    What roles may do in the database is one of the schema's files.
    """
    files = hashlib.sha256()
    for path in sorted(
        [*MIGRATIONS.glob("versions/*/*.py"), *MIGRATIONS.glob("versions/*/*.sql"), MIGRATIONS / "grants.sql"]
    ):
        files.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return {
        "schema": files.hexdigest(),
        "streams": streams.digest(1),
        "writers": hashlib.sha256(json.dumps([writers.rows(), sorted(nats_rights())]).encode()).hexdigest(),
        "replicas": str(replicas),
    }


def nats_rights() -> set[NatsRight]:
    """What the NATS users of our own code may do."""
    return rights((service_rights.OPERATOR, *service_rights.SERVICES), streams.CONSUMERS)


def is_current(settings: Settings, role: str = "operator") -> bool:
    """Whether this code, or newer code that serves it, has provisioned this database: one query as `role`.

    Raises:
        ProvisionError: the database cannot be reached.
    """
    try:
        with psycopg.connect(settings.database_dsn(role), autocommit=True, connect_timeout=10) as connection:
            found = connection.execute("SELECT what, digest FROM arreio.provisioned").fetchall()
    except (psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName, psycopg.errors.InsufficientPrivilege):
        return False
    except psycopg.OperationalError as error:
        # A role or a database that does not exist yet, or cannot log in yet, is what provisioning is there to mend.
        if any(sign in str(error) for sign in ("does not exist", "authentication failed", "permission denied")):
            return False
        raise ProvisionError(f"PostgreSQL cannot be reached: {error}", "see `arreio doctor`") from error
    return provisioned_for(dict(found), digests(settings.nats_replicas))


def has_streams(settings: Settings) -> bool:
    """Whether the embedded NATS has every stream: since it was provisioned, its store may have been moved away.

    External servers are believed: whoever runs a service there need not be allowed to look at streams.

    Raises:
        ProvisionError: NATS cannot be reached or refuses.
    """
    if not settings.embedded:
        return True
    return asyncio.run(_with_streams(settings.nats_options("services"), streams.are_there))


def provision(settings: Settings) -> None:
    """Make or bring up to date everything that the services need; safe to repeat and to run twice at once.

    What newer code provisioned that serves this code is left as it is.

    Raises:
        ProvisionError: PostgreSQL or NATS cannot be reached or refuses, or newer code provisioned that does not serve
            this code.
    """
    try:
        with psycopg.connect(settings.database_dsn("admin"), autocommit=True, connect_timeout=10) as lock:
            _take_turn(lock)
            _roles_and_schemas(lock, _passwords(settings))
            _bound_roles(lock, embedded=settings.embedded)
            mine, before = digests(settings.nats_replicas), _provisioned(lock)
            if served(before, mine):
                if not has_streams(settings):
                    asyncio.run(_with_streams(settings.nats_options("services"), streams.apply))
                return
            _migrate(settings.database_dsn("admin"), before, mine)
            make_streams = partial(streams.apply, replicas=settings.nats_replicas)
            asyncio.run(_with_streams(settings.nats_options("services"), make_streams))
            with lock.transaction():
                _set_role(lock, OWNER)
                _note(lock, {**dict.fromkeys(now_served(_provisioned(lock), mine, broken=False), ""), **mine})
    except psycopg.errors.InsufficientPrivilege as error:
        raise ProvisionError(
            f"PostgreSQL: {error.diag.message_primary}",
            "provision with a user that may create roles, and schemas in this database",
        ) from error
    except psycopg.Error as error:
        raise ProvisionError(f"PostgreSQL: {error}", "see `arreio doctor`") from error


def _take_turn(connection: psycopg.Connection[Any]) -> None:
    """Wait for other provisionings. A service, which has no business with their lock, is cut off where it holds it."""
    while True:
        row = connection.execute("SELECT pg_try_advisory_lock(%s)", (_LOCK,)).fetchone()
        if row == (True,):
            return
        for (role,) in connection.execute(_CUT_OFF, {"lock": _LOCK, "roles": list(LOGINS)}).fetchall():
            log.warning("a connection of %s, which held the lock of provisioning, is ended", role)
        time.sleep(0.1)


def _passwords(settings: Settings) -> dict[str, str]:
    """The passwords by role: the embedded engine's own, or those that `ARREIO_ROLE_PASSWORDS` holds."""
    if settings.embedded:
        return settings.credentials().postgres
    folder, found = settings.role_passwords, {}
    for role in LOGINS if folder is not None else ():
        assert folder is not None
        try:
            found[role] = (folder / role).read_text().strip()
        except (OSError, UnicodeDecodeError) as error:
            raise ProvisionError(
                f"the password of {role} cannot be read: {error}", "ARREIO_ROLE_PASSWORDS holds a file for each role"
            ) from error
        if not found[role]:
            raise ProvisionError(f"{folder / role} is empty", "ARREIO_ROLE_PASSWORDS holds a password for each role")
    return found


def _set_role(connection: psycopg.Connection[Any], role: str) -> None:
    connection.execute(sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(role)))


def _roles_and_schemas(connection: psycopg.Connection[Any], passwords: dict[str, str]) -> None:
    with connection.transaction():
        known = {name for (name,) in connection.execute("SELECT rolname FROM pg_roles WHERE rolname LIKE 'arreio%'")}
        database = connection.info.dbname
        for role in (OWNER, *LOGINS):
            name = sql.Identifier(role)
            if role not in known:
                connection.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(name))
            if role in passwords:
                # Not the password itself, which a server that logs statements would write down.
                secret = connection.pgconn.encrypt_password(
                    passwords[role].encode(), role.encode(), b"scram-sha-256"
                ).decode()
                connection.execute(sql.SQL("ALTER ROLE {} LOGIN PASSWORD {}").format(name, sql.Literal(secret)))
            # Superusers need no membership; others must be able to act as each role (settings.database_dsn does).
            if not _superuser(connection):
                connection.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(name))
            connection.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(sql.Identifier(database), name))
        for schema in SCHEMAS:
            connection.execute(
                sql.SQL("CREATE SCHEMA IF NOT EXISTS {} AUTHORIZATION {}").format(
                    sql.Identifier(schema), sql.Identifier(OWNER)
                )
            )


def _bound_roles(connection: psycopg.Connection[Any], *, embedded: bool) -> None:
    """Let no role take all connections, keep settings that it gave itself, or (embedded) make large objects."""
    database = sql.Identifier(connection.info.dbname)
    with connection.transaction():
        for role, setting in connection.execute(_OWN_SETTINGS, {"roles": [OWNER, *LOGINS]}).fetchall():
            log.warning("the setting %s of the role %s is taken away", setting, role)
            name = sql.Identifier(role)
            connection.execute(sql.SQL("ALTER ROLE {} RESET ALL").format(name))
            connection.execute(sql.SQL("ALTER ROLE {} IN DATABASE {} RESET ALL").format(name, database))
        unbound = connection.execute(
            "SELECT rolname, current_setting('max_connections')::integer FROM pg_roles "
            "WHERE rolname = ANY (%s) AND rolconnlimit = -1",
            (list(BOUND),),
        ).fetchall()
        for role, most in unbound:
            limit = sql.Literal(max(LEAST_CONNECTIONS, most // 2))
            connection.execute(sql.SQL("ALTER ROLE {} CONNECTION LIMIT {}").format(sql.Identifier(role), limit))
        if embedded:
            connection.execute(
                "REVOKE EXECUTE ON FUNCTION lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) FROM PUBLIC"
            )


def roles_are_clean(settings: Settings) -> bool:
    """Whether no role of the embedded engine has settings of its own, which a service that was taken over may leave.

    Raises:
        ProvisionError: the database cannot be reached.
    """
    if not settings.embedded:
        return True
    try:
        with psycopg.connect(settings.database_dsn("operator"), autocommit=True, connect_timeout=10) as connection:
            return not connection.execute(_OWN_SETTINGS, {"roles": [OWNER, *LOGINS]}).fetchall()
    except psycopg.OperationalError as error:
        raise ProvisionError(f"PostgreSQL cannot be reached: {error}", "see `arreio doctor`") from error


def _superuser(connection: psycopg.Connection[Any]) -> bool:
    return connection.info.parameter_status("is_superuser") == "on"


def _provisioned(connection: psycopg.Connection[Any]) -> dict[str, str]:
    row = connection.execute("SELECT to_regclass('arreio.provisioned') IS NOT NULL").fetchone()
    if row is None or not row[0]:
        return {}
    with connection.transaction():
        _set_role(connection, OWNER)
        return dict(connection.execute("SELECT what, digest FROM arreio.provisioned").fetchall())


def _note(connection: psycopg.Connection[Any], rows: Mapping[str, str]) -> None:
    connection.execute("DELETE FROM arreio.provisioned")
    for what, digest in rows.items():
        connection.execute("INSERT INTO arreio.provisioned (what, digest) VALUES (%s, %s)", (what, digest))


def _migrate(dsn: str, before: Mapping[str, str], mine: Mapping[str, str]) -> None:
    """Bring schema and rights up to date, and note whom that still serves, in one transaction.

    Where `before` was other code than `mine`, nothing is noted of what is provisioned before the streams are there too.
    """
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError
    from sqlalchemy import create_engine
    from sqlalchemy.exc import DBAPIError
    from sqlalchemy.pool import NullPool

    config = Config()
    config.set_main_option("script_location", _escaped(MIGRATIONS))
    config.set_main_option("path_separator", "newline")
    config.set_main_option("version_locations", "\n".join(map(_escaped, _branches())))
    applied: list[Script] = []
    driver = psycopg.connect(dsn)
    engine = create_engine("postgresql+psycopg://", creator=lambda: driver, poolclass=NullPool)
    try:
        with engine.begin() as connection:
            _set_role(driver, OWNER)
            config.attributes |= {"connection": connection, "applied": applied}
            had = rights_of(driver, LOGINS, SCHEMAS)
            command.upgrade(config, "heads")
            driver.execute((MIGRATIONS / "grants.sql").read_text())
            breaks = (
                any(getattr(script.module, BREAKS_OLDER, False) for script in applied),
                not had <= rights_of(driver, LOGINS, SCHEMAS),
                _writers(driver),
                _nats_rights(driver),
            )
            kept = before if mine.items() <= before.items() else {}
            _note(driver, {**kept, **dict.fromkeys(now_served(before, mine, broken=any(breaks)), "")})
    except CommandError as error:
        raise ProvisionError(
            f"newer code provisioned this database, and does not serve this version: {error}",
            "start that version, or restore the backup that was made before it",
        ) from error
    except DBAPIError as error:
        # SQLAlchemy wraps what its own statements meet; the cause is psycopg's.
        raise (error.orig or error) from error
    finally:
        driver.close()


def _branches() -> list[Path]:
    return sorted(path for path in (MIGRATIONS / "versions").iterdir() if path.name != "__pycache__")


def _writers(connection: psycopg.Connection[Any]) -> bool:
    """Set who may write what; whether a right was taken away, which older code may need."""
    before = connection.execute("SELECT * FROM arreio.writers").fetchall()
    connection.execute("DELETE FROM arreio.writers")
    with connection.cursor() as cursor:
        cursor.executemany("INSERT INTO arreio.writers VALUES (%s, %s, %s, %s, %s, %s, %s)", writers.rows())
    return takes_away(before, writers.rows())


def _nats_rights(connection: psycopg.Connection[Any]) -> bool:
    """Note what our NATS users may do from now on; whether a right was taken away, which older code may need."""
    before = connection.execute("SELECT login, verb, rule, subject FROM arreio.nats_rights").fetchall()
    connection.execute("DELETE FROM arreio.nats_rights")
    with connection.cursor() as cursor:
        cursor.executemany("INSERT INTO arreio.nats_rights VALUES (%s, %s, %s, %s)", sorted(nats_rights()))
    return takes_nats([(*row,) for row in before], nats_rights())


def _escaped(path: Path) -> str:
    return str(path).replace("%", "%%")  # Alembic's configuration interpolates


async def _with_streams(options: dict[str, Any], work: Callable[[JetStreamContext], Awaitable[Result]]) -> Result:
    import nats
    import nats.errors

    try:
        client = await nats.connect(**options, connect_timeout=5, max_reconnect_attempts=2, error_cb=_quiet)
    except (OSError, nats.errors.Error, TimeoutError) as error:
        raise ProvisionError(
            f"NATS cannot be reached: {error or type(error).__name__}", "see `arreio doctor`"
        ) from error
    try:
        return await work(client.jetstream(timeout=10))
    except (nats.errors.Error, TimeoutError) as error:
        raise ProvisionError(
            f"NATS refuses a stream or consumer: {error}",
            "is JetStream enabled for this user, and has its cluster as many nodes as ARREIO_NATS_REPLICAS says?",
        ) from error
    finally:
        await client.close()


async def _quiet(_error: Exception) -> None:
    """nats-py's default prints a traceback for what is raised anyway."""

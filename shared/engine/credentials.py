"""The embedded engine's passwords: random, made once, kept in one 0600 file."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from shared.bus.service_rights import OPERATOR, PROVISIONER, SERVICES
from shared.engine.errors import DataDirError, EngineDown
from shared.engine.paths import DataDir, os_error, write_private

ADMIN_ROLE = "arreio_admin"
LOGIN_ROLES = (
    "arreio_gateway",
    "arreio_context_builder",
    "arreio_tool_loop",
    "arreio_gate_runner",
    "arreio_learning",
    "arreio_console",
    "arreio_operator",
    "arreio_maintenance",
)
NATS_USERS = (PROVISIONER, OPERATOR, "subscriber", *SERVICES)


@dataclass(frozen=True)
class Credentials:
    """Passwords by PostgreSQL role and by NATS user. Never shown: the repr leaves them out."""

    postgres: dict[str, str] = field(repr=False)
    nats: dict[str, str] = field(repr=False)


def load_credentials(data_dir: DataDir) -> Credentials:
    """Read the credentials file. Raises EngineDown when there is none, DataDirError when it cannot be used."""
    try:
        raw = json.loads(data_dir.credentials.read_text())
        return Credentials(postgres=_strings(raw["postgres"]), nats=_strings(raw["nats"]))
    except FileNotFoundError:
        raise EngineDown(data_dir.root) from None
    except OSError as error:
        raise os_error(error, data_dir.credentials) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise _broken(data_dir.credentials) from None


def ensure_credentials(data_dir: DataDir) -> Credentials:
    """The credentials, made or completed where a role or user has none yet. Call it under the engine's lock."""
    try:
        known = load_credentials(data_dir)
    except EngineDown:
        known = Credentials(postgres={}, nats={})
    wanted = Credentials(
        postgres=known.postgres | _new({ADMIN_ROLE, *LOGIN_ROLES} - known.postgres.keys()),
        nats=known.nats | _new(set(NATS_USERS) - known.nats.keys()),
    )
    if wanted != known:
        save_credentials(data_dir, wanted)
    return wanted


def save_credentials(data_dir: DataDir, credentials: Credentials) -> None:
    """Replace the credentials file."""
    body = {"version": 1, "postgres": credentials.postgres, "nats": credentials.nats}
    try:
        write_private(data_dir.credentials, json.dumps(body, indent=2) + "\n")
    except OSError as error:
        raise os_error(error, data_dir.credentials) from None


def _new(names: set[str]) -> dict[str, str]:
    return {name: secrets.token_urlsafe(24) for name in sorted(names)}


def _strings(value: dict[str, str]) -> dict[str, str]:
    if not all(isinstance(item, str) for pair in value.items() for item in pair):
        raise TypeError("not text")
    return dict(value)


def _broken(path: Path) -> DataDirError:
    return DataDirError(
        f"the credentials file {path} is broken", "move it away: new passwords are made at the next start"
    )

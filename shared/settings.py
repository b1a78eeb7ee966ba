"""Settings: everything that the environment (`ARREIO_*`) can change, and the addresses that follow from it."""

from __future__ import annotations

import difflib
import os
import ssl
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote, unquote, urlsplit

from platformdirs import user_data_path
from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from shared.bus.service_rights import PROVISIONER, SERVICES, inbox_prefix
from shared.engine.credentials import ADMIN_ROLE, Credentials, load_credentials
from shared.engine.errors import EngineDown
from shared.engine.paths import DataDir
from shared.engine.state import read_state
from shared.errors import ArreioError
from shared.link import guarded, nats_pings, with_options

PREFIX = "ARREIO_"
DATABASE = "arreio"
SILENT = 10.0
"""Seconds that a service may at least be silent inside a transaction: its machine may be busy."""

_POSTGRES_FORM = "give a URL such as postgresql://user:password@host:5432/database"
_NATS_FORM = "give a URL such as nats://user:password@host:4222, or one for each node of a cluster, with commas between"


class SettingsError(ArreioError):
    """A variable of the environment, or an option, with a value that cannot be used."""


class Settings(BaseSettings):
    """What the environment says. Frozen; make another with `load_settings` rather than change one."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore", frozen=True, env_ignore_empty=True)

    home: Path = Field(default_factory=lambda: user_data_path("arreio"))
    database_url: str | None = None
    nats_url: str | None = None
    nats_port: int | None = Field(default=None, ge=1, le=65535)
    nats_ca: Path | None = Field(default=None, description="a PEM file: who signed the external NATS's certificate")
    nats_cert: Path | None = Field(default=None, description="a PEM file: the certificate that we show NATS")
    nats_key: Path | None = Field(default=None, description="a PEM file: the key of ARREIO_NATS_CERT")
    secrets_dir: Path | None = Field(
        default=None, description="a folder of files named as settings (ARREIO_DATABASE_URL, …) that hold their values"
    )
    role_passwords: Path | None = Field(
        default=None,
        description="a folder of files named as roles (arreio_gateway, …): the passwords that provisioning sets",
    )
    nats_replicas: int = Field(
        default=1,
        ge=1,
        le=5,
        description="nodes of an external JetStream cluster that keep each message; with 3, one may be lost",
    )
    model: str | None = None
    api_base: str | None = None
    capability: str | None = None
    capabilities: Path | None = Field(default=None, description="a YAML file of capability profiles beside the shipped")
    tokenizer: str | None = Field(
        default=None,
        pattern=r"^(approx(:[0-9]+(\.[0-9]+)?)?|tiktoken:[a-z0-9_]+)$",
        description="what counts tokens instead of the capability profile's: approx, approx:FACTOR, tiktoken:ENCODING",
    )
    hooks: Path | None = Field(default=None, description="YAML file of the hooks of every task")
    profiles: Path | None = Field(default=None, description="folder of the profiles' files; else profiles in the home")
    registries: bool = Field(default=True, description="ask package registries about names that nothing here knows")
    http: str | None = Field(
        default=None,
        pattern=r"^(off|([A-Za-z0-9.-]+|\[[0-9a-fA-F:]+\])?:[0-9]{1,5})$",
        description="HOST:PORT of the HTTP API (:PORT: loopback) or off; unset: a free port once a channel is there",
    )
    console: str | None = Field(
        default=None,
        pattern=r"^([A-Za-z0-9.-]+|\[[0-9a-fA-F:]+\])?:[0-9]{1,5}$",
        description="HOST:PORT of the console (:PORT: loopback), which `arreio up` then runs too",
    )
    metrics: str | None = Field(
        default=None,
        pattern=r"^([A-Za-z0-9.-]+|\[[0-9a-fA-F:]+\])?:[0-9]{1,5}$",
        description="HOST:PORT of /livez, /readyz and /metrics (:PORT: loopback), or the next free port; unset: off",
    )
    sender_rate: int = Field(default=600, ge=1, description="messages a minute that one sender may post by HTTP")
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    lease_ttl: float = Field(default=10.0, gt=0.5, description="seconds; the heartbeat comes every third of it")
    link_timeout: float = Field(
        default=10.0,
        ge=1,
        le=600,
        description="seconds without an answer after which a connection to an external PostgreSQL or NATS is given up",
    )
    sweep_interval: float = Field(default=4.0, gt=0.05, description="seconds between two looks for runnable work")
    grace: float = Field(default=10.0, ge=0, description="seconds that services get to hand over when told to stop")
    idle_stop: float = Field(default=60.0, gt=0, description="idle seconds after which a background engine ends")

    @field_validator(
        "home", "capabilities", "hooks", "nats_ca", "nats_cert", "nats_key", "secrets_dir", "role_passwords", "profiles"
    )
    @classmethod
    def _absolute(cls, value: Path | None) -> Path | None:
        try:
            # resolve() would follow links that the user chose
            return value and Path(os.path.abspath(value.expanduser()))  # noqa: PTH100
        except (OSError, RuntimeError) as error:
            raise ValueError(f"give an absolute path: {error}") from error

    @field_validator("database_url")
    @classmethod
    def _postgres_url(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("postgresql://", "postgres://")):
            raise ValueError(_POSTGRES_FORM)
        if value is not None:
            # Only here, since it takes long to import.
            from psycopg import ProgrammingError
            from psycopg.conninfo import conninfo_to_dict

            try:
                urlsplit(value)
                conninfo_to_dict(value)
            except (ProgrammingError, ValueError):
                # What they say may hold the password.
                raise ValueError(_POSTGRES_FORM) from None
        return value

    @field_validator("metrics", "console")
    @classmethod
    def _a_port(cls, value: str | None) -> str | None:
        if value is not None and int(value.rpartition(":")[2]) > 65535:
            raise ValueError("a port is at most 65535")
        return value

    @field_validator("nats_url")
    @classmethod
    def _nats_url(cls, value: str | None) -> str | None:
        if value is not None and not all(map(_is_nats_url, value.split(","))):
            raise ValueError(_NATS_FORM)
        return value

    @model_validator(mode="after")
    def _both_or_none(self) -> Settings:
        if (self.database_url is None) != (self.nats_url is None):
            missing = "ARREIO_NATS_URL" if self.nats_url is None else "ARREIO_DATABASE_URL"
            raise ValueError(f"{missing} is not set: set ARREIO_DATABASE_URL and ARREIO_NATS_URL both, or neither")
        if (self.nats_cert is None) != (self.nats_key is None):
            raise ValueError("ARREIO_NATS_CERT and ARREIO_NATS_KEY belong together: set both, or neither")
        if self.nats_replicas > 1 and self.nats_url is None:
            raise ValueError(
                "ARREIO_NATS_REPLICAS needs a cluster, and the embedded NATS is one server: set ARREIO_NATS_URL"
            )
        return self

    @property
    def data_dir(self) -> Path:
        """Where all state lives."""
        return self.home

    @property
    def profile_folder(self) -> Path:
        """Where the profiles' files lie."""
        return self.profiles or self.home / "profiles"

    @property
    def embedded(self) -> bool:
        """Whether PostgreSQL and NATS are those of the data directory (else both are external)."""
        return self.database_url is None

    @property
    def heartbeat(self) -> float:
        """Seconds between two heartbeats of a lease."""
        return self.lease_ttl / 3

    def credentials(self) -> Credentials:
        """The embedded engine's passwords. Raises EngineDown when there are none yet."""
        return load_credentials(DataDir(self.home))

    def database_dsn(self, role: str) -> str:
        """The libpq connection string for a role: `gateway`, `operator`, `owner`, …, or `admin` (makes the roles).

        Embedded: the Unix socket and the role's own password. External: `ARREIO_DATABASE_URL` with `role=` set, and
        with what makes both sides notice within `link_timeout` that the other one cannot be reached any more. A service
        that stops inside a transaction is cut off once its leases have run out too (10 s or more), so that what it
        locked is free.
        Raises EngineDown when the embedded engine is not up.
        """
        name = _role_name(role)
        if self.database_url is not None:
            url = guarded(self.database_url, self.link_timeout)
            return url if role == "admin" else with_options(url, f"{self._cut_off(role)}-c role={name}")
        state = read_state(DataDir(self.home))
        if state is None:
            raise EngineDown(self.home)
        passwords = self.credentials().postgres
        login = name if name in passwords else ADMIN_ROLE
        parts = {
            "host": state.socket_dir,
            "port": str(state.postgres_port),
            "dbname": DATABASE,
            "user": login,
            "password": passwords[login],
        }
        acting = "" if login == name else f"-c role={name}"
        if options := f"{self._cut_off(role)}{acting}".strip():
            parts["options"] = options
        return " ".join(f"{key}={_quoted(value)}" for key, value in parts.items())

    def _cut_off(self, role: str) -> str:
        """The server's setting for services. A person's command may wait inside a transaction for its reader."""
        milliseconds = round(1000 * max(SILENT, self.lease_ttl))
        service = role.removeprefix("arreio_") in SERVICES
        return f"-c idle_in_transaction_session_timeout={milliseconds} " if service else ""

    def nats_options(self, user: str = PROVISIONER) -> dict[str, Any]:
        """Keyword arguments for `nats.connect` as the user of the provisioner, operator, subscribers or a service.

        External: as the user that `ARREIO_NATS_URL` names; with a certificate or a `tls:` address a server without TLS
        is refused. Raises EngineDown when the embedded engine is not up, and
        SettingsError where a certificate cannot be read.
        """
        if self.nats_url is not None:
            return {"servers": self.nats_url.split(","), **self._external_nats()}
        state = read_state(DataDir(self.home))
        if state is None:
            raise EngineDown(self.home)
        options: dict[str, Any] = {
            "servers": [f"nats://127.0.0.1:{state.nats_port}"],
            "user": user,
            "password": self.credentials().nats[user],
        }
        prefix = inbox_prefix(user)
        if prefix is not None:
            options["inbox_prefix"] = prefix.encode()
        return options

    def _external_nats(self) -> dict[str, Any]:
        assert self.nats_url is not None
        parts = urlsplit(self.nats_url.partition(",")[0])
        prefix = inbox_prefix(unquote(parts.username or ""))
        found: dict[str, Any] = dict(nats_pings(self.link_timeout))
        if prefix is not None:
            found["inbox_prefix"] = prefix.encode()
        tls = self.nats_tls()
        if tls is not None or any(one.startswith(("tls://", "wss://")) for one in self.nats_url.split(",")):
            # Only here, since it takes long to import.
            from shared.bus.only_encrypted import refuse_plaintext

            refuse_plaintext()
        return found if tls is None else {**found, "tls": tls}

    def nats_tls(self) -> ssl.SSLContext | None:
        """What ARREIO_NATS_CA, _CERT and _KEY ask for; None: they are unset. Raises SettingsError."""
        if self.nats_ca is None and self.nats_cert is None:
            return None
        try:
            context = ssl.create_default_context(cafile=self.nats_ca)
            if self.nats_cert is not None:
                context.load_cert_chain(self.nats_cert, self.nats_key)
        except (OSError, ssl.SSLError) as error:
            raise SettingsError(
                f"the certificates of NATS cannot be used: {error}",
                "ARREIO_NATS_CA, ARREIO_NATS_CERT and ARREIO_NATS_KEY name PEM files",
            ) from error
        return context

    def nats_address(self, user: str = PROVISIONER) -> str:
        """One URL with user and password in it, for clients that take nothing else. Never print it."""
        if self.nats_url is not None:
            return self.nats_url.partition(",")[0]
        options = self.nats_options(user)
        scheme, rest = options["servers"][0].split("://")
        return f"{scheme}://{quote(options['user'])}:{quote(options['password'])}@{rest}"


def _is_nats_url(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return text.startswith(("nats://", "tls://", "ws://", "wss://")) and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def load_settings(data_dir: Path | None = None, **overrides: Any) -> Settings:
    """The settings of this environment; `data_dir` and `overrides` win over it.

    Raises SettingsError naming the variable that is wrong.
    """
    _refuse_misspelt()
    if data_dir is not None:
        overrides["home"] = data_dir
    secrets = os.environ.get(f"{PREFIX}SECRETS_DIR")
    if secrets and not Path(secrets).is_dir():
        raise SettingsError(
            f"{PREFIX}SECRETS_DIR: {secrets} is not a folder", f"correct it or unset {PREFIX}SECRETS_DIR"
        )
    try:
        return Settings(_secrets_dir=secrets or None, **overrides)
    except ValidationError as error:
        first = error.errors()[0]
        problem = first["msg"].removeprefix("Value error, ")
        if not first["loc"]:
            raise SettingsError(problem) from None
        name = f"{PREFIX}{first['loc'][0]}".upper()
        secret = name.endswith("_URL")
        seen = "" if secret else f" (it is {str(first['input'])!r})"
        raise SettingsError(f"{name}: {problem}{seen}", f"correct it or unset {name}") from None


def environment(settings: Settings) -> dict[str, str]:
    """The variables that make another process load the same settings."""
    values = settings.model_dump(exclude_none=True)
    return {f"{PREFIX}{name}".upper(): str(value) for name, value in values.items()}


def _refuse_misspelt() -> None:
    known = [f"{PREFIX}{field}".upper() for field in Settings.model_fields]
    for name in sorted(os.environ):
        if name.startswith(PREFIX) and name not in known:
            near = difflib.get_close_matches(name, known, n=1, cutoff=0.85)
            if near:
                raise SettingsError(f"{name} is not a setting", f"did you mean {near[0]}?")


def _role_name(role: str) -> str:
    if role == "admin":
        return ADMIN_ROLE
    return role if role.startswith("arreio_") else f"arreio_{role}"


def _quoted(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"

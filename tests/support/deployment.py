"""PostgreSQL and NATS as a deployment has them: with its secrets and its NATS configuration.

Both servers are the real ones; only addresses and folders differ from those inside of the containers.
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import psycopg

from shared.bus.service_rights import inbox_prefix
from shared.engine import postgres
from shared.engine.child import nats_binary
from shared.engine.engine import running_engine
from shared.engine.nats import answers
from shared.engine.paths import DataDir
from shared.settings import Settings
from tests.support.programs import call, until

ROOT = Path(__file__).parent.parent.parent
LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class Deployed:
    """Servers, provisioned, with the secrets of everybody; `home` is the volume that services share."""

    secrets: Path
    home: Path
    nats_log: Path
    admin: str

    def secrets_of(self, name: str) -> dict[str, str]:
        """The variables of a process that is given the secrets of `name`."""
        return {"ARREIO_SECRETS_DIR": str(self.secrets / name), "ARREIO_LEASE_TTL": "3", "ARREIO_SWEEP_INTERVAL": "0.5"}

    def secret(self, *parts: str) -> str:
        """One of them."""
        return self.secrets.joinpath(*parts).read_text().strip()


class DeployedSettings(Settings):
    """Whoever is named acts with that one's secrets: for tests, which look as everybody."""

    secrets: Path

    def database_dsn(self, role: str) -> str:
        """As the role itself; `admin` as the provisioner."""
        name = {"admin": "provisioner"}.get(role, role)
        return (self.secrets / name / "ARREIO_DATABASE_URL").read_text().strip()

    def nats_options(self, user: str = "services") -> dict[str, Any]:
        """As the user."""
        options = super().nats_options(user)
        options["servers"] = [server.rpartition("@")[2] for server in options["servers"]]
        prefix = inbox_prefix(user)
        options["inbox_prefix"] = (prefix or "_INBOX").encode()
        return {**options, "user": user, "password": (self.secrets / "nats" / user).read_text().strip()}


def settings_of(deployed: Deployed) -> DeployedSettings:
    """The settings of who may look at everything."""
    return DeployedSettings(
        home=deployed.home,
        database_url=deployed.secret("operator", "ARREIO_DATABASE_URL"),
        nats_url=deployed.secret("operator", "ARREIO_NATS_URL"),
        secrets=deployed.secrets,
    )


@contextlib.contextmanager
def deployment(place: Path, address: str = LOOPBACK, more: Mapping[str, str] | None = None) -> Iterator[Deployed]:
    """Servers on `address`, provisioned; on another than the loopback PostgreSQL listens there too, for its /24."""
    secrets, home = place / "secrets", place / "home"
    listening = {} if address == LOOPBACK else {"listen_addresses": address}
    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.dict(postgres._SETTINGS, listening))
        engine = stack.enter_context(running_engine(Settings(home=place / "engine", database_url=None, nats_url=None)))
        parts = psycopg.conninfo.conninfo_to_dict(engine.database_dsn("admin"))
        secrets.mkdir()
        (secrets / "database_password").write_text(str(parts["password"]))
        port = free_port(address)
        database = f"/arreio?host={parts['host']}&port={parts['port']}"
        if listening:
            let_in(engine, f"{address}/24")
            database = f"{address}:{parts['port']}/arreio"
        made = [str(ROOT / "deploy" / "make_secrets.py"), str(secrets), "--database", database]
        subprocess.run([sys.executable, "-I", *made, "--nats", f"{address}:{port}"], check=True, capture_output=True)
        log = stack.enter_context(nats_server(place / "nats", secrets, address, port))
        deployed = Deployed(secrets, home, log, engine.database_dsn("admin"))
        roles = {"ARREIO_ROLE_PASSWORDS": str(secrets / "roles")}
        done = call(["provision"], home, deployed.secrets_of("provisioner") | roles | dict(more or {}))
        assert done.returncode == 0, done.stderr
        yield deployed


def let_in(engine: Settings, network: str) -> None:
    """Let everybody with a password in from a network."""
    with (DataDir(engine.home).postgres / "pg_hba.conf").open("a") as rules:
        rules.write(f"host all all {network} scram-sha-256\n")
    with psycopg.connect(engine.database_dsn("admin"), autocommit=True) as connection:
        connection.execute("SELECT pg_reload_conf()")


@contextlib.contextmanager
def nats_server(place: Path, secrets: Path, address: str, port: int) -> Iterator[Path]:
    """A server with the deployment's own configuration on another address and folder; its log."""
    text = (ROOT / "deploy" / "nats.conf").read_text()
    text = text.replace("0.0.0.0:4222", f"{address}:{port}").replace("0.0.0.0:8222", "127.0.0.1:-1")
    text = text.replace('"/data"', f'"{place}/data"').replace(
        "include secrets/", f"include {os.path.relpath(secrets, place)}/"
    )
    place.mkdir()
    (place / "nats.conf").write_text(text)
    log = place / "nats.log"
    with log.open("w") as out:
        server = subprocess.Popen(
            [nats_binary(), "-c", place / "nats.conf"], env={"SERVER_NAME": "one"}, stdout=out, stderr=out
        )
    try:
        password = (secrets / "nats" / "operator").read_text()
        until(lambda: is_up(port, password, address), what="NATS")
        yield log
    finally:
        server.terminate()
        server.wait(30)


def is_up(port: int, password: str, address: str = LOOPBACK) -> bool:
    """Whether the operator is let in."""
    with contextlib.suppress(OSError):
        return answers(port, "operator", password, address)
    return False


def new_authority(path: Path) -> None:
    """An authority's certificate as one for PostgreSQL may be."""
    names = ["-subj", "/CN=PostgreSQL", "-days", "9", "-nodes", "-keyout", os.devnull, "-out", str(path)]
    asked = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", *names]
    subprocess.run(asked, capture_output=True, check=True)


def free_port(address: str = LOOPBACK) -> int:
    """A port that nobody listens on there."""
    with socket.socket() as probe:
        probe.bind((address, 0))
        return int(probe.getsockname()[1])


def refusals(nats_log: Path) -> list[str]:
    """What NATS did not let somebody do: lines of its log."""
    return [line for line in nats_log.read_text().splitlines() if re.search("Violation", line)]

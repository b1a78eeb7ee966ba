"""The services as containers run them: each with the secrets that it alone is given, on servers that are not ours.

PostgreSQL and NATS are the real ones; only addresses and folders differ from those inside of the containers.
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from shared.engine.child import nats_binary
from shared.engine.engine import running_engine
from shared.engine.nats import answers
from shared.settings import Settings
from tests.e2e.conftest import MENDED
from tests.support.house import SERVICES
from tests.support.programs import call, start, until
from tests.support.scripted_server import ScriptedServer
from tests.support.scripts import Script

ROOT = Path(__file__).parent.parent.parent


@dataclass(frozen=True)
class Deployed:
    """Servers, provisioned, with the secrets of everybody; `home` is the volume that services share."""

    secrets: Path
    home: Path
    nats_log: Path
    admin: str

    def secrets_of(self, name: str) -> dict[str, str]:
        return {"ARREIO_SECRETS_DIR": str(self.secrets / name), "ARREIO_LEASE_TTL": "3", "ARREIO_SWEEP_INTERVAL": "0.5"}


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployed]:
    place = tmp_path_factory.mktemp("deployed")
    secrets, home = place / "secrets", place / "home"
    with contextlib.ExitStack() as stack:
        engine = stack.enter_context(running_engine(Settings(home=place / "engine", database_url=None, nats_url=None)))
        parts = psycopg.conninfo.conninfo_to_dict(engine.database_dsn("admin"))
        secrets.mkdir()
        (secrets / "database_password").write_text(str(parts["password"]))
        port = free_port()
        database = f"/arreio?host={parts['host']}&port={parts['port']}"
        made = [
            str(ROOT / "deploy" / "make_secrets.py"),
            str(secrets),
            "--database",
            database,
            "--nats",
            f"127.0.0.1:{port}",
        ]
        subprocess.run([sys.executable, "-I", *made], check=True)
        log = stack.enter_context(nats_server(place / "nats", secrets, port))
        deployed = Deployed(secrets, home, log, engine.database_dsn("admin"))
        roles = {"ARREIO_ROLE_PASSWORDS": str(secrets / "roles")}
        done = call(["provision"], home, deployed.secrets_of("provisioner") | roles)
        assert done.returncode == 0, done.stderr
        yield deployed


@contextlib.contextmanager
def nats_server(place: Path, secrets: Path, port: int) -> Iterator[Path]:
    """A server with the deployment's own configuration on another port and folder; its log."""
    text = (ROOT / "deploy" / "nats.conf").read_text()
    text = text.replace("0.0.0.0:4222", f"127.0.0.1:{port}").replace("0.0.0.0:8222", "127.0.0.1:-1")
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
        until(lambda: is_up(port, password), what="NATS")
        yield log
    finally:
        server.terminate()
        server.wait(30)


def is_up(port: int, password: str) -> bool:
    with contextlib.suppress(OSError):
        return answers(port, "operator", password)
    return False


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_a_task_is_done_by_services_that_each_have_their_own_rights_alone(
    deployed: Deployed, repository: Path, mending: Script
) -> None:
    running = [start(["-m", "arreio", "serve", name], deployed.home, deployed.secrets_of(name)) for name in SERVICES]
    try:
        with ScriptedServer(mending) as server:
            asked = ["-c", "tests: pytest -q", "--model", "openai/scripted", "--api-base", server.url]
            done = call(
                ["run", "-w", str(repository), *asked, "The test fails. Mend calculator.py."],
                deployed.home,
                deployed.secrets_of("operator"),
            )
        assert done.returncode == 0, done.stdout + done.stderr
        assert (repository / "calculator.py").read_text() == MENDED
        with psycopg.connect(deployed.admin) as connection:
            query = "SELECT DISTINCT usename FROM pg_stat_activity WHERE application_name LIKE 'arreio%'"
            users = {name for (name,) in connection.execute(query)}
        assert {f"arreio_{name}" for name in SERVICES} <= users and users <= {f"arreio_{name}" for name in SERVICES} | {
            "arreio_operator"
        }
        verified = call(["replay", "--all", "--verify"], deployed.home, deployed.secrets_of("operator"))
        assert verified.returncode == 0, verified.stderr
    finally:
        statuses = [program.end() for program in running]
    assert statuses == [0] * len(SERVICES)
    refused = [line for line in deployed.nats_log.read_text().splitlines() if re.search("Violation", line)]
    assert not refused


def test_a_service_cannot_act_as_another_one(deployed: Deployed) -> None:
    url = (deployed.secrets / "learning" / "ARREIO_DATABASE_URL").read_text()
    with psycopg.connect(url, autocommit=True) as connection:
        for other in ("arreio_tool_loop", "arreio_owner", "arreio_maintenance"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(f"SET ROLE {other}".encode())


def test_passwords_that_cannot_be_read_are_named(deployed: Deployed, tmp_path: Path) -> None:
    roles = {"ARREIO_ROLE_PASSWORDS": str(tmp_path)}
    done = call(["provision"], deployed.home, deployed.secrets_of("provisioner") | roles)
    assert done.returncode == 1 and "the password of arreio_gateway cannot be read" in done.stderr
    missing = call(["provision"], deployed.home, {"ARREIO_SECRETS_DIR": str(tmp_path / "none")})
    assert missing.returncode == 1 and "is not a folder" in missing.stderr

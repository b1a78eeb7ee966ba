"""The services as containers run them: each with the secrets that it alone is given, on servers that are not ours.

PostgreSQL and NATS are the real ones; only addresses and folders differ from those inside of the containers.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.e2e.conftest import MENDED
from tests.support.deployment import Deployed, deployment, refusals
from tests.support.house import SERVICES
from tests.support.programs import call, start
from tests.support.scripted_server import ScriptedServer
from tests.support.scripts import Script


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployed]:
    with deployment(tmp_path_factory.mktemp("deployed")) as running:
        yield running


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
    assert not refusals(deployed.nats_log)


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

